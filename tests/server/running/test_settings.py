"""Settings that make no sense are refused in words, before anything is begun."""

from __future__ import annotations

import pytest

from sandtable.server.run import serve
from sandtable.server.settings import Settings, SettingsError, from_environment


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("TABLES", "-1", "SANDTABLE_TABLES is at least 1, not -1"),
        ("BRAINS", "-5", "SANDTABLE_BRAINS is at least 0, not -5"),
        ("THINK_SECONDS", "-1", "SANDTABLE_THINK_SECONDS is at least 0.1, not -1.0"),
        ("REPLAY_SECONDS", "nan", "SANDTABLE_REPLAY_SECONDS is at least 0, not nan"),
        ("HASH_COST", "0", "SANDTABLE_HASH_COST is at least 1, not 0"),
        ("SESSION_DAYS", "0", "SANDTABLE_SESSION_DAYS is at least 1, not 0"),
        ("NOTIFY_EVERY", "0", "SANDTABLE_NOTIFY_EVERY is at least 0.01, not 0.0"),
        ("LOG_LEVEL", "loud", "SANDTABLE_LOG_LEVEL is debug, info, warning or error, not 'loud'"),
        ("LIMITS", "maybe", "SANDTABLE_LIMITS cannot be 'maybe'"),
        ("TABLES", "many", "SANDTABLE_TABLES cannot be 'many'"),
    ],
)
def test_what_a_setting_cannot_be(name: str, value: str, why: str) -> None:
    with pytest.raises(SettingsError) as refused:
        from_environment({f"SANDTABLE_{name}": value})
    assert str(refused.value) == why


@pytest.mark.parametrize("port", [-1, 65536, 99999])
def test_a_port_is_a_number_that_there_is(port: int) -> None:
    with pytest.raises(SettingsError, match=f"a port is a number from 0 to 65535, not {port}"):
        serve(Settings(database_url="sqlite:///nowhere/x.db"), "127.0.0.1", port)


def test_a_server_may_have_many_open_files() -> None:
    resource = pytest.importorskip("resource", reason="this system has no limit of open files")
    from sandtable.server.run import FILES, many_files

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512) if soft > 0 else 512, hard))
        many_files()
        now = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        assert now == (FILES if hard == resource.RLIM_INFINITY else min(FILES, hard))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
