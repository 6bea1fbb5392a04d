"""Health, metrics, and the built client."""

from __future__ import annotations

import ipaddress
import mimetypes
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.params import PathParameter
from litestar.response import Response
from sqlalchemy import text

from .. import metrics
from ..door.security import address
from ..refusals import Refused
from ..settings import static_folder
from ..wire.table import Health
from .common import Here

RETRY = 5
"""Seconds after which it may be asked again whether the server is well."""

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandtable</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>The server runs; its page is not built yet</h1>
<p>Build the browser client with <code>make web</code> (it needs Node and npm), then load this page again.</p>
<p>The HTTP API is ready: <a href="/api/schema/openapi.json">its description</a>,
<a href="/api/catalogue">the games</a>.</p></html>
"""


@get("/health", summary="Whether the server is well")
async def health(house: Here) -> Response[Health]:
    try:
        async with house.database.read() as connection:
            await connection.execute(text("SELECT 1"))
    except Exception:  # whatever is wrong with the database, the answer is the same
        return _unwell("unreachable")
    writes = await house.database.probe()
    return Response(Health("ok", "ok", version("sandtable"))) if writes == "ok" else _unwell(writes)


def _unwell(database: str) -> Response[Health]:
    return Response(
        Health("unwell", database, version("sandtable")), status_code=503, headers={"retry-after": str(RETRY)}
    )


@get("/metrics", summary="Counts for Prometheus", media_type="text/plain")
async def prometheus(request: Request[Any, Any, Any], house: Here) -> Response[bytes]:
    if house.settings.metrics == "local" and not _is_local(address(request)):
        raise Refused(403, "forbidden", "metrics are for this machine")
    return Response(metrics.report(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("testclient", "localhost")


_files: dict[Path, tuple[float, bytes, str]] = {}


def _file(path: Path) -> tuple[bytes, str]:
    """A file of the client and its tag, read once for each change of it."""
    changed = path.stat().st_mtime
    known = _files.get(path)
    if known is None or known[0] != changed:
        body = path.read_bytes()
        known = _files[path] = (changed, body, f'"{sha256(body).hexdigest()[:24]}"')
    return known[1], known[2]


def _served(request: Request[Any, Any, Any], folder: Path, path: str) -> Response[bytes]:
    """A file of the built client; compressed where it was built so."""
    name = path.strip("/") or "index.html"
    try:
        file = (folder / name).resolve()
        found = file.is_relative_to(folder.resolve()) and file.is_file()
    except (OSError, ValueError):  # a name that is too long for this system, or that no file can have
        found = False
    if not found:
        raise Refused(404, "not_found", "there is nothing here")
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    headers = {"vary": "accept-encoding"}
    accepted = request.headers.get("accept-encoding", "")
    for coding, suffix in (("br", ".br"), ("gzip", ".gz")):
        packed = file.with_name(file.name + suffix)
        if coding in accepted and packed.is_file():
            file = packed
            headers["content-encoding"] = coding
            break
    body, etag = _file(file)
    # Vite names what lies in assets by its content: it never changes.
    keep = "public, max-age=31536000, immutable" if name.startswith("assets/") else "no-cache"
    headers |= {"etag": etag, "cache-control": keep}
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers, media_type=kind)
    return Response(body, headers=headers, media_type=kind)


@get("/", include_in_schema=False)
async def page(request: Request[Any, Any, Any], house: Here) -> Response[bytes]:
    folder = static_folder(house.settings)
    if not (folder / "index.html").is_file():
        return Response(NOT_BUILT.encode(), media_type="text/html; charset=utf-8")
    return _served(request, folder, "index.html")


@get("/{path:path}", include_in_schema=False)
async def file(
    request: Request[Any, Any, Any], house: Here, path: Annotated[str, PathParameter(max_length=300)]
) -> Response[bytes]:
    if "\0" in path or path.startswith("/api/"):
        raise Refused(404, "not_found", "there is nothing here")
    return _served(request, static_folder(house.settings), path)


router = Router("/", route_handlers=[health, prometheus, page, file], tags=["operations"])
