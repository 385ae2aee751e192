//! Writes a game as PGN.
//!
//! A move's comment begins with score, depth and time as cutechess and fastchess write them: `{+0.34/12
//! 0.015s, n=1234}`. Mates count plies (`+M5`), as theirs do. A time appears only if a clock of the game
//! measured it, so a game with a fixed number of nodes has the same text on every machine. An engine's report
//! of its time plan follows.

mod tags;
mod text;

use std::fmt::{self, Write};

use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};

use threefold_chess::clock::{Delays, duration};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_oracle::Referee;
use threefold_oracle::referee::IllegalGame;

use self::text::{plain, wrap};
pub use tags::PgnTags;

use super::game::{GameEnd, GameOutcome, GameRecord, MoveRecord};

/// A game as PGN, with a blank line after it. Fails only for a record with illegal moves.
pub fn pgn(game: &GameRecord, tags: &PgnTags) -> Result<String, IllegalGame> {
    let mut text = String::new();
    for (name, value) in tags::pairs(game, tags) {
        text.push_str(&tag(name, &value));
    }
    text.push('\n');
    text.push_str(&wrap(&movetext(game)?));
    text.push_str("\n\n");
    Ok(text)
}

impl GameRecord {
    /// Why the game ended: `White mates`, `Draw by 3-fold repetition`.
    pub fn reason(&self) -> String {
        let (winner, loser) = match self.outcome {
            GameOutcome::White => ("White", "Black"),
            GameOutcome::Black => ("Black", "White"),
            // No end that names a winner has a draw as its result.
            GameOutcome::Draw => ("nobody", "nobody"),
        };
        match &self.end {
            GameEnd::Checkmate => format!("{winner} mates"),
            GameEnd::Stalemate => "Draw by stalemate".to_owned(),
            GameEnd::Threefold => "Draw by 3-fold repetition".to_owned(),
            GameEnd::FiftyMoves => "Draw by fifty moves rule".to_owned(),
            GameEnd::InsufficientMaterial => "Draw by insufficient mating material".to_owned(),
            GameEnd::Adjudicated(rule) => match self.outcome {
                GameOutcome::White | GameOutcome::Black => {
                    format!("{winner} wins by adjudication{}", rule.remark)
                }
                GameOutcome::Draw => format!("Draw by adjudication{}", rule.remark),
            },
            GameEnd::TimeForfeit { over, delays } => {
                let kept = |delays: Delays| {
                    format!("; the machine kept it waiting {}", duration::text(delays.total()))
                };
                let kept = delays.map(kept).unwrap_or_default();
                format!("{loser} loses on time, {} over{kept}", duration::text(*over))
            }
            GameEnd::IllegalMove(written) => format!("{loser} makes an illegal move: {written}"),
            GameEnd::EngineFault(fault) => format!("{loser}'s engine fails: {}", fault.detail),
        }
    }

    /// The value of the tag `Termination`.
    const fn termination(&self) -> &'static str {
        match self.end {
            GameEnd::Checkmate
            | GameEnd::Stalemate
            | GameEnd::Threefold
            | GameEnd::FiftyMoves
            | GameEnd::InsufficientMaterial => "normal",
            GameEnd::Adjudicated(_) => "adjudication",
            GameEnd::TimeForfeit { .. } => "time forfeit",
            GameEnd::IllegalMove(_) => "rules infraction",
            GameEnd::EngineFault(_) => "abandoned",
        }
    }
}

fn tag(name: &str, value: &str) -> String {
    let value = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

fn movetext(game: &GameRecord) -> Result<String, IllegalGame> {
    let mut referee = Referee::new(&GamePosition { start: game.opening.start.clone(), moves: Vec::new() })?;
    let book = game.opening.moves.iter().map(|&mv| (mv, "book".to_owned()));
    let played = game.played.iter().map(|played| (played.mv, MoveComment(played).to_string()));
    let mut text = String::new();
    for (index, (mv, comment)) in book.chain(played).enumerate() {
        let illegal = |cause| IllegalGame::Move { number: index + 1, mv, cause };
        let position = referee.position();
        let san = SanPlus::from_move(position.clone(), referee.legal(mv).map_err(illegal)?);
        match position.turn() {
            Color::White => _ = write!(text, "{}. ", position.fullmoves()),
            Color::Black if index == 0 => _ = write!(text, "{}... ", position.fullmoves()),
            Color::Black => {}
        }
        _ = write!(text, "{san} ");
        if !comment.is_empty() {
            _ = write!(text, "{{{comment}}} ");
        }
        referee.play(mv).map_err(illegal)?;
    }
    let reason = plain(&game.reason()).replace('}', ")").replace('{', "(");
    _ = write!(text, "{{{reason}}} {}", game.outcome.pgn());
    Ok(text)
}

/// The comment on a move; empty if nothing is known.
struct MoveComment<'a>(&'a MoveRecord);

