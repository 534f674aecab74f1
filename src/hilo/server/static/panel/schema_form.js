// A form from a JSON Schema: texts, numbers, choices, yes and no, dates, lists and objects of them.

import { html } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./texts.js";
import { plainWord } from "./times.js";

const DEPTH = 4;

function typeOf(schema) {
  const given = Array.isArray(schema.type) ? schema.type.find((each) => each !== "null") : schema.type;
  if (given) return given;
  if (schema.enum) return "string";
  const other = (schema.anyOf ?? schema.oneOf ?? []).find((each) => each.type && each.type !== "null");
  return other?.type ?? (schema.properties ? "object" : "string");
}

// `Optional[X]` is an anyOf with null: the form is that of X.
function plain(schema, root) {
  if (schema.$ref) return plain({ ...resolved(schema.$ref, root), ...schema, $ref: undefined }, root);
  const other = (schema.anyOf ?? schema.oneOf ?? []).find((each) => each.type !== "null");
  return other ? { ...plain(other, root), ...schema, anyOf: undefined, oneOf: undefined } : schema;
}

function resolved(reference, root) {
  const path = reference.replace(/^#\//, "").split("/");
  return path.reduce((found, name) => found?.[name], root) ?? {};
}

// To begin with: defaults, what is known, and a first line in every list that must have one.
export function begun(schema, known) {
  const made = empty(schema);
  const required = new Set(schema.required ?? []);
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    const form = plain(each, schema);
    const value = known.get(plainWord(name)) ?? known.get(plainWord(form.title ?? ""));
    if (typeOf(form) === "string" && !form.enum && value && made[name] === undefined) made[name] = String(value);
    if (typeOf(form) === "array" && required.has(name)) made[name] = [firstItem(form, schema)];
  }
  return made;
}

function firstItem(schema, root) {
  const inner = plain(schema.items ?? { type: "string" }, root);
  if (inner.prefixItems) return [];
  return typeOf(inner) === "object" ? empty(inner) : "";
}

export function empty(schema) {
  const made = {};
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    if (each.default !== undefined && each.default !== null) made[name] = each.default;
  }
  return made;
}

// What was left empty is not sent: the tool has its own idea of it.
export function withoutGaps(value) {
  if (Array.isArray(value)) return value.map(withoutGaps).filter((each) => each !== "" && each !== undefined);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, each]) => each !== "" && each !== undefined && each !== null);
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutGaps(each)]));
}

export function SchemaForm({ schema, values, change, root = schema, depth = 0 }) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(
    ([name, each]) => html`<${Field}
      key=${name}
      name=${name}
      schema=${plain(each, root)}
      root=${root}
      depth=${depth}
      required=${required.has(name)}
      value=${values?.[name]}
      change=${(value) => change({ ...values, [name]: value })}
    />`,
  );
}

function Field(props) {
  const { name, schema, required, depth } = props;
  const label = schema.title || name.replaceAll("_", " ");
  const type = typeOf(schema);
  if (type === "boolean") return html`<${YesNo} ...${props} label=${label} />`;
  if (schema.prefixItems) return html`<${Pair} ...${props} />`;
  if (type === "array" && depth < DEPTH) return html`<${Items} ...${props} label=${label} />`;
  if (type === "object" && depth < DEPTH) {
    return html`<fieldset><legend>${label}</legend><${SchemaForm} schema=${schema} root=${props.root} depth=${depth + 1} values=${props.value ?? {}} change=${props.change} /></fieldset>`;
  }
  return html`<label>
    <span>${label}${required && html` <span class="hint">(${t("required")})</span>`}</span>
    <${Input} ...${props} type=${type} />
    ${schema.description && html`<span class="hint">${schema.description}</span>`}
  </label>`;
}

function Input({ schema, type, required, value, change }) {
  const heard = (event) => change(event.target.value);
  if (schema.enum) {
    return html`<select required=${required} value=${value ?? ""} onChange=${heard}>
      <option value=""></option>
      ${schema.enum.map((each) => html`<option key=${each} value=${each} selected=${each === value}>${schema.labels?.[each] ?? each}</option>`)}
    </select>`;
  }
  if (type === "integer" || type === "number") {
    const number = (event) => change(event.target.value === "" ? "" : Number(event.target.value));
    return html`<input type="number" required=${required} min=${schema.minimum} max=${schema.maximum} step=${type === "integer" ? 1 : "any"} value=${value ?? ""} onInput=${number} />`;
  }
  const kinds = { date: "date", email: "email", uri: "url", time: "time" };
  const limits = { required, minlength: schema.minLength, maxlength: schema.maxLength ?? 2000, pattern: schema.pattern };
  if ((schema.maxLength ?? 0) > 200) return html`<textarea rows="2" dir="auto" ...${limits} pattern=${undefined} value=${value ?? ""} onInput=${heard}></textarea>`;
  return html`<input type=${kinds[schema.format] ?? "text"} dir="auto" ...${limits} value=${value ?? ""} onInput=${heard} />`;
}

function YesNo({ label, value, change }) {
  return html`<label class="tick"><input type="checkbox" checked=${Boolean(value)} onChange=${(event) => change(event.target.checked)} /> ${label}</label>`;
}

// A list whose places have meanings of their own, such as a product and how many of it: a field for each.
function Pair({ schema, root, depth, value, change }) {
  const given = Array.isArray(value) ? value : [];
  const parts = schema.prefixItems.map((each) => plain(each, root));
  const set = (index, part) => change(parts.map((_, number) => (number === index ? part : given[number] ?? "")));
  return html`<div class="pair">
    ${parts.map((part, index) => html`<${Field} key=${index} name=${part.title ?? `${index + 1}`} schema=${part} root=${root} depth=${depth + 1} required=${true} value=${given[index]} change=${(next) => set(index, next)} />`)}
  </div>`;
}

function Items({ schema, root, depth, label, required, value, change }) {
  const items = Array.isArray(value) ? value : [];
  const inner = plain(schema.items ?? { type: "string" }, root);
  const set = (index, item) => change(items.map((each, number) => (number === index ? item : each)));
  const fresh = () => change([...items, firstItem(schema, root)]);
  return html`<fieldset class="items"><legend>${label}</legend>
    ${items.map(
      (item, index) => html`<div class="item" key=${index}>
        <${Field} name=${`${label} ${index + 1}`} schema=${inner} root=${root} depth=${depth + 1} required=${true} value=${item} change=${(next) => set(index, next)} />
        ${(items.length > 1 || !required) && html`<button type="button" class="button-icon small" aria-label=${`${t("removeItem")} ${index + 1}`} onClick=${() => change(items.filter((_, number) => number !== index))}><${Icon} name="close" /></button>`}
      </div>`,
    )}
    <button type="button" class="button small" onClick=${fresh}>${t("addItem")}</button>
  </fieldset>`;
}
