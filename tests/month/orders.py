"""The orders: one for each purchase, confirmed only by the contact's yes, and as the tools said that they are."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from month.case import Case
from month.mode_changes import results
from month.records import Turn

CONFIRMED_MODE, CHANGE_MODE = "compra_confirmada", "cambio"
MAKES = {"create_order", "cancel_order", "release_order"}
_ORDERS = """
SELECT a.value AS contact, o.brand || '-' || substr('00000' || o.number, -5) AS number, o.status, o.consent
FROM sales_orders o JOIN addresses a ON a.contact_id = o.contact_id
"""


def judge_orders(case: Case) -> None:
    """Compare the table of orders with what happened in the turns."""
    words = {str(word): name for name, word in _words(case).items()}
    expected = {number: words[status] for number, status in _told(case)}
    found = {row["number"]: row["status"] for row in case.records.rows(_ORDERS)}
    for number in expected.keys() | found.keys():
        if expected.get(number) != found.get(number):
            case.verdict.blame("order is not as it should be", number, expected.get(number), found.get(number))
    for row in case.records.rows(_ORDERS):
        case.verdict.counts[f"orders {row['status']}, by {row['consent']}"] += 1


def _words(case: Case) -> Mapping[str, Any]:
    words = case.agent.facts["words"]
    assert isinstance(words, Mapping)
    return words


def _told(case: Case) -> Iterator[tuple[str, str]]:
    """Each order with its last status; on the way, who said yes and how often."""
    confirmed, owners = set[str](), defaultdict[str, set[str]](set)
    status = {name: str(word) for name, word in _words(case).items()}
    for sitting in case.sittings:
        for turn in sitting.turns:
            made = [each for each in results(turn.told) if each[0] in MAKES]
            for _tool, outputs in made:
                number = outputs["order"]
                owners[number].add(sitting.contact)
                if outputs["status"] == status["confirmed"]:
                    _judge_yes(case, turn, number, again=number in confirmed)
                    confirmed.add(number)
                yield number, outputs["status"]
            _judge_mode(case, turn, any(outputs["status"] == status["confirmed"] for _, outputs in made))
    for number, contacts in owners.items():
        if len(contacts) > 1:
            case.verdict.blame("order of two contacts", number, contacts)
    case.verdict.counts["purchases confirmed"] = len(confirmed)


def _judge_yes(case: Case, turn: Turn, number: str, *, again: bool) -> None:
    changed = turn.trace.get("mode") == CHANGE_MODE
    case.verdict.counts["orders changed"] += changed
    if again != changed:
        case.verdict.blame("order confirmed twice, or changed before it was", number)
    if turn.event != "MessageReceived" or not any(each.startswith("Affirm") for each in turn.trace.get("accepted", ())):
        case.verdict.blame("order confirmed without a yes", number, turn.event, turn.heard)


def _judge_mode(case: Case, turn: Turn, confirmed: bool) -> None:  # noqa: FBT001
    entered = any(after == CONFIRMED_MODE for _, after in turn.trace.get("modes", ()))
    if entered != confirmed:
        case.verdict.blame("purchase and order do not belong together", turn.number, turn.heard, entered, confirmed)
