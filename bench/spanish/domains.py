"""What is known of the five domains of es-dev and cannot be told from its files: slots, and what its intents are for.

`guesses.py` does for any other domain what an author would do by hand here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Declaration = dict[str, Any]  # a slot as an agent file has it


@dataclass(frozen=True)
class CartIntents:
    """A shop's intents for what order lines say, by what they do; "" where the shop has none."""

    add: str = ""
    remove: str = ""
    modify: str = ""
    repeat: str = ""  # the last order once more

    @property
    def by_lines(self) -> frozenset[str]:
        """Those that order lines tell by themselves."""
        return frozenset({self.add, self.remove, self.modify} - {""})

    @property
    def all(self) -> frozenset[str]:
        return frozenset({*self.by_lines, self.repeat} - {""})


@dataclass(frozen=True, kw_only=True)
class Domain:
    """What an author of an agent for a domain knows."""

    name: str
    slots: Mapping[str, Declaration] = field(default_factory=dict)
    country: str = "AR"
    questions: tuple[str, ...] = ()  # intents that ask to be told something
    tasks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # flows for what the agent is for, by intents
    by_slots: frozenset[str] = frozenset()  # intents that only repeat what slots and orders take
    cart: CartIntents | None = None  # of a shop
    packages: frozenset[str] = frozenset()  # units of order lines that tell the size of a product
    currency_of: str = ""  # the slot whose currency is labelled too
    has_airports: bool = False  # its cities are told by the airports of train.yaml
    is_assistant: bool = False  # places and sums are read as the shipped assistant reads them


@dataclass(frozen=True, kw_only=True)
class ActsPlan:
    """Which slots the agents of the set of acts have: acts are labelled by what is waited for, not by domain."""

    slots: Mapping[str, Declaration]  # all of them stand in the summary
    asked_in: Mapping[str, tuple[str, ...]]  # by domain, what its agent asks for
    domain_of: Mapping[str, str]  # by slot that may be waited for, whose agent waits for it
    filled: Mapping[str, Any]  # what the contact has said before


# Intents of all domains that would compete with the slots, orders and acts that an author declares instead of them.
BY_SLOTS = frozenset(
    {
        *("give_name", "give_email", "give_phone", "give_website", "give_budget", "give_data", "give_trip_data"),
        *("choose_pack", "add_items", "remove_items", "modify_items", "want_buy", "book_flight", "request_quote"),
        *("refuse_data", "lacks_data", "affirm", "deny", "greet", "thanks", "goodbye", "correct"),
    }
)

# The synonyms of the shipped sales agent, with the prices of es-dev's packs.
PACKS = {
    "1x": [
        *("uno", "una", "un frasco", "un solo frasco", "una unidad", "el primero", "la primera", "el de uno"),
        *("el de 1", "la 1", "el 1", "x1", "el más barato", "79900", "79.900"),
    ],
    "2x": [
        *("dos", "dos frascos", "el segundo", "la segunda", "el de dos", "la de dos", "el doble", "doble"),
        *("la promo de dos", "el de 2", "la 2", "el 2", "x2", "129900", "129.900"),
    ],
    "3x": [
        *("tres", "tres frascos", "el tercero", "la tercera", "el de tres", "la de tres", "el triple", "triple"),
        *("la promo de tres", "el de 3", "la 3", "el 3", "x3", "169900", "169.900"),
    ],
}

COLLECTOR = Domain(
    name="collector",
    slots={
        "name": {"type": "person_name", "label": "nombre", "ask": "¿Cómo te llamás?"},
        "email": {"type": "email", "label": "correo", "also": ["mail"], "ask": "¿Cuál es tu correo?"},
        "phone": {
            "type": "phone",
            "label": "teléfono",
            "also": ["celular", "cel", "tel", "número", "whatsapp"],
            "ask": "¿Tu teléfono?",
        },
        "website": {
            "type": "url",
            "label": "página web",
            "also": ["web", "sitio", "página"],
            "ask": "¿Tenés página web?",
            "required": False,
        },
        "budget": {"type": "money", "label": "presupuesto", "ask": "¿Qué presupuesto tenés?", "required": False},
    },
    questions=("ask_why_data", "ask_services", "ask_price", "ask_next_steps", "review_data"),
    tasks={"cotizar": ("request_quote",)},
    by_slots=BY_SLOTS,
    currency_of="budget",
)

RETAIL = Domain(
    name="retail",
    slots={
        "name": {"type": "person_name", "label": "nombre", "ask": "¿A nombre de quién?"},
        "dni": {"type": "national_id", "label": "DNI", "ask": "¿Tu DNI?"},
        "address": {"type": "address", "label": "dirección", "ask": "¿A qué dirección?"},
        "date": {"type": "date", "label": "día", "ask": "¿Para qué día?", "required": False},
        "time": {"type": "time", "label": "hora", "ask": "¿A qué hora?"},
        "pay_with": {"type": "money", "label": "pago", "also": ["pago con"], "ask": "¿Con cuánto pagás?"},
    },
    questions=(
        *("ask_price", "ask_availability", "ask_hours", "ask_location", "ask_delivery", "ask_payment"),
        *("order_status", "view_cart"),
    ),
    tasks={"repetir": ("repeat_last_order",)},
    by_slots=BY_SLOTS,
    cart=CartIntents(add="add_items", remove="remove_items", modify="modify_items", repeat="repeat_last_order"),
    packages=frozenset({"lata", "box", "pote"}),
)

