//! A game of an engine against itself, as a case.

use std::time::Duration;

use shakmaty::{ByColor, Color, Position};

use crate::verdict::moves_text;
use crate::{Case, CaseStep, Cause, FailCause, Measure, PassCause, SkipCause, Verdict};
use threefold_chess::clock::{ClockSource, Control, Delays, Flag, duration};
use threefold_chess::position::GamePosition;
use threefold_games::playout::{self, EndCause, GameState, Playout, TurnReply, TurnRequest};
use threefold_player::{Answer, FaultCause, Question};

use super::spending::{Spending, Spread, TimePlans};

/// The conditions of a game.
#[derive(Debug, Clone)]
pub(in crate::kinds) struct TimedGameTerms {
    pub(in crate::kinds) controls: ByColor<Control>,
    /// The time margin of a control without its own.
    pub(in crate::kinds) margin: Duration,
    pub(in crate::kinds) clock_source: ClockSource,
    /// The ply limit beyond the opening.
    pub(in crate::kinds) plies: u32,
    /// The time that a move loses on its way to the clock: each side's first move, the second, and so on,
    /// cyclically.
    pub(in crate::kinds) lags: Vec<Duration>,
    /// The smallest share of the granted time that either side must use, from 0 to 1. In a game that ends before
    /// [`PLANNED_PLIES`] and before the ply limit, it is proportionally less.
    pub(in crate::kinds) least_used: f64,
    /// The largest coefficient of variation of the tree sizes of the game's moves.
    pub(in crate::kinds) most_spread: Option<f64>,
    /// By how much a move may exceed the maximum of its time plan.
    pub(in crate::kinds) most_overrun: Option<Duration>,
}

/// The nodes by which a move may be late on a virtual clock: the longest usual interval at which engines look
/// at their clock. How many nodes after its time a search ends is chance.
const MARGIN_NODES: u32 = 4096;

/// The plies that time managers commonly plan for: 40 moves of each side. In a game that ends earlier, what was kept
/// for the other moves is not wasted.
const PLANNED_PLIES: usize = 80;

/// The time margin of controls without their own.
pub(in crate::kinds) fn margin(clock_source: ClockSource) -> Duration {
    match clock_source {
        ClockSource::Virtual { nodes_per_second } => {
            Duration::from_secs(1) * MARGIN_NODES / nodes_per_second.get()
        }
        ClockSource::Wall => Duration::ZERO,
    }
}

/// The dialogue: a new game, then a question for each ply.
pub(in crate::kinds) struct TimedGameCase {
    terms: TimedGameTerms,
    opening: GamePosition,
    /// `None` before the new game.
    playout: Option<Playout>,
    used: ByColor<Spending>,
    plans: TimePlans,
    nodes: u64,
}

impl Case for TimedGameCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let Some(mut playout) = self.playout.take() else {
            return match Playout::new(&self.opening, &self.terms.playout()) {
                Ok(playout) => {
                    self.playout = Some(playout);
                    CaseStep::NewGame
                }
                Err(error) => CaseStep::Done(Verdict::unsound_case(error.to_string())),
            };
        };
        if let Some(answer) = answer {
            self.take(&mut playout, answer);
        }
        match (playout.state(), answer) {
            (GameState::ToMove(TurnRequest { mover, limits }), _) => {
                let question = Question { position: playout.line().clone(), limits, searchmoves: Vec::new() };
                self.playout = Some(playout);
                // Each side is its own player: an engine that keeps time data from move to move would
                // otherwise mix up both sides.
                mover.fold_wb(CaseStep::Ask as fn(Question) -> CaseStep, CaseStep::AskSecond)(question)
            }
            (GameState::Over(ending), Some(answer)) => {
                CaseStep::Done(self.judge(&playout, ending.cause, answer))
            }
            (GameState::Over(ending), None) => {
                CaseStep::Done(Verdict::unsound_case(format!("the opening is over: {}", ending.cause)))
            }
        }
    }
}

impl TimedGameTerms {
    /// Both sides' clocks, or one if they are the same.
    pub(in crate::kinds) fn clocks(&self) -> String {
        let ByColor { white, black } = self.controls;
        if white == black { white.to_string() } else { format!("{white} against {black}") }
    }

