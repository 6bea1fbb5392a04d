"""The packs that these tests read: Rommel's, and a small one without a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.engine.packs import Pack, load_pack

from .packskit import FILES, ROMMEL, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small pack without a fault."""
    return write(tmp_path / "pack", FILES)


@pytest.fixture(scope="module")
def rommel() -> Pack:
    return load_pack(ROMMEL)
