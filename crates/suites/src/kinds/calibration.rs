//! Strength levels: is a higher level stronger, and by about the right amount?
//!
//! A case is a match of the engine against itself at two levels of an option: two games from each opening,
//! with colours reversed. The score of the higher level must be within two bounds: not above the requested
//! difference, and high enough to show that it is stronger. Games are limited by nodes or depth, so the
//! result is the same on any machine. A game that reaches the ply limit is a draw.

use std::num::NonZeroU32;

use serde::Deserialize;
use shakmaty::Color;
use toml::Spanned;

use crate::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use crate::{Case, CaseStep, Cause, ClockLimit, FailCause, Kind, LostCase, Measure, PassCause, Verdict, epd};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_games::playout::{
    EndCause, GameConditions, GameEnding, GameState, Playout, TurnReply, TurnRequest,
};
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, FaultCause, Question};

/// The suite kind `calibration`.
pub const KIND: Kind = Kind {
    name: "calibration",
    summary: "Two strength levels against each other: the higher must score more, within bounds",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

const SETTINGS: &str = "give `[settings]` with `option = \"UCI_Elo\"`, `pairs = 10`, `plies = 300` and, for each two \
                        levels, `[[settings.meetings]]` with `lower = 800`, `higher = 1200`, `least = 0.6` and \
                        `most = 0.97`";

/// UCI's option for a requested strength, and the one that turns it on.
const UCI_ELO: &str = "UCI_Elo";
const LIMITED: &str = "UCI_LimitStrength";

/// The kind's settings, version 1 of the suite file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CalibrationSettings {
    /// The option that sets the level.
    option: String,
    /// Openings per pairing; two games are played from each.
    pairs: NonZeroU32,
    /// A game with this number of plies beyond its opening is a draw.
    plies: NonZeroU32,
    meetings: Vec<WrittenMeeting>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMeeting {
    lower: u32,
    higher: Spanned<u32>,
    /// The score of the higher level must be between these shares of all points.
    least: f64,
    most: Spanned<f64>,
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let settings: CalibrationSettings = input.settings(SETTINGS)?;
    let source_file = input.suite_file;
    input.limited()?;
    if input.limits.movetime.is_some() {
        let remedy = "limit it by nodes or depth";
        return Err(input.error("games limited by time are not reproducible", remedy));
    }
    let openings = openings(input)?;
    let mut ids = Ids::default();
    let mut definitions = Vec::new();
    // One iterator for all meetings: each begins with the opening after the last one of the meeting before.
    let mut next = openings.iter().cycle();
    for written in &settings.meetings {
        let meeting = written.check(source_file)?;
        let id = format!("{} over {}", meeting.higher, meeting.lower);
        ids.claim(source_file, source_file.line_at(written.higher.span().start), &id)?;
        let openings = next.by_ref().take(settings.pairs.get() as usize).cloned().collect();
        definitions.push(definition(input.suite, id, &settings, meeting, openings));
    }
    Ok(definitions)
}

/// Two levels, and the required score of the higher one.
#[derive(Debug, Clone, Copy)]
struct LevelPairing {
    lower: u32,
    higher: u32,
    least: f64,
    most: f64,
}

impl WrittenMeeting {
    fn check(&self, source_file: &SourceFile) -> Result<LevelPairing, SuiteError> {
        let (higher, most) = (*self.higher.get_ref(), *self.most.get_ref());
        if self.lower >= higher {
            let what = format!("{higher} is not above {}", self.lower);
            return Err(source_file.error_at_span(
                self.higher.span(),
                what,
                "give the lower level as `lower`",
            ));
        }
        if !(0.5 < self.least && self.least < most && most <= 1.0) {
            let what = format!("no score lies between {} and {most} that shows who is stronger", self.least);
            return Err(source_file.error_at_span(
                self.most.span(),
                what,
                "give shares of the points such as 0.6 and 0.97",
            ));
        }
        Ok(LevelPairing { lower: self.lower, higher, least: self.least, most })
    }
}

fn openings(input: &SuiteInput<'_>) -> Result<Vec<GamePosition>, SuiteError> {
    let mut openings = Vec::new();
    for source_file in input.positions {
        for record in epd::parse_epd(source_file)? {
            if let Some(ending) = Referee::new(&record.position).ok().and_then(|referee| referee.ending()) {
                let what = format!("the game is over here ({ending})");
                return Err(source_file.error_at_line(record.number, what, "remove the line"));
            }
            openings.push(record.position);
        }
    }
    if openings.is_empty() {
        return Err(input.error("there is no opening", "name a file of them in `positions`"));
    }
    Ok(openings)
}

fn definition(
    suite: &str,
    id: String,
    settings: &CalibrationSettings,
    meeting: LevelPairing,
    openings: Vec<GamePosition>,
) -> CaseDefinition {
    let LevelPairing { lower, higher, least, most } = meeting;
    let chair = |level: u32| -> OptionOverrides {
        let limited =
            settings.option.eq_ignore_ascii_case(UCI_ELO).then(|| (LIMITED.to_owned(), "true".to_owned()));
        std::iter::once((settings.option.clone(), level.to_string())).chain(limited).collect()
    };
    let info = CaseInfo {
        suite: suite.to_owned(),
        id,
        class: "levels".to_owned(),
        accepted: format!("{higher} scores {:.0} to {:.0} % against {lower}", 100.0 * least, 100.0 * most),
        note: format!("{} games", 2 * openings.len()),
        position: openings[0].clone(),
        clock_source: ClockSource::Wall,
        players: vec![chair(higher), chair(lower)],
        background_threads: 0,
    };
    let plies = settings.plies.get() as usize;
    let open = move |limits: &Limits| -> Box<dyn Case> {
        Box::new(CalibrationCase {
            meeting,
            openings: openings.clone(),
            plies,
            limits: *limits,
            game: None,
            played: 0,
            half_points: 0,
            nodes: 0,
        })
    };
    CaseDefinition::new(info, open)
}

/// The dialogue of a case.
struct CalibrationCase {
    meeting: LevelPairing,
    openings: Vec<GamePosition>,
    /// The ply limit.
    plies: usize,
    limits: Limits,
    game: Option<CalibrationGame>,
    /// Games that are over.
    played: usize,
    /// The score of the higher level so far, in half points.
    half_points: u64,
    nodes: u64,
}

/// A running game.
struct CalibrationGame {
    playout: Playout,
    /// The colour of the higher level.
    higher: Color,
}

impl CalibrationCase {
    /// The next game, or what is wrong with its opening.
    fn begin(&self) -> Result<CalibrationGame, String> {
        let opening = &self.openings[self.played / 2];
        let playout = Playout::new(opening, &GameConditions::of_plies(self.plies))
            .map_err(|error| error.to_string())?;
        let higher = if self.played.is_multiple_of(2) { Color::White } else { Color::Black };
        Ok(CalibrationGame { playout, higher })
    }

    /// The step after the end of a game.
    fn after(&mut self, higher: Color, ending: GameEnding, last: &Answer) -> CaseStep {
        let place = format!("in game {}", self.played + 1);
        match ending.cause {
            EndCause::NoMove => return CaseStep::Done(Verdict::new(last, FaultCause::NoMove, place)),
            EndCause::IllegalMove(mv) => {
                return CaseStep::Done(Verdict::new(last, FaultCause::IllegalMove, format!("{mv} {place}")));
            }
            EndCause::Rule(_) | EndCause::Adjudicated(_) | EndCause::PlyLimit | EndCause::Flag(_) => {}
        }
        self.played += 1;
        self.half_points += match ending.outcome.winner() {
            Some(winner) if winner == higher => 2,
            Some(_) => 0,
            None => 1,
        };
        if self.played == 2 * self.openings.len() {
            CaseStep::Done(self.finish(last))
        } else {
            // `game` is empty here, so this begins the next one.
            self.next(None)
        }
    }

    fn finish(&self, last: &Answer) -> Verdict {
        let LevelPairing { lower, higher, least, most } = self.meeting;
        let points = 2 * self.played as u64;
        let share = self.half_points as f64 / points as f64;
        let cause: Cause = match share {
            share if share < least => FailCause::TooLittle.into(),
            share if share > most => FailCause::TooMuch.into(),
            _ => PassCause::InBounds.into(),
        };
        let detail = format!(
            "{higher} scores {} of {} against {lower}, {:.0} %",
            self.half_points as f64 / 2.0,
            self.played,
            100.0 * share
        );
        let measures = vec![Measure::share("half points", self.half_points, points)];
        Verdict { nodes: self.nodes, measures, ..Verdict::new(last, cause, detail) }
    }
}

impl Case for CalibrationCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let Some(mut game) = self.game.take() else {
            return match self.begin() {
                Ok(game) => {
                    self.game = Some(game);
                    CaseStep::NewGame
                }
                Err(what) => CaseStep::Done(Verdict::unsound_case(what)),
            };
        };
        if let Some(answer) = answer {
            self.nodes += answer.nodes;
            game.playout.answer(&TurnReply { best: answer.best, ..TurnReply::default() });
        }
        match (game.playout.state(), answer) {
            (GameState::ToMove(TurnRequest { mover, .. }), _) => {
                let position = game.playout.line().clone();
                let question = Question { position, limits: self.limits, searchmoves: Vec::new() };
                let asked = mover == game.higher;
                self.game = Some(game);
                if asked { CaseStep::Ask(question) } else { CaseStep::AskSecond(question) }
            }
            (GameState::Over(ending), Some(last)) => self.after(game.higher, ending, last),
            (GameState::Over(ending), None) => {
                CaseStep::Done(Verdict::unsound_case(format!("an opening is over: {}", ending.cause)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};

    const OPENING: &str = "7k/R7/8/8/8/8/8/1R5K w - - id \"ladder\";\n";

    fn suite(settings: &str, limits: &str) -> Result<Suite, SuiteError> {
        let text = format!(
            "version = 1\nkind = \"calibration\"\ntitle = \"t\"\npositions = [\"o\"]\n[limits]\n{limits}\n\
             [settings]\noption = \"UCI_Elo\"\npairs = 1\nplies = 2\n{settings}"
        );
        let source_file =
            |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource {
            suite_file: source_file("s.toml", &text),
            positions: vec![source_file("o.epd", OPENING)],
        })
    }

    fn meeting(numbers: &str) -> String {
        format!("[[settings.meetings]]\n{numbers}\n")
    }

    #[test]
    fn higher_level_must_score_within_its_interval() {
        // White mates at once, or both sides wait for two plies.
        let won = || says("b1b8", &["cp 900 b1b8"]);
        let dawdled = || [says("b1c1", &["cp 900 b1c1"]), says("h8g8", &["cp -900 h8g8"])];
        let table = [
            // the games of the higher level with White and with Black, least and most, mark, reason
            (
                vec![won(), dawdled()[0].clone(), dawdled()[1].clone()],
                "least = 0.6\nmost = 0.9",
                VerdictKind::Passed,
                "within bounds: 1200 scores 1.5 of 2 against 800, 75 %",
            ),
            (
                vec![won(), dawdled()[0].clone(), dawdled()[1].clone()],
                "least = 0.6\nmost = 0.7",
                VerdictKind::Failed,
                "too much: 1200 scores 1.5 of 2 against 800, 75 %",
            ),
            (
                vec![dawdled()[0].clone(), dawdled()[1].clone(), won()],
                "least = 0.6\nmost = 0.9",
                VerdictKind::Failed,
                "too little: 1200 scores 0.5 of 2 against 800, 25 %",
            ),
            (
                vec![says("b1a2", &[])],
                "least = 0.6\nmost = 0.9",
                VerdictKind::Fault,
                "illegal move: b1a2 in game 1",
            ),
            (vec![says("", &[])], "least = 0.6\nmost = 0.9", VerdictKind::Fault, "no move: in game 1"),
        ];
        for (answers, bounds, mark, reason) in table {
            let settings = meeting(&format!("lower = 800\nhigher = 1200\n{bounds}"));
            let (info, mut case) = suite(&settings, "nodes = 100").expect("sound").cases().remove(0);
            let set = |level: &str| -> OptionOverrides {
                vec![
                    ("UCI_Elo".to_owned(), level.to_owned()),
                    ("UCI_LimitStrength".to_owned(), "true".to_owned()),
                ]
            };
            assert_eq!(info.players, [set("1200"), set("800")]);
            let (verdict, ..) = lead(case.as_mut(), answers);
            assert_eq!(verdict.kind(), mark, "{}", verdict.reason());
            assert!(verdict.reason().starts_with(reason), "{}", verdict.reason());
        }
    }

    #[test]
    fn settings_are_checked() {
        let sound = "least = 0.6\nmost = 0.9";
        let table = [
            (
                suite(&meeting(&format!("lower = 800\nhigher = 800\n{sound}")), "nodes = 9"),
                "800 is not above 800",
            ),
            (
                suite(&meeting("lower = 1\nhigher = 2\nleast = 0.4\nmost = 0.9"), "nodes = 9"),
                "no score lies between 0.4",
            ),
            (
                suite(&meeting("lower = 1\nhigher = 2\nleast = 0.9\nmost = 0.8"), "nodes = 9"),
                "no score lies between 0.9",
            ),
            (
                suite(&meeting(&format!("lower = 1\nhigher = 2\n{sound}")), "movetime = 9"),
                "are not reproducible; limit it by",
            ),
            (suite("", "nodes = 9"), "missing field `meetings`; give `[settings]`"),
        ];
        for (read, part) in table {
            let error = read.expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
