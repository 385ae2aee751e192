//! The value of one move by the rules: a draw or not, whatever is on the board.
//!
//! The engine is asked for the score of a single move. If the rules end the game after it, or must before
//! either side can win, the score must be a draw; if it only looks like that, the score must be a win or a
//! loss. Before each question the same position is asked without its history and with another fifty-move
//! counter (column `before`, by default 0), so that the hash table has scores from another game.
//!
//! A draw is a score of zero, or as near to zero as the engine scores two bare kings: a bonus for the side to
//! move or a place on the board is no fault. An engine that scores a draw nearly as zero is asked that, too. What
//! it says is recorded with the verdict.
//!
//! Only engines that obey `searchmoves` can be tested. For others every case is skipped.

use std::sync::Arc;

use crate::input::{CaseDefinition, SuiteError, SuiteInput};
use crate::trap::{self, TrapRow, TrueResult};
use crate::{
    Case, CaseStep, Cause, ClockLimit, FailCause, Kind, LostCase, Measure, PassCause, SkipCause, Verdict,
};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_player::{Answer, FaultCause, Question};

/// The suite kind `rule`.
pub const KIND: Kind = Kind {
    name: "rule",
    summary: "Moves that draw or do not draw by the rules, checked by their score",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

/// A score this near to zero, in centipawns, is a draw.
const DRAWN: u64 = 2;
/// The largest score of bare kings, in centipawns, that counts as the engine's draw.
const LARGEST_DRAW: u64 = 20;
/// The largest score of bare kings that the engine gave, in centipawns.
const BARE_KINGS: &str = "centipawns of bare kings";
/// Two bare kings, each better placed than the other once.
const DEAD_DRAWS: [&str; 2] = ["k7/8/8/8/3K4/8/8/8 w - - 0 1", "8/8/8/3k4/8/8/8/K7 w - - 0 1"];
/// A score this far from zero is a win or a loss.
const DECIDED: i32 = 100;

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    for source_file in input.positions {
        for trap in trap::parse_traps(source_file)? {
            if trap.result.is_none() || trap.best.len() != 1 {
                let what = "it needs one move in `best` and its outcome in `result`".to_owned();
                return Err(source_file.error_at_line(trap.number, what, "fill in both columns"));
            }
        }
    }
    trap::cases_accepting(
        input,
        |trap, limits| {
            Box::new(RuleCase { trap, limits, stage: RuleStage::Unchecked, nearly: None, bare_kings: 0 })
        },
        |trap, mv, verdict| {
            let draw = draw_of(&verdict.measures);
            let is_right = |result| verdict.score.is_some_and(|score| agrees_within(score, result, draw));
            trap.best.contains(&mv) && trap.result.is_some_and(is_right)
        },
    )
}

/// The dialogue: a check of `searchmoves`, a new game, the move without its history, the move with it. Bare
/// kings follow if the score is nearly a draw.
struct RuleCase {
    trap: Arc<TrapRow>,
    limits: Limits,
    stage: RuleStage,
    /// The answer to the move, if its score is nearly a draw.
    nearly: Option<Answer>,
    /// The largest score of bare kings so far, in centipawns.
    bare_kings: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RuleStage {
    Unchecked,
    Fresh,
    Elsewhere,
    Here,
    Answered,
    /// This dead draw is asked.
    BareKings(usize),
}

impl Case for RuleCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let (stage, step) = match (self.stage, answer) {
            (RuleStage::Unchecked, _) => (RuleStage::Fresh, CaseStep::CheckSearchMoves),
            (RuleStage::Answered, Some(answer)) if self.is_nearly_a_draw(answer) => {
                self.nearly = Some(answer.clone());
                self.ask_bare_kings(0)
            }
            (RuleStage::Answered, Some(answer)) => (RuleStage::Fresh, CaseStep::Done(self.judge(answer))),
            (RuleStage::BareKings(number), Some(answer)) => {
                self.bare_kings = self.bare_kings.max(centipawns(answer).unwrap_or(0));
                self.ask_bare_kings(number + 1)
            }
            (RuleStage::Elsewhere, _) => {
                (RuleStage::Here, CaseStep::Ask(self.question(self.trap.with_counter_of_before())))
            }
            (RuleStage::Here, _) => {
                (RuleStage::Answered, CaseStep::Ask(self.question(self.trap.position.clone())))
            }
            // A question without an answer is asked again, in a new game.
            (RuleStage::Fresh | RuleStage::Answered | RuleStage::BareKings(_), _) => {
                (self.nearly, self.bare_kings) = (None, 0);
                (RuleStage::Elsewhere, CaseStep::NewGame)
            }
        };
        self.stage = stage;
        step
    }
}

/// Whether a score of a move agrees with its true result.
pub fn agrees(score: Score, result: TrueResult) -> bool {
    agrees_within(score, result, DRAWN)
}

