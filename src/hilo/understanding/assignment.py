"""Which parts of a message are already assigned to a slot."""

from dataclasses import dataclass, field

from hilo.recognisers.found import Found, Value


@dataclass(slots=True)
class Assignment:
    """What already belongs to a slot: values by slot, and where they stand; what is `hidden` is in nobody's way."""

    values: dict[str, Value] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)

    def free(self, found: Found) -> bool:
        places = [place for slot, place in self.places.items() if slot not in self.hidden]
        return all(found.end <= start or found.start >= end for start, end in places)

    def take(self, slot: str, found: Found) -> None:
        self.places[slot] = (found.start, found.end)
        self.values[slot] = found.value
