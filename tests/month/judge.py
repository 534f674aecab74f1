"""Whether a month was as it must be: judged from the records and from what reached people, not by the engine's word."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from month.case import Case, Verdict
from month.ledger import Copy
from month.mode_changes import ModeChanges
from month.orders import judge_orders
from month.promises import Promises

SOUNDS_REPEATED = timedelta(days=7)
WINDOW = timedelta(hours=24)

_LEFT = {
    "inbox": "SELECT kind || ' ' || status, COUNT(*) FROM inbox WHERE status <> 'done' GROUP BY 1",
    "timers": "SELECT name, COUNT(*) FROM timers GROUP BY 1",
    "work": "SELECT kind, COUNT(*) FROM work WHERE next_at IS NOT NULL OR lease_owner IS NOT NULL GROUP BY 1",
}
_OUTBOX = "SELECT status || ' ' || reason, COUNT(*) FROM outbox GROUP BY 1"
_HANDOFFS = "SELECT policy, COUNT(*) FROM handoffs GROUP BY 1"
_BROKEN = "SELECT reason, COUNT(*) FROM handoffs WHERE policy = 'error' GROUP BY 1"
_UNSENT = ("pending", "sending", "failed")


def judge(case: Case) -> Verdict:
    """Look at everything."""
    count(case)
    judge_messages(case)
    judge_deliveries(case)
    judge_wordings(case)
    for sitting in case.sittings:
        Promises(case, sitting).judge()
        ModeChanges(case, sitting).judge()
    judge_orders(case)
    judge_rest(case)
    return case.verdict


def count(case: Case) -> None:
    story, counts = case.story, case.verdict.counts
    counts["contacts"] = len(story.people)
    counts["messages"] = sum(len(each.wrote) for each in story.people.values())
    counts["sessions"] = len(case.sittings)
    counts["turns"] = sum(len(each.turns) for each in case.sittings)
    counts["messages sent"] = len(case.copies)
    counts["operators' clicks"] = story.clicks
    counts["repeated webhooks"] = story.repeated
    counts["CPU seconds of the processes"] = round(story.cpu)
    counts["kills"] = story.kills
    counts["kills in the middle of work"] = story.in_the_middle
    counts["kills at the start"] = story.at_birth
    counts["restarts"] = story.kills
    counts.update(f"ended in {each.mode}" for each in case.sittings)
    counts.update({f"handed over: {name}": number for name, number in case.records.count(_HANDOFFS).items()})


_LATE = re.compile(r"^\[came late, written [^]]+\]\n", re.MULTILINE)  # after an outage of a day


def judge_messages(case: Case) -> None:
    """Every message had its turn, once and in order: what turns heard is what people wrote."""
    heard = defaultdict[str, list[str]](list)
    for sitting in case.sittings:
        for turn in sitting.turns:
            if turn.event == "MessageReceived":
                heard[sitting.contact].append(_LATE.sub("", turn.heard))
    for person in case.story.people.values():
        wrote = "\n".join(each.text for each in person.wrote)
        if "\n".join(heard[person.name]) != wrote:
            case.verdict.blame("messages lost, doubled or out of order", person.name, wrote, heard[person.name])


def judge_deliveries(case: Case) -> None:
    """Nothing goes out twice, by a timer in the quiet hours, or in free words outside of the window."""
    seen, turns = set[str](), case.turns()
    written = {person.name: [each.at for each in person.wrote] for person in case.story.people.values()}
    for copy in case.copies:
        if copy.message_id in seen:
            case.verdict.blame("sent twice", copy)
        seen.add(copy.message_id)
        turn = turns.get(copy.turn)
        if turn is None:
            case.verdict.blame("sent by no turn", copy)
        elif turn.event == "TimerFired":
            case.verdict.counts["sent by timers"] += 1
            if case.is_quiet(copy.at):
                case.verdict.blame("sent by a timer in the quiet hours", f"fired at {turn.at}", copy)
        _judge_window(case, copy, written[copy.contact])


def _judge_window(case: Case, copy: Copy, written: Sequence[datetime]) -> None:
    before = written[: bisect_right(written, copy.at)]
    if before and copy.at - before[-1] < WINDOW:
        return
    case.verdict.counts["sent outside of the window, approved"] += not copy.free_form
    if copy.free_form:
        case.verdict.blame("free text outside of the window", copy)


def judge_wordings(case: Case) -> None:
    """No wording twice in a session, nor across sessions while it would sound repeated."""
    last: dict[tuple[str, str, str], tuple[str, datetime]] = {}
    turns = case.turns()
    for copy in case.copies:
        turn, sitting = turns.get(copy.turn), copy.session
        for template, words in case.wordings.read(turn, copy.text) if turn and copy.free_form else ():
            key = (copy.contact, template, words)
            if key in last and (last[key][0] == sitting or copy.at - last[key][1] < SOUNDS_REPEATED):
                case.verdict.blame("template repeated", template, copy)
            last[key] = (sitting, copy.at)
            case.verdict.counts["wordings of templates sent"] += 1
    for each in case.wordings.unread:
        case.verdict.blame("a text that no template explains", each)


def judge_rest(case: Case) -> None:
    """Nothing waits, nothing is held by the dead, and nothing was given up."""
    for table, sql in _LEFT.items():
        for name, number in case.records.count(sql).items():
            case.verdict.blame(f"left over in {table}", name, number)
    for reason, number in case.records.count(_BROKEN).items():
        case.verdict.blame("a turn was given up", reason, number)
    for status, number in case.records.count(_OUTBOX).items():
        case.verdict.counts[f"outbox: {status}".strip()] = number
        if status.startswith(_UNSENT):
            case.verdict.blame("messages that were not sent", status, number)
    for each in case.sittings:
        if [turn.number for turn in each.turns] != list(range(1, each.version + 1)):
            case.verdict.blame("turns and versions", each.id)
