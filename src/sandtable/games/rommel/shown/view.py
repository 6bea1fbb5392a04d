"""What a side may know, and a table imagined from nothing but that.

A view holds everything a player could see or has been told: own blocks and cards, the enemy's
blocks where they stand but not what they are (0.3b), unless they lie revealed (7.3). `imagine`
builds a whole state from a view, with the unknown drawn at random, so that `redeal` cannot peek.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from sandtable.engine.contract import CHANCE, View
from sandtable.engine.flat import UNITS
from sandtable.engine.frames import F
from sandtable.engine.hexes import hexes_of
from sandtable.mechanics.shown.viewing import actor_of, actor_shown, outcome_of, outcome_shown

from ..combat.retreats import pass_over
from ..table import ids
from ..table.board import Board, units_of
from ..table.scenarios import option_bits, option_names, script_of
from ..table.state import State, put
from ..table.steps import NOT_YET, AnswerAt, BlockAt, DestAt, MovesAt, RetireAt, TurnAt, UnitAt

if TYPE_CHECKING:
    from ..game import Rommel

ABOUT_A_BLOCK = (DestAt, UnitAt, BlockAt)
"""Steps that name a block whose identity is its owner's secret."""

# The marks that a block carries openly, as unit masks of the state.
MARKS = State.names(UNITS)

# Events after which a side knows more than before: what they tell depends on hidden facts.
REVEALS: frozenset[str] = frozenset(
    {
        "revealed",
        "eliminated",
        "step_lost",
        "disclosed",
        "cards_shown",
        "challenge_cards",
        "initiative",
        "pursuit",
        "round",
    }
)


def look(game: Rommel, s: State, side: int) -> View:
    """Everything that `side` may know (SPECTATOR: what both may)."""
    board = s.board
    names = board.grid.names
    play = script_of(board, s.scenario)
    return {
        "game": "rommel",
        "version": game.version,
        "scenario": s.scenario,
        "options": option_names(s.flags),
        "side": ids.SIDES[side] if side >= 0 else None,
        "month": s.month,
        "month_name": play.months[max(s.month, play.first_month) - 1],
        "first": ids.SIDES[s.first],
        "active": ids.SIDES[s.active],
        "to_act": actor_shown(s, ids.SIDES),
        "phase": game.prompt(s).phase,
        "passes": s.passed,
        "outcome": outcome_shown(s, ids.SIDES),
        "units": _blocks(s, side),
        "battles": _battles(s),
        "cards": _cards(s, side),
        "option": ids.OPTIONS[s.option] if s.option == ids.PASS or (s.active == side and s.option >= 0) else None,
        "option_chosen": s.option >= 0,
        "rommel_used": s.rommel_used,
        "engaged_through": [
            [names[h], ids.DIRS[d], 1 + (s.entered[6 + d] >> h & 1)] for d in range(6) for h in hexes_of(s.entered[d])
        ],
        "overruns": [names[h] for h in hexes_of(s.overrun)],
        "no_fight": [names[h] for h in hexes_of(s.no_fight)],
        "hits": list(s.hits),
        "fortresses": [
            {
                "name": board.fortress_names[i],
                "hex": names[board.fortresses[i]],
                "owner": ids.SIDES[s.fort_owner[i]],
                "captured": s.captured[i],
                "port_used": s.port_used[i],
            }
            for i in range(len(board.fortresses))
        ],
        "minefields": {
            "disclosed": [names[h] for h in hexes_of(s.mines_open)],
            "secret": [names[h] for h in hexes_of(s.mines[side])] if side >= 0 else [],
            "touched": [names[h] for h in hexes_of(s.mines_touched & s.mines[side])] if side >= 0 else [],
        },
        "networks": [[names[h] for h in hexes_of(net)] for net in s.nets],
        "buildup": {
            "points": s.bp[side] if side >= 0 else None,
            "bought": s.bought[side] if side >= 0 else None,
            "bonus": list(s.bonus),
            "lifted": [names[h] for h in hexes_of(s.lifted)] if side >= 0 and _spends(s, side) else [],
        },
        "exited": list(s.exited),
        "frames": _frames(s, side),
    }


