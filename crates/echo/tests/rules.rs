//! Ten thousand random games in which Echo and the referee must agree at every ply: on the legal moves,
//! check, the number of occurrences, the fifty-move counter, insufficient material and the end of the game.
//!
//! They share no code for the rules: Echo uses cozy-chess and its own hash keys, the referee uses shakmaty.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use cozy_chess::Board;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Move, Position, Role, Square};
use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_echo::eval::is_insufficient;
use threefold_echo::mutants::SeededBug;
use threefold_echo::position::{key_of, legal_moves, set_up};
use threefold_echo::repetition::Path;
use threefold_echo::{Bound, Echo, SearchRequest};
use threefold_oracle::Referee;
use threefold_oracle::referee::RuleEnd;

const GAMES: usize = 10_000;
/// The longest game, in plies.
const MAX_PLIES: usize = 240;
/// The search is tested at the end of every n-th game only, because it is slow.
const SEARCH_EVERY: usize = 8;

/// Start positions with few pieces, in which positions repeat early; some with castling or en passant.
const STARTS: &[&str] = &[
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1",
    "8/2p5/8/KP3r1k/1R3p2/8/4P1P1/8 w - - 0 1",
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
    "4k3/1P4p1/8/8/8/8/1p4P1/4K3 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1r2kr2/pppppppp/8/8/8/8/PPPPPPPP/1R2KR2 w FBfb - 0 1",
    "6k1/8/8/8/8/3q4/8/K7 b - - 90 80",
];

/// The tested configuration of Echo.
#[derive(Clone, Copy)]
struct EchoConfig {
    bug: SeededBug,
    mutant: Option<&'static str>,
    /// Whether the search gets the game's history.
    knows_game: bool,
}

const WITHOUT_BUG: EchoConfig = EchoConfig { bug: SeededBug::NONE, mutant: None, knows_game: true };

/// A start position: the usual one, Chess960 (sometimes different for each side), or one with few pieces.
fn start(random: &mut ChaCha8Rng) -> String {
    match random.random_range(0..10) {
        0..3 => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        3..6 => {
            let white = back_rank(random);
            let black = if random.random_bool(0.5) { white.clone() } else { back_rank(random) };
            let rooks = |rank: &str| -> String {
                let files = rank.char_indices().filter(|&(_, piece)| piece == 'R');
                files.map(|(file, _)| char::from(b'A' + file as u8)).collect()
            };
            let (ours, theirs) = (rooks(&white), rooks(&black).to_lowercase());
            let black = black.to_lowercase();
            format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {ours}{theirs} - 0 1")
        }
        _ => (*STARTS.choose(random).expect("not empty")).to_owned(),
    }
}

/// A random Chess960 back rank: bishops on squares of both colours, the king between the rooks.
fn back_rank(random: &mut ChaCha8Rng) -> String {
    let mut rank: Vec<char> = "RNBQKBNR".chars().collect();
    loop {
        rank.shuffle(random);
        let files = |piece| -> Vec<usize> { (0..8).filter(|&file| rank[file] == piece).collect() };
        let (rooks, bishops, king) = (files('R'), files('B'), files('K')[0]);
        if rooks[0] < king && king < rooks[1] && (bishops[0] + bishops[1]) % 2 == 1 {
            return rank.into_iter().collect();
        }
    }
}

/// A move as a number that both libraries can be converted to. Castling is encoded as king takes rook.
fn move_code(from: Square, to: Square, promotion: Option<Role>) -> u32 {
    from.to_u32() << 16 | to.to_u32() << 8 | promotion.map_or(0, |role| role as u32)
}

fn echo_move_code(mv: cozy_chess::Move) -> u32 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u32 + 1);
    (mv.from as u32) << 16 | (mv.to as u32) << 8 | promotion
}

fn referee_move_code(mv: Move) -> u32 {
    move_code(mv.from().expect("standard chess has no drops"), mv.to(), mv.promotion())
}

