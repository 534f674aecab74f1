"""Copies of the five shipped agents with the goods and places of a folder: same engine, same words, other data.

What is changed: kiosco its products and its profile; leads a website in the place of the company, and answers to what
the folder knows; vuelos its airports, a flight for every pair, and four slots; asistente its zone; somnio nothing.
"""

import csv
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

SHIPPED = {
    "retail": "kiosco",
    "collector": "leads",
    "sales": "somnio",
    "flights": "vuelos",
    "assistant": "asistente",
}
BUENOS_AIRES = "America/Argentina/Buenos_Aires"
GOODS = [  # product, brand, category, size, price, synonyms
    ("Coca-Cola", "Coca-Cola", "Gaseosas", "1,5 l", 2200, "coca|cocas|coca cola"),
    ("Coca-Cola", "Coca-Cola", "Gaseosas", "2,25 l", 2900, "coca|cocas|coca cola"),
    ("Coca-Cola Zero", "Coca-Cola", "Gaseosas", "1,5 l", 2200, "coca zero|cocas zero"),
    ("Fanta", "Fanta", "Gaseosas", "1,5 l", 2000, ""),
    ("Sprite", "Sprite", "Gaseosas", "1,5 l", 2000, ""),
    ("Pepsi", "Pepsi", "Gaseosas", "1,5 l", 1800, ""),
    ("Cerveza Quilmes", "Quilmes", "Cervezas", "1 l", 2400, "birra"),
    ("Cerveza Brahma", "Brahma", "Cervezas", "1 l", 2200, "birra"),
    ("Cerveza Brahma", "Brahma", "Cervezas", "lata 473 ml", 1400, "birra"),
    ("Alfajor Jorgito", "Jorgito", "Alfajores", "", 600, ""),
    ("Alfajor Havanna", "Havanna", "Alfajores", "", 1500, ""),
    ("Galletitas Oreo", "Oreo", "Galletitas", "", 1100, ""),
    ("Galletitas Chocolinas", "Chocolinas", "Galletitas", "", 1000, ""),
    ("Papas fritas Lays", "Lays", "Snacks", "chica", 1500, "papas|papitas"),
    ("Papas fritas Lays", "Lays", "Snacks", "grande", 2800, "papas|papitas"),
    ("Leche", "La Vaca", "Almacén", "", 1300, ""),
    ("Pan lactal", "Bimbo", "Almacén", "", 2500, "pan"),
    ("Yerba Playadito", "Playadito", "Almacén", "1 kg", 4500, ""),
    ("Yerba Taragüí", "Taragüí", "Almacén", "1 kg", 4200, ""),
    ("Azúcar", "Ledesma", "Almacén", "", 1200, ""),
    ("Fideos", "Luchetti", "Almacén", "", 1000, ""),
    ("Arroz", "Gallo", "Almacén", "", 1400, ""),
    ("Hielo", "Rolito", "Almacén", "", 1500, ""),
]
SHOP = """\
name: Kiosco Luna
address: "Estamos en Av. Rivadavia 4521."
phone: "+54 11 5555-0142"
hours: "Abrimos de lunes a sábado de 8 a 22hs y domingos de 9 a 14hs."
delivery: "El envío cuesta $500, gratis desde $5.000, y demora unos 30 minutos."
payment: [Efectivo, Débito, Mercado Pago, Transferencia (alias kiosco.luna)]
policies: "Si algo llega mal lo cambiamos en 48 horas."
delivery_cents: 50000
free_from_cents: 500000
"""
WEBSITE = """\
  website:
    type: url
    label: sitio web
    also: [página, web, sitio, tienda]
    required: false
    ask: ["¿Cuál es tu página web? Si no tienes, no pasa nada.", "¿Me pasas tu sitio web?"]
"""
ANSWERS = {  # an intent of leads: the folder's intent that has its examples, and what is answered
    "contact": ("ask_next_steps", "Un asesor te escribe dentro de las 24 horas hábiles."),
    "services": ("ask_services", "Hacemos páginas web, redes y publicidad en línea."),
    "why": ("ask_why_data", "Es solo para que un asesor te contacte por lo que pediste."),
}
IN_PLACE_OF = {"next_steps", "offer", "privacy"}  # what the agent answers to the same by itself
ALSO = {"Bariloche": ("san carlos de bariloche",), "Santiago": ("santiago de chile",)}  # as the engine may call them
FLIGHTS = """\
  book_flight:
    description: reservar un vuelo
    starts:
      - quiero reservar un vuelo
      - "necesito un pasaje a {destination}"
      - "busco un vuelo de {origin} a {destination}"
      - quiero volar
      - "vuelos a {destination}"
      - comprar un billete de avión
      - sacar un pasaje
      - "quiero viajar a {destination}"
      - busca otro vuelo
      - "un vuelo de {origin} a {destination} el {date}"
    steps:
      - collect: [origin, destination, date, passengers]
      - do: search_flights
        into: {options: options, listed: listed, flight: flight, departs: departs, total: fare_total}
        fails: search_failed
      - branch: {options == 0: no_flights}
      - name: check_booking
        confirm: "El {flight} de {origin} a {destination}, el {date}. Pasajeros: {passengers}. ¿Lo reservo?"
        no: change
      - do: book_flight
        arguments: {name: destination}
        into: {locator: booked}
      - say: "¡Listo! Tu localizador es {booked}."
      - end: booked
      - name: no_flights
        say: "No encontré vuelos."
      - end: no flights
      - name: search_failed
        say: "Ahora mismo no puedo consultar los vuelos."

"""