def _spends(s: State, side: int) -> bool:
    return s.actor == side


def _knows(s: State, side: int, u: int) -> bool:
    """Whether `side` knows which block this is."""
    if s.board.side[u] == side or s.ended is not None:
        return True
    return bool(s.revealed >> u & 1) or s.at[u] in (ids.DEAD, ids.UNUSED)


def _blocks(s: State, side: int) -> list[dict[str, Any]]:
    """All blocks; those `side` does not know come without identity, in an order that tells nothing."""
    board = s.board
    names = board.grid.names
    masks = [(mark, mask) for mark in MARKS if (mask := getattr(s, mark))]
    feeding = [(place, drawing) for place, drawing in enumerate(s.assigned) if drawing]
    sides = board.side
    known: list[dict[str, Any]] = []
    hidden: list[tuple[Any, dict[str, Any]]] = []
    for u, h in enumerate(s.at):
        if h == ids.UNUSED:
            continue
        mine = sides[u] == side or _knows(s, side, u)
        if h in (ids.POOL, ids.HELD) and not mine:  # 16.41d nobody else knows who is still to come
            continue
        bit = 1 << u
        block: dict[str, Any] = {"side": ids.SIDES[sides[u]]}
        if h >= 0:
            block["hex"] = names[h]
        else:
            block["box"] = ids.BOXES[h]
        marks = [mark for mark, mask in masks if mask & bit] if masks else []
        if marks:
            block["marks"] = marks
        if s.via[u] != ids.NO_DIR:
            block["via"] = ids.DIRS[s.via[u]]
        for place, drawing in feeding:  # 13.3h which fortress or oasis feeds it
            if drawing & bit:
                block["assigned"] = place
        if s.start[u] >= 0:
            block["start"] = names[s.start[u]]
        if s.moved_far[u] and (s.start[u] >= 0 or board.side[u] == side):
            block["far"] = s.moved_far[u]
        if s.plan[u] >= 0 and (s.marching & bit or board.side[u] == side):
            block["plan"] = names[s.plan[u]]
        if s.marching & bit:
            block["march"] = s.march_order[u]  # 6.4b both saw it declared
        if mine:
            known.append({"id": board.units[u], "cv": s.cv[u], **block})
        else:
            key = (
                block["side"],
                block.get("hex", ""),
                block.get("box", ""),
                marks,
                block.get("via", ""),
                block.get("assigned", -1),
                block.get("start", ""),
                block.get("far", 0),
                block.get("plan", ""),
                block.get("march", 0),
            )
            hidden.append((key, block))
    hidden.sort(key=lambda item: item[0])
    return known + [block for _, block in hidden]


def _battles(s: State) -> list[dict[str, Any]]:
    names = s.board.grid.names
    out = []
    for h in hexes_of(s.occ[0] & s.occ[1]):
        b = 1 << h
        out.append(
            {
                "hex": names[h],
                "defender": ids.SIDES[0 if s.defends[0] & b else 1],
                "attacker_sides": [ids.DIRS[d] for d in range(6) if s.att_side[d] & b],
                "attacked": bool(s.attacked & b),
                "fight": bool(s.to_fight & b),
                "assault": bool(s.assaults & b),
            }
        )
    return out


def _cards(s: State, side: int) -> dict[str, Any]:
    cards: dict[str, Any] = {}
    for i, name in enumerate(ids.SIDES):
        cards[name] = {"count": s.real[i] + s.dummy[i]}
        if i == side:
            cards[name] |= {"real": s.real[i], "dummy": s.dummy[i]}
    cards["played"] = {"count": sum(s.played)}
    if s.active == side:
        cards["played"] |= {"real": s.played[0], "dummy": s.played[1]}
    cards["spent"] = {"real": s.spent[0], "dummy": s.spent[1]}
    return cards


