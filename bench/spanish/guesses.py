"""What an agent of a domain that nobody described may look like, from train.yaml and the labels of slots.jsonl.

Names of slots and intents tell most of it; labels tell the rest. A wrong guess costs points, never a crash.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.spanish.domains import BY_SLOTS, ES_DEV, ES_DEV_ACTS, ActsPlan, CartIntents, Declaration, Domain
from bench.spanish.folder import CROSS, MessageFolder
from bench.spanish.shelf import catalogue_parts
from bench.spanish.words import as_name, fold

COUNTRIES = {
    "America/Argentina": "AR",
    "America/Bogota": "CO",
    "America/Mexico": "MX",
    "America/Lima": "PE",
    "America/Santiago": "CL",
    "America/Montevideo": "UY",
    "Europe/Madrid": "ES",
}

FAMILY_WORDS = frozenset({"apellido", "apellidos", "surname", "family"})
# Words of a slot's name that tell its type; the first type that fits counts.
TYPE_WORDS: Mapping[str, frozenset[str]] = {
    "email": frozenset({"email", "mail", "correo"}),
    "phone": frozenset({"phone", "telefono", "celular", "cel", "whatsapp", "movil"}),
    "url": frozenset({"website", "web", "url", "sitio", "pagina"}),
    "date": frozenset({"date", "fecha", "dia", "day", "nacimiento", "birthday", "birth"}),
    "time": frozenset({"time", "hora", "horario", "hour"}),
    "money": frozenset({"budget", "presupuesto", "pay", "monto", "amount", "importe", "precio", "price", "pago"}),
    "national_id": frozenset({"dni", "cedula", "documento", "document", "rut", "cuit"}),
    "address": frozenset({"address", "direccion", "domicilio", "calle"}),
    "city": frozenset({"city", "ciudad", "localidad", "origin", "origen", "destination", "destino", "municipio"}),
    "person_name": frozenset({"name", "nombre", "nombres", *FAMILY_WORDS, "paciente", "patient", "titular"}),
    "number": frozenset({"passengers", "people", "personas", "cantidad", "quantity", "age", "edad", "year", "km"}),
}
REGION_WORDS = frozenset({"departamento", "provincia", "region", "estado", "state", "province"})

# What a label of a type looks like; types that are not here take any text.
SHAPES: Mapping[str, re.Pattern[str]] = {
    "email": re.compile(r"\S+@\S+"),
    "phone": re.compile(r"[+\d\s().-]{6,}|\$channel"),
    "date": re.compile(r"\d{4}-\d\d(-\d\d)?(/.*)?"),
    "time": re.compile(r"\d\d?:\d\d"),
    "national_id": re.compile(r"[\d.]+[-\w]*"),
}
NUMERIC = frozenset({"money", "number"})
LONGEST_CHOICE = 4  # words; longer labels are free text

NO_SLOTS = frozenset({"items", "currency"})  # labels that come from order lines and from amounts

# A value that a contact may have given before, for each type.
SAMPLES: Mapping[str, Any] = {
    "person_name": "Ana Ruiz",
    "email": "ana.ruiz@mail.com",
    "phone": "+541144445555",
    "address": "Mitre 100",
    "national_id": "30111222",
    "date": "2026-03-20",
    "time": "18:00",
    "money": 50000,
    "number": 2,
    "city": "Cusco",
    "url": "https://ana.com",
    "boolean": True,
    "text": "algo",
}

ADDS = re.compile(r"(add|agregar|sumar|pedir|order)(_(?!status)|$)")
REMOVES = re.compile(r"(remove|delete|quitar|sacar)(_|$)")
MODIFIES = re.compile(r"(modify|modificar)(_|$)|(change|update|cambiar)_(items?|quantity|order|cart|pedido)")
REPEATS = re.compile(r"re_?order|(repeat|repetir)_.*(order|pedido|purchase|compra)")
TASKS = re.compile(r"(buy|book|want|request|hire|subscribe|join|sign_?up|enroll?|reserve|schedule|make|new)(_|$)")
TASKS_IN_SPANISH = re.compile(r"(comprar|reservar|contratar|agendar|cotizar|inscribir\w*|sacar_turno|pedir_turno)(_|$)")
GIVES = re.compile(r"(give|provide|choose|select|refuse|lacks?|dar|elegir)(_|$)")
CANCELS = re.compile(r"(cancel|anular|baja)")


def domains_of(folder: MessageFolder) -> dict[str, Domain]:
    """Every domain of a folder, as the table of es-dev has it or guessed."""
    found = {CROSS: Domain(name=CROSS)}
    with_slots = [row["domain"] for row in folder.rows("slots")] if folder.has("slots") else []
    for name in dict.fromkeys((*folder.domains, *with_slots)):
        found[name] = (
            _with_all_slots(folder, ES_DEV[name]) if _is_of_es_dev(folder, name) else guessed_domain(folder, name)
        )
    return found


def _with_all_slots(folder: MessageFolder, domain: Domain) -> Domain:
    """A domain of es-dev with the slots that only the labels of another folder have."""
    if domain.is_assistant:
        return domain
    more = _slots(
        folder, {name: some for name, some in _labels(folder, domain.name).items() if name not in domain.slots}
    )
    slots = {**domain.slots, **more}
    prices = folder.train.get("packs")
    if "pack" in domain.slots and isinstance(prices, dict):
        slots["pack"] = {**domain.slots["pack"], "choices": _priced(domain.slots["pack"]["choices"], prices)}
    return replace(domain, slots=slots)


def _priced(choices: Mapping[str, Sequence[str]], packs: Mapping[str, Any]) -> dict[str, list[str]]:
    """The words for each pack, with the price that the folder's train.yaml gives it."""
    return {
        name: [word for word in words if not word.replace(".", "").isdigit()] + [str(packs[name]["price"])]
        for name, words in choices.items()
        if name in packs
    }


