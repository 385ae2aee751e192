//! Commands of a GUI.

use std::fmt;
use std::time::Duration;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::UciMove;

use super::tokens::{Tokens, one_line};
use crate::clock::{Clocks, Limits, Remaining};
use crate::position::GamePosition;
use crate::score::Ply;

/// One UCI command from a GUI to an engine. Its `Display` is the line that is sent.
///
/// ```
/// use threefold_chess::uci::Command;
/// let command = Command::parse("position startpos moves e2e4 e7e5")?.expect("not a blank line");
/// assert!(matches!(&command, Command::Position(game) if game.moves.len() == 2));
/// assert_eq!(command.to_string(), "position startpos moves e2e4 e7e5");
/// # Ok::<(), threefold_chess::uci::CommandError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `uci`.
    Uci,
    /// `isready`.
    IsReady,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `setoption name … value …`.
    SetOption {
        /// The name of the option, as the engine declared it.
        name: String,
        /// `None` for a button.
        value: Option<String>,
    },
    /// `ucinewgame`.
    NewGame,
    /// `position …`.
    Position(GamePosition),
    /// `go …`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `go perft N`: leaves of the tree of legal moves.
    Perft(Ply),
    /// `bench`: the node count of fixed searches, which identifies the search.
    Bench,
    /// `eval`: the evaluation, term by term.
    Eval,
    /// `d`: the position.
    Show,
}

/// The arguments of `go`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// The limits; `infinite` if nothing is set.
    pub limits: Limits,
    /// Only these root moves (`searchmoves`); all if empty.
    pub only: Vec<UciMove>,
    /// Ponder until `ponderhit` or `stop`.
    pub ponder: bool,
}

/// Why a line is not a command. An engine ignores such a line; a person at the keyboard gets a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error(
        "unknown command `{0}`; `uci`, `position`, `go`, `stop` and `quit` are known, and `bench eval d`"
    )]
    Unknown(String),
    /// `position` without `startpos` or `fen`.
    #[error("`position` needs `startpos` or `fen …`, then `moves …`")]
    NoPosition,
    /// The FEN after `position fen`.
    #[error("`{given}` is not a FEN: {cause}")]
    Fen {
        /// The text given.
        given: String,
        /// The error of shakmaty.
        cause: ParseFenError,
    },
    /// A word after `moves` that is not a move.
    #[error("`{0}` is not a UCI move (such as e2e4 or e7e8q)")]
    Move(String),
    /// `debug` without `on` or `off`.
    #[error("`debug` needs `on` or `off`")]
    NoSwitch,
    /// `setoption` without `name`.
    #[error("`setoption` needs `name …`, then `value …`")]
    NoName,
    /// `go perft` without a depth.
    #[error("`go perft` needs a depth from 0 to 65535")]
    NoDepth,
}

impl Command {
    /// Parses one line. As UCI requires, words before the first command word are ignored; a line of white
    /// space is `None`.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut tokens = Tokens::new(line);
        while let Some(word) = tokens.next() {
            return Ok(Some(match word {
                "uci" => Self::Uci,
                "isready" => Self::IsReady,
                "debug" => match tokens.next() {
                    Some("on") => Self::Debug(true),
                    Some("off") => Self::Debug(false),
                    _ => return Err(CommandError::NoSwitch),
                },
                "setoption" => set_option(tokens)?,
                "ucinewgame" => Self::NewGame,
                "position" => Self::Position(position(tokens)?),
                "go" if tokens.peek() == Some("perft") => {
                    tokens.next();
                    Self::Perft(tokens.next_parsed().map(Ply).ok_or(CommandError::NoDepth)?)
                }
                "go" => Self::Go(go(tokens)),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "quit" => Self::Quit,
                "bench" => Self::Bench,
                "eval" => Self::Eval,
                "d" => Self::Show,
                _ => continue,
            }));
        }
        if line.trim().is_empty() { Ok(None) } else { Err(CommandError::Unknown(one_line(line))) }
    }
}

