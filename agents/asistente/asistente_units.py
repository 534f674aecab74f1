"""Units of measure by any of their names, and exact factors between them."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from asistente_words import joined, opened, plain, quoted, rows, spanish

from hilo import AskContact, ToolFailed

PLACES = 4
KINDS = {
    "length": "longitud",
    "mass": "peso",
    "volume": "volumen",
    "temperature": "temperatura",
    "area": "superficie",
    "speed": "velocidad",
    "time": "tiempo",
    "data": "datos",
}
_ZERO = {  # what zero of a scale is in kelvins
    "grado Celsius": Fraction("273.15"),
    "grado Fahrenheit": Fraction("459.67") * Fraction(5, 9),
}
_SIGNS = str.maketrans({"²": "2", "³": "3", "º": "°"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit with its names in Spanish and how many of its kind's first unit it holds."""

    kind: str
    factor: Fraction
    singular: str
    plural: str

    def named(self, shown: str) -> str:
        """The name that follows a number as it is shown."""
        return self.singular if shown in ("1", "-1") else self.plural


def find_pair(unit: str, to: str) -> tuple[Unit, Unit]:
    """Two units of one kind: a name that several have is settled by the other; raises what to ask or tell."""
    sources, targets = _known(unit), _known(to)
    pairs = [(one, other) for one in sources for other in targets if one.kind == other.kind]
    different = [pair for pair in pairs if pair[0] != pair[1]] or pairs[:1]
    if not pairs:
        raise _unlike(sources[0], targets[0])
    if len(different) == 1:
        return different[0]
    if len({one for one, _ in different}) > 1:
        raise AskContact("unit", dict.fromkeys(opened(one.plural) for one, _ in different), _which(unit))
    raise AskContact("to_unit", dict.fromkeys(opened(other.plural) for _, other in different), _which(to))


def converted(amount: Fraction, unit: Unit, to: Unit) -> Fraction:
    """The amount in the other unit, exactly."""
    if unit.kind != "temperature":
        return amount * unit.factor / to.factor
    kelvins = amount * unit.factor + _ZERO.get(unit.singular, 0)
    if kelvins < 0:
        raise ToolFailed("below absolute zero", tell="Esa temperatura no existe: está por debajo del cero absoluto.")
    return (kelvins - _ZERO.get(to.singular, 0)) / to.factor


def worded(amount: Fraction, unit: Unit) -> str:
    """An amount with its unit: 1 kilómetro, 2,5 kilómetros."""
    shown = spanish(amount, places=PLACES)
    return f"{shown} {unit.named(shown)}"


def _known(name: str) -> list[Unit]:
    found = _names().get(_key(name)) or _names().get(_key(name).removeprefix("de ").removeprefix("a "))
    if not found:
        raise ToolFailed(f"unknown unit {name[:80]}", tell=f"No conozco la unidad {quoted(name)}.")
    return found


def _which(name: str) -> str:
    return f"¿Qué quieres decir con {quoted(name)}?"


def _key(name: str) -> str:
    return " ".join(plain(name.translate(_SIGNS)).split())


def _unlike(unit: Unit, to: Unit) -> ToolFailed:
    """Units that measure different things, said with what each measures."""
    kinds = joined([f"{KINDS[unit.kind]} ({unit.plural})", f"{KINDS[to.kind]} ({to.plural})"])
    return ToolFailed(f"{unit.kind} and {to.kind}", tell=f"No se puede convertir: son cosas distintas, {kinds}.")


@lru_cache(maxsize=1)
def _names() -> dict[str, list[Unit]]:
    names: dict[str, list[Unit]] = defaultdict(list)
    for row in rows("units.csv"):
        unit = Unit(row["kind"], Fraction(row["factor"]), row["singular"], row["plural"])
        for name in dict.fromkeys(_key(each) for each in (unit.singular, unit.plural, *row["also"].split("|")) if each):
            names[name].append(unit)
    return dict(names)
