//! `instant-engine`: a UCI engine that answers every `go` at once, to measure what a match runner costs.
//!
//! It plays a legal move that depends only on the moves so far, so a game is the same under every runner.
//! Random games are long (some 340 plies). Its own work is small: of each `position` it plays only the moves
//! that are new.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::SystemTime;

use anyhow::Context;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use crate::args::InstantEngineArgs;
use threefold::exit::Exit;
use threefold_lab::runner_benchmark::TimedEvent;

/// Runs until `quit` or the end of input.
///
/// # Errors
/// If a pipe or the file of times fails.
pub fn run(args: &InstantEngineArgs) -> anyhow::Result<Exit> {
    let mut engine =
        InstantEngine { times: args.times.as_ref().map(|_| Vec::new()), ..InstantEngine::default() };
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? != 0 && line.trim_end() != "quit" {
        let reply = engine.reply(line.trim_end());
        if !reply.is_empty() {
            output.write_all(reply.as_bytes()).and_then(|()| output.flush())?;
        }
        line.clear();
    }
    if let (Some(file), Some(times)) = (&args.times, &engine.times) {
        append(file, times).with_context(|| format!("{}: can't be written", file.display()))?;
    }
    Ok(Exit::Fine)
}

/// One write, so that engines that quit together don't mix their records.
fn append(file: &Path, times: &[TimedEvent]) -> io::Result<()> {
    let bytes: Vec<u8> = times.iter().flat_map(|event| event.bytes()).collect();
    OpenOptions::new().create(true).append(true).open(file)?.write_all(&bytes)
}

#[expect(clippy::disallowed_methods, reason = "it measures another program")]
fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

/// The state of the engine.
#[derive(Debug, Default)]
struct InstantEngine {
    /// The words of the last `position`.
    given: String,
    position: Chess,
    /// A hash of the moves since the start position.
    moves: u64,
    /// Is castling written as the king's capture of its rook?
    is_chess960: bool,
    times: Option<Vec<TimedEvent>>,
}

impl InstantEngine {
    /// The answer to a command, with its line breaks.
    fn reply(&mut self, line: &str) -> String {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" => "id name Instant\nid author threefold\noption name Hash type spin default 16 min 1 max 65536\n\
                      option name Threads type spin default 1 min 1 max 1024\n\
                      option name UCI_Chess960 type check default false\nuciok\n"
                .to_owned(),
            "isready" => "readyok\n".to_owned(),
            "position" => {
                self.set_up(rest);
                String::new()
            }
            "go" => self.go(),
            "setoption" => {
                match rest {
                    "name UCI_Chess960 value true" => self.is_chess960 = true,
                    "name UCI_Chess960 value false" => self.is_chess960 = false,
                    _ => {}
                }
                String::new()
            }
            _ => String::new(),
        }
    }

    fn set_up(&mut self, given: &str) {
        let more = match given.strip_prefix(self.given.as_str()) {
            // A prefix that ends within a word is another line: `e7e8` begins `e7e8q`.
            Some(more) if !self.given.is_empty() && (more.is_empty() || more.starts_with(' ')) => more,
            _ => {
                let (start, more) = given.split_once(" moves").unwrap_or((given, ""));
                self.position = start_position(start).unwrap_or_default();
                self.moves = 0;
                more
            }
        };
        for word in more.split_ascii_whitespace().filter(|word| *word != "moves") {
            if let Some(mv) = word.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&self.position).ok()) {
                self.position.play_unchecked(mv);
                self.moves = mix(self.moves, word.as_bytes());
            }
        }
        self.given.clear();
        self.given.push_str(given);
    }

    fn go(&mut self) -> String {
        // Before any work of the engine, which is no delay of the runner.
        self.record(true, &self.position.clone());
        let legal = self.position.legal_moves();
        let number = mix(self.moves, b"go");
        let Some(&mv) = legal.get((number % legal.len().max(1) as u64) as usize) else {
            return "bestmove (none)\n".to_owned();
        };
        let best = mv.to_uci(CastlingMode::from_chess960(self.is_chess960));
        if self.times.is_some() {
            let mut after = self.position.clone();
            after.play_unchecked(mv);
            self.record(false, &after);
        }
        format!("info depth 1 score cp 13 nodes 1 time 0 pv {best}\nbestmove {best}\n")
    }

    fn record(&mut self, is_go: bool, position: &Chess) {
        if let Some(times) = &mut self.times {
            let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
            times.push(TimedEvent { position: key, at: now(), is_go });
        }
    }
}

