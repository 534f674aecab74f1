"""Public: agents as LangGraph graphs, and LangGraph graphs as tools of agents (docs/langgraph.md)."""

from hilo.errors import HiloError, install
from hilo.turn.graph import langgraph_is_installed

if not langgraph_is_installed():
    raise HiloError(f"hilo.langgraph needs an extra: {install('langgraph')}")

from hilo.langgraph.acts import release, say, take
from hilo.langgraph.agent_graph import agent_graph
from hilo.langgraph.graph_tool import graph_tool
from hilo.langgraph.thread import AgentState

__all__ = ["AgentState", "agent_graph", "graph_tool", "release", "say", "take"]
