"""People who write to a shop: what each of them does is drawn from a seed, and some listen to what they are told."""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from random import Random

from month.ledger import Copy

FIRST_DAY = datetime(2026, 3, 2, tzinfo=UTC)
LOCAL = timedelta(hours=-5)  # the shop's and its customers' time, all the year
DAYS = 21  # on which people come for the first time; some are back a week later
WAVES = (time(9, 30), time(12, 40), time(17, 10), time(20, 40))  # when the advertisement is shown

Life = Generator[timedelta, Sequence[Copy], None]  # it pauses, and learns what it was told meanwhile

NAMES = ("Ana", "Luis", "Marta", "Camilo", "Sofía", "Jorge", "Paula", "Andrés", "Lucía", "Felipe", "Diana", "Óscar")
SURNAMES = ("Pérez", "Ruiz", "Gómez", "Cárdenas", "Moreno", "Rojas", "Vargas", "Castaño", "Mejía", "Ospina", "Salazar")
CITIES = ("Bogotá", "Medellín", "Cali", "Barranquilla", "Cartagena", "Bucaramanga", "Pereira", "Manizales", "Neiva")
STREETS = ("calle", "carrera", "cra", "transversal", "diagonal", "Calle", "avenida")
PACKS = ("1x", "2x", "3x", "el 2x", "quiero el 3x", "dame el 1x", "dos", "el de tres")
PRICES = ("¿cuánto cuesta?", "precio", "qué precio tiene?", "cuanto vale", "a cómo está?", "y el precio?")
QUESTIONS = (
    "¿hacen envíos?",
    "cuánto demora el envío",
    "cómo se toma?",
    "para qué sirve",
    "¿tiene efectos secundarios?",
)
WANTS = ("lo quiero", "quiero comprar", "me interesa", "quiero hacer un pedido", "cómo compro?")
CHANGES = ("mejor la de tres", "quiero cambiar mi pedido", "mejor deme la 1x", "no gracias", "cancelar mi pedido")
HELLOS = ("hola", "buenas", "Hola, buenas tardes", "buen día", "holaaa")
RUBBISH = ("jajaja", "😀😀", "....", "asdf qwer", "12", "ok", "?", "hmm", "https://ejemplo.com", "x" * 300, "👍")
ANGER = ("esto es una estafa, son unos ladrones", "qué pésimo servicio, estoy furioso", "quiero hablar con un humano")


@dataclass(frozen=True, slots=True)
class Written:
    """A message of a contact, under the id that its provider gave it."""

    id: str
    contact: str
    text: str
    at: datetime
    payload: str = ""


@dataclass
class Person:
    """Somebody with a phone; `live` says what they do, `heard` is what reached them and was not read yet."""

    name: str
    chance: Random
    kind: str = ""
    now: datetime = FIRST_DAY
    wrote: list[Written] = field(default_factory=list)
    heard: list[Copy] = field(default_factory=list)
    life: Life | None = None

    def wake(self, now: datetime) -> tuple[Sequence[Written], datetime | None]:
        """What they write now, and when they look at their phone again."""
        self.now, before = now, len(self.wrote)
        pause = self._go_on()
        return self.wrote[before:], now + pause if pause is not None else None

    def _go_on(self) -> timedelta | None:
        if self.life is None:
            self.life = LIVES[self.kind](self)
            return next(self.life, None)
        heard, self.heard = self.heard, []
        try:
            return self.life.send(heard)
        except StopIteration:
            return None

    # --- what lives are made of -----------------------------------------------------------------------

    def write(self, text: str, payload: str = "") -> None:
        number = len(self.wrote)
        self.wrote.append(Written(f"{self.name}.{number}", self.name, text, self.now, payload))

    def any(self, words: Sequence[str]) -> str:
        return self.chance.choice(words)

    def may(self, share: float) -> bool:
        return self.chance.random() < share

    def seconds(self, least: float, most: float) -> timedelta:
        return timedelta(seconds=round(self.chance.uniform(least, most), 3))

    def minutes(self, least: float, most: float) -> timedelta:
        return self.seconds(60 * least, 60 * most)

    def facts(self) -> dict[str, str]:
        """Who they are, in the order in which they tell it."""
        chance = self.chance
        street = f"{chance.choice(STREETS)} {chance.randint(1, 120)} # {chance.randint(1, 99)}-{chance.randint(1, 99)}"
        told = {
            "nombre": f"{chance.choice(NAMES)} {chance.choice(SURNAMES)}",
            "telefono": f"3{chance.choice('0125')}{chance.randint(0, 9)}{chance.randint(1000000, 9999999)}",
            "ciudad": chance.choice(CITIES),
            "direccion": street,
        }
        order = chance.sample(sorted(told), len(told))
        return {name: told[name] for name in order}