/// The same for an engine whose draws are this near to zero.
fn agrees_within(score: Score, result: TrueResult, draw: u64) -> bool {
    match (result, score) {
        (TrueResult::Draw, Score::Cp(Centipawns(cp))) => u64::from(cp.unsigned_abs()) <= draw,
        (TrueResult::Draw, Score::Mate(_)) => false,
        (TrueResult::Win, Score::Cp(Centipawns(cp))) => cp >= DECIDED,
        (TrueResult::Loss, Score::Cp(Centipawns(cp))) => cp <= -DECIDED,
        (TrueResult::Win, Score::Mate(mate)) => mate.is_win(),
        (TrueResult::Loss, Score::Mate(mate)) => !mate.is_win(),
    }
}

/// How near to zero a draw is, by the recorded score of bare kings.
fn draw_of(measures: &[Measure]) -> u64 {
    let recorded = measures.iter().find(|measure| measure.name == BARE_KINGS);
    // With a larger value, decided scores would pass as draws.
    recorded.map_or(DRAWN, |measure| measure.amount.clamp(DRAWN, LARGEST_DRAW))
}

/// How far from zero the final score is; `None` for a mate or no score.
fn centipawns(answer: &Answer) -> Option<u64> {
    match answer.final_info()?.score {
        Score::Cp(Centipawns(cp)) => Some(cp.unsigned_abs().into()),
        Score::Mate(_) => None,
    }
}

impl RuleCase {
    /// Is it a draw that the engine scores as nearly zero, though not as zero?
    fn is_nearly_a_draw(&self, answer: &Answer) -> bool {
        self.trap.result == Some(TrueResult::Draw)
            && answer.best == Some(self.trap.best[0])
            && centipawns(answer).is_some_and(|cp| cp > DRAWN && cp <= LARGEST_DRAW)
    }

    /// Asks this dead draw; after the last one, the verdict.
    fn ask_bare_kings(&self, number: usize) -> (RuleStage, CaseStep) {
        match (DEAD_DRAWS.get(number), &self.nearly) {
            (Some(fen), _) => {
                let position = GamePosition::parse(fen, "").expect("two kings are a position");
                let question = Question { position, limits: self.limits, searchmoves: Vec::new() };
                (RuleStage::BareKings(number), CaseStep::Ask(question))
            }
            (None, Some(answer)) => (RuleStage::Fresh, CaseStep::Done(self.judge(answer))),
            // Not reached: `nearly` is set before bare kings are asked.
            (None, None) => (RuleStage::Elsewhere, CaseStep::NewGame),
        }
    }

    fn question(&self, position: GamePosition) -> Question {
        Question { position, limits: self.limits, searchmoves: self.trap.best.clone() }
    }