    fn playout(&self) -> playout::GameConditions {
        let control = |given: Control| given.or(Control { margin: Some(self.margin), ..Control::default() });
        playout::GameConditions {
            controls: [control(self.controls.white), control(self.controls.black)],
            clock_sources: [self.clock_source; 2],
            ..playout::GameConditions::of_plies(self.plies as usize)
        }
    }
}

impl TimedGameCase {
    pub(in crate::kinds) fn new(opening: &GamePosition, terms: TimedGameTerms) -> Self {
        Self {
            terms,
            opening: opening.clone(),
            playout: None,
            used: ByColor::default(),
            plans: TimePlans::default(),
            nodes: 0,
        }
    }

    /// Takes an answer, with the time that its move loses on its way to the clock.
    fn take(&mut self, playout: &mut Playout, answer: &Answer) {
        self.nodes += answer.nodes;
        if let Some(account) = &answer.account {
            self.plans.note(account, answer.delays.map(Delays::total));
        }
        let GameState::ToMove(TurnRequest { mover, .. }) = playout.state() else { return };
        let before = playout.remaining(mover);
        let Answer { best, nodes, elapsed, .. } = *answer;
        let lag = self.lag(playout.moves().len());
        let moved = playout.answer(&TurnReply { best, nodes, elapsed, lag, score: None });
        if let Some((before, used)) = before.zip(moved.and_then(|moved| moved.used)) {
            self.used.get_mut(mover).spend(used, before.time);
        }
    }

    /// The time that the move after this number of plies loses on its way to the clock.
    fn lag(&self, plies: usize) -> Duration {
        let turn = plies / 2;
        // Without lags the division has no remainder.
        turn.checked_rem(self.terms.lags.len()).map_or(Duration::ZERO, |index| self.terms.lags[index])
    }

    /// The verdict on a game that the last answer ended.
    fn judge(&self, playout: &Playout, cause: EndCause, last: &Answer) -> Verdict {
        let ply = playout.moves().len() + 1;
        match cause {
            EndCause::Rule(_) | EndCause::PlyLimit | EndCause::Adjudicated(_) => {
                self.finish(playout, last, &cause.to_string())
            }
            EndCause::NoMove => self.verdict(playout, last, FaultCause::NoMove, format!("at ply {ply}")),
            EndCause::IllegalMove(mv) => {
                self.verdict(playout, last, FaultCause::IllegalMove, format!("{mv} at ply {ply}"))
            }
            EndCause::Flag(flag) => self.flagged(playout, flag, last),
        }
    }

    /// A time loss that a busy machine caused is not the engine's fault, and the game is not judged.
    fn flagged(&self, playout: &Playout, flag: Flag, last: &Answer) -> Verdict {
        // The late move was not played, so its side is still to move.
        let (mover, ply) = (playout.referee().position().turn(), playout.moves().len() + 1);
        let over = duration::format_duration(flag.over);
        let what = format!("{mover} oversteps {} by {over} at ply {ply}", self.terms.controls.get(mover));
        let kept = last.delays.map(|delays| {
            format!(", kept waiting {}", duration::format_duration(delays.total().min(flag.over)))
        });
        let kept = kept.unwrap_or_default();
        if flag.is_excused(last.delays) {
            self.verdict(playout, last, SkipCause::BusyMachine, format!("{what}{kept}"))
        } else {
            self.verdict(playout, last, FaultCause::TimeLoss, format!("{what}{kept}"))
        }
    }

    fn finish(&self, playout: &Playout, answer: &Answer, ending: &str) -> Verdict {
        if self.nodes == 0 && self.terms.clock_source != ClockSource::Wall {
            return self.verdict(playout, answer, FailCause::NoNodes, "so its clock never ran".to_owned());
        }
        let seen = self.seen(playout, ending);
        let verdict = match self.complaints(playout).split_first() {
            None => self.verdict(playout, answer, PassCause::InTime, seen),
            Some(((cause, first), more)) => {
                // The first cause is the cause of the case; the others are in the detail.
                let more = more.iter().map(|(cause, detail)| Cause::from(*cause).with_detail(detail));
                let details = std::iter::once(first.clone()).chain(more).chain([seen]).collect::<Vec<_>>();
                self.verdict(playout, answer, *cause, details.join("; "))
            }
        };
        Verdict { measures: self.measures(playout), ..verdict }
    }

