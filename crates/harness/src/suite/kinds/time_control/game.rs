//! One game of an engine against itself, as a case.

use std::time::Duration;

use shakmaty::{ByColor, Color, Position};

use crate::player::{Answer, FaultCause, Question};
use crate::suite::verdict::moves_text;
use crate::suite::{Case, Cause, FailCause, Measure, PassCause, SkipCause, Step, Verdict};
use threefold_chess::clock::{Clocks, Control, Face, Flag, Limits, Pace, duration};
use threefold_chess::line::Line;
use threefold_oracle::referee::Referee;

use super::spending::{Plans, Spending, Spread};

/// What a game is played under.
#[derive(Debug, Clone)]
pub(super) struct Terms {
    pub(super) control: Control,
    pub(super) pace: Pace,
    /// It ends after so many plies beyond its opening.
    pub(super) plies: u32,
    /// What a move loses on its way to the clock: the first of each side, the second, and so on round.
    pub(super) lags: Vec<Duration>,
    /// The least share of the time granted that either side is to use, from 0 to 1.
    pub(super) least_used: f64,
    /// By how much of their mean the trees of the game's moves may spread.
    pub(super) most_spread: Option<f64>,
    /// How much a move may use beyond the most that its manager granted.
    pub(super) most_overrun: Option<Duration>,
}

/// The dialogue: a new game, then a question for each ply.
pub(super) struct Game {
    terms: Terms,
    line: Line,
    /// Plies of the opening.
    opening: usize,
    /// The arbiter; `None` before the new game.
    referee: Option<Referee>,
    faces: ByColor<Face>,
    used: ByColor<Spending>,
    plans: Plans,
    nodes: u64,
}

/// Why a game is broken off.
struct Breach {
    cause: Cause,
    detail: String,
}

impl Breach {
    const fn fault(cause: FaultCause, detail: String) -> Self {
        Self { cause: Cause::Fault(cause), detail }
    }
}

impl Case for Game {
    fn next(&mut self, answer: Option<&Answer>) -> Step {
        let Some(mut referee) = self.referee.take() else {
            return match Referee::new(&self.line) {
                Ok(referee) => {
                    self.referee = Some(referee);
                    Step::NewGame
                }
                Err(error) => Step::Done(Verdict::unsound(error.to_string())),
            };
        };
        if let Some(answer) = answer {
            let turn = referee.position().turn();
            let went_on = self.charge(turn, answer).and_then(|()| self.play(&mut referee, answer));
            if let Err(Breach { cause, detail }) = went_on {
                return Step::Done(self.verdict(answer, cause, detail));
            }
            let ending = referee.ending().map(|ending| ending.to_string());
            let limit = (self.plies() >= self.terms.plies as usize).then(|| "the limit of plies".to_owned());
            if let Some(ending) = ending.or(limit) {
                return Step::Done(self.finish(answer, &ending));
            }
        }
        let question = Question { line: self.line.clone(), limits: self.limits(&referee), only: Vec::new() };
        let turn = referee.position().turn();
        self.referee = Some(referee);
        // Each side is a player of its own: an engine that keeps its clock's account from move to move would
        // mix up the two.
        turn.fold_wb(Step::Ask as fn(Question) -> Step, Step::AskSecond)(question)
    }
}

impl Game {
    pub(super) fn new(opening: &Line, terms: Terms) -> Self {
        let face = Face::new(&terms.control);
        Self {
            terms,
            line: opening.clone(),
            opening: opening.moves.len(),
            referee: None,
            faces: ByColor { white: face.clone(), black: face },
            used: ByColor::default(),
            plans: Plans::default(),
            nodes: 0,
        }
    }

    /// Plies played since the opening.
    fn plies(&self) -> usize {
        self.line.moves.len() - self.opening
    }

    fn limits(&self, referee: &Referee) -> Limits {
        let control = &self.terms.control;
        let own = self.faces.get(referee.position().turn());
        let clocks = match (self.faces.white.remaining(), self.faces.black.remaining()) {
            (Some(white), Some(black)) => Some(Clocks { white, black, moves_to_go: own.moves_to_go() }),
            (None, _) | (_, None) => None,
        };
        Limits { clocks, nodes: control.nodes, depth: control.depth, ..Limits::default() }
    }