def _frames(s: State, side: int) -> list[list[int | None]]:
    """The steps of the sequence that are under way, without the secrets of the other side."""
    out: list[list[int | None]] = []
    for f in s.stack:
        if f.frame == ids.F_RELAY and f.side != side:  # 16.55b minefields are relocated in secret
            continue
        told: Any = f
        if isinstance(f, ABOUT_A_BLOCK) and not _knows(s, side, f.unit):
            told = told._replace(unit=None)
        elif isinstance(f, AnswerAt) and side != 1:
            told = told._replace(card=None)
        frame: list[int | None] = list(told)
        while frame[-1] == NOT_YET:
            frame.pop()
        out.append(frame)
    return out


# Imagining


TRIES = 40
"""How often a deal is repeated in which the enemy's decision under way could not be made."""


def imagine(game: Rommel, view: View, rng: Random) -> State:
    """A state with this view; what the view does not tell is drawn at random.

    The other side may be in the middle of a decision about a hidden block: a deal in which none of
    his blocks could be the one would contradict the view, and is drawn again.
    """
    board = game.board_for(view["options"])
    for _ in range(TRIES):
        s = _table(board, view, rng)
        if _seat_the_frames(game, s, view, rng):
            return s
    raise ValueError("this view fits no state of the game")


def _table(board: Board, view: View, rng: Random) -> State:
    """Everything but the sequence of play."""
    index = board.grid.index
    side = ids.SIDES.index(view["side"]) if view["side"] else -1
    s = State(board, scenario=view["scenario"])
    s.flags = option_bits(view["options"])
    s.month = view["month"]
    s.first = ids.SIDES.index(view["first"])
    s.active = ids.SIDES.index(view["active"])
    s.passed = view["passes"]
    s.actor = actor_of(view["to_act"], ids.SIDES)
    s.rommel_used = view["rommel_used"]
    for number, direction, times in view["engaged_through"]:
        d, b = ids.DIRS.index(direction), 1 << index[number]
        s.entered[d] |= b
        if times > 1:
            s.entered[6 + d] |= b
    s.overrun = board.mask(view["overruns"])
    s.no_fight = board.mask(view["no_fight"])
    s.hits = list(view["hits"])
    for i, fort in enumerate(view["fortresses"]):
        s.fort_owner[i] = ids.SIDES.index(fort["owner"])
        s.captured[i] = fort["captured"]
        s.port_used[i] = fort["port_used"]
    s.nets = [board.mask(net) for net in view["networks"]]
    s.bonus = list(view["buildup"]["bonus"])
    s.exited = list(view["exited"])
    _deal_blocks(s, view, side, rng)
    _lay_battles(s, view)
    _lay_mines(s, view, side, rng)
    _deal_cards(s, view, side, rng)
    s.bp = [rng.randint(4, board.saved_limit) for _ in ids.SIDES]  # his points are his own record (16.5c)
    if side >= 0:
        s.bp[side] = view["buildup"]["points"]
        s.bought[side] = view["buildup"]["bought"]
        s.lifted = board.mask(view["buildup"]["lifted"] or [])
    s.ended = outcome_of(view["outcome"], ids.SIDES)
    s.events = []
    return s


def _deal_blocks(s: State, view: View, side: int, rng: Random) -> None:
    """Own and revealed blocks as they are; every other one gets an identity it could have."""
    board = s.board
    play = script_of(board, s.scenario)
    for u in play.blocks:
        s.at[u] = ids.POOL
    hidden: list[list[dict[str, Any]]] = [[], []]
    taken = 0
    for block in view["units"]:
        if "id" in block:
            u = board.unit_index[block["id"]]
            taken |= 1 << u
            s.cv[u] = block["cv"]
            _stand(s, u, block)
        else:
            hidden[ids.SIDES.index(block["side"])].append(block)
    for owner in (0, 1):
        free = [u for u in play.blocks if board.side[u] == owner and not taken >> u & 1]
        for u in free:
            s.cv[u] = play.strength.get(u, board.max_cv[u])
        _name(s, hidden[owner], free, play.due, rng)


