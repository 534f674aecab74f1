"""Requests to a model: what it is told, what it is offered, and how its answer becomes commands."""
