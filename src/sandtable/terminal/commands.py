"""What can be typed at the table besides actions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table
from rich.text import Text

from sandtable.players.hints import advise, has_hints, lately, moment_of

from . import rulebook, show
from .desk import Unclear
from .reader import Leave

if TYPE_CHECKING:
    from .session import Session


class Command(NamedTuple):
    """A word, what may stand behind it, what it does, and how."""

    word: str
    usage: str
    help: str
    run: Callable[[Session, str], None]
    also: tuple[str, ...] = ()


def _help(session: Session, rest: str) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_row(Text("  12"), "the action with that number")
    table.add_row(Text("  to 0903 via W"), "an action in its notation; names of places and units will do")
    for command in COMMANDS:
        table.add_row(Text(f"  {command.word} {command.usage}".rstrip()), command.help)
    session.say(table)


def _why(session: Session, rest: str) -> None:
    if rest:
        session.say(*show.answers(session.desk().why_not(rest)))
        return
    prompt = session.game.prompt(session.table.state)
    session.show_prompt()
    rulebook.show_rules(session.console, session.game.id, prompt.rules)


def _undo(session: Session, rest: str) -> None:
    session.undo()


def _odds(session: Session, rest: str) -> None:
    found = session.desk().odds(rest)
    if not found:
        session.say(Text(f"No dice follow from {'that' if rest else 'any of these actions'}."))
    for label, odds in found:
        for table in show.odds_tables(label, odds):
            session.say(table)


def _hint(session: Session, rest: str) -> None:
    """What the computer would do. Whoever plays at this screen plays against it, or against himself."""
    table, side = session.table, session.viewer
    if not has_hints(session.game):
        raise Unclear(f"{session.game.id} has no computer player that could be asked")
    if side is None or table.to_act != side:
        return
    moment = moment_of(session.game, table.state, side, lately(table))
    found = advise(session.game, moment, f"{table.header.commitment} {len(table.entries) - len(moment.since)}")
    session.say(*show.advice_lines(found))


def _log(session: Session, rest: str) -> None:
    count = int(rest) if rest.isdigit() else 20
    if rest and not rest.isdigit() and rest != "all":
        raise Unclear(f"log takes a number of lines or 'all', not {rest!r}")
    if session.viewer is None:
        return
    lines = session.log_lines(session.viewer)
    shown = lines if rest == "all" else lines[-count:] if count else []
    if len(shown) < len(lines):
        session.say(Text(f"  … {len(lines) - len(shown)} earlier lines: log all", "dim"))
    session.say(*shown)
    if not lines:
        session.say(Text("Nothing has happened yet.", "dim"))


def _save(session: Session, rest: str) -> None:
    path = Path(rest).expanduser() if rest else session.save_path
    if path is None and session.fallback is not None:
        path = session.fallback()
    if path is None:
        raise Unclear("save needs a file name here")
    session.save(path)
    if session.save_path is None:
        session.save_path = path
    session.say(Text(f"Saved as {path}."))


SCALES = ("near", "middle", "far", "tiny")


def _map(session: Session, rest: str) -> None:
    words = rest.split()
    scale = next((w for w in words if w in SCALES), "")
    where = " ".join(w for w in words if w not in SCALES)
    if where and session.names.hex(where) is None:
        raise Unclear(f"map takes a hex or one of {', '.join(SCALES)}, not {where!r}")
    session.show_map(where, scale or ("near" if where else "whole"))
    if where or scale == "near":
        session.say(session.board.key())


def _hex(session: Session, rest: str) -> None:
    if not rest:
        raise Unclear("hex takes a number or a name: hex 0313")
    if session.viewer is None:
        return
    view = session.game.view(session.table.state, session.viewer)
    session.say(*session.board.hex_card(view, rest, session.names))


def _units(session: Session, rest: str) -> None:
    if session.viewer is None:
        return
    view = session.game.view(session.table.state, session.viewer)
    session.say(*session.board.unit_list(view, rest))


def _status(session: Session, rest: str) -> None:
    if session.viewer is None:
        return
    view = session.game.view(session.table.state, session.viewer)
    session.say(*session.board.status(view))


def _rules(session: Session, rest: str) -> None:
    ids = rest.split() or session.game.prompt(session.table.state).rules
    rulebook.show_rules(session.console, session.game.id, ids)


def _list(session: Session, rest: str) -> None:
    session.show_list(rest)


def _more(session: Session, rest: str) -> None:
    session.turn_page()


def _quit(session: Session, rest: str) -> None:
    raise Leave


COMMANDS: tuple[Command, ...] = (
    Command("?", "[action, hex or unit]", "why it is not allowed, with the rule", _why),
    Command("odds", "[action]", "the exact chances of what an action leads to", _odds),
    Command("hint", "", "what the computer would do here, and why", _hint),
    Command("undo", "", "take back the last action, if no dice or reveal lie between", _undo),
    Command("list", "[word]", "the actions, or those that contain a word", _list),
    Command("more", "", "the next page of actions (Enter does the same)", _more),
    Command("map", "[hex] [near|middle|far|tiny]", "the map, whole or around a hex", _map),
    Command("hex", "<hex>", "what is known of a hex and who stands there", _hex),
    Command("units", "[word]", "the units that you know of", _units),
    Command("status", "", "turn, cards, points and whatever else lies on the table", _status),
    Command("log", "[lines|all]", "what has happened, as your side saw it", _log),
    Command("rules", "[numbers]", "rules by number; those of this decision without one", _rules),
    Command("save", "[file]", "save the game", _save),
    Command("help", "", "this list", _help, ("h",)),
    Command("quit", "", "save and leave", _quit, ("exit", "q")),
)

_BY_WORD = {word: command for command in COMMANDS for word in (command.word, *command.also)}


def find_command(line: str) -> tuple[Command | None, str]:
    """The command that a line begins with and what stands behind it."""
    if line.startswith("?"):
        return _BY_WORD["?"], line[1:].strip()
    word, _, rest = line.partition(" ")
    return _BY_WORD.get(word.casefold()), rest.strip()
