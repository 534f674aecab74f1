// Two charts, drawn as SVG: columns over days and bars by name. Each stands with its table, which says the same.

import { html } from "./html.js";
import { number } from "./times.js";

const compact = (value) => number(value, { notation: "compact" });

const [HEIGHT, LEFT, BOTTOM, TOP] = [170, 50, 22, 8];
const phone = matchMedia("(max-width: 799px)"); // where a wide drawing would have letters that nobody can read

// A round number above the highest value whose half is a whole one too: nobody had two and a half conversations.
export function ceiling(highest) {
  if (highest <= 4) return 4;
  const size = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 6, 8, 10].map((step) => step * size).find((each) => each >= highest);
}

// `parts` of a day stand on each other: [{label, series: [values]}]
export function Columns({ days, parts, title, format = number, axis = compact }) {
  const sums = days.map((_, index) => parts.reduce((sum, part) => sum + part.values[index], 0));
  const top = ceiling(Math.max(...sums, 0));
  const width = phone.matches ? 330 : 640;
  const step = (width - LEFT) / Math.max(days.length, 1);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const every = Math.ceil(days.length / (phone.matches ? 5 : 8));
  const labelled = (index) => (days.length - 1 - index) % every === 0; // today always has its date
  return html`<figure class="chart">
    <svg viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${title}>
      ${[0, 0.5, 1].map(
        (part) => html`<g><line class="grid" x1=${LEFT} x2=${width} y1=${y(part * top)} y2=${y(part * top)} />
          <text class="axis" x=${LEFT - 6} y=${y(part * top) + 4} text-anchor="end">${axis(part * top)}</text></g>`,
      )}
      ${days.map((day, index) => {
        let under = 0;
        const x = LEFT + index * step + step * 0.15;
        return html`<g>
          ${parts.map((part, order) => {
            const value = part.values[index];
            const [from, to] = [y(under), y(under + value)];
            under += value;
            return value > 0 && html`<rect class=${`part-${order}`} x=${x} y=${to} width=${step * 0.7} height=${from - to} rx=${Math.min(2, step / 8)}><title>${day.label}: ${part.label} ${format(value)}</title></rect>`;
          })}
          ${labelled(index) && html`<text class="axis" x=${index === days.length - 1 ? width : x + step * 0.35} y=${HEIGHT - 6} text-anchor=${index === days.length - 1 ? "end" : "middle"}>${day.label}</text>`}
        </g>`;
      })}
    </svg>
    ${parts.length > 1 && html`<figcaption class="legend">${parts.map((part, order) => html`<span><i class=${`part-${order}`}></i>${part.label}</span>`)}</figcaption>`}
  </figure>`;
}

export function Bars({ items, format = number }) {
  const highest = Math.max(...items.map((item) => item.value), 1);
  return html`<ul class="bars wide">
    ${items.map(
      (item) => html`<li><span class="bar-label"><bdi>${item.label}</bdi></span><span class="track"><i style=${{ width: `${(item.value / highest) * 100}%` }}></i></span><span class="bar-value">${format(item.value)}</span></li>`,
    )}
  </ul>`;
}
