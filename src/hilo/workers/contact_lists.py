"""Lists of contacts for campaigns: rows of a CSV or of a request, each checked, with what is wrong with it."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from hilo.agent.campaigns import Campaign
from hilo.agent.declaration import Agent, Slot
from hilo.agent.texts import placeholders
from hilo.agent.values import Accepted, accept
from hilo.channels.numbers import whatsapp_number
from hilo.errors import HiloError
from hilo.recognisers.normalise import fold
from hilo.slots.utterance import Utterance
from hilo.store.campaign_reports import RowProblem
from hilo.store.campaigns import Cells, GivenContact, NumberedRow, Recipient

MOST_ROWS = 100_000
MOST_COLUMNS = 200
MOST_REMEMBERED = 10_000  # values of cells
LONGEST_CELL = 1_000  # characters
OPT_IN = "opt_in"  # the column that says who has agreed to be written to
YES = frozenset({"1", "x", "si", "s", "yes", "y", "true", "ok", "verdadero"})
NO = frozenset({"", "0", "no", "n", "false", "falso"})


def csv_rows(lines: Iterable[str]) -> Iterator[NumberedRow]:
    """The rows of a CSV with their numbers, one after the other; raises HiloError where it is no table.

    The separator is the one that the head has most of: a comma, a semicolon or a tab.
    """
    lines = iter(lines)
    head = next(lines, "").removeprefix("\ufeff")
    if not head.strip():
        raise HiloError("the list is empty: its first row has the names of the columns")
    separator = max(",;\t", key=head.count)
    columns = [_column(name) for name in next(csv.reader([head], delimiter=separator))]
    if len(columns) > MOST_COLUMNS:
        raise HiloError(f"the list has {len(columns)} columns; {MOST_COLUMNS} is the most")
    twice = sorted({name for name in columns if name and columns.count(name) > 1})
    if twice:
        raise HiloError(f"two columns are called {twice[0]}: rename one")
    yield 1, dict.fromkeys(filter(None, columns), "")
    reader = csv.reader(lines, delimiter=separator)
    number = 1
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise HiloError(f"row {number}: {error}; the rows after it cannot be read") from None
        if number > MOST_ROWS + 1:
            raise HiloError(f"the list has more than {MOST_ROWS:,} rows: split it")
        if any(cell.strip() for cell in cells):
            padded = [*cells, *[""] * (len(columns) - len(cells))]
            yield number, {name: cell.strip() for name, cell in zip(columns, padded, strict=False) if name}


def contact_rows(contacts: Sequence[GivenContact], campaign: Campaign) -> Iterator[NumberedRow]:
    """Contacts that a program gives, as rows of a list that are numbered from 1."""
    columns = {campaign.to, OPT_IN, *(name for each in contacts for name in each.values)}
    yield 0, dict.fromkeys(columns, "")
    for number, each in enumerate(contacts, 1):
        agreed = "yes" if each.opted_in else ""
        yield number, {**each.values, campaign.to: each.to, OPT_IN: agreed}


def _column(name: str) -> str:
    """A column by what it is called, whatever its capitals and accents."""
    return fold(name.strip())


@dataclass
class ListReader:
    """Reads the rows of a list for one campaign; a number that comes twice is taken once."""

    agent: Agent
    campaign: Campaign
    now: datetime  # what "mañana" in a cell counts from
    _seen: dict[str, int] = field(default_factory=dict)
    _known: dict[tuple[str, str], str | None] = field(default_factory=dict)  # columns repeat themselves

    @property
    def into(self) -> Mapping[str, str]:
        """The slots, by the column that each comes from."""
        if self.campaign.into:
            return {_column(column): slot for column, slot in self.campaign.into.items()}
        return {_column(slot): slot for slot in sorted(self._spoken_of())}

    def _spoken_of(self) -> set[str]:
        return placeholders(self.agent.templates[self.campaign.template]) & self.agent.slots.keys()

    def check_columns(self, columns: Iterable[str]) -> None:
        """Raises HiloError when a column is missing that the campaign needs."""
        there = {_column(name) for name in columns}
        missing = [name for name in (_column(self.campaign.to), *self.into) if name not in there]
        if missing:
            has = ", ".join(sorted(there)) or "none"
            raise HiloError(f"the list has no column {', '.join(missing)}; it has {has}")

    def read(self, row: int, cells: Cells) -> Recipient | RowProblem:
        """Who a row is about, or what is wrong with it."""
        cells = {_column(name): value for name, value in cells.items()}
        long = next((name for name, value in cells.items() if len(value) > LONGEST_CELL), "")
        if long:
            return RowProblem(row, f"is longer than {LONGEST_CELL} characters", long)
        to = _column(self.campaign.to)
        written = cells.get(to, "")
        if not written:
            return RowProblem(row, "is empty", to)
        number = whatsapp_number(written, self.agent.country)
        if number is None:
            return RowProblem(row, f"`{written[:40]}` is no phone number", to)
        slots = self._slots(row, cells)
        if isinstance(slots, RowProblem):
            return slots
        opted_in = _agreed(cells.get(OPT_IN, ""))
        if opted_in is None:
            return RowProblem(row, "is yes, no or the day of it", OPT_IN)
        first = self._seen.setdefault(number[0], row)
        if first != row:
            return RowProblem(row, f"the same number as in row {first}", to)
        return Recipient(*number, slots, opted_in=opted_in, row=row)

    def _slots(self, row: int, cells: Cells) -> dict[str, str] | RowProblem:
        """What a row gives for slots, in the form in which they are kept."""
        slots: dict[str, str] = {}
        spoken_of = self._spoken_of()
        for column, name in self.into.items():
            value = cells.get(column, "")
            if not value:
                if name in spoken_of:
                    return RowProblem(row, "is empty, and the template speaks of it", column)
                continue
            slot = self.agent.slots[name]
            key = (name, value)
            taken = self._known[key] if key in self._known else self._taken(slot, value)
            if len(self._known) < MOST_REMEMBERED:
                self._known[key] = taken
            if taken is None:
                return RowProblem(row, f"`{value[:40]}` is no {slot.type} that `{name}` takes", column)
            slots[name] = taken
        return slots

    def _taken(self, slot: Slot, written: str) -> str | None:
        """A value that the slot takes, also where it is written as a contact would: 12/3/2027, dentista."""
        country = self.agent.country
        if isinstance(accept(slot, written, country=country), Accepted):
            return written
        text = self.agent.fold(written)
        said = Utterance(text, self.now, slot.country or country, self.agent.language)
        for found in slot.kind.find(said, slot, asked=True):
            whole = text.folded[found.start : found.end].strip() == text.folded.strip()
            if whole and isinstance(accept(slot, found.value, country=country), Accepted):
                return str(found.value)
        return None


def _agreed(written: str) -> bool | None:
    """Whether a cell says yes; the day on which somebody agreed is one. None where it says neither yes nor no."""
    folded = fold(written.strip())
    if folded in YES | NO:
        return folded in YES
    try:
        date.fromisoformat(folded[:10])
    except ValueError:
        return None
    return True
