"""A small hub on a loopback port: what prime's own clients ask it for, checked as strictly as a hub would.

Covered: resolving a name, uploading a wheel and a source archive (declared, put, finalized; digests and sizes
are compared with the declaration), details of a version with the address of its wheel, hosted evaluations.
Not covered: accounts, billing, visibility, anything that runs.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from aiohttp import web

OWNER = "someone"
KEY = "dummy"
ENVIRONMENT_ID = "env-1"
MAX_BODY = 64 << 20


class Hub:
    """What it was told, and what it holds. `url` is what `PRIME_API_BASE_URL` has to say."""

    def __init__(self) -> None:
        self.url = ""
        self.calls: list[tuple[str, str]] = []
        """Method and path of every request, in order."""
        self.name = ""
        self.resolved: dict[str, Any] = {}
        self.declared: dict[str, dict[str, Any]] = {}
        """The declarations of "wheels" and "versions" (source archives)."""
        self.uploads: dict[str, bytes] = {}
        self.finalized: list[str] = []
        self.evaluations: list[dict[str, Any]] = []

    @contextmanager
    def serving(self) -> Iterator[Hub]:
        """Listen in a thread while the context lasts."""
        loop, until, ready = asyncio.new_event_loop(), asyncio.Event(), Event()

        async def serve() -> None:
            runner = web.AppRunner(self._application())
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            ready.set()
            await until.wait()
            await runner.cleanup()

        thread = Thread(target=loop.run_until_complete, args=(serve(),), name="hub", daemon=True)
        thread.start()
        assert ready.wait(30), "the hub does not listen"
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(until.set)
            thread.join(30)

    def _application(self) -> web.Application:
        @web.middleware
        async def recorded(request: web.Request, handler: Any) -> web.StreamResponse:
            self.calls.append((request.method, request.path))
            if request.path.startswith("/api/") and request.headers.get("Authorization") != f"Bearer {KEY}":
                return web.json_response({"detail": "no such key"}, status=401)
            response: web.StreamResponse = await handler(request)
            return response

        app = web.Application(client_max_size=MAX_BODY, middlewares=[recorded])
        hub = "/api/v1/environmentshub"
        files = f"{hub}/{ENVIRONMENT_ID}/{{kind:wheels|versions}}"
        app.router.add_post(f"{hub}/resolve", self._resolve)
        app.router.add_post(files, self._declare)
        app.router.add_post(f"{files}/{{id}}/finalize", self._finalize)
        app.router.add_get(f"{hub}/{OWNER}/{{name}}/@{{version}}", self._details)
        app.router.add_get("/api/v1/user/whoami", self._whoami)
        app.router.add_post("/api/v1/hosted-evaluations", self._evaluate)
        app.router.add_put("/store/{kind}/{name}", self._put)
        app.router.add_get("/store/{kind}/{name}", self._get)
        return app

    async def _whoami(self, request: web.Request) -> web.Response:
        return web.json_response({"data": {"slug": OWNER}})

    async def _resolve(self, request: web.Request) -> web.Response:
        self.resolved = await request.json()
        created, self.name = self.name == "", self.resolved["name"]
        found = {"id": ENVIRONMENT_ID, "owner": {"name": OWNER}, "created": created}
        return web.json_response({"data": found})

    async def _declare(self, request: web.Request) -> web.Response:
        kind, told = request.match_info["kind"], await request.json()
        if self.declared.get(kind, {}).get("content_hash") == told["content_hash"]:
            return web.json_response({"detail": "content hash already exists"}, status=409)
        self.declared[kind] = told
        upload = {"upload_url": f"{self.url}/store/{kind}/{told['filename']}"}
        return web.json_response({"data": {**upload, "wheel_id": "wheel-1", "version_id": "version-1"}})

    async def _put(self, request: web.Request) -> web.Response:
        kind, body = request.match_info["kind"], await request.read()
        told = self.declared[kind]
        if hashlib.sha256(body).hexdigest() != told["sha256"] or told.get("size", len(body)) != len(body):
            return web.Response(status=400, text="not what was declared")
        self.uploads[kind] = body
        return web.Response()

    async def _get(self, request: web.Request) -> web.Response:
        return web.Response(body=self.uploads[request.match_info["kind"]])

    async def _finalize(self, request: web.Request) -> web.Response:
        kind = request.match_info["kind"]
        if kind not in self.uploads:
            return web.json_response({"detail": "nothing was uploaded"}, status=409)
        self.finalized.append(kind)
        return web.json_response({"data": {"success": True}})

    async def _details(self, request: web.Request) -> web.Response:
        name, version = request.match_info["name"], request.match_info["version"]
        published = self.declared.get("wheels", {})
        if name != self.name or version not in ("latest", published.get("semantic_version")):
            return web.json_response({"detail": "environment not found"}, status=404)
        wheel = f"{self.url}/store/wheels/{published['filename']}"
        told = {"id": ENVIRONMENT_ID, "name": name, "visibility": "PUBLIC", "wheel_url": wheel}
        return web.json_response({"data": {**told, "semantic_version": published["semantic_version"]}})

    async def _evaluate(self, request: web.Request) -> web.Response:
        self.evaluations.append(await request.json())
        return web.json_response({"evaluation_id": f"evaluation-{len(self.evaluations)}"})
