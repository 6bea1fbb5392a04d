"""What the database holds. Times are seconds since 1970; JSON is kept as text, the same on every database."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _account(name: str = "account_id", nullable: bool = False) -> Column[str]:
    return Column(name, String(20), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=nullable)


def _game(primary_key: bool = False) -> Column[str]:
    link = ForeignKey("games.id", ondelete="CASCADE")
    return Column("game_id", String(20), link, nullable=False, primary_key=primary_key)


accounts = Table(
    "accounts",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("name_key", String(120), unique=True),  # folded, so that two names do not look alike; not for guests
    Column("password", String(200)),
    Column("guest", Boolean, nullable=False),
    Column("settings", Text, nullable=False, default="{}"),
    Column("created", Double, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token", String(64), primary_key=True),  # the hash of what the cookie holds
    _account(),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False, index=True),
)

games = Table(
    "games",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("revision", Integer, nullable=False, default=0),  # raised by every change of row, seats or log
    Column("name", String(120), nullable=False),
    _account("owner_id"),
    Column("game", String(40), nullable=False),
    Column("version", Integer, nullable=False),
    Column("scenario", String(80), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", String(128), nullable=False),  # secret until the end
    Column("commitment", String(64), nullable=False),
    Column("status", String(12), nullable=False, index=True),  # open, running, finished, abandoned
    Column("length", Integer, nullable=False),
    Column("steps", Integer, nullable=False),  # the length as spectators count it
    Column("to_act", String(40)),
    Column("outcome", Text),
    Column("watch", String(12), nullable=False),  # anyone, players
    Column("pace", Integer),  # days per turn
    Column("turn_since", Double, nullable=False),
    Column("reminded", Integer, nullable=False, default=0),
    Column("undo_asked", Text),
    Column("analysis", Boolean, nullable=False, default=False),
    Column("base", Text),  # what an analysis of a running game begins with: one side's view
    Column("parent", String(20)),
    Column("branched_at", Integer),
    Column("rematch", String(20)),
    Column("unsealed", Boolean, nullable=False, default=False),  # somebody has had the seed before the end
    Column("lease", String(40)),
    Column("lease_until", Double),
    Column("lesson", String(60)),  # the lesson that is taught at this table
    Column("coached", Text),  # the steps of it that were read or looked at, and when
    Column("rated", Boolean, nullable=False, default=False),  # whether it counts for the ratings of those who play
    Column("contest", String(20)),  # the league or knock-out that it is a game of
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    _game(primary_key=True),
    Column("side", String(40), primary_key=True),
    Column("account_id", String(20), ForeignKey("accounts.id", ondelete="SET NULL"), index=True),
    Column("computer", String(40)),
    Column("invite", String(40), unique=True),
    Column("invited_by", String(20)),  # who may give the invitation on
    Column("open", Boolean, nullable=False, default=False),
    Column("kept_for", String(120), index=True),  # the folded name of who may sit down here, if there is somebody
)

entries = Table(
    "entries",
    metadata,
    _game(primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("by", String(40), nullable=False),
    Column("do", Text, nullable=False),
    Column("faces", Text, nullable=False),
    Column("dice", Integer, nullable=False),
    Column("undo", Integer, nullable=False),
    Column("at", Double, nullable=False),
    # The first entry of a move carries the request that it came from, so that it cannot be taken twice.
    Column("account_id", String(20)),
    Column("key", String(80)),
    Column("digest", String(32)),
    Column("upto", Integer),
    UniqueConstraint("game_id", "account_id", "key"),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _game(),
    _account(),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("system", Boolean, nullable=False, default=False),  # who sat down and stood up
    Index("ix_chat_game_id_id", "game_id", "id"),
)

notes = Table(
    "notes",
    metadata,
    _game(primary_key=True),
    Column("account_id", String(20), ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("text", Text, nullable=False),
    Column("updated", Double, nullable=False),
)

wishes = Table(
    "wishes",  # what somebody wants to be told of one game
    metadata,
    _game(primary_key=True),
    Column("account_id", String(20), ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("notify", Boolean, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _account(),
    Column("game_id", String(20)),
    Column("kind", String(10), nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("left", Text),  # the targets that have not taken it yet; null before the first try
    Column("tries", Integer, nullable=False, default=0),
    Column("due", Double, nullable=False, index=True),
    Column("taken_until", Double, nullable=False, default=0),
    Column("error", Text),
)

meta = Table(
    "meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

limits = Table(
    "limits",  # how much somebody may still ask for, where several processes count together
    metadata,
    Column("kind", String(20), primary_key=True),
    Column("who", String(40), primary_key=True),
    Column("left", Double, nullable=False),
    Column("at", Double, nullable=False, index=True),
)

# Ratings are worked out from the games that have ended, in the order in which they did: both tables can be emptied and
# filled again from those.

ratings = Table(
    "ratings",  # how strong somebody is in a game, now
    metadata,
    Column("account_id", String(20), ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("game", String(40), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("at", Double, nullable=False),  # when the last of them ended
)

scores = Table(
    "scores",  # what a rated game brought to each who played it
    metadata,
    _game(primary_key=True),
    Column("account_id", String(20), ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("game", String(40), nullable=False),
    Column("side", String(40), nullable=False),
    Column("score", Double, nullable=False),  # 1 won, half drawn, 0 lost
    Column("at", Double, nullable=False),
    Column("rating", Double, nullable=False),  # after it
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Index("ix_scores_account_id_game_at", "account_id", "game", "at"),
    Index("ix_scores_game_at", "game", "at"),
)

friend_links = Table(
    "friend_links",  # the personal link of an account
    metadata,
    Column("account_id", String(20), ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("token", String(40), nullable=False, unique=True),
    Column("created", Double, nullable=False),
)

friends = Table(
    "friends",  # who wants to be whose friend: where both do, they are
    metadata,
    Column("account_id", String(20), ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column(
        "friend_id",
        String(20),
        ForeignKey("accounts.id", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
        index=True,
    ),
    Column("at", Double, nullable=False),
)

contests = Table(
    "contests",  # the leagues and knock-outs of a club
    metadata,
    Column("id", String(20), primary_key=True),
    Column("revision", Integer, nullable=False, default=0),  # raised by every step from round to round
    Column("name", String(120), nullable=False),
    _account("owner_id"),
    Column("game", String(40), nullable=False),
    Column("scenario", String(80), nullable=False),
    Column("options", Text, nullable=False),
    Column("form", String(12), nullable=False),  # single, double, knockout
    Column("rated", Boolean, nullable=False),
    Column("pace", Integer, nullable=False),
    Column("at_once", Boolean, nullable=False),
    Column("watch", String(12), nullable=False),
    Column("open", Boolean, nullable=False),
    Column("token", String(40), nullable=False),
    Column("status", String(12), nullable=False, index=True),  # gathering, running, finished, cancelled
    Column("round", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
)


def _contest() -> Column[str]:
    link = ForeignKey("contests.id", ondelete="CASCADE")
    return Column("contest_id", String(20), link, nullable=False, primary_key=True)


entrants = Table(
    "entrants",  # who takes part
    metadata,
    _contest(),
    Column(
        "account_id",
        String(20),
        ForeignKey("accounts.id", ondelete="CASCADE"),
        primary_key=True,
        nullable=False,
        index=True,
    ),
    Column("seed", Integer, nullable=False),  # the order of entering, and from the start that of the seeding
    Column("withdrawn", Boolean, nullable=False, default=False),
    Column("entered", Double, nullable=False),
)

meetings = Table(
    "meetings",  # the games of a contest, made or still to be made
    metadata,
    _contest(),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("slot", Integer, nullable=False),
    Column("first_id", String(20), nullable=False),
    Column("second_id", String(20)),  # nobody: a bye
    Column("game_id", String(20), index=True),
    Column("result", String(8)),  # first, second, draw, none
    Column("how", String(12), nullable=False, default=""),
)