fn set_option(mut tokens: Tokens<'_>) -> Result<Command, CommandError> {
    if tokens.next() != Some("name") {
        return Err(CommandError::NoName);
    }
    let name = tokens.until(&["value"]);
    if name.is_empty() {
        return Err(CommandError::NoName);
    }
    let value = tokens.next().map(|_| tokens.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

fn position(mut tokens: Tokens<'_>) -> Result<GamePosition, CommandError> {
    let start = match tokens.next() {
        Some("startpos") => GamePosition::start_position().start,
        Some("fen") => {
            let given = tokens.until(&["moves"]);
            Fen::from_ascii(given.as_bytes()).map_err(|cause| CommandError::Fen { given, cause })?
        }
        _ => return Err(CommandError::NoPosition),
    };
    tokens.until(&["moves"]);
    tokens.next();
    let moves = tokens.read_all();
    match tokens.next() {
        Some(word) => Err(CommandError::Move(word.to_owned())),
        None => Ok(GamePosition { start, moves }),
    }
}

/// Parses a time. cutechess sends negative ones to a player who exceeded its time within the margin.
fn millis(tokens: &mut Tokens<'_>) -> Option<Duration> {
    tokens.next_parsed::<i64>().map(|millis| Duration::from_millis(millis.max(0).cast_unsigned()))
}

fn go(mut tokens: Tokens<'_>) -> Go {
    let mut go = Go::default();
    let (mut white, mut black) = (None, None);
    let (mut white_increment, mut black_increment) = (None, None);
    let mut moves_to_go = None;
    while let Some(word) = tokens.next() {
        match word {
            "searchmoves" => go.only = tokens.read_all(),
            "ponder" => go.ponder = true,
            "wtime" => white = millis(&mut tokens),
            "btime" => black = millis(&mut tokens),
            "winc" => white_increment = millis(&mut tokens),
            "binc" => black_increment = millis(&mut tokens),
            "movestogo" => moves_to_go = tokens.next_parsed().filter(|&moves| moves > 0),
            "depth" => go.limits.depth = tokens.next_u16().map(Ply),
            "nodes" => go.limits.nodes = tokens.next_parsed(),
            "mate" => go.limits.mate = tokens.next_u32(),
            "movetime" => go.limits.movetime = millis(&mut tokens),
            _ => {}
        }
    }
    // A GUI may send only one side's clock; it is then used for both.
    if let Some((white_time, black_time)) = white.or(black).zip(black.or(white)) {
        let side =
            |time, increment: Option<Duration>| Remaining { time, increment: increment.unwrap_or_default() };
        go.limits.clocks = Some(Clocks {
            white: side(white_time, white_increment),
            black: side(black_time, black_increment),
            moves_to_go,
        });
    }
    go
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::IsReady => f.write_str("isready"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Self::SetOption { name, value: None } => write!(f, "setoption name {}", one_line(name)),
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {} value {}", one_line(name), one_line(value))
            }
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position(line) if line.start == GamePosition::start_position().start => {
                f.write_str("position startpos")?;
                if line.moves.is_empty() { Ok(()) } else { write!(f, " moves {}", line.moves_text()) }
            }
            Self::Position(line) => write!(f, "position {line}"),
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Perft(depth) => write!(f, "go perft {}", depth.0),
            Self::Bench => f.write_str("bench"),
            Self::Eval => f.write_str("eval"),
            Self::Show => f.write_str("d"),
        }
    }
}

