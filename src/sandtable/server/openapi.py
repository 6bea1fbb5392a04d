"""The description of the HTTP API as a file, from which the client's types are made.

python -m sandtable.server.openapi > web/openapi.json
"""

from __future__ import annotations

import json
import sys

from .app import create_litestar
from .settings import Settings


def description() -> str:
    """The OpenAPI schema, the same on every machine."""
    app = create_litestar(Settings(database_url="sqlite://"))
    return json.dumps(app.openapi_schema.to_schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(description())