/// One random game, in the representations of Echo and of the referee.
struct Game {
    position: GamePosition,
    referee: Referee,
    board: Board,
    path: Path,
    config: EchoConfig,
}

impl Game {
    fn begin(start: &str, config: EchoConfig) -> Self {
        let position = GamePosition::parse(start, "").expect("sound");
        let referee = Referee::new(&position).expect("legal");
        let board = set_up(position.start.as_setup()).expect("legal");
        let mut path = Path::new(config.bug);
        path.start(&board, key_of(&board, config.bug));
        Self { position, referee, board, path, config }
    }

    /// The first difference between Echo and the referee in the current position.
    fn difference(&self) -> Option<String> {
        let position = self.referee.position();
        let mut ours: Vec<u32> = legal_moves(&self.board).into_iter().map(echo_move_code).collect();
        let mut theirs: Vec<u32> = position.legal_moves().iter().map(|&mv| referee_move_code(mv)).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        let counts = self.path.occurrences();
        let occurrences = 1 + (counts.in_tree + counts.in_game) as usize;
        let comparisons = [
            ("moves", ours == theirs),
            ("check", self.board.checkers().is_empty() != position.is_check()),
            ("occurrences", occurrences == self.referee.occurrences()),
            ("clock", u32::from(self.board.halfmove_clock()) == position.halfmoves()),
            ("dead", is_insufficient(&self.board) == position.is_insufficient_material()),
        ];
        let differs = comparisons.iter().find(|(_, same)| !same)?;
        Some(format!("{}: {}", differs.0, self.position))
    }

    /// Plays a random move. Half of the time it is the move that undoes the side's previous move, if there is
    /// one.
    fn play(&mut self, random: &mut ChaCha8Rng, played: &mut Vec<Move>) {
        let legal = self.referee.position().legal_moves();
        let back = played.len().checked_sub(2).and_then(|index| {
            let (from, to) = (played[index].from()?, played[index].to());
            legal.iter().find(|mv| mv.from() == Some(to) && mv.to() == from)
        });
        let mv = match back {
            Some(&back) if random.random_bool(0.5) => back,
            Some(_) | None => *legal.choose(random).expect("the game is not over"),
        };
        let echo_move =
            legal_moves(&self.board).into_iter().find(|&ours| echo_move_code(ours) == referee_move_code(mv));
        let ours = echo_move.expect("both generate the same moves");
        self.board.play_unchecked(ours);
        self.path.push(&self.board, key_of(&self.board, self.config.bug), ours);
        let uci = self.referee.uci(mv);
        self.referee.play(uci).expect("legal");
        self.position.moves.push(uci);
        played.push(mv);
    }

    /// Whether Echo can replay the whole game and then has as many legal moves as the referee.
    fn is_replayed(&self) -> bool {
        threefold_echo::perft(&self.position, 1, &Stop::default())
            == Ok(self.referee.position().legal_moves().len() as u64)
    }

    /// Whether Echo's search detects the end of the game after the last move.
    fn is_end_detected(&self, ending: RuleEnd) -> bool {
        let mut before = self.position.clone();
        let Some(last) = before.moves.pop() else { return true };
        if !self.config.knows_game {
            let referee = Referee::new(&before).expect("legal");
            let start = Fen::from_position(referee.position(), EnPassantMode::Legal);
            before = GamePosition { start, moves: Vec::new() };
        }
        let mut echo = Echo::new();
        echo.set("Hash", "1").expect("an option");
        echo.set("RepetitionPolicy", "Threefold").expect("an option");
        if let Some(mutant) = self.config.mutant {
            echo.set("Mutant", mutant).expect("a build with mutants");
        }
        let request = SearchRequest {
            position: &before,
            limits: &Limits::depth(Ply(2)),
            only: &[last],
            stop: &Stop::default(),
            pondering: &Stop::default(),
            now: &|| Duration::ZERO,
        };
        let mut score = None;
        let found = echo.search(&request, &mut |report| {
            if report.bound == Bound::Exact {
                score = Some(report.score.to_string());
            }
        });
        let expected = if ending == RuleEnd::Checkmate { "mate 1" } else { "cp 0" };
        found.is_ok() && score.as_deref() == Some(expected)
    }
}