/// Whole milliseconds, at least 1: engines treat `wtime 0` and `movetime 0` as no limit.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some_millis = |time: Duration| time.as_millis().max(1);
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let Limits { clocks, movetime, nodes, depth, mate } = self.limits;
        if let Some(Clocks { white, black, moves_to_go }) = clocks {
            write!(f, " wtime {} btime {}", some_millis(white.time), some_millis(black.time))?;
            write!(f, " winc {} binc {}", white.increment.as_millis(), black.increment.as_millis())?;
            moves_to_go.iter().try_for_each(|moves| write!(f, " movestogo {moves}"))?;
        }
        movetime.iter().try_for_each(|&time| write!(f, " movetime {}", some_millis(time)))?;
        // Some engines look at the first limit alone, and nearly all know this one.
        depth.iter().try_for_each(|depth| write!(f, " depth {}", depth.0))?;
        nodes.iter().try_for_each(|nodes| write!(f, " nodes {nodes}"))?;
        mate.iter().try_for_each(|mate| write!(f, " mate {mate}"))?;
        if self.limits.is_infinite() {
            f.write_str(" infinite")?;
        }
        if !self.only.is_empty() {
            f.write_str(" searchmoves")?;
            self.only.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;
    use shakmaty::{Role, Square};

    use super::*;

    fn read(line: &str) -> Option<Command> {
        Command::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn commands_are_parsed_leniently() {
        let table = [
            // a line, its canonical form
            ("  joho  isready\r\n", "isready"),
            ("setoption name Clear Hash", "setoption name Clear Hash"),
            ("setoption name  Log  File value C:\\a b  c ", "setoption name Log File value C:\\a b  c"),
            ("setoption name Log value", "setoption name Log value "),
            ("position startpos", "position startpos"),
            ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "position startpos"),
            (
                "position fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1g1  e8d7",
                "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8d7",
            ),
            ("go", "go infinite"),
            ("go infinite searchmoves e2e4 d2d4", "go infinite searchmoves e2e4 d2d4"),
            ("go btime -20 movestogo 0", "go wtime 1 btime 1 winc 0 binc 0"),
            ("go winc 5 binc 5 movetime 0", "go movetime 1"),
            ("go ponder wtime 9 btime 8 winc 2", "go ponder wtime 9 btime 8 winc 2 binc 0"),
            ("go searchmoves e2e4 mate 3 nodes 12 depth 4 x", "go depth 4 nodes 12 mate 3 searchmoves e2e4"),
            ("go perft 4", "go perft 4"),
            ("d", "d"),
        ];
        for (line, ours) in table {
            assert_eq!(read(line).map(|command| command.to_string()).as_deref(), Some(ours), "{line}");
        }
        assert_eq!(read(" \r"), None);
    }

    #[test]
    fn command_errors_name_the_text() {
        let table = [
            (
                "hello",
                "unknown command `hello`; `uci`, `position`, `go`, `stop` and `quit` are known, and `bench eval d`",
            ),
            ("position", "`position` needs `startpos` or `fen …`, then `moves …`"),
            ("position startpos moves e2e4 Nf6", "`Nf6` is not a UCI move (such as e2e4 or e7e8q)"),
            ("setoption Hash 5", "`setoption` needs `name …`, then `value …`"),
            ("go perft x", "`go perft` needs a depth from 0 to 65535"),
        ];
        for (line, message) in table {
            assert_eq!(Command::parse(line).expect_err(line).to_string(), message);
        }
        assert!(Command::parse("position fen 8/9 w").is_err());
    }

    /// Any UCI move, legal or not.
    pub(in crate::uci) fn any_move() -> impl Strategy<Value = UciMove> {
        (0..64_u32, 0..64_u32, 0..4_usize).prop_map(|(from, to, role)| UciMove::Normal {
            from: Square::new(from),
            to: Square::new(to),
            promotion: [None, Some(Role::Queen), Some(Role::Knight), Some(Role::Rook)][role],
        })
    }

    /// A few moves.
    pub(in crate::uci) fn any_moves() -> impl Strategy<Value = Vec<UciMove>> {
        prop::collection::vec(any_move(), 0..5)
    }

    fn goes() -> impl Strategy<Value = Go> {
        let clocks = any::<([u32; 4], Option<std::num::NonZeroU32>)>().prop_map(|(times, moves)| {
            let [white, black, winc, binc] = times.map(|time| Duration::from_millis(u64::from(time)));
            let side = |time, increment| Remaining {
                time: Duration::max(time, Duration::from_millis(1)),
                increment,
            };
            Clocks { white: side(white, winc), black: side(black, binc), moves_to_go: moves.map(Into::into) }
        });
        let others = any::<(Option<u64>, Option<u16>, Option<u32>, bool)>();
        let movetime = prop::option::of((1..9999_u64).prop_map(Duration::from_millis));
        (prop::option::of(clocks), movetime, others, any_moves()).prop_map(
            |(clocks, movetime, others, only)| {
                let (nodes, depth, mate, ponder) = others;
                Go { limits: Limits { clocks, movetime, nodes, depth: depth.map(Ply), mate }, only, ponder }
            },
        )
    }

    fn commands() -> impl Strategy<Value = Command> {
        let fens = ["4k3/8/8/8/8/8/8/4K2R w K - 3 7", "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"];
        let line = (0..=fens.len(), any_moves()).prop_map(move |(index, moves)| {
            let start = fens.get(index).map(|fen| GamePosition::parse(fen, "").expect("sound").start);
            GamePosition { start: start.unwrap_or_else(|| GamePosition::start_position().start), moves }
        });
        prop_oneof![
            ("[A-Z][a-z]{1,5}( [A-Z][a-z]{0,5})?", prop::option::of("[A-Z]([a-z ]{0,8}[a-z])?"))
                .prop_map(|(name, value)| Command::SetOption { name, value }),
            line.prop_map(Command::Position),
            goes().prop_map(Command::Go),
            any::<u16>().prop_map(|depth| Command::Perft(Ply(depth))),
            proptest::sample::select(
                &[
                    Command::Uci,
                    Command::IsReady,
                    Command::Debug(true),
                    Command::Debug(false),
                    Command::NewGame,
                    Command::Stop,
                    Command::PonderHit,
                    Command::Quit,
                    Command::Bench,
                    Command::Eval,
                    Command::Show,
                ][..]
            ),
        ]
    }

    proptest! {
        #[test]
        fn printed_text_parses_back(command in commands()) {
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
        }

        #[test]
        fn foreign_text_never_panics(
            line in "(position|fen|moves|startpos|go|wtime|depth|setoption|name|-?[0-9]{1,20}|[a-h1-8]{4}|[/kK]| |\\PC)*",
        ) {
            let _ = Command::parse(&line);
        }
    }
}