    /// A description of a finished game.
    fn seen(&self, playout: &Playout, ending: &str) -> String {
        let share = |color| 100.0 * self.used_share(playout, color);
        let longest = 100.0 * self.used.white.longest.max(self.used.black.longest);
        let clocks = format!(
            "{ending} after {} plies; used {:.1} % and {:.1} % of the time granted to White and Black; \
             longest think {longest:.1} % of the time left",
            playout.moves().len(),
            share(Color::White),
            share(Color::Black),
        );
        let spread = self.plans.spread();
        let spread = spread.map(|it| format!("trees spread by {:.1} % of their mean", 100.0 * it.share()));
        let overrun = self.plans.worst_overrun().map(|overrun| format!("worst overrun {overrun:?}"));
        [Some(clocks), spread, overrun].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// The violated requirements of the suite. An engine without time reports is judged by its clock only.
    fn complaints(&self, playout: &Playout) -> Vec<(FailCause, String)> {
        let TimedGameTerms { most_spread, most_overrun, .. } = self.terms;
        let least_used = self.least_used(playout.moves().len());
        let used = self.used_share(playout, Color::White).min(self.used_share(playout, Color::Black));
        let idle = (used < least_used)
            .then(|| (FailCause::Idle, format!("less than {:.0} % of the clock", 100.0 * least_used)));
        let spread = self.plans.spread().zip(most_spread).filter(|(spread, most)| spread.share() > *most);
        let uneven = spread
            .map(|(_, most)| (FailCause::Uneven, format!("trees spread by more than {:.0} %", 100.0 * most)));
        let overrun = self.plans.worst_overrun().zip(most_overrun).filter(|(overrun, most)| overrun > most);
        let late = overrun.map(|(_, most)| {
            (FailCause::Overrun, format!("a move exceeds its maximum by more than {most:?}"))
        });
        [idle, uneven, late].into_iter().flatten().collect()
    }

    fn measures(&self, playout: &Playout) -> Vec<Measure> {
        let millis = |time: Duration| time.as_millis() as u64;
        let used = self.used.white.total + self.used.black.total;
        let left = left(playout, Color::White) + left(playout, Color::Black);
        let spread = self.plans.spread();
        let spread = spread.map(|Spread { deviation, mean }| {
            Measure::share("spread of trees, nodes", deviation.round() as u64, mean.round() as u64)
        });
        let overrun = self.plans.worst_overrun();
        let overrun = overrun.map(|overrun| Measure::count("worst overrun, ms", millis(overrun)));
        let used = Measure::share("time used, ms", millis(used), millis(used + left));
        [Some(used), spread, overrun].into_iter().flatten().collect()
    }

    /// The smallest share of the granted time that each side must use in a game of this length.
    fn least_used(&self, plies: usize) -> f64 {
        if plies < PLANNED_PLIES.min(self.terms.plies as usize) {
            self.terms.least_used * plies as f64 / PLANNED_PLIES as f64
        } else {
            self.terms.least_used
        }
    }

    /// The share of the granted time that a side has used so far.
    fn used_share(&self, playout: &Playout, color: Color) -> f64 {
        let used = self.used.get(color).total;
        used.as_secs_f64() / (used + left(playout, color)).as_secs_f64()
    }

    fn verdict(&self, playout: &Playout, last: &Answer, cause: impl Into<Cause>, detail: String) -> Verdict {
        Verdict {
            played: format!("{} plies", playout.moves().len()),
            nodes: self.nodes,
            pv: moves_text(playout.moves()),
            ..Verdict::new(last, cause, detail)
        }
    }
}

fn left(playout: &Playout, color: Color) -> Duration {
    playout.remaining(color).map_or(Duration::ZERO, |remaining| remaining.time)
}

#[cfg(test)]
mod tests;
