"""Talks of customers with the shipped agents, for a person to judge.

    python -m bench.talks FOLDER [ID or AGENT …] [--agents DIR] [--write FILE]

FOLDER has talks.yaml. Writes what was said, with the buttons, and what was kept and ordered in the end. Prints what can
be counted without judging: replies, turns without one, the same words twice running, handoffs. Exits with 1 if an agent
that held the session was silent, and with 2 if the folder cannot be read.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from bench.dialogues.folder import Talk, read_talks, starts_at
from bench.spanish.folder import BrokenFolder
from bench.spanish.words import table

from hilo.app import LoadedAgent, load_agent
from hilo.testing import Conversation, FakeClock

AGENTS = Path(__file__).parents[2] / "agents"
SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
WAIT = re.compile(r"~(\d+)([dhms])")
PRESS = re.compile(r"\[(.+)\]")
ORDERS = {
    "kiosco": "SELECT number, status, cart, address FROM kiosco_orders",
    "somnio": "SELECT number, status, pack, recipient, address FROM sales_orders",
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.talks", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where talks.yaml is")
    parser.add_argument("only", nargs="*", metavar="ID", help="which talks to play, by id or agent; default: all")
    parser.add_argument("--agents", type=Path, default=AGENTS, metavar="DIR", help="where the agents are")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where to write the talks")
    given = parser.parse_args(arguments)
    try:
        talks = [each for each in read_talks(given.folder) if not given.only or {each.id, each.agent} & set(given.only)]
        agents = _agents(given.agents, talks)
    except BrokenFolder as broken:
        print(broken, file=sys.stderr)
        return 2
    counted: Counter[str] = Counter(talks=len(talks))
    lines = asyncio.run(_play_all(talks, agents, counted))
    file = given.write or Path(tempfile.mkdtemp(prefix="talks-")) / "talks.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    goals = {"silent turns": "0", "the same reply twice running": "0"}
    names = ("talks", "replies", "silent turns", "the same reply twice running", "handed off")
    print(table(("what", "counted", "goal"), [(name, counted[name], goals.get(name, "")) for name in names]))
    print(f"\ntalks: {file}")
    return 1 if counted["silent turns"] else 0


def _agents(folder: Path, talks: Sequence[Talk]) -> dict[str, LoadedAgent]:
    names = dict.fromkeys(each.agent for each in talks)
    for name in names:
        if not (folder / name).exists():
            raise BrokenFolder(f"there is no agent {name} in {folder}")
    return {name: load_agent(folder / name) for name in names}


async def _play_all(talks: Sequence[Talk], agents: dict[str, LoadedAgent], counted: Counter[str]) -> list[str]:
    return [line for talk in talks for line in await _play(talk, agents[talk.agent], counted)]


async def _play(talk: Talk, loaded: LoadedAgent, counted: Counter[str]) -> list[str]:
    conversation = Conversation(loaded, FakeClock(starts_at(loaded.agent.timezone)))
    lines, last = [f"\n=== {talk.id} {talk.agent}: {talk.who}"], ""
    for step in talk.say:
        before = len(conversation.transcript)
        held = conversation.session.agent_holds
        waited, pressed = WAIT.fullmatch(step), PRESS.fullmatch(step)
        if waited:
            await conversation.wait(timedelta(seconds=int(waited[1]) * SECONDS[waited[2]]))
        elif pressed:
            await conversation.press(pressed[1])
        else:
            await conversation.say(step)
        entries = [each for each in conversation.transcript[before:] if each.who == "agent"]
        lines.append(f"> {step}")
        lines += [_reply_text(each.text, [button.title for button in each.buttons]) for each in entries]
        counted["replies"] += len(entries)
        if not entries and not waited:
            lines.append("   < (silence)")
            counted["silent turns"] += held
        for entry in entries:
            counted["the same reply twice running"] += entry.text == last
            last = entry.text
    counted["handed off"] += conversation.session.handoff is not None
    return [*lines, *_kept(talk.agent, conversation)]


def _reply_text(text: str, buttons: Sequence[str]) -> str:
    shown = "".join(f" [{title}]" for title in buttons)
    return "   < " + text.replace("\n", "\n     ") + shown


def _kept(agent: str, conversation: Conversation) -> Iterator[str]:
    session = conversation.session
    kept = {name: str(value) for name, value in session.slots.items() if value is not None}
    handoff = f"handed off by {session.handoff.policy} ({session.handoff.reason})" if session.handoff else ""
    yield f"   -- {session.mode} {handoff} {kept}"
    if conversation.tables and agent in ORDERS:
        rows = conversation.tables._connection.execute(ORDERS[agent])  # noqa: SLF001 -- a bench may look
        yield f"   -- orders {[dict(row) for row in rows]}"


if __name__ == "__main__":
    sys.exit(main())
