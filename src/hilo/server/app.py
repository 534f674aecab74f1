"""The HTTP application."""

from fastapi import FastAPI

from hilo.server.api import api_routes
from hilo.server.bodies import LimitedBodies
from hilo.server.edge import HttpEdge
from hilo.server.health import health_routes
from hilo.server.media import MAX_UPLOAD, UPLOAD_SECONDS, UPLOADS, link_routes
from hilo.server.panel_page import panel_page_routes
from hilo.server.people import login_routes
from hilo.server.problems import add_problems
from hilo.server.webchat import chat_routes
from hilo.server.webhooks import webhook_routes


def make_app(edge: HttpEdge) -> FastAPI:
    """All routes."""
    app = FastAPI(title="Hilo", version="1", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None)
    app.add_middleware(LimitedBodies, roomy={UPLOADS: (MAX_UPLOAD, UPLOAD_SECONDS)})
    add_problems(app)
    app.include_router(webhook_routes(edge))
    app.include_router(health_routes(edge))
    app.include_router(api_routes(edge))
    app.include_router(chat_routes(edge))
    app.include_router(link_routes(edge))
    app.include_router(login_routes(edge))
    app.include_router(panel_page_routes())
    return app
