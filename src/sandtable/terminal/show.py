"""What the terminal shows, as Rich texts and tables. Nothing here knows more than it is given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from rich.table import Table
from rich.text import Text

from sandtable.engine.contract import Odds, Outcome, Prompt, Reason
from sandtable.players.hints import Advice

from .desk import Answer, Entry, Group
from .palette import ACCENT_TEXT, side_style

DOTS = "■●▲◆"
"""The mark of each side in the log: shape as well as colour."""


def rule_chip(rules: Sequence[str]) -> Text:
    """Rule numbers, the way they are shown everywhere."""
    text = Text()
    for rule in rules:
        if rule:
            text.append(f" {rule}", ACCENT_TEXT)
    return text


def side_badge(side: int, title: str) -> Text:
    return Text(f" {title} ", side_style(side)) if side >= 0 else Text(f" {title} ", "bold reverse")


def log_line(text: str, rule: str = "", side: int = -1) -> Text:
    """One line of the log: who, what, and the rule."""
    line = Text("  ")
    line.append(DOTS[side] if 0 <= side < len(DOTS) else "·", "bold" if side >= 0 else "dim")
    line.append(f" {text}")
    line.append_text(rule_chip((rule,)))
    return line


def prompt_lines(prompt: Prompt, side: int, side_title: str) -> list[Text]:
    head = side_badge(side, side_title)
    if prompt.phase:
        head.append(f"  {prompt.phase}", "default")
    title = Text(str(prompt.title), "bold")
    title.append_text(rule_chip(prompt.rules))
    lines = [head, title]
    if prompt.text:
        lines.append(Text(str(prompt.text)))
    return lines


def refusal(reason: Reason) -> Text:
    text = Text("No. ", "bold red")
    why = str(reason.why)
    text.append(why[:1].upper() + why[1:])
    if not why.endswith((".", "?", "!")):
        text.append(".")
    text.append_text(rule_chip((reason.rule,)))
    return text


def answers(found: Iterable[Answer]) -> list[Text]:
    """What the rules say of one or several actions."""
    lines = []
    for text, reason in found:
        if reason is None:
            line = Text("Yes. ", "bold green")
            line.append(text)
        else:
            line = refusal(reason)
            line.append(f"  ({text})", "dim")
        lines.append(line)
    return lines


def outcome_line(outcome: Outcome | None, titles: Sequence[str]) -> Text:
    """How a game ended."""
    if outcome is None:
        return Text("The game has ended without an outcome.", "bold")
    line = Text("The game is over. ", "bold")
    if outcome.winner is None:
        line.append(f"Nobody wins: {outcome.level}" if outcome.level else "Nobody wins")
    else:
        line.append(f"{titles[outcome.winner]} wins: {outcome.level}")
    line.append_text(rule_chip((outcome.rule,)))
    return line


# ---------------------------------------------------------------------------------- lists of actions


def action_lines(groups: Sequence[Group], width: int) -> list[Text]:
    """The actions in as many columns as fit, under a heading where there is more than one group."""
    lines: list[Text] = []
    digits = max((len(str(e.number)) for g in groups for e in g.entries), default=1)
    for group in groups:
        if len(groups) > 1 and len(group.entries) > 1:
            lines.append(Text(f" {group.title}", "dim italic"))
        lines.extend(_columns(group.entries, width, digits))
    return lines


def _columns(entries: Sequence[Entry], width: int, digits: int) -> list[Text]:
    cells = [_cell(entry, digits) for entry in entries]
    widest = max((cell.cell_len for cell in cells), default=0) + 2
    columns = max(1, min(len(cells), width // max(widest, 1)))
    rows = -(-len(cells) // columns)
    lines = []
    for row in range(rows):
        line = Text(no_wrap=columns > 1)
        for cell in cells[row::rows]:
            line.append_text(cell)
            line.append(" " * (widest - cell.cell_len))
        line.rstrip()
        lines.append(line)
    return lines


def _cell(entry: Entry, digits: int) -> Text:
    cell = Text(f" {entry.number:>{digits}} ", f"bold {ACCENT_TEXT}")
    cell.append(entry.label, "default not bold")
    if entry.label.casefold() != entry.text.casefold():
        cell.append(f"  {entry.text}", "dim not bold")
    return cell


# ---------------------------------------------------------------------------------- odds


def percent(chance: Fraction) -> str:
    """A chance as people say it; never 0 % or 100 % for what is only nearly so."""
    value = float(chance * 100)
    if 0 < value < 0.05:
        return "<0.1 %"
    if 99.95 < value < 100:
        return ">99.9 %"
    return f"{value:.1f} %" if value % 1 else f"{value:.0f} %"


def odds_tables(label: str, odds: Odds) -> Iterator[Table]:
    """The chances of an action, and after them those of its parts."""
    if odds.terms or odds.results:
        yield odds_table(f"{odds.title}: {label}", odds)
    for part in odds.parts:
        yield from odds_tables(label, part)


def odds_table(title: str, odds: Odds) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    table.add_column("")
    table.add_column("", justify="right")
    table.add_column("")
    for term in odds.terms:
        table.add_row(str(term.text), str(term.value), rule_chip((term.rule,)))
    for result, chance in odds.results:
        bar = "█" * max(1, round(float(chance) * 24)) if chance else ""
        table.add_row(Text(str(result), "bold"), percent(chance), Text(f"{bar} {chance}", "dim"))
    return table


def advice_lines(found: Advice) -> list[Text]:
    """A hint: what to do, why, and what would come after it."""
    lines = [Text(f"{found.label}", "bold"), *(Text(f"  {said}.") for said in found.why)]
    if found.steps:
        lines.append(Text("  Then:", "dim"))
        lines += [Text(f"    {said}", "dim") for said in found.steps]
    if found.more:
        lines.append(Text(f"    … and {found.more} more", "dim"))
    return lines
