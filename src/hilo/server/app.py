"""The HTTP application."""

import asyncio

from fastapi import FastAPI

from hilo.server import api, people
from hilo.server.bodies import LimitedBodies
from hilo.server.edge import HttpEdge
from hilo.server.events import Streams
from hilo.server.health import health_routes
from hilo.server.media import MAX_UPLOAD, UPLOAD_SECONDS, UPLOADS, links
from hilo.server.panel_page import panel_page_routes
from hilo.server.problems import add_problems
from hilo.server.stream import Watch
from hilo.server.webchat import chat_routes
from hilo.server.webhooks import webhook_routes


def make_app(edge: HttpEdge) -> FastAPI:
    """All routes."""
    app = FastAPI(title="Hilo", version="1", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None)
    app.state.edge = edge
    app.state.watch = Watch(edge)
    app.state.streams = Streams()
    app.state.hashing = asyncio.Semaphore(people.HASHES_AT_ONCE)
    app.add_middleware(LimitedBodies, roomy={UPLOADS: (MAX_UPLOAD, UPLOAD_SECONDS)})
    add_problems(app)
    parts = (webhook_routes(edge), health_routes(edge), api.router, chat_routes(edge), links, people.logins)
    for router in (*parts, panel_page_routes()):
        # included, each route would be built a second time: half of what it takes to make the application
        app.router.routes.extend(router.routes)
    return app
