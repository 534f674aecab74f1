"""The ways between modes: what each leads to, and in which of them a tool is called."""

from hilo.agent.declaration import Agent

Modes = frozenset[str]


def ways(agent: Agent, name: str) -> Modes:
    """The modes that a mode leads to, by whatever."""
    mode = agent.modes.get(name)
    return frozenset({*mode.to, *mode.after.values(), *mode.before.values()} if mode else ())


def drifted(agent: Agent, modes: Modes) -> Modes:
    """With all that they lead to."""
    found, waiting = set(modes), list(modes)
    while waiting:
        more = ways(agent, waiting.pop()) - found
        found |= more
        waiting += more
    return frozenset(found) - {agent.operator_mode} if agent.modes else modes


def allows(agent: Agent, mode: str, tool: str) -> bool:
    """Whether a tool may be called in a mode; where there are no modes, anywhere."""
    return tool in agent.tools_in(mode) or not agent.modes


def called_in(agent: Agent, tool: str, modes: Modes) -> Modes:
    """The modes in which a tool is called from these: some lead to another one first."""
    led = {mode if allows(agent, mode, tool) else agent.mode_for(mode, tool) for mode in modes}
    return frozenset(mode for mode in led if allows(agent, mode, tool))
