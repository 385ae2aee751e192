//! The keys of options: those that fastchess and cutechess-cli share, and those of large options.

use super::{Acts, KeyGroups, KeyRow, bare, key};

/// Keys of an engine: its program.
pub(super) const PROGRAM: &[KeyRow] = &[
    key("cmd", "./engine", Acts("`--engine CMD`")),
    key("name", "A", Acts("`name=`")),
    key("dir", ".", Acts("`dir=`; a relative command is looked up in it")),
];

/// Keys of an engine: the limits of a search besides its clock.
pub(super) const LIMITS: &[KeyRow] = &[
    key("st", "0.5", Acts("`st=`")),
    key("timemargin", "20", Acts("`timemargin=`")),
    key("nodes", "5000", Acts("`nodes=`")),
    key("depth", "8", Acts("`depth=`")),
];

/// Keys of an engine of fastchess.
pub(super) const ENGINE: KeyGroups = &[
    PROGRAM,
    &[
        key("args", "-x", Acts("`args=`")),
        key(
            "tc",
            "8+0.08",
            Acts("`tc=`, exact to the nanosecond; an hourglass (`hg`) is refused, as by fastchess itself"),
        ),
    ],
    LIMITS,
    &[
        key("plies", "8", Acts("`depth=`")),
        key("restart", "on", Acts("`restart=on`")),
        key("proto", "uci", Acts("`proto=uci`; another protocol is refused")),
        key("option.", "16", Acts("`NAME=VALUE`; with a warning if the engine lacks the option")),
    ],
];

/// Keys of an engine of cutechess-cli.
pub(super) const CUTECHESS_ENGINE: KeyGroups = &[
    PROGRAM,
    &[
        key("arg", "-x", Acts("`args=`; may be repeated")),
        key("tc", "8+0.08", Acts("`tc=`; an hourglass (`hg`) is refused")),
    ],
    LIMITS,
    &[
        key("restart", "on", Acts("`restart=on`; `auto` is `off`")),
        key("proto", "uci", Acts("`proto=uci`; `xboard` is refused")),
        key("option.", "16", Acts("`NAME=VALUE`")),
        key(
            "conf",
            "A",
            Acts("the engine of `engines.json`; threefold's own files are `@engines.toml#NAME`"),
        ),
        key("initstr", "x", Acts("`init=`; may be repeated")),
        key("stderr", "e.log", Acts("`stderr=`")),
        bare("debug", Acts("`debug=on`")),
        key("book", "b.bin", Acts("`book=`; moves are chosen by weight with the seed of `-srand`")),
        key("bookdepth", "8", Acts("`bookdepth=`")),
        bare("whitepov", Acts("`whitepov=on`")),
        bare("ponder", Acts("`ponder=on`; needs `tc=` or `st=`")),
        bare("trust", Acts("`trust=on`")),
        key("tscale", "2", Acts("`startup=`, that many times the usual wait")),
    ],
];

/// Keys of a sequential test.
pub(super) const TEST: &[KeyRow] = &[
    key("elo0", "0", Acts("`--elo0`")),
    key("elo1", "5", Acts("`--elo1`")),
    key("alpha", "0.05", Acts("`--alpha`")),
    key("beta", "0.05", Acts("`--beta`")),
];

/// Keys of the openings: the file.
pub(super) const BOOK: &[KeyRow] = &[
    key("file", "book.epd", Acts("`--openings FILE`, plain or gzip")),
    key("format", "epd", Acts("the file's name decides in `--openings`")),
];

/// Keys of the openings: which part of the file.
pub(super) const BOOK_PART: &[KeyRow] =
    &[key("plies", "8", Acts("`--plies`, for PGN")), key("start", "1", Acts("`--start`"))];

/// Keys of the file of games.
pub(super) const PGN: &[KeyRow] = &[
    key("file", "games.pgn", Acts("`--pgn FILE`")),
    key("append", "true", Acts("`--append`; `false` is `--force`")),
    key("nodes", "true", Acts("`--pgn-fields nodes`")),
    key("notation", "san", Acts("`--pgn-notation`")),
    key("seldepth", "true", Acts("`--pgn-fields seldepth`")),
    key("nps", "true", Acts("`--pgn-fields nps`")),
    key("hashfull", "true", Acts("`--pgn-fields hashfull`")),
    key("tbhits", "true", Acts("`--pgn-fields tbhits`")),
    key("pv", "true", Acts("`--pgn-fields pv`")),
    key("timeleft", "true", Acts("`--pgn-fields timeleft`")),
    key("latency", "true", Acts("`--pgn-fields latency`")),
    key("min", "true", Acts("`--pgn-min`")),
    key("match_line", "^info", Acts("`--pgn-match-line`")),
];

/// Keys of the journal.
pub(super) const CONFIG: &[KeyRow] = &[
    key(
        "file",
        "run.sqlite",
        Acts("continues the run of a journal, as `threefold resume`; `-rounds` can lengthen it"),
    ),
    key("outname", "run.sqlite", Acts("`--run FILE.sqlite`")),
    key("discard", "true", Acts("leaves `file=` aside")),
    key("stats", "true", Acts("`false` plays the games of `file=` from the start, as a new run")),
];

/// Keys of the log.
pub(super) const LOG: &[KeyRow] = &[
    key("file", "engines.log", Acts("`--log FILE`")),
    key("level", "trace", Acts("`--log-level`, if `engine=` is not `true`")),
    key("append", "true", Acts("`--log-append`")),
    key("compress", "true", Acts("`--log FILE.TIME.gz`")),
    key("realtime", "true", Acts("`false` is `--log-buffered`")),
    key("engine", "true", Acts("`--log-level trace`, the UCI traffic")),
];
