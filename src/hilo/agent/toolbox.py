"""What the agent language knows of a tool: enough to check a file and to gate a call, not how it runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as agents see it. `parameters` says of each whether it is required; `outputs` are those that are known."""

    name: str
    parameters: Mapping[str, bool] = field(default_factory=dict)
    writes: bool = False
    needs_yes: bool = False
    idempotent: bool = True  # it may be called again with the same `call_id`
    operator: bool = False  # only operators may call it
    description: str = ""
    outputs: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()  # of its parameters, where they take one of some words

    @property
    def needed(self) -> tuple[str, ...]:
        """The parameters that a call must have."""
        return tuple(name for name, required in self.parameters.items() if required)

    @property
    def done_once(self) -> bool:
        """Whether what it did is not done again: a yes was given for it, or it must not be repeated."""
        return self.needs_yes or (self.writes and not self.idempotent)


Toolbox = Mapping[str, ToolSpec]
