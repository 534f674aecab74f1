"""The panel's page: one shell for every address under `/panel`; the page itself reads the address."""

import json

from fastapi import APIRouter
from fastapi.responses import Response

from hilo.server import statics

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: blob:; "
    "media-src 'self' https: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def panel_page_routes() -> APIRouter:
    """The shell and what makes it installable. To be included after every other address under `/panel`."""
    router = APIRouter(include_in_schema=False)

    @router.get("/panel.webmanifest")
    async def manifest() -> Response:
        return Response(json.dumps(_manifest()), media_type="application/manifest+json", headers=statics.SAFE)

    @router.get("/panel/worker.js")
    async def worker() -> Response:
        return statics.static_file("panel/worker.js", kept="no-cache")

    @router.get("/panel")
    @router.get("/panel/{path:path}")
    async def shell() -> Response:
        return statics.page("panel/panel.html", {}, policy=POLICY)

    return router


def _manifest() -> dict[str, object]:
    icon = f"/static/{statics.version()}"
    return {
        "name": "Hilo",
        "short_name": "Hilo",
        "description": "Conversaciones, traspasos y números de tus agentes.",
        "lang": "es",
        "id": "/panel",
        "start_url": "/panel",
        "scope": "/panel",
        "display": "standalone",
        "background_color": "#f5f4f0",
        "theme_color": "#0f6b5c",
        "icons": [
            {"src": f"{icon}/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
            {"src": f"{icon}/panel/icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any maskable"},
            {"src": f"{icon}/panel/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
        ],
    }
