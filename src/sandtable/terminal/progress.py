"""A progress bar on standard error, where somebody watches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int, int], None]]:
    """Yields what is to be called with the numbers done and to do."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, wanted: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done, wanted: progress.update(task, completed=done, total=wanted)
