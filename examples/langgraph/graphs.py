"""Two graphs for `langgraph dev`: an agent by itself, and the same agent as a node of a graph of your own."""

from pathlib import Path

from langgraph.graph import END, START, StateGraph

from hilo.langgraph import AgentState, agent_graph

LEADS = Path(__file__).parents[2] / "agents" / "leads"

# An agent by itself. A handoff interrupts, and the studio shows what a person may do.
leads = agent_graph(LEADS, waits_for=["person"])


class Sale(AgentState, total=False):
    """What the agent keeps, and what this graph adds to it."""

    priority: str


def rank(state: Sale) -> dict[str, str]:
    """A node that knows nothing of Hilo: it reads the slots that the agent has filled."""
    return {"priority": "high" if "acme" in str(state["slots"].get("company", "")).lower() else "normal"}


# The agent asks until it knows everything, each time by an interrupt; then the next node has its turn.
_built = StateGraph(Sale)
_built.add_node("collect", agent_graph(LEADS, waits_for=["contact", "person"]))
_built.add_node("rank", rank)
_built.add_edge(START, "collect")
_built.add_edge("collect", "rank")
_built.add_edge("rank", END)
sale = _built.compile(name="sale")