SALES = Domain(
    name="sales",
    country="CO",
    slots={
        "nombre": {"type": "person_name", "part": "given", "ask": "¿Cuál es su nombre?"},
        "apellido": {"type": "person_name", "part": "family", "required": False, "ask": "¿Y su apellido?"},
        "telefono": {"type": "phone", "label": "teléfono", "also": ["celular", "cel"], "ask": "¿Su teléfono?"},
        "ciudad": {"type": "city", "also": ["municipio"], "ask": "¿En qué ciudad?"},
        "departamento": {
            "type": "text",
            "region_of": "ciudad",
            "also": ["depto"],
            "required": False,
            "ask": "¿Departamento?",
        },
        "direccion": {"type": "address", "label": "dirección", "also": ["dir"], "ask": "¿Cuál es la dirección?"},
        "barrio": {"type": "text", "required": False, "ask": "¿Qué barrio?"},
        "correo": {"type": "email", "also": ["mail", "email"], "required": False, "ask": "¿Su correo?"},
        "pack": {"type": "choice", "choices": PACKS, "ask": "¿Cuál pack: 1x, 2x o 3x?"},
    },
    questions=(
        *("ask_price", "ask_product", "ask_usage", "ask_side_effects", "ask_effectiveness", "ask_shipping"),
        *("ask_payment", "ask_trust", "ask_promos", "order_status"),
    ),
    tasks={"comprar": ("want_buy",)},
    by_slots=BY_SLOTS,
)

FLIGHTS = Domain(
    name="flights",
    slots={
        "origin": {"type": "city", "label": "origen", "before": ["de", "desde"], "ask": "¿De dónde salís?"},
        "destination": {
            "type": "city",
            "label": "destino",
            "before": ["a", "hasta", "hacia", "para"],
            "ask": "¿A dónde?",
        },
        "date": {"type": "date", "label": "fecha", "also": ["ida", "día"], "ask": "¿Qué día?"},
        "return_date": {
            "type": "date",
            "label": "fecha de vuelta",
            "also": ["vuelta", "regreso"],
            "ask": "¿Y la vuelta?",
            "required": False,
        },
        "passengers": {
            "type": "number",
            "label": "pasajeros",
            "also": ["pasajero", "personas", "persona", "adultos", "pasajes", "pax"],
            "before": ["somos", "para", "viajamos"],
            "min": 1,
            "max": 30,
            "ask": "¿Cuántos pasajeros?",
        },
    },
    questions=(
        *("ask_fare", "ask_schedule", "ask_refund", "check_in", "flight_status", "ask_baggage", "ask_documents"),
        "ask_payment",
    ),
    tasks={"volar": ("book_flight",)},
    by_slots=BY_SLOTS,
    has_airports=True,
)

ASSISTANT = Domain(
    name="assistant",
    slots={
        "place": {"type": "city", "label": "lugar", "ask": "¿De qué ciudad?"},
        "date": {"type": "date", "label": "fecha", "ask": "¿Qué fecha?"},
        "time": {"type": "time", "label": "hora", "ask": "¿Qué hora?"},
    },
    questions=(
        *("get_time", "get_date", "convert_time", "date_calc", "get_weather", "get_forecast"),
        *("calculate", "calc_percent", "convert_units"),
    ),
    by_slots=BY_SLOTS,
    is_assistant=True,
)

ES_DEV: Mapping[str, Domain] = {each.name: each for each in (COLLECTOR, RETAIL, SALES, FLIGHTS, ASSISTANT)}

ES_DEV_ACTS = ActsPlan(
    slots={
        "name": COLLECTOR.slots["name"],
        "email": COLLECTOR.slots["email"],
        "phone": COLLECTOR.slots["phone"],
        "address": RETAIL.slots["address"],
        "dni": RETAIL.slots["dni"],
        "date": FLIGHTS.slots["date"],
        "pack": {"type": "choice", "choices": PACKS, "ask": "¿Cuál pack?"},
        "budget": COLLECTOR.slots["budget"],
        "destination": FLIGHTS.slots["destination"],
        "ciudad": {"type": "city", "ask": "¿Qué ciudad?"},
        "website": COLLECTOR.slots["website"],
        "time": RETAIL.slots["time"],
        "passengers": FLIGHTS.slots["passengers"],
    },
    asked_in={
        "collector": ("name", "email", "phone", "website", "budget"),
        "retail": ("name", "dni", "address", "phone"),
        "flights": ("destination", "date", "passengers", "name"),
        "sales": ("name", "phone", "ciudad", "address", "pack"),
    },
    domain_of={
        "name": "collector",
        "email": "collector",
        "phone": "collector",
        "budget": "collector",
        "address": "retail",
        "dni": "retail",
        "date": "flights",
        "passengers": "flights",
        "pack": "sales",
    },
    filled={
        "name": "Ana Ruiz",
        "email": "ana.ruiz@mail.com",
        "phone": "+541144445555",
        "address": "Mitre 100",
        "dni": "30111222",
        "date": "2026-03-20",
        "pack": "2x",
        "budget": 50000,
        "passengers": 2,
        "destination": "Cusco",
        "ciudad": "Cali",
        "website": "https://ana.com",
        "time": "18:00",
    },
)