    fn judge(&self, answer: &Answer) -> Verdict {
        // `load` accepts only rows with one move.
        let asked = self.trap.best[0];
        let Some(best) = answer.best else {
            return Verdict::new(answer, FaultCause::NoMove, "");
        };
        if best != asked {
            return Verdict::new(answer, FailCause::AnotherMove, format!("{best}, though asked for {asked}"));
        }
        let Some(score) = answer.final_info().map(|claim| claim.score) else {
            return Verdict::new(answer, SkipCause::NoScore, "");
        };
        let wanted = self.trap.result.expect("every case has one");
        let asked_kings = self.nearly.as_ref().map(|_| Measure::count(BARE_KINGS, self.bare_kings));
        let measures: Vec<Measure> = asked_kings.into_iter().collect();
        let (cause, verb): (Cause, _) = if agrees_within(score, wanted, draw_of(&measures)) {
            (PassCause::RightScore.into(), "is")
        } else {
            (FailCause::WrongScore.into(), "should be")
        };
        let kings = measures.first().map(|it| format!(" (bare kings: up to cp {})", it.amount));
        let detail = format!("{score} {verb} a {wanted}{}", kings.unwrap_or_default());
        Verdict { measures, ..Verdict::new(answer, cause, detail) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::run_case;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, Timing, VerdictKind};
    use threefold_player::{EngineFault, Player};

    const FILE: &str = "id,class,fen,moves,best,before,result\n\
                        a,third,7k/8/8/8/8/8/R7/K7 w - - 0 1,a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2,g8h8,,draw\n\
                        b,plain,7k/8/8/8/8/8/R7/K7 w - - 3 9,,a2b2,95,win\n";

    fn suite(text: &str) -> Result<Suite, SuiteError> {
        let source_file =
            |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
        let head =
            "version = 1\nkind = \"rule\"\ntitle = \"t\"\npositions = [\"p.csv\"]\n[limits]\nnodes = 9\n";
        Suite::read(&SuiteSource {
            suite_file: source_file("s.toml", head),
            positions: vec![source_file("p.csv", text)],
        })
    }

    #[test]
    fn score_of_the_move_decides() {
        let suite = suite(FILE).expect("sound");
        let table = [
            // case, the move named, its score, mark, reason
            (0, "g8h8", "cp 0", VerdictKind::Passed, "right score: cp 0 is a draw"),
            (0, "g8h8", "cp -500", VerdictKind::Failed, "wrong score: cp -500 should be a draw"),
            (0, "g8f8", "cp 0", VerdictKind::Failed, "another move: g8f8, though asked for g8h8"),
            (1, "a2b2", "cp 99", VerdictKind::Failed, "wrong score: cp 99 should be a win"),
            (1, "a2b2", "mate 3", VerdictKind::Passed, "right score: mate 3 is a win"),
            (1, "a2b2", "mate -3", VerdictKind::Failed, "wrong score: mate -3 should be a win"),
        ];
        for (case, mv, score, mark, reason) in table {
            let (case_number, (_, mut case)) = (case, suite.cases().swap_remove(case));
            let answer = says(mv, &[score]);
            let (verdict, asked, games) = lead(case.as_mut(), vec![answer.clone(), answer]);
            assert_eq!((verdict.kind(), verdict.reason().as_str(), games), (mark, reason, 1));
            assert_eq!(asked.len(), 2, "elsewhere, then here");
            let counters: Vec<u32> =
                asked.iter().map(|question| question.position.start.as_setup().halfmoves).collect();
            assert_eq!(counters, [[0, 0], [95, 3]][case_number]);
            assert!(
                asked[0].position.moves.is_empty()
                    && asked.iter().all(|question| question.searchmoves.len() == 1)
            );
        }
    }

    /// An engine that ignores `searchmoves`.
    struct IgnoresSearchMoves;

    impl Player for IgnoresSearchMoves {
        fn name(&self) -> &'static str {
            "ignores-searchmoves"
        }

        fn new_game(&mut self) -> Result<(), EngineFault> {
            Ok(())
        }

        fn answer(&mut self, _: &Question) -> Result<Answer, EngineFault> {
            panic!("it is not asked")
        }

        fn check_searchmoves(&mut self) -> Result<(), EngineFault> {
            Err(EngineFault::NotSupported("`searchmoves`".to_owned()))
        }
    }

    #[test]
    fn engine_that_ignores_searchmoves_is_not_asked() {
        let (_, mut case) = suite(FILE).expect("sound").cases().remove(0);
        let mut players: [Box<dyn Player>; 1] = [Box::new(IgnoresSearchMoves)];
        let verdict = run_case(case.as_mut(), &mut players, Timing::default()).expect("not interrupted");
        assert_eq!(
            (verdict.kind(), verdict.reason().as_str()),
            (VerdictKind::Skipped, "not supported: `searchmoves`")
        );
    }

    #[test]
    fn draw_is_as_near_to_zero_as_bare_kings() {
        let suite = suite(FILE).expect("sound");
        let table = [
            // the score of the draw, those of bare kings, mark, reason
            (
                "cp -4",
                ["cp 1", "cp -6"],
                VerdictKind::Passed,
                "right score: cp -4 is a draw (bare kings: up to cp 6)",
            ),
            (
                "cp -4",
                ["cp 0", "cp 0"],
                VerdictKind::Failed,
                "wrong score: cp -4 should be a draw (bare kings: up to cp 0)",
            ),
            (
                "cp 20",
                ["cp 300", "cp 0"],
                VerdictKind::Passed,
                "right score: cp 20 is a draw (bare kings: up to cp 300)",
            ),
        ];
        for (score, kings, mark, reason) in table {
            let definition = &suite.definitions[0];
            let (_, mut case) = suite.cases().swap_remove(0);
            let [one, two] = kings.map(|kings| says("d4d5", &[kings]));
            let answers = vec![says("g8h8", &[score]), says("g8h8", &[score]), one, two];
            let (verdict, asked, games) = lead(case.as_mut(), answers);
            assert_eq!((verdict.kind(), verdict.reason().as_str(), games, asked.len()), (mark, reason, 1, 4));
            let accepts = definition.accepts().expect("a move decides");
            let played = "g8h8".parse().expect("a move");
            assert_eq!(
                accepts(played, &verdict),
                mark == VerdictKind::Passed,
                "a recorded result is judged alike"
            );
        }
        // What is far from a draw asks no kings.
        let (_, mut case) = suite.cases().swap_remove(0);
        let far = says("g8h8", &["cp 21"]);
        assert_eq!(lead(case.as_mut(), vec![far.clone(), far]).1.len(), 2);
    }

    #[test]
    fn row_without_a_result_is_refused() {
        let error = suite(&FILE.replace(",draw\n", ",\n")).expect_err("no result").to_string();
        assert!(error.starts_with("p.csv:2: it needs one move in `best`"), "{error}");
    }
}