def crowd(seed: str, numbers: range) -> Iterator[tuple[datetime, Person]]:
    """So many people, with the moment at which each of them writes first."""
    kinds, weights = zip(*SHARES.items(), strict=True)
    for number in numbers:
        chance = Random(f"{seed} {number}")  # noqa: S311 -- a game, not a secret
        person = Person(f"c{number}", chance, chance.choices(kinds, weights)[0])
        yield _beginning(chance), person


def _beginning(chance: Random) -> datetime:
    """After an advertisement, most of them; at any hour, the others."""
    midnight = FIRST_DAY + timedelta(days=chance.randrange(DAYS)) - LOCAL
    if chance.random() < 0.12:
        return midnight + timedelta(seconds=chance.uniform(0, 86_400))
    wave = chance.choice(WAVES)
    shown = midnight + timedelta(hours=wave.hour, minutes=wave.minute)
    return shown + timedelta(seconds=min(chance.expovariate(1 / 240), 3_000))


# --- lives --------------------------------------------------------------------------------------------


def silent(me: Person) -> Life:
    """Says hello, perhaps wants it, and is never heard of again."""
    me.write(me.any(HELLOS))
    yield me.seconds(10, 50)
    if me.may(0.6):
        me.write(me.any(WANTS))


def curious(me: Person) -> Life:
    """Asks the same things again and again; one in three buys after all."""
    me.write(f"{me.any(HELLOS)}, {me.any(PRICES)}")
    for _ in range(me.chance.randint(1, 4)):
        yield me.seconds(15, 400)
        me.write(me.any(PRICES) if me.may(0.7) else me.any(QUESTIONS))
    if me.may(0.35):
        yield from _buy(me)
    if me.may(0.3):
        yield from _come_back(me)


def partial(me: Person) -> Life:
    """Gives some of it, and the rest much later, or never."""
    me.write(me.any(WANTS))
    facts = list(me.facts().values())
    yield me.seconds(20, 90)
    me.write(", ".join(facts[:2]))
    if me.may(0.4):
        return
    yield me.minutes(4, 45) if me.may(0.7) else me.minutes(300, 1_300)
    me.write("perdón, ya estoy. " + facts[2])
    yield me.seconds(10, 60)
    me.write(facts[3])
    yield from _choose(me)


def at_once(me: Person) -> Life:
    """All in one message, and then what is offered."""
    me.write(f"{me.any(HELLOS)}, {me.any(WANTS)}")
    facts = me.facts()
    yield me.seconds(20, 120)
    me.write(f"soy {facts['nombre']}, vivo en {facts['ciudad']}, {facts['direccion']}, {facts['telefono']}")
    yield from _choose(me)
    if me.may(0.25):
        yield from _come_back(me)


def in_bursts(me: Person) -> Life:
    """One thought in many messages, seconds apart."""
    me.write(me.any(HELLOS))
    yield me.seconds(0.5, 3)
    me.write(me.any(WANTS))
    yield me.seconds(8, 40)
    for fact in me.facts().values():
        me.write(fact)
        yield me.seconds(0.3, 4)
    if me.may(0.3):
        me.write(me.any(PRICES))
    yield from _choose(me)


def changing(me: Person) -> Life:
    """Corrects what was said, and changes the mind about the pack."""
    facts, others = me.facts(), me.facts()
    me.write(f"{me.any(WANTS)}, soy {facts['nombre']} de {facts['ciudad']}")
    yield me.seconds(15, 60)
    me.write(f"{facts['direccion']}, mi celular es {facts['telefono']}")
    yield me.seconds(15, 100)
    me.write(f"no, mi dirección es {others['direccion']}")
    yield me.minutes(2.5, 5)
    me.write(me.any(PACKS))
    yield me.seconds(15, 200)
    me.write(me.any(("mejor el 1x", "no, mejor el 3x", f"perdón, el celular es {others['telefono']}", "cambia a 2x")))
    yield from _confirm(me)
    if me.may(0.3):
        yield me.minutes(1, 20)
        me.write(f"me equivoqué, la ciudad es {others['ciudad']}")


def obedient(me: Person) -> Life:
    """Answers what is asked, with buttons where there are any."""
    me.write(me.any(HELLOS) if me.may(0.5) else me.any(WANTS))
    yield from _buy(me)
    if me.may(0.2):
        yield from _think_again(me)
    if me.may(0.3):
        yield from _come_back(me)


def angry(me: Person) -> Life:
    """Is rude, or wants a person."""
    me.write(me.any((*HELLOS, *WANTS)))
    yield me.seconds(20, 120)
    me.write(me.any(ANGER))
    for _ in range(me.chance.randint(0, 3)):
        yield me.minutes(0.3, 30)
        me.write(me.any((*ANGER, *PRICES, "¿hay alguien?")))


def confused(me: Person) -> Life:
    """Writes what nobody can use, and asks and answers in between."""
    for _ in range(me.chance.randint(2, 5)):
        me.write(me.any((*RUBBISH, *RUBBISH, *PRICES, *WANTS, *CITIES, "sí", "no", "cancela todo")))
        yield me.seconds(5, 900)
    if me.may(0.3):
        yield from _come_back(me)


