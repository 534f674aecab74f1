"""The types of slots: a module each, which says all there is to know of its type as `TYPE`.

A new type is a new module here. What agent files may say, their JSON Schema, the hints and the table in the docs follow
from `TYPES`; the tests in tests/slots hold every type to every language.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from hilo.slots.slot_type import SlotType

_SHARED = frozenset({"places", "slot_type", "utterance"})  # modules that are no types


def _types() -> Iterator[SlotType]:
    for module in iter_modules(__path__):
        if module.name not in _SHARED:
            yield import_module(f"{__name__}.{module.name}").TYPE


TYPES: Mapping[str, SlotType] = {each.name: each for each in _types()}
ALIASES: Mapping[str, str] = {alias: each.name for each in TYPES.values() for alias in each.aliases}
