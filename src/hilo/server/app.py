"""The HTTP application."""

from fastapi import FastAPI

from hilo.server.api import api_routes
from hilo.server.bodies import LimitedBodies
from hilo.server.edge import HttpEdge
from hilo.server.health import health_routes
from hilo.server.problems import add_problems
from hilo.server.webchat import chat_routes
from hilo.server.webhooks import webhook_routes


def make_app(edge: HttpEdge) -> FastAPI:
    """All routes."""
    app = FastAPI(title="Hilo", version="1", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None)
    app.add_middleware(LimitedBodies)
    add_problems(app)
    app.include_router(webhook_routes(edge))
    app.include_router(health_routes(edge))
    app.include_router(api_routes(edge))
    app.include_router(chat_routes(edge))
    return app
