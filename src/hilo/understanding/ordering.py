"""What a message orders, as calls of the tools that the agent has for it."""

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import CallTool
from hilo.dialogue.session import AskedSlot, Session
from hilo.understanding.orders.lines import OrderLine, find_order_lines
from hilo.understanding.reading import Reading

SURE_LINE = 60
SURE_BESIDE_A_QUESTION = 85  # an answer may look like an order


def order_calls(agent: Agent, session: Session, reading: Reading) -> tuple[CallTool, ...]:
    """One call for each line: what to add, to take out, or of which there shall be so many."""
    if agent.orders is None:
        return ()
    least = SURE_BESIDE_A_QUESTION if isinstance(session.pending, AskedSlot) else SURE_LINE
    lines = find_order_lines(reading.text, country=agent.country)
    calls = [_call(agent, line) for line in lines if line.confidence >= least]
    return tuple(call for call in calls if call)


def _call(agent: Agent, line: OrderLine) -> CallTool | None:
    tool = getattr(agent.orders, line.action, "") if agent.orders else ""
    product = " ".join(filter(None, (line.product, line.notes)))
    quantity = {} if line.quantity is None else {"quantity": line.quantity}
    wanted = {"product": product} if product else {}
    takes = agent.toolbox[tool].parameters if tool in agent.toolbox else {}
    given = {name: value for name, value in {**wanted, **quantity}.items() if name in takes}
    return CallTool(tool, given) if tool and given else None
