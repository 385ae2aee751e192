//! Writes a game as PGN.
//!
//! A move's comment begins with score, depth and time as cutechess and fastchess write them: `{+0.34/12
//! 0.015s, n=1234}`. Mates count plies (`+M5`), as theirs do. A time appears only if a clock of the game
//! measured it, so a game with a fixed number of nodes has the same text on every machine. An engine's report
//! of its time plan follows. The last comment ends with the reason for the end of the game. [`PgnOptions`]
//! select more data, another notation, or less of everything.

mod comment;
#[cfg(test)]
mod full_tests;
mod notation;
mod options;
mod tags;
mod text;

use std::fmt::Write;

use shakmaty::{Color, Position};

use threefold_chess::clock::{Delays, duration};
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;
use threefold_oracle::referee::IllegalGame;

use self::text::{plain, wrap};
pub use options::{PgnExtent, PgnNotation, PgnOptions};
pub use tags::{PgnEngine, PgnTags};

use super::game::{GameEnd, GameOutcome, GameRecord};

/// A game as PGN, with a blank line after it. Fails only for a record with illegal moves.
pub fn pgn(game: &GameRecord, tags: &PgnTags, options: &PgnOptions) -> Result<String, IllegalGame> {
    let mut text = String::new();
    for (name, value) in tags::pairs(game, tags, options) {
        text.push_str(&tag(name, &value));
    }
    text.push('\n');
    text.push_str(&wrap(&movetext(game, options)?));
    text.push_str("\n\n");
    Ok(text)
}

impl<M> GameRecord<M> {
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
            GameEnd::TimeForfeit { over, margin: _, delays } => {
                let kept = |delays: Delays| {
                    format!(
                        "; the machine kept it waiting {}",
                        duration::format_duration(delays.total().min(*over))
                    )
                };
                let kept = delays.map(kept).unwrap_or_default();
                format!("{loser} loses on time, {} over{kept}", duration::format_duration(*over))
            }
            GameEnd::IllegalMove(written) if written.is_empty() => format!("{loser} makes an illegal move"),
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
            GameEnd::IllegalMove(_) => "illegal move",
            GameEnd::EngineFault(_) => "abandoned",
        }
    }
}

fn tag(name: &str, value: &str) -> String {
    let value = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

fn movetext(game: &GameRecord, options: &PgnOptions) -> Result<String, IllegalGame> {
    let start = GamePosition { start: game.opening.start.clone(), moves: Vec::new() };
    let mut position = Referee::new(&start)?.position().clone();
    let has_comments = options.extent == PgnExtent::Full;
    let book = game.opening.moves.iter().map(|&mv| (mv, None));
    let played = game.played.iter().map(|played| (played.mv, Some(played)));
    // One text for all comments: long games have hundreds.
    let (mut text, mut comment) = (String::new(), String::new());
    // The reason belongs to the comment on the last move, as in the files of fastchess and cutechess.
    let reason = text::braceless(&plain(&game.reason()));
    let last = (game.opening.moves.len() + game.played.len()).checked_sub(1);
    for (index, (mv, played)) in book.chain(played).enumerate() {
        let legal =
            mv.to_move(&position).map_err(|cause| IllegalGame::Move { number: index + 1, mv, cause })?;
        let mut after = position.clone();
        after.play_unchecked(legal);
        match position.turn() {
            // Writing to a `String` cannot fail.
            Color::White => _ = write!(text, "{}. ", position.fullmoves()),
            // PGN numbers a move of Black only where the move of White is missing.
            Color::Black if index == 0 => _ = write!(text, "{}... ", position.fullmoves()),
            Color::Black => {}
        }
        _ = write!(text, "{} ", notation::move_text(&position, &after, legal, mv, options.notation));
        comment.clear();
        match played {
            None => comment.push_str("book"),
            Some(played) => comment::write_comment(&mut comment, played, &options.details),
        }
        if last == Some(index) {
            let separator = if comment.is_empty() { "" } else { ", " };
            _ = write!(comment, "{separator}{reason}");
        }
        if has_comments && !comment.is_empty() {
            _ = write!(text, "{{{comment}}} ");
        }
        position = after;
    }
    if has_comments && last.is_none() {
        _ = write!(text, "{{{reason}}} ");
    }
    text.push_str(game.outcome.pgn());
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use pgn_reader::{RawTag, Reader, Visitor};
    use proptest::prelude::*;
    use shakmaty::san::SanPlus;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

    use super::*;
    use crate::game::MoveRecord;
    use crate::playout::RuleKind;
    use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
    use threefold_player::{FaultCause, RecordedFault};

    fn resigned() -> GameEnd {
        GameEnd::Adjudicated(RuleKind::named("resign").expect("a rule"))
    }

    const BLACK_FIRST: &str = "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20";

    fn engine(build: &str) -> PgnEngine {
        PgnEngine { build: Some(build.to_owned()), ..PgnEngine::default() }
    }

    fn tags(control: &str) -> PgnTags {
        PgnTags {
            event: "a \"quoted\" \\ match\n".to_owned(),
            site: "here".to_owned(),
            round: "2.1".to_owned(),
            controls: [control.parse().expect(control); 2],
            engines: [engine("Fish 2 sha256:0123456789ab"), PgnEngine::default()],
            ..PgnTags::default()
        }
    }

    fn game(fen: &str, book: &str, moves: &str, end: GameEnd) -> GameRecord {
        let played = GamePosition::parse(fen, moves).expect(moves).moves.into_iter().map(|mv| MoveRecord {
            score: Some(Score::Cp(Centipawns(34))),
            depth: Ply(9),
            nodes: 1234,
            used: Some(Duration::from_micros(15_400)),
            ..MoveRecord::new(mv)
        });
        GameRecord {
            played: played.collect(),
            ..GameRecord::new(
                ["A", "B"],
                GamePosition::parse(fen, book).expect(book),
                GameOutcome::White,
                end,
            )
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

20... Kd7 {book} 21. O-O {+0.34/9 0.015s, n=1234} Kc6 {-M4/9 0.015s, n=1234,
Black's engine fails: last words: (1) 2} 1-0

"#;
        assert_eq!(pgn(&record, &tags, &PgnOptions::default()).expect("legal"), expected);
    }

    #[test]
    fn pgn_writer_refuses_impossible_records() {
        let record = game(BLACK_FIRST, "", "e8e6", resigned());
        let error = pgn(&record, &tags("inf"), &PgnOptions::default()).expect_err("illegal").to_string();
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
            let text = pgn(&record, &tags("8+0.08"), &PgnOptions::default()).expect("legal");
            prop_assert!(text.lines().all(|line| line.len() <= 80), "{text}");
            let (position, outcome, plies) = Reader::new(text.as_bytes()).read_game(&mut Replay).expect("memory").expect("a game");
            prop_assert_eq!(plies, moves.len());
            prop_assert_eq!(outcome, "1/2-1/2");
            let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
            prop_assert_eq!(fen(&position), fen(referee.position()));
        }
    }
}