def _name(s: State, blocks: list[dict[str, Any]], free: list[int], due: Any, rng: Random) -> None:
    """Give unknown blocks identities: first whoever must have arrived, then some that may have come early."""
    free = sorted(free, key=lambda u: due.get(u, 0))
    count = len(blocks)
    if count:
        last = due.get(free[count - 1], 0)
        sure = [u for u in free if due.get(u, 0) < last]
        maybe = [u for u in free if due.get(u, 0) == last]
        chosen = sure + rng.sample(maybe, count - len(sure))
        rng.shuffle(chosen)
        for u, block in zip(chosen, blocks, strict=True):
            if block.get("box") != "refit":
                s.cv[u] = s.board.step_cv[u] * rng.randint(1, s.board.max_cv[u] // s.board.step_cv[u])
            _stand(s, u, block)


def _stand(s: State, u: int, block: dict[str, Any]) -> None:
    """Put a block where the view says, with its marks."""
    index = s.board.grid.index
    bit = 1 << u
    box = block.get("box")
    h = index[block["hex"]] if box is None else next(k for k, v in ids.BOXES.items() if v == box)
    marks = block.get("marks", ())
    if "disrupted" in marks:
        s.disrupted |= bit
    put(s, u, h)
    for mark in marks:
        setattr(s, mark, getattr(s, mark) | bit)
    s.via[u] = ids.DIRS.index(block.get("via", "-"))
    if "assigned" in block:
        s.assigned[block["assigned"]] |= bit
    if "start" in block:
        s.start[u] = index[block["start"]]
    s.moved_far[u] = block.get("far", 0)
    s.march_order[u] = block.get("march", 0)
    if "plan" in block:
        s.plan[u] = index[block["plan"]]


def _lay_battles(s: State, view: View) -> None:
    for battle in view["battles"]:
        b = 1 << s.board.grid.index[battle["hex"]]
        s.defends[ids.SIDES.index(battle["defender"])] |= b
        for direction in battle["attacker_sides"]:
            s.att_side[ids.DIRS.index(direction)] |= b
        s.attacked |= b if battle["attacked"] else 0
        s.to_fight |= b if battle["fight"] else 0
        s.assaults |= b if battle["assault"] else 0


def _lay_mines(s: State, view: View, side: int, rng: Random) -> None:
    """Own minefields, and as many unknown enemy ones as the scenario began with, wherever he stands."""
    board = s.board
    s.mines_open = board.mask(view["minefields"]["disclosed"])
    secret = script_of(board, s.scenario).data["minefields"]["secret"]
    for owner, name in enumerate(ids.SIDES):
        if owner == side:
            s.mines[owner] = board.mask(view["minefields"]["secret"])
            s.mines_touched = board.mask(view["minefields"]["touched"])
        else:
            held = hexes_of(s.occ[owner] & ~s.mines_open)
            s.mines[owner] = sum(1 << h for h in rng.sample(held, min(len(held), len(secret[name]))))


def _deal_cards(s: State, view: View, side: int, rng: Random) -> None:
    """Cards and turn option that the view does not tell, drawn from the cards nobody has seen."""
    cards = view["cards"]
    s.spent = [cards["spent"]["real"], cards["spent"]["dummy"]]
    unseen = [s.board.deck[0] - s.spent[0], s.board.deck[1] - s.spent[1]]
    if side >= 0:
        own = cards[ids.SIDES[side]]
        s.real[side], s.dummy[side] = own["real"], own["dummy"]
        unseen[0] -= own["real"]
        unseen[1] -= own["dummy"]
    s.option = ids.OPTIONS.index(view["option"]) if view["option"] else -1
    played = cards["played"]
    if "real" in played:
        s.played = [played["real"], played["dummy"]]
    elif played["count"]:
        s.option = _guess_option(s, view, played["count"], unseen, rng)
        real = s.board.option_cost[s.option]
        s.played = [real, played["count"] - real]
    unseen[0] -= s.played[0]
    unseen[1] -= s.played[1]
    for other, name in enumerate(ids.SIDES):
        if other != side:
            pile = [0] * unseen[0] + [1] * unseen[1]
            hand = rng.sample(pile, cards[name]["count"])
            s.dummy[other] = sum(hand)
            s.real[other] = len(hand) - s.dummy[other]
            unseen[0] -= s.real[other]
            unseen[1] -= s.dummy[other]


def _guess_option(s: State, view: View, count: int, unseen: list[int], rng: Random) -> int:
    """An option that the cards on the table could pay for and that fits what has been seen."""
    cost = s.board.option_cost
    options = [
        o
        for o in (ids.BASIC, ids.OFFENSIVE, ids.ASSAULT, ids.BLITZ)
        if cost[o] <= min(count, unseen[0]) and count - cost[o] <= unseen[1]
    ]
    shown = shown_options(view)
    return rng.choice([o for o in options if o in shown] or options)


def shown_options(view: View) -> set[int]:
    """The options that what has happened so far leaves possible."""
    if any(b["assault"] for b in view["battles"]):
        return {ids.ASSAULT}
    for number, *facts in view["frames"]:
        if number == ids.F_TURN and TurnAt(number, *facts).blitz:
            return {ids.BLITZ}
        if number == ids.F_MOVES and MovesAt(number, *facts).made > 1:
            return {ids.OFFENSIVE}
    return {ids.BASIC, ids.OFFENSIVE, ids.ASSAULT, ids.BLITZ}


def _seat_the_frames(game: Rommel, s: State, view: View, rng: Random) -> bool:
    """Lay the steps under way; an unknown block or card in them is drawn from what it could be."""
    s.stack = []
    for numbers in view["frames"]:
        f: Any = game.framed(numbers)
        if isinstance(f, AnswerAt) and f.card is None:
            f = f._replace(card=rng.randint(0, 1))
        if None in f:
            units = _could_be(s, f)
            rng.shuffle(units)
            f = next((one for one in (f._replace(unit=u) for u in units) if _works(game, s, one)), None)
            if f is None:
                return False
        s.stack.append(f)
        if isinstance(f, RetireAt):
            pass_over(s, f)
    s.choices = None
    return s.ended is not None or s.actor == CHANCE or _works(game, s, None)


def _works(game: Rommel, s: State, step: F | None) -> bool:
    """Whether a side could decide anything at this step, or at the one that is under way."""
    if step is not None:
        s.stack.append(step)
    f: Any = s.stack[-1]
    handler = game.frames[f.frame]
    works = handler.actor(s, f) in (CHANCE, None) or bool(handler.legal(s, f))
    if step is not None:
        s.stack.pop()
    s.choices = None
    return works


def _could_be(s: State, f: Any) -> list[int]:
    """The blocks that a step with an unknown block could be about."""
    board = s.board
    if f.frame == ids.F_MARCH_ROLL:
        marching = units_of(s.marching & board.of_side[s.active])
        return [min(marching, key=s.march_order.__getitem__)]
    if isinstance(f, DestAt):
        group: Any = s.stack[-1]
        units = board.of_side[s.active] & ~s.disrupted & ~s.moved
        return [u for u in units_of(units) if s.at[u] == group.hex]
    own = units_of(board.of_side[f.side])
    if f.frame == ids.F_EARLY:
        due = script_of(board, s.scenario).due
        return [u for u in own if s.at[u] == ids.POOL and due.get(u, 0) == s.month + 1]
    if f.frame == ids.F_ARRIVE:
        return [u for u in own if s.at[u] in (ids.POOL, ids.HELD, ids.REFIT)]
    return [u for u in own if s.at[u] >= 0]