def _is_of_es_dev(folder: MessageFolder, name: str) -> bool:
    """Whether it is es-dev's domain, and no other one of the same name."""
    examples = set(folder.examples(name))
    return name in ES_DEV and (not examples or set(ES_DEV[name].questions) <= examples)


# --- intents --------------------------------------------------------------------------------------------


def guessed_domain(folder: MessageFolder, name: str) -> Domain:
    """A domain by the names of its intents and the labels of its messages."""
    intents = list(folder.examples(name))
    labels = _labels(folder, name)
    cart = _cart(intents, sells="items" in labels, has_catalogue=_has_catalogue(folder, name))
    of_cart = cart or CartIntents()
    tasks = [each for each in intents if each not in of_cart.all and _is_task(each)]
    gives = [each for each in intents if GIVES.match(each)]
    by_slots = BY_SLOTS | of_cart.by_lines | {*gives, *tasks}
    questions = [each for each in intents if each not in by_slots | of_cart.all and not CANCELS.match(each)]
    started = [*tasks, of_cart.repeat] if of_cart.repeat else tasks
    slots = _slots(folder, labels)
    money = [each for each, slot in slots.items() if slot["type"] == "money"]
    return Domain(
        name=name,
        country=_country(folder, name),
        slots=slots,
        questions=tuple(questions),
        tasks={f"{name}_{each}": (each,) for each in started},
        by_slots=by_slots,
        cart=cart,
        packages=_packages(folder, name),
        currency_of=money[0] if money and "currency" in labels else "",
    )


def _is_task(intent: str) -> bool:
    return bool(TASKS.match(intent) or TASKS_IN_SPANISH.match(intent))


