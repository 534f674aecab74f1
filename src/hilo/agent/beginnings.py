"""How flows begin without another flow that calls them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from hilo.agent.declaration import Agent
from hilo.agent.timers import Timer


@dataclass(frozen=True, slots=True)
class Beginning:
    """One way in which a flow may begin: `name` is that of the timer, the mode or the campaign that starts it."""

    flow: str
    by: Literal["itself", "words", "return", "change", "timer", "mode", "campaign"]
    name: str = ""
    mode: str = ""  # the one that the session is in then; empty where it may be any
    by_silence: bool = False  # the contact said nothing, and that is taken for a yes


def beginnings(agent: Agent) -> Iterator[Beginning]:
    """Every way in which a flow of an agent may begin; `hilo diff` tells tools in this order."""
    for name, flow in agent.flows.items():
        if flow.starts_by_itself:
            yield Beginning(name, "itself")
        if flow.starts_by_words:
            yield Beginning(name, "words")
        if name == agent.amends:
            yield Beginning(name, "change")
        if flow.resumes:
            # the contact is back, and a session begins in the first mode
            yield Beginning(flow.resumes, "return", mode=agent.first_mode)
    for name, campaign in agent.campaigns.items():
        yield Beginning(campaign.flow, "campaign", name)
    yield from _by_timers(agent.timers, mode="")
    for name, mode in agent.modes.items():
        if mode.entrance.start:
            yield Beginning(mode.entrance.start, "mode", name, mode=name)
        yield from _by_timers(mode.timers, mode=name)


def _by_timers(timers: Mapping[str, Timer], *, mode: str) -> Iterator[Beginning]:
    for name, timer in timers.items():
        if timer.start:
            full_name = f"{mode}.{name}".removeprefix(".")
            silence = timer.consent == "silence"
            yield Beginning(timer.start, "timer", full_name, mode=mode, by_silence=silence)


def begun_flows(agent: Agent) -> frozenset[str]:
    """The flows that may begin with nothing said for them before."""
    return frozenset(each.flow for each in beginnings(agent))


def begun_without_yes(agent: Agent) -> frozenset[str]:
    """The same without those that only silence, taken for a yes, begins."""
    return frozenset(each.flow for each in beginnings(agent) if not each.by_silence)
