"""The composition root: the only place that knows every concrete class."""

from hilo.app.folder_texts import read_text
from hilo.app.loading import AGENT_FILE, LoadedAgent, agent_file, load_agent, load_tools, new_session

__all__ = ["AGENT_FILE", "LoadedAgent", "agent_file", "load_agent", "load_tools", "new_session", "read_text"]