/// The start of a game from the words before `moves`.
fn start_position(text: &str) -> Option<Chess> {
    match text.strip_prefix("fen ") {
        Some(fen) => {
            let fen = Fen::from_ascii(fen.as_bytes()).ok()?;
            let castling = CastlingMode::detect(fen.as_setup());
            fen.into_position(castling).ok()
        }
        None => Some(Chess::default()),
    }
}

/// FNV-1a over more bytes, with its bits mixed at the end.
fn mix(hash: u64, bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(hash ^ 0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(engine: &mut InstantEngine, position: &str) -> String {
        assert_eq!(engine.reply(&format!("position {position}")), "");
        let reply = engine.reply("go wtime 1 btime 1");
        let (_, best) = reply.trim_end().rsplit_once(' ').expect("a move");
        best.to_owned()
    }

    #[test]
    fn moves_are_legal_and_depend_on_the_moves_alone() {
        let mut engine = InstantEngine::default();
        let mut game = "startpos".to_owned();
        for ply in 0..300 {
            let position = engine.position.clone();
            let mv = best(&mut engine, &game);
            assert_eq!(mv, best(&mut InstantEngine::default(), &game), "ply {ply} of {game}");
            if engine.position.is_game_over() {
                break;
            }
            assert!(ply == 0 || position != engine.position);
            game.push_str(if ply == 0 { " moves " } else { " " });
            game.push_str(&mv);
        }
        assert!(game.split(' ').count() > 100, "{game}");
    }

    #[test]
    fn other_games_start_from_their_own_position() {
        let mut engine = InstantEngine::default();
        let fen = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        for position in
            ["startpos moves e2e4", "startpos", fen, "startpos moves e2e4 e7e5", "startpos moves e2e4 e7e6"]
        {
            assert_eq!(
                best(&mut engine, position),
                best(&mut InstantEngine::default(), position),
                "{position}"
            );
        }
        assert_eq!(engine.reply("isready"), "readyok\n");
        assert!(engine.reply("uci").ends_with("uciok\n"));
    }

    /// Black may castle with the rook on b8, in many games.
    #[test]
    fn castling_is_written_as_the_option_says() {
        let has_move = |value, wanted| {
            let mut engine = InstantEngine::default();
            engine.reply(&format!("setoption name UCI_Chess960 value {value}"));
            let pawns =
                ["p7", "1p6", "2p5", "3p4", "pp6", "p1p5", "p2p4", "1pp5", "1p1p4", "2pp4", "ppp5", "pppp4"];
            pawns.iter().any(|pawns| {
                ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"].iter().any(|mv| {
                    let position = format!("fen 1r2k3/{pawns}/8/8/8/8/8/4K3 w b - 0 1 moves {mv}");
                    best(&mut engine, &position) == wanted
                })
            })
        };
        assert_eq!(["e8b8", "e8c8"].map(|mv| has_move("true", mv)), [true, false]);
        assert_eq!(["e8b8", "e8c8"].map(|mv| has_move("false", mv)), [false, true]);
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let mated = "fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(best(&mut InstantEngine::default(), mated), "(none)");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a file that was written is read")]
    fn times_are_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("times");
        let mut engine = InstantEngine { times: Some(Vec::new()), ..InstantEngine::default() };
        best(&mut engine, "startpos");
        let times = engine.times.expect("they are recorded");
        assert_eq!(times.iter().map(|event| event.is_go).collect::<Vec<_>>(), [true, false]);
        for _ in 0..2 {
            append(&file, &times).expect("it can be written");
        }
        let bytes = std::fs::read(&file).expect("it was written");
        let (records, rest) = bytes.as_chunks::<{ TimedEvent::SIZE }>();
        let read: Vec<TimedEvent> = records.iter().map(TimedEvent::read).collect();
        assert_eq!((read, rest), ([times.clone(), times].concat(), &[][..]));
    }
}