def sleepless(me: Person) -> Life:
    """Wants it in the middle of the night, and goes to sleep over it."""
    night = timedelta(hours=3) - (me.now - FIRST_DAY + LOCAL) % timedelta(days=1)
    yield night % timedelta(days=1) + me.minutes(0, 120)
    me.write(f"{me.any(WANTS)}, soy {me.facts()['nombre']}")
    yield me.seconds(20, 90)
    me.write(me.facts()["telefono"])
    yield me.minutes(240, 600)
    yield from _buy(me)


# --- parts of lives -----------------------------------------------------------------------------------


def _buy(me: Person) -> Life:
    """Answer question after question until nothing is asked."""
    me_facts = me.facts()
    if not me.wrote or me.may(0.8):
        me.write(me.any(WANTS))
    for _ in range(7):
        heard = yield me.seconds(12, 120) if me.may(0.9) else me.minutes(3, 14)
        if heard:
            text, payload = _answer(me, heard[-1], me_facts)
            me.write(text, payload)
        elif me.may(0.3):
            return


def _choose(me: Person) -> Life:
    """Wait for the offer, or lose patience; choose, and confirm."""
    heard = yield me.minutes(2.2, 4) if me.may(0.8) else me.seconds(30, 110)
    if me.may(0.2):
        return  # what then happens, the timers decide
    if heard and me.may(0.2):
        me.write(me.any(QUESTIONS))
        yield me.seconds(15, 60)
    me.write(me.any(PACKS))
    yield from _confirm(me)


def _confirm(me: Person) -> Life:
    heard = yield me.seconds(12, 150)
    if me.may(0.15):
        return
    if heard and heard[-1].payloads and me.may(0.5):
        me.write(*_press(me, heard[-1].payloads))
    else:
        me.write(me.any(("sí", "si, confirmo", "dale", "sí por favor", "no", "listo")))
    if me.may(0.2):
        yield me.seconds(10, 60)
        me.write("gracias")
    if me.may(0.15):
        yield from _think_again(me)


def _think_again(me: Person) -> Life:
    """Another pack, or nothing, after it was ordered or kept for them."""
    yield me.minutes(0.3, 30) if me.may(0.7) else me.minutes(600, 1_500)
    me.write(me.any(CHANGES))
    for _ in range(3):
        heard = yield me.seconds(15, 120)
        if heard:
            me.write(*_answer(me, heard[-1], me.facts()))


def _come_back(me: Person) -> Life:
    """The next day, or a week later."""
    yield me.minutes(1_300, 2_900) if me.may(0.7) else me.minutes(7 * 1_440, 9 * 1_440)
    me.write(me.any((*HELLOS, *PRICES, *WANTS)))
    yield me.seconds(15, 90)
    if me.may(0.6):
        yield from _buy(me)
    else:
        me.write(me.any(PRICES))


_ASKED = (
    ("direccion", re.compile(r"direcci[oó]n")),
    ("ciudad", re.compile(r"ciudad|municipio")),
    ("telefono", re.compile(r"tel[eé]fono|celular|n[uú]mero")),
    ("nombre", re.compile(r"nombre|llam")),
)


def _answer(me: Person, copy: Copy, facts: dict[str, str]) -> tuple[str, str]:
    """What was asked last in a message is answered, more often than not."""
    if copy.payloads and me.may(0.7):
        return _press(me, copy.payloads)
    asked = copy.text.lower()
    found = {name: place[-1].start() for name, pattern in _ASKED if (place := list(pattern.finditer(asked)))}
    if me.may(0.1):
        return me.any((*PRICES, *QUESTIONS, "ok", "no sé")), ""
    if re.search("confirm|cambi|cancel", asked):
        return me.any(("sí", "sí", "dale", "no")), ""
    if "2x" in asked:
        return me.any(PACKS), ""
    return (facts[max(found, key=found.__getitem__)] if found else me.any((*WANTS, "ok", "gracias"))), ""


def _press(me: Person, payloads: Sequence[str]) -> tuple[str, str]:
    """One of the buttons, the first more often than the others."""
    payload = payloads[0] if me.may(0.7) else me.any(payloads)
    return payload.rpartition(":")[2] if payload.startswith("set:") else payload.partition(":")[0], payload


LIVES: dict[str, Callable[[Person], Life]] = {
    each.__name__: each
    for each in (silent, curious, partial, at_once, in_bursts, changing, obedient, angry, confused, sleepless)
}
SHARES = {
    "silent": 20,
    "curious": 13,
    "partial": 14,
    "at_once": 14,
    "in_bursts": 11,
    "changing": 9,
    "obedient": 12,
    "angry": 3,
    "confused": 4,
    "sleepless": 3,
}
