//! Smoke games: short games of the engine against itself, in which nothing may go wrong.
//!
//! They are for debug and sanitizer builds. A fault, a signal, an illegal move, a time loss, or a line of
//! standard error that shows a defect fails the game, also while the engine ends: it quits after each game,
//! since a sanitizer reports leaks then. The games cover what breaks most: periods, Chess960, very little
//! time, and several threads. A game that is lost on time is played again, and only a second loss counts: not
//! every delay by other programs can be seen. Two losses fail the case. They are no engine fault, since those end the run, and
//! whether an engine with little time is late by a few milliseconds differs from run to run. If the second game is not lost, the
//! case is flaky. A time loss that a busy machine explains is skipped, and so is a game whose options the engine lacks.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use serde::Deserialize;
use shakmaty::ByColor;
use toml::Spanned;

use super::time_control::game::{TimedGameCase, TimedGameTerms};
use crate::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use crate::{
    Case, CaseStep, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict, VerdictKind,
};
use threefold_chess::clock::{ClockSource, Control, Limits};
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, FaultCause};

/// The suite kind `smoke`.
pub const KIND: Kind = Kind {
    name: "smoke",
    summary: "Smoke games against itself, without a fault or an error report",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

const SETTINGS: &str = "give `[settings]` with `plies = 80` and, for each game, `[[settings.games]]` with \
                        `id = \"increment\"` and `control = \"1+0.01\"`, and `fen` and `options` if needed";

/// The kind's settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GamesSettings {
    /// The ply limit.
    plies: NonZeroU32,
    games: Vec<WrittenGame>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGame {
    id: Spanned<String>,
    /// The clock of both sides, in real time.
    control: Spanned<String>,
    /// The start position, if it is another one.
    fen: Option<Spanned<String>>,
    /// UCI options, in addition to the engine's own.
    #[serde(default)]
    options: BTreeMap<String, String>,
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let settings: GamesSettings = input.settings(SETTINGS)?;
    if !input.limits.is_infinite() {
        return Err(input.error("`[limits]` conflicts with the clocks", "remove the limits"));
    }
    if !input.positions.is_empty() {
        return Err(input.error("each game has its own position", "give `positions = []`, and `fen` by game"));
    }
    let (file, mut ids) = (input.suite_file, Ids::default());
    let definition = |game: &WrittenGame| {
        ids.claim(file, file.line_at(game.id.span().start), game.id.get_ref())?;
        game.definition(input.suite, file, settings.plies)
    };
    settings.games.iter().map(definition).collect()
}

impl WrittenGame {
    fn definition(
        &self,
        suite: &str,
        file: &SourceFile,
        plies: NonZeroU32,
    ) -> Result<CaseDefinition, SuiteError> {
        let (line, terms) = (self.line(file)?, self.terms(file, plies)?);
        let options: OptionOverrides = self.options.clone().into_iter().collect();
        let set = options.iter().map(|(name, value)| format!("{name}={value}"));
        let clock = format!("{plies} plies at {}", terms.controls.white);
        let note = std::iter::once(clock).chain(set).collect::<Vec<_>>().join(", ");
        let info = CaseInfo {
            suite: suite.to_owned(),
            id: self.id.get_ref().clone(),
            class: KIND.name.to_owned(),
            accepted: "no fault".to_owned(),
            note,
            position: line.clone(),
            clock_source: terms.clock_source,
            players: vec![options; 2],
            background_threads: 0,
        };
        let open = move |_: &Limits| -> Box<dyn Case> { Box::new(SmokeGame::new(&line, &terms)) };
        Ok(CaseDefinition::new(info, open))
    }

    fn line(&self, file: &SourceFile) -> Result<GamePosition, SuiteError> {
        let Some(fen) = &self.fen else { return Ok(GamePosition::start_position()) };
        let line = GamePosition::parse(fen.get_ref(), "").ok();
        let is_open =
            |history: &GamePosition| Referee::new(history).is_ok_and(|referee| referee.ending().is_none());
        line.filter(is_open).ok_or_else(|| {
            let what = format!("no game can begin from `{}`", fen.get_ref());
            file.error_at_span(fen.span(), what, "give a FEN of a legal position with a legal move")
        })
    }

    fn terms(&self, file: &SourceFile, plies: NonZeroU32) -> Result<TimedGameTerms, SuiteError> {
        let text = self.control.get_ref();
        let wrong = |what: String| file.error_at_span(self.control.span(), what, SETTINGS);
        let control: Control = text.parse().map_err(|error| wrong(format!("{error}")))?;
        if control.time.is_none() {
            return Err(wrong(format!("`{text}` sets no clock for the game")));
        }
        Ok(TimedGameTerms {
            controls: ByColor { white: control, black: control },
            clock_source: ClockSource::Wall,
            plies: plies.get(),
            lags: Vec::new(),
            least_used: 0.0,
            most_spread: None,
            most_overrun: None,
            margin: Duration::ZERO,
        })
    }
}

/// The dialogue: a game, another one if it is lost on time, then `quit`.
struct SmokeGame {
    game: TimedGameCase,
    /// The game to play if the first is lost on time.
    repeat: Option<TimedGameCase>,
    /// The reason for the repeat.
    first_loss: Option<String>,
    /// The game's verdict, held until both players have quit.
    verdict: Option<Verdict>,
}

impl SmokeGame {
    fn new(opening: &GamePosition, terms: &TimedGameTerms) -> Self {
        let game = || TimedGameCase::new(opening, terms.clone());
        Self { game: game(), repeat: Some(game()), first_loss: None, verdict: None }
    }
}

impl Case for SmokeGame {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        if let Some(verdict) = self.verdict.take() {
            return CaseStep::Done(verdict);
        }
        match self.game.next(answer) {
            CaseStep::Done(verdict) => {
                if verdict.cause == FaultCause::TimeLoss.into()
                    && let Some(repeat) = self.repeat.take()
                {
                    self.first_loss = Some(verdict.detail);
                    self.game = repeat;
                    return self.game.next(None);
                }
                self.verdict = Some(match (verdict.kind(), self.first_loss.take()) {
                    (VerdictKind::Fault, Some(loss)) if verdict.cause == FaultCause::TimeLoss.into() => {
                        let detail = format!("{}; in the game before, {loss}", verdict.detail);
                        Verdict { cause: FailCause::LostOnTime.into(), detail, ..verdict }
                    }
                    // How the clocks ran differs from run to run, and is not asked here.
                    (VerdictKind::Passed, None) => Verdict {
                        cause: PassCause::NoFault.into(),
                        detail: verdict.played.clone(),
                        measures: Vec::new(),
                        ..verdict
                    },
                    (VerdictKind::Passed, Some(loss)) => Verdict {
                        cause: SkipCause::Flaky.into(),
                        detail: format!("{}; in the game before, {loss}", verdict.played),
                        measures: Vec::new(),
                        ..verdict
                    },
                    (VerdictKind::Failed | VerdictKind::Skipped | VerdictKind::Fault, _) => verdict,
                });
                // A fault while the engine ends replaces this verdict.
                CaseStep::Quit
            }
            step => step,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, Timing, run_case};
    use threefold_player::{EngineFault, Player, Question};

    fn suite(games: &str) -> Result<Suite, SuiteError> {
        let text = format!(
            "version = 1\nkind = \"smoke\"\ntitle = \"G\"\npositions = []\n[settings]\nplies = 4\n{games}"
        );
        let suite_file = SourceFile { file: "g.toml".to_owned(), text };
        Suite::read(&SuiteSource { suite_file, positions: Vec::new() })
    }

    const GAME: &str = "[[settings.games]]\nid = \"a\"\ncontrol = \"1+0.01\"\n";

    /// Plays these moves, and ends in this way.
    struct Shuffler {
        moves: [&'static str; 4],
        end: Result<(), EngineFault>,
    }

    impl Player for Shuffler {
        fn name(&self) -> &'static str {
            "shuffler"
        }

        fn new_game(&mut self) -> Result<(), EngineFault> {
            Ok(())
        }

        fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
            let best = self.moves[question.position.moves.len()].parse().ok();
            Ok(Answer { best, ..Answer::silent() })
        }

        fn quit(&mut self) -> Result<(), EngineFault> {
            self.end.clone()
        }
    }

    fn play(moves: [&'static str; 4], end: &Result<(), EngineFault>) -> Verdict {
        let (info, mut case) = suite(GAME).expect("sound").cases().remove(0);
        assert_eq!((info.players.len(), info.note.as_str()), (2, "4 plies at 1+0.01"));
        let player = || -> Box<dyn Player> { Box::new(Shuffler { moves, end: end.clone() }) };
        run_case(case.as_mut(), &mut [player(), player()], Timing::default()).expect("not interrupted")
    }

    #[test]
    fn a_game_passes_if_nothing_goes_wrong_until_the_engine_has_ended() {
        let sound = ["g1f3", "g8f6", "f3g1", "f6g8"];
        assert_eq!(play(sound, &Ok(())).reason(), "no fault: 4 plies");
        let verdict = play(["g1f3", "g8f6", "f3g1", "e2e4"], &Ok(()));
        assert_eq!(verdict.reason(), "illegal move: e2e4 at ply 4");
        let end = EngineFault::Ended {
            status: "signal: 11".to_owned(),
            task: "obeying `quit`".to_owned(),
            last_output: "none".to_owned(),
        };
        let verdict = play(sound, &Err(end));
        assert_eq!(
            verdict.reason(),
            "crash: it ended (signal: 11) while obeying `quit`; its last output: none"
        );
    }

    #[test]
    fn game_lost_on_time_is_played_again_once() {
        let sound = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| says(mv, &[]));
        let late = Answer { elapsed: Duration::from_secs(2), ..says("g1f3", &[]) };
        let loss = "white oversteps 1+0.01 by 990 ms at ply 1";
        let table = [
            (
                [vec![late.clone()], sound.to_vec()].concat(),
                format!("flaky: 4 plies; in the game before, {loss}"),
            ),
            (vec![late.clone(), late], format!("lost on time: {loss}; in the game before, {loss}")),
        ];
        for (answers, reason) in table {
            let mut case = suite(GAME).expect("sound").cases().remove(0).1;
            assert_eq!(lead(case.as_mut(), answers).0.reason(), reason);
        }
    }

    #[test]
    fn games_have_their_options_and_positions() {
        let fen = "fen = \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"\n";
        let cases = suite(&format!("{GAME}{fen}options = {{ Threads = \"2\" }}\n")).expect("sound").cases();
        let threads = vec![("Threads".to_owned(), "2".to_owned())];
        assert_eq!(cases[0].0.players, vec![threads; 2]);
        assert_eq!(cases[0].0.note, "4 plies at 1+0.01, Threads=2");
        let table = [
            (GAME.replace("1+0.01", "nodes=5"), "g.toml:9: `nodes=5` sets no clock for the game; give"),
            (GAME.replace("1+0.01", "x"), "g.toml:9: time control `x`"),
            (
                format!("{GAME}fen = \"8/8/8/8/8/8/8/8 w - - 0 1\"\n"),
                "g.toml:10: no game can begin from `8/8",
            ),
            (format!("{GAME}{GAME}"), "g.toml:11: `a` is also in g.toml:8"),
            (format!("{GAME}[limits]\ndepth = 3\n"), "g.toml: `[limits]` conflicts with the clocks"),
        ];
        for (games, message) in table {
            let error = suite(&games).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