    /// Charges the mover for its answer, or says by how much it came too late. What a machine did that was kept busy
    /// is no fault of the engine's, and no game to judge it by.
    fn charge(&mut self, mover: Color, answer: &Answer) -> Result<(), Breach> {
        self.nodes += answer.nodes;
        if let Some(account) = &answer.account {
            self.plans.note(account, answer.waited);
        }
        let cost = self.terms.pace.used(answer.nodes, answer.elapsed) + self.lag();
        let face = self.faces.get_mut(mover);
        if let Some(left) = face.remaining() {
            self.used.get_mut(mover).spend(cost, left.time);
        }
        let Err(flag) = face.spend(cost) else { return Ok(()) };
        let (Flag { over }, ply) = (flag, self.plies() + 1);
        let what =
            format!("{mover} oversteps {} by {} at ply {ply}", self.terms.control, duration::text(over));
        Err(match answer.waited {
            Some(waited) if flag.is_the_machines(Some(waited)) => {
                let detail = format!("{what}, kept waiting {}", duration::text(waited));
                Breach { cause: SkipCause::BusyMachine.into(), detail }
            }
            Some(waited) => {
                let detail = format!("{what}, kept waiting {}", duration::text(waited));
                Breach::fault(FaultCause::TimeLoss, detail)
            }
            None => Breach::fault(FaultCause::TimeLoss, what),
        })
    }

    /// What this move loses on its way to the clock.
    fn lag(&self) -> Duration {
        let turn = self.plies() / 2;
        turn.checked_rem(self.terms.lags.len()).map_or(Duration::ZERO, |index| self.terms.lags[index])
    }

    fn play(&mut self, referee: &mut Referee, answer: &Answer) -> Result<(), Breach> {
        let ply = self.plies() + 1;
        let best = answer.best.ok_or_else(|| Breach::fault(FaultCause::NoMove, format!("at ply {ply}")))?;
        let illegal = |_| Breach::fault(FaultCause::IllegalMove, format!("{best} at ply {ply}"));
        let mv = referee.wire(referee.legal(best).map_err(illegal)?);
        referee.play(mv).map_err(illegal)?;
        self.line.moves.push(mv);
        Ok(())
    }

    fn finish(&self, answer: &Answer, ending: &str) -> Verdict {
        if self.nodes == 0 && self.terms.pace != Pace::Wall {
            return self.verdict(answer, FailCause::NoNodes, "so its clock never ran".to_owned());
        }
        let seen = self.seen(ending);
        let verdict = match self.complaints().split_first() {
            None => self.verdict(answer, PassCause::InTime, seen),
            Some(((cause, first), more)) => {
                // The first cause is what the case counts under; the others are told beside it.
                let more = more.iter().map(|(cause, detail)| Cause::from(*cause).told(detail));
                let details = std::iter::once(first.clone()).chain(more).chain([seen]).collect::<Vec<_>>();
                self.verdict(answer, *cause, details.join("; "))
            }
        };
        Verdict { measures: self.measures(), ..verdict }
    }

    /// What was seen of a game that came to its end.
    fn seen(&self, ending: &str) -> String {
        let share = |color| 100.0 * self.used_share(color);
        let longest = 100.0 * self.used.white.longest.max(self.used.black.longest);
        let clocks = format!(
            "{ending} after {} plies; used {:.1} % and {:.1} % of the time granted to White and Black; \
             longest think {longest:.1} % of the time left",
            self.plies(),
            share(Color::White),
            share(Color::Black),
        );
        let spread = self.plans.spread();
        let spread = spread.map(|it| format!("trees spread by {:.1} % of their mean", 100.0 * it.share()));
        let overrun = self.plans.worst_overrun().map(|overrun| format!("worst overrun {overrun:?}"));
        [Some(clocks), spread, overrun].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// What of it is not as the suite asks. An engine that tells no accounts is judged by its clock alone.
    fn complaints(&self) -> Vec<(FailCause, String)> {
        let Terms { least_used, most_spread, most_overrun, .. } = self.terms;
        let used = self.used_share(Color::White).min(self.used_share(Color::Black));
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

    fn measures(&self) -> Vec<Measure> {
        let millis = |time: Duration| time.as_millis() as u64;
        let used = self.used.white.total + self.used.black.total;
        let left = self.left(Color::White) + self.left(Color::Black);
        let spread = self.plans.spread();
        let spread = spread.map(|Spread { deviation, mean }| {
            Measure::share("spread of trees, nodes", deviation.round() as u64, mean.round() as u64)
        });
        let overrun = self.plans.worst_overrun();
        let overrun = overrun.map(|overrun| Measure::count("worst overrun, ms", millis(overrun)));
        let used = Measure::share("time used, ms", millis(used), millis(used + left));
        [Some(used), spread, overrun].into_iter().flatten().collect()
    }

    /// Time used by a side as a share of what it was granted up to now.
    fn used_share(&self, color: Color) -> f64 {
        let used = self.used.get(color).total;
        used.as_secs_f64() / (used + self.left(color)).as_secs_f64()
    }

    fn left(&self, color: Color) -> Duration {
        self.faces.get(color).remaining().map_or(Duration::ZERO, |remaining| remaining.time)
    }

    fn verdict(&self, last: &Answer, cause: impl Into<Cause>, detail: String) -> Verdict {
        Verdict {
            played: format!("{} plies", self.plies()),
            nodes: self.nodes,
            pv: moves_text(&self.line.moves[self.opening..]),
            ..Verdict::of(last, cause, detail)
        }
    }
}

#[cfg(test)]
mod tests;