/// The result of one game: its ending, or a difference.
fn game(number: usize, config: EchoConfig) -> Result<Option<RuleEnd>, String> {
    let mut random = ChaCha8Rng::seed_from_u64(number as u64);
    let mut game = Game::begin(&start(&mut random), config);
    let mut played = Vec::new();
    let tests_search = number.is_multiple_of(SEARCH_EVERY);
    loop {
        if let Some(difference) = game.difference() {
            return Err(difference);
        }
        let ending = game.referee.ending();
        // Most games continue after a third occurrence, to count fourth ones.
        let over = ending.is_some_and(|it| it != RuleEnd::Threefold || tests_search);
        if over || played.len() == MAX_PLIES {
            if !game.is_replayed() {
                return Err(format!("replay: {}", game.position));
            }
            return match ending {
                Some(ending) if tests_search && !game.is_end_detected(ending) => {
                    Err(format!("{ending}: {}", game.position))
                }
                ending => Ok(ending),
            };
        }
        game.play(&mut random, &mut played);
    }
}

/// Plays the first `games` games on all cores. Returns the counts of each end of a game, and the differences.
fn games(games: usize, config: EchoConfig) -> ([usize; 6], Vec<String>) {
    let next = AtomicUsize::new(0);
    let play_games = || {
        let (mut endings, mut differences) = ([0; 6], Vec::new());
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= games {
                return (endings, differences);
            }
            match game(number, config) {
                Ok(ending) => endings[ending.map_or(5, |ending| ending as usize)] += 1,
                Err(difference) => differences.push(difference),
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(play_games)).collect();
        let (mut endings, mut differences) = ([0; 6], Vec::new());
        for worker in workers {
            let (counts, found) = worker.join().expect("no worker panics");
            for (sum, count) in endings.iter_mut().zip(counts) {
                *sum += count;
            }
            differences.extend(found);
        }
        (endings, differences)
    })
}

#[test]
fn random_games_agree_with_the_referee() {
    let (endings, differences) = games(GAMES, WITHOUT_BUG);
    assert!(differences.is_empty(), "{} of {GAMES}, such as {}", differences.len(), differences[0]);
    eprintln!("mate, stalemate, threefold, fifty moves, dead, cut off: {endings:?}");
    assert!(endings.iter().all(|&count| count > GAMES / 200), "some endings are too rare: {endings:?}");
}

/// The comparison detects seeded bugs.
#[cfg(feature = "mutants")]
#[test]
fn random_games_detect_seeded_bugs() {
    use threefold_echo::mutants::Mutant;

    let table = [
        // bug, start of a difference that it causes
        (Mutant::EnPassantAlwaysInKey, "occurrences: "),
        (Mutant::KeyWithoutSide, "occurrences: "),
        (Mutant::FiftyMovesIgnored, "fifty-move rule: "),
        (Mutant::DrawSignFlipped, ""),
    ];
    for (mutant, prefix) in table {
        let config =
            EchoConfig { bug: SeededBug::new(mutant), mutant: Some(mutant.name()), knows_game: true };
        let (_, differences) = games(2_000, config);
        eprintln!("{mutant}: {} of 2000, such as {:?}", differences.len(), differences.first());
        assert!(
            differences.iter().any(|difference| difference.starts_with(prefix)),
            "{mutant} is not detected"
        );
    }
}

/// A search without the game's history misses a third occurrence, and the comparison detects it.
#[test]
fn search_without_history_fails_in_random_games() {
    let (_, differences) = games(2_000, EchoConfig { knows_game: false, ..WITHOUT_BUG });
    assert!(differences.iter().any(|difference| difference.starts_with("threefold repetition: ")));
}
