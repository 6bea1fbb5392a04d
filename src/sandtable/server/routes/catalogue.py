"""Games, maps and rulebooks: the same for everybody, and kept by browsers."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from litestar.response import Response

from sandtable import registry
from sandtable.engine.drawing import PALETTES
from sandtable.engine.ledger import ENGLISH
from sandtable.engine.texts.catalogue import LANGUAGES

from ..library import catalogue, examples
from ..refusals import Refused
from ..wire.library import BriefingText, ExampleText, GameDetail, GameSummary, LegendText, Rulebook
from .common import cached, documented

Game = Annotated[str, PathParameter(max_length=40, description="A game's id.")]
Scenario = Annotated[
    str, QueryParameter(max_length=60, description="The scenario whose map is meant, in a game of joined boards.")
]
Palette = Annotated[str, QueryParameter(max_length=20, description="light, dark, cvd, cvd-dark or css")]
Language = Annotated[str, PathParameter(max_length=10, description="ja")]


def _known(game: str) -> str:
    if game not in registry.GAMES:
        raise Refused(404, "not_found", "no game is called that")
    return game


def _palette(palette: str) -> str:
    if palette not in PALETTES:
        raise Refused(404, "not_found", "no palette is called that")
    return palette


def _of(game: str, scenario: str) -> str:
    """A scenario of a game, or "" for the first one."""
    if scenario and scenario not in {one.id for one in registry.get(game).scenarios()}:
        raise Refused(404, "not_found", "no scenario is called that")
    return scenario


@get("/", summary="All games", responses={200: ResponseSpec(list[GameSummary], generate_examples=False)})
async def games(request: Request[Any, Any, Any]) -> Response[bytes]:
    return cached(request, await asyncio.to_thread(catalogue.catalogue, tuple(registry.names())))


@get("/{game:str}", summary="One game", responses={200: ResponseSpec(GameDetail, generate_examples=False)})
async def game(request: Request[Any, Any, Any], game: Game, scenario: Scenario = "") -> Response[bytes]:
    return cached(request, await asyncio.to_thread(catalogue.detail, _known(game), _of(game, scenario)))


@get("/{game:str}/map.svg", summary="The empty map", media_type="image/svg+xml")
async def map_svg(
    request: Request[Any, Any, Any],
    game: Game,
    palette: Palette = "light",
    names: Annotated[bool, QueryParameter(description="Whether places are named on it")] = True,
    scenario: Scenario = "",
) -> Response[bytes]:
    known = _palette(palette)
    return cached(request, await asyncio.to_thread(catalogue.map_svg, _known(game), known, names, _of(game, scenario)))


@get(
    "/{game:str}/rulebook",
    summary="The rules under their numbers",
    responses={200: ResponseSpec(Rulebook, generate_examples=False)},
)
async def rulebook(
    request: Request[Any, Any, Any],
    game: Game,
    language: Annotated[str, QueryParameter(max_length=10, description="en or ja")] = ENGLISH,
) -> Response[bytes]:
    if language not in (ENGLISH, *LANGUAGES):
        raise Refused(404, "not_found", "no language is called that")
    return cached(request, await asyncio.to_thread(catalogue.rulebook, _known(game), language))


@get(
    "/{game:str}/briefing/{scenario:str}",
    summary="What a player is told before the first move",
    responses={200: ResponseSpec(BriefingText, generate_examples=False)},
)
async def briefing(
    request: Request[Any, Any, Any],
    game: Game,
    scenario: Annotated[str, PathParameter(max_length=60, description="A scenario's id.")],
) -> Response[bytes]:
    # Not in a thread: rules are run in that of the event loop alone.
    return cached(request, catalogue.briefing(_known(game), _of(game, scenario)))


@get(
    "/{game:str}/legend",
    summary="How its counters and its map are read, and what its words mean",
    responses={200: ResponseSpec(LegendText, generate_examples=False)},
)
async def legend(request: Request[Any, Any, Any], game: Game) -> Response[bytes]:
    return cached(request, await asyncio.to_thread(catalogue.legend, _known(game)))


@get(
    "/{game:str}/examples",
    summary="The diagrams of the rulebook's worked examples",
    responses={200: ResponseSpec(list[ExampleText], generate_examples=False)},
)
async def diagrams(request: Request[Any, Any, Any], game: Game) -> Response[bytes]:
    # Not in a thread: rules are run in that of the event loop alone.
    return cached(request, examples.listed(_known(game)))


@get(
    "/{game:str}/examples/{example:str}/ground.svg", summary="The part of the map below one", media_type="image/svg+xml"
)
async def ground(
    request: Request[Any, Any, Any],
    game: Game,
    example: Annotated[str, PathParameter(max_length=40, description="Its id in the rulebook.")],
    palette: Palette = "css",
) -> Response[bytes]:
    found = await asyncio.to_thread(examples.ground, _known(game), example, _palette(palette))
    if found is None:
        raise Refused(404, "not_found", "no diagram is called that")
    return cached(request, found)


@get("/{game:str}/text/{language:str}", summary="What a game says, in another language, by its English")
async def text(request: Request[Any, Any, Any], game: Game, language: Language) -> Response[bytes]:
    if language not in LANGUAGES:
        raise Refused(404, "not_found", "no language is called that")
    return cached(request, await asyncio.to_thread(catalogue.text, _known(game), language))


@get("/text/{language:str}", summary="What is said outside of a game, in another language, by its English")
async def common_text(request: Request[Any, Any, Any], language: Language) -> Response[bytes]:
    if language not in LANGUAGES:
        raise Refused(404, "not_found", "no language is called that")
    return cached(request, await asyncio.to_thread(catalogue.common_text, language))


router = Router(
    "/api/catalogue",
    route_handlers=documented(games, game, map_svg, rulebook, briefing, legend, diagrams, ground, text, common_text),
    tags=["catalogue"],
)