def make_copies(agents: Path, target: Path, train: Mapping[str, Any], *, country: str = "AR") -> dict[str, Path]:
    """Write the copies; the folder of each by its domain."""
    folders = {domain: target / name for domain, name in SHIPPED.items()}
    for domain, name in SHIPPED.items():
        ignored = shutil.ignore_patterns("conversations", "__pycache__")
        shutil.copytree(agents / name, folders[domain], ignore=ignored)
    _stock(folders["retail"])
    _ask_for_a_website(folders["collector"] / "agent.yaml", train, country)
    _fly_everywhere(folders["flights"], train)
    _edit(folders["assistant"] / "agent.yaml", {"America/Bogota": BUENOS_AIRES})
    return folders


def _edit(file: Path, changes: Mapping[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for before, after in changes.items():
        text = text.replace(before, after)
    file.write_text(text, encoding="utf-8")


def _stock(folder: Path) -> None:
    head = ["sku", "product", "brand", "category", "flavour", "size", "price", "stock", "tags", "synonyms"]
    rows: list[Sequence[object]] = [head]
    for number, (product, brand, category, size, price, synonyms) in enumerate(GOODS, 1):
        rows.append([f"LUN-{number:03}", product, brand, category, "", size, price, 100, "", synonyms])
    _write_table(folder / "products.csv", rows)
    (folder / "shop.yaml").write_text(SHOP, encoding="utf-8")


def _ask_for_a_website(file: Path, train: Mapping[str, Any], country: str) -> None:
    text = file.read_text(encoding="utf-8")
    start, end = text.index("  company:\n"), text.index("  budget:\n")
    text = text[:start] + WEBSITE + text[end:]
    examples = train["intents"].get("collector", {})
    intents = {
        name: {"examples": examples[source]["examples"], "answer": answer}
        for name, (source, answer) in ANSWERS.items()
        if source in examples
    }
    if intents:
        start, end = text.index("\nintents:\n"), text.index("\ntemplates:\n")
        own = yaml.safe_load(text[start:end])["intents"]
        asked = {name: intent for name, intent in own.items() if name not in IN_PLACE_OF}
        declared = yaml.safe_dump({"intents": {**asked, **intents}}, allow_unicode=True)
        text = f"{text[:start]}\n{declared}{text[end:]}"
    file.write_text(text, encoding="utf-8")
    changes = {
        "country: CO": f"country: {country}",
        "America/Bogota": BUENOS_AIRES,
        "phone, company, budget": "phone, website, budget",
    }
    _edit(file, changes)


def _fly_everywhere(folder: Path, train: Mapping[str, Any]) -> None:
    file = folder / "agent.yaml"
    text = file.read_text(encoding="utf-8")
    start, end = text.index("  book_flight:\n"), text.index("  change_flight:\n")
    file.write_text(text[:start] + FLIGHTS + text[end:], encoding="utf-8")
    _edit(file, {"Europe/Madrid": BUENOS_AIRES, "hasta en tres cuotas": "hasta en 6 cuotas"})
    places = train.get("places", [])
    cities = [(code, place["city"]) for place in places for code in list(place["airports"])[:1]]
    airports = [(code, city, "", "|".join((_plain(city), *ALSO.get(city, ())))) for code, city in cities]
    _write_table(folder / "airports.csv", [("code", "city", "country", "names"), *airports])
    pairs = [(start, end) for start, _ in cities for end, _ in cities if start != end]
    flights = [(f"HI{number:04}", *pair, "08:00", "10:00", "100.00", 90) for number, pair in enumerate(pairs, 1)]
    head = ["flight", "origin", "destination", "departs", "arrives", "price", "seats"]
    _write_table(folder / "flights.csv", [head, *flights])


def _plain(name: str) -> str:
    return name.lower().translate(str.maketrans("áéíóúãüñ", "aeiouaun"))


def _write_table(file: Path, rows: Sequence[Sequence[object]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(rows)