def _cart(intents: Sequence[str], *, sells: bool, has_catalogue: bool) -> CartIntents | None:
    """The intents of a shop; a domain is one if goods can be added, or if its labels have items."""

    def first(pattern: re.Pattern[str]) -> str:
        return next((each for each in intents if pattern.match(each) and not TASKS_IN_SPANISH.match(each)), "")

    cart = CartIntents(add=first(ADDS), remove=first(REMOVES), modify=first(MODIFIES), repeat=first(REPEATS))
    return cart if sells or (cart.add and has_catalogue) else None


def _has_catalogue(folder: MessageFolder, domain: str) -> bool:
    """Whether train.yaml lists what a domain sells, in a catalogue of its own or in the one of all."""
    listed = folder.catalogue
    names = {as_name(name) for name in listed} if isinstance(listed, dict) else set()
    return bool(listed) and (domain in names or not names & set(folder.domains))


def _packages(folder: MessageFolder, domain: str) -> frozenset[str]:
    """The words of train.yaml for a size that may stand as the unit of an order line ("dos latas de…")."""
    by_category = [part.get("size_words") or {} for part in catalogue_parts(folder.catalogue, domain)]
    words = [str(word) for each in by_category for of_category in each.values() for word in of_category]
    return frozenset(fold(word) for word in words if " " not in word)


def _country(folder: MessageFolder, name: str) -> str:
    said = folder.train.get("country")
    if isinstance(said, dict):
        said = said.get(name)
    by_zone = next((code for zone, code in COUNTRIES.items() if folder.zone.startswith(zone)), "AR")
    return str(said or by_zone)


# --- slots ----------------------------------------------------------------------------------------------


def _labels(folder: MessageFolder, domain: str) -> dict[str, list[Any]]:
    """The labelled values of each slot of a domain, also of slots that are only asked."""
    found: dict[str, list[Any]] = {}
    rows = folder.rows("slots") if folder.has("slots") else ()
    for row in rows:
        if row["domain"] != domain:
            continue
        if row["asked"]:
            found.setdefault(str(row["asked"]), [])
        for labelled in (row["slots"], *row["alt"]):
            for name, value in labelled.items():
                found.setdefault(name, []).append(value)
    return found


def _slots(folder: MessageFolder, labels: Mapping[str, Sequence[Any]]) -> dict[str, Declaration]:
    slots = {}
    for name, values in labels.items():
        if name not in NO_SLOTS and not any(isinstance(each, list) for each in values):
            slots[name] = guessed_slot(name, values, _listed(folder.train, name))
    _tell_parts_of_names(slots)
    _tell_regions(slots)
    return slots


def guessed_slot(name: str, values: Sequence[Any], listed: Mapping[str, list[str]]) -> Declaration:
    """A slot by its name and by the values that messages are labelled with; `listed` are choices of train.yaml."""
    label = name.replace("_", " ")
    slot: Declaration = {"type": _type(name, values), "label": label, "ask": f"¿{label.capitalize()}?"}
    if slot["type"] != "text":
        return slot
    choices = dict(listed) or {each: [] for each in _repeated(values)}
    return {**slot, "type": "choice", "choices": choices} if choices else {**slot, "required": False}


def _type(name: str, values: Sequence[Any]) -> str:
    words = set(re.findall(r"[a-z]+", fold(name)))
    by_name = [kind for kind, known in TYPE_WORDS.items() if words & known and _fits(kind, values)]
    if by_name:
        return by_name[0]
    if values and all(isinstance(each, bool) for each in values):
        return "boolean"
    by_shape = [kind for kind in ("number", "email", "date", "time") if values and _fits(kind, values)]
    return by_shape[0] if by_shape else "text"


def _fits(kind: str, values: Sequence[Any]) -> bool:
    """Whether most labels may be of a type; a slot without labels may be of any."""
    fitting = [each for each in values if _may_be(kind, each)]
    return 2 * len(fitting) >= len(values)


def _may_be(kind: str, value: Any) -> bool:
    if kind in NUMERIC:
        return _is_numeric(value)
    if kind in SHAPES:
        return SHAPES[kind].fullmatch(str(value)) is not None
    return isinstance(value, str)