impl fmt::Display for MoveComment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoveRecord { score, depth, nodes, used, account, .. } = self.0;
        let mut parts = Vec::new();
        let evaluation = score.map(|score| format!("{}/{}", score_text(score), depth.0));
        let time = used.map(|used| format!("{:.3}s", used.as_secs_f64()));
        let measured: Vec<String> = [evaluation, time].into_iter().flatten().collect();
        if !measured.is_empty() {
            parts.push(measured.join(" "));
        }
        if *nodes > 0 {
            parts.push(format!("n={nodes}"));
        }
        parts.extend(account.map(|account| account.to_string()));
        f.write_str(&parts.join(", "))
    }
}

/// `+0.34`, `-1.20`, `0.00`, `+M5`, `-M4`.
fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => {
            let sign = match cp.0 {
                0 => "",
                ..0 => "-",
                1.. => "+",
            };
            let size = cp.0.unsigned_abs();
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
        Score::Mate(mate) => {
            let Ply(plies) = mate.plies();
            format!("{}M{plies}", if mate.is_win() { '+' } else { '-' })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use pgn_reader::{RawTag, Reader, Visitor};
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

    use super::*;
    use crate::player::{FaultCause, RecordedFault};
    use crate::playout::RuleKind;
    use threefold_chess::score::{Centipawns, MateDistance};

    fn resigned() -> GameEnd {
        GameEnd::Adjudicated(RuleKind::named("resign").expect("a rule"))
    }

    const BLACK_FIRST: &str = "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20";

    fn tags(control: &str) -> PgnTags {
        PgnTags {
            event: "a \"quoted\" \\ match\n".to_owned(),
            site: "here".to_owned(),
            date: None,
            round: "2.1".to_owned(),
            controls: [control.parse().expect(control); 2],
            engines: [Some("Fish 2 sha256:0123456789ab".to_owned()), None],
        }
    }

    fn game(fen: &str, book: &str, moves: &str, end: GameEnd) -> GameRecord {
        let played = GamePosition::parse(fen, moves).expect(moves).moves.into_iter().map(|mv| MoveRecord {
            mv,
            score: Some(Score::Cp(Centipawns(34))),
            depth: Ply(9),
            nodes: 1234,
            used: Some(Duration::from_micros(15_400)),
            left: None,
            account: None,
            timing: None,
        });
        GameRecord {
            players: ["A".to_owned(), "B".to_owned()],
            opening: GamePosition::parse(fen, book).expect(book),
            played: played.collect(),
            warnings: Vec::new(),
            outcome: GameOutcome::White,
            end,
        }
    }

    #[test]
    fn pgn_has_the_common_form() {
        let mut record = game(
            BLACK_FIRST,
            "e8d7",
            "e1g1 d7c6",
            GameEnd::EngineFault(RecordedFault {
                cause: FaultCause::Crash,
                detail: "last words: {1}\n2".to_owned(),
            }),
        );
        record.played[1].score = Some(Score::Mate(MateDistance::from_moves(-2).expect("small")));
        let mut tags = tags("8+0.08");
        tags.controls[1].time = None;
        let expected = r#"[Event "a \"quoted\" \\ match "]
[Site "here"]
[Date "????.??.??"]
[Round "2.1"]
[White "A"]
[Black "B"]
[Result "1-0"]
[FEN "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20"]
[SetUp "1"]
[PlyCount "3"]
[Termination "abandoned"]
[WhiteTimeControl "8+0.08"]
[BlackTimeControl "-"]
[WhiteEngine "Fish 2 sha256:0123456789ab"]

20... Kd7 {book} 21. O-O {+0.34/9 0.015s, n=1234} Kc6 {-M4/9 0.015s, n=1234}
{Black's engine fails: last words: (1) 2} 1-0

"#;
        assert_eq!(pgn(&record, &tags).expect("legal"), expected);
    }

    #[test]
    fn pgn_comments_have_the_known_data() {
        let mv = "e2e4".parse().expect("a move");
        let cp = |size| Some(Score::Cp(Centipawns(size)));
        let table = [
            // score, nodes, ms used, comment
            (cp(34), 1234, Some(12), "+0.34/9 0.012s, n=1234"),
            (cp(-1205), 1234, None, "-12.05/9, n=1234"),
            (cp(0), 0, Some(1000), "0.00/9 1.000s"),
            (cp(-5), 0, None, "-0.05/9"),
            (MateDistance::from_moves(3).map(Score::Mate), 7, None, "+M5/9, n=7"),
            (None, 0, Some(3), "0.003s"),
            (None, 0, None, ""),
        ];
        for (score, nodes, used, comment) in table {
            let used = used.map(Duration::from_millis);
            let played =
                MoveRecord { mv, score, depth: Ply(9), nodes, used, left: None, account: None, timing: None };
            assert_eq!(MoveComment(&played).to_string(), comment);
        }
        let text = "time budget 466.1 most 1600 used 310.02 tree 123456 reused 0 end settled";
        let account = Some(text.parse().expect(text));
        let used = Some(Duration::from_millis(310));
        let played = MoveRecord {
            mv,
            score: cp(34),
            depth: Ply(9),
            nodes: 7,
            used,
            left: None,
            account,
            timing: None,
        };
        assert_eq!(MoveComment(&played).to_string(), format!("+0.34/9 0.310s, n=7, {text}"));
    }

    #[test]
    fn pgn_writer_refuses_impossible_records() {
        let record = game(BLACK_FIRST, "", "e8e6", resigned());
        let error = pgn(&record, &tags("inf")).expect_err("illegal").to_string();
        assert_eq!(error, "move 1 of the history, `e8e6`, is illegal");
    }

    /// Replays a written game, as any reader would.
    struct Replay;

    impl Visitor for Replay {
        type Tags = Chess;
        type Movetext = (Chess, String, usize);
        type Output = (Chess, String, usize);

        fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
            ControlFlow::Continue(Chess::default())
        }

        fn tag(&mut self, tags: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
            if name == b"FEN" {
                let fen = Fen::from_ascii(value.as_bytes()).expect("we wrote it");
                *tags = fen.into_position(CastlingMode::Standard).expect("we wrote it");
            }
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Self::Movetext> {
            ControlFlow::Continue((start, String::new(), 0))
        }

        fn san(&mut self, game: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
            let mv = san.san.to_move(&game.0).expect("we wrote it");
            game.0.play_unchecked(mv);
            game.2 += 1;
            ControlFlow::Continue(())
        }

        fn outcome(
            &mut self,
            game: &mut Self::Movetext,
            outcome: shakmaty::Outcome,
        ) -> ControlFlow<Self::Output> {
            game.1 = outcome.to_string();
            ControlFlow::Continue(())
        }

        fn end_game(&mut self, game: Self::Movetext) -> Self::Output {
            game
        }
    }

    proptest! {
        /// A reader gets the same position back, and no line is too long.
        #[test]
        fn written_pgn_parses_back(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120), booked in 0..20_usize, black in any::<bool>()) {
            let fen = if black { BLACK_FIRST } else { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" };
            let mut referee = Referee::new(&GamePosition::parse(fen, "").expect("sound")).expect("legal");
            let mut moves = Vec::new();
            for choice in choices {
                let legal = referee.position().legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = referee.uci(legal[choice.index(legal.len())]);
                referee.play(mv).expect("legal");
                moves.push(mv.to_string());
            }
            let (book, played) = moves.split_at(booked.min(moves.len()));
            let mut record = game(fen, &book.join(" "), &played.join(" "), resigned());
            record.outcome = GameOutcome::Draw;
            let text = pgn(&record, &tags("8+0.08")).expect("legal");
            prop_assert!(text.lines().all(|line| line.len() <= 80), "{text}");
            let (position, outcome, plies) = Reader::new(text.as_bytes()).read_game(&mut Replay).expect("memory").expect("a game");
            prop_assert_eq!(plies, moves.len());
            prop_assert_eq!(outcome, "1/2-1/2");
            let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
            prop_assert_eq!(fen(&position), fen(referee.position()));
        }
    }
}