def _is_numeric(value: Any) -> bool:
    """A number, or the two ends of a range."""
    return isinstance(value, int | float | dict) and not isinstance(value, bool)


def _repeated(values: Sequence[Any]) -> list[str]:
    """The labels as choices, where they are short and some come again; else they are free text."""
    texts = [str(each) for each in values]
    distinct = list(dict.fromkeys(texts))
    is_short = all(len(each.split()) <= LONGEST_CHOICE for each in distinct)
    return distinct if is_short and len(distinct) < len(texts) else []


def _listed(train: Mapping[str, Any], name: str) -> dict[str, list[str]]:
    """The choices that train.yaml lists under a slot's name or its plural, with their other words."""
    called = {name, f"{name}s", f"{name}es"}
    listed = next((listed for key, listed in train.items() if as_name(key) in called), None)
    if isinstance(listed, dict):
        return {str(each): _other_words(described) for each, described in listed.items()}
    if not isinstance(listed, list):
        return {}
    named = [(each.get("name"), each) if isinstance(each, dict) else (each, None) for each in listed]
    return {str(each): _other_words(described) for each, described in named if each is not None}


def _other_words(described: Any) -> list[str]:
    if isinstance(described, list):
        return [str(each) for each in described]
    if isinstance(described, dict):
        lists = [described[key] for key in ("also", "aliases", "synonyms") if isinstance(described.get(key), list)]
        return [str(word) for each in lists for word in each]
    return []


def _tell_parts_of_names(slots: dict[str, Declaration]) -> None:
    """Where a domain keeps the family name apart, its other name is the given one."""
    names = [name for name, slot in slots.items() if slot["type"] == "person_name"]
    family = [name for name in names if set(name.split("_")) & FAMILY_WORDS]
    given = [name for name in names if name not in family]
    if family and given:
        slots[family[0]] |= {"part": "family", "required": False}
        slots[given[0]] |= {"part": "given"}


def _tell_regions(slots: dict[str, Declaration]) -> None:
    """A region beside a city is that of the city."""
    cities = [name for name, slot in slots.items() if slot["type"] == "city"]
    for name, slot in slots.items():
        if cities and slot["type"] in {"text", "choice"} and fold(name) in REGION_WORDS:
            slots[name] = {"type": "text", "region_of": cities[0], "required": False, "ask": slot["ask"]}


# --- acts -----------------------------------------------------------------------------------------------


def plan_acts(folder: MessageFolder, domains: Mapping[str, Domain], pending: Iterable[str]) -> ActsPlan:
    """The slots for the set of acts: es-dev's own, or what is waited for and one of every other type."""
    # The prices of packs may be the folder's own; nothing else may differ.
    if all(
        name in domains and domains[name].slots.keys() == ES_DEV[name].slots.keys() for name in ES_DEV_ACTS.asked_in
    ):
        return ES_DEV_ACTS
    waited_for = list(dict.fromkeys(pending))
    slots: dict[str, Declaration] = {}
    domain_of: dict[str, str] = {}
    for name in waited_for:
        owner = next((each for each in domains.values() if name in each.slots), None)
        slots[name] = dict(owner.slots[name]) if owner else guessed_slot(name, (), _listed(folder.train, name))
        if owner:
            domain_of[name] = owner.name
    for domain in domains.values():
        for name, slot in domain.slots.items():
            if name not in slots and slot["type"] not in {each["type"] for each in slots.values()}:
                slots[name] = dict(slot)
    return ActsPlan(
        slots=slots,
        asked_in={each.name: tuple(name for name in slots if name in each.slots) for each in domains.values()},
        domain_of=domain_of,
        filled={name: sample(slot) for name, slot in slots.items()},
    )


def sample(slot: Declaration) -> Any:
    """A value that a contact may have given for a slot."""
    return next(iter(slot["choices"])) if slot["type"] == "choice" else SAMPLES[slot["type"]]
