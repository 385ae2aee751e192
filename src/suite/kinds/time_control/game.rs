//! One game of an engine against itself, as a case.

use std::time::Duration;

use shakmaty::{ByColor, Color, Position};

use crate::clock::{Clocks, Control, Face, Flag, Limits, Pace};
use crate::line::Line;
use crate::player::{Answer, Question};
use crate::suite::verdict::moves_text;
use crate::suite::{Case, Mark, Step, Verdict};
use crate::truth::referee::Referee;

/// What a game is played under.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub(super) control: Control,
    pub(super) pace: Pace,
    /// It ends after so many plies beyond its opening.
    pub(super) plies: u32,
    /// What every move loses on its way to the clock.
    pub(super) lag: Duration,
    /// The least share of the time granted that either side is to use, from 0 to 1.
    pub(super) least_used: f64,
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
    used: ByColor<Use>,
    nodes: u64,
}

/// How one side used its time.
#[derive(Debug, Clone, Copy, Default)]
struct Use {
    total: Duration,
    longest: f64,
}

impl Case for Game {
    fn next(&mut self, answer: Option<&Answer>) -> Step {
        let Some(mut referee) = self.referee.take() else {
            return match Referee::new(&self.line) {
                Ok(referee) => {
                    self.referee = Some(referee);
                    Step::NewGame
                }
                Err(error) => Step::Done(Verdict::fault(error.to_string())),
            };
        };
        if let Some(answer) = answer {
            let turn = referee.position().turn();
            if let Err(reason) = self.charge(turn, answer).and_then(|()| self.play(&mut referee, answer)) {
                return Step::Done(self.verdict(answer, Mark::Fault, reason));
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

    /// Charges the mover for its answer, or says by how much it came too late.
    fn charge(&mut self, mover: Color, answer: &Answer) -> Result<(), String> {
        self.nodes += answer.nodes;
        let cost = self.terms.pace.used(answer.nodes, answer.elapsed) + self.terms.lag;
        let face = self.faces.get_mut(mover);
        let left = face.remaining().map(|remaining| remaining.time);
        let used = self.used.get_mut(mover);
        used.total += cost;
        let share = left.map_or(0.0, |left| cost.as_secs_f64() / left.as_secs_f64());
        used.longest = used.longest.max(share);
        let spent = face.spend(cost);
        spent.map(drop).map_err(|Flag { over }| {
            let ply = self.plies() + 1;
            format!("flag: {mover} oversteps {} by {over:?} at ply {ply}", self.terms.control)
        })
    }

    fn play(&mut self, referee: &mut Referee, answer: &Answer) -> Result<(), String> {
        let ply = self.plies() + 1;
        let best = answer.best.ok_or_else(|| format!("it names no move at ply {ply}"))?;
        let illegal = |_| format!("illegal move {best} at ply {ply}");
        let mv = referee.wire(referee.legal(best).map_err(illegal)?);
        referee.play(mv).map_err(illegal)?;
        self.line.moves.push(mv);
        Ok(())
    }

    fn finish(&self, answer: &Answer, ending: &str) -> Verdict {
        if self.nodes == 0 {
            let reason = "it tells no nodes, so its clock never ran".to_owned();
            return self.verdict(answer, Mark::Failed, reason);
        }
        let share = |color| 100.0 * self.used_share(color);
        let longest = 100.0 * self.used.white.longest.max(self.used.black.longest);
        let reason = format!(
            "{ending} after {} plies; used {:.1} % and {:.1} % of the time granted to White and Black; \
             longest think {longest:.1} % of the time left",
            self.plies(),
            share(Color::White),
            share(Color::Black),
        );
        let idles = [Color::White, Color::Black]
            .into_iter()
            .any(|side| self.used_share(side) < self.terms.least_used);
        if idles {
            let reason =
                format!("idle: less than {:.0} % of the clock; {reason}", 100.0 * self.terms.least_used);
            return self.verdict(answer, Mark::Failed, reason);
        }
        self.verdict(answer, Mark::Passed, reason)
    }

    /// Time used by a side as a share of what it was granted up to now.
    fn used_share(&self, color: Color) -> f64 {
        let left = self.faces.get(color).remaining().map_or(Duration::ZERO, |remaining| remaining.time);
        let used = self.used.get(color).total;
        used.as_secs_f64() / (used + left).as_secs_f64()
    }

    fn verdict(&self, last: &Answer, mark: Mark, reason: String) -> Verdict {
        Verdict {
            played: format!("{} plies", self.plies()),
            nodes: self.nodes,
            pv: moves_text(&self.line.moves[self.opening..]),
            ..Verdict::of(last, mark, reason)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::dialogue::script::{lead, says};

    fn game(control: &str, plies: u32) -> Game {
        let terms = Terms {
            control: control.parse().expect("a control"),
            pace: "virtual:1000".parse().expect("a pace"),
            plies,
            lag: Duration::ZERO,
            least_used: 0.0,
        };
        Game::new(&Line::start_position(), terms)
    }

    /// Knights go out and home, each move for so many nodes.
    fn shuffle(nodes: &[u64]) -> Vec<Answer> {
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle();
        moves.zip(nodes).map(|(mv, &nodes)| Answer { nodes, ..says(mv, &[]) }).collect()
    }

    #[test]
    fn a_game_ends_by_the_rules_by_its_length_or_by_a_fault() {
        let other = |mv: &str| [shuffle(&[100]), vec![says(mv, &[])]].concat();
        let table = [
            // control, plies, answers, mark, what was played, reason
            (
                "1+0.5",
                160,
                shuffle(&[600, 50, 300, 50, 300, 50, 300, 50]),
                Mark::Passed,
                "8 plies",
                "threefold repetition after 8 plies; used 42.9 % and 5.7 % of the time granted to White and Black; \
                 longest think 40.0 % of the time left",
            ),
            (
                "2/1",
                4,
                shuffle(&[500, 100, 500, 100]),
                Mark::Passed,
                "4 plies",
                "the limit of plies after 4 plies; used 50.0 % and 10.0 % of the time granted to White and \
                 Black; longest think 100.0 % of the time left",
            ),
            ("1", 160, shuffle(&[1001]), Mark::Fault, "0 plies", "flag: white oversteps 1 by 1ms at ply 1"),
            (
                "1+0.01",
                160,
                shuffle(&[1, 1010, 1, 11]),
                Mark::Fault,
                "3 plies",
                "flag: black oversteps 1+0.01 by 1ms at ply 4",
            ),
            ("1", 160, other("e2e4"), Mark::Fault, "1 plies", "illegal move e2e4 at ply 2"),
            ("1", 160, other(""), Mark::Fault, "1 plies", "it names no move at ply 2"),
            ("1", 2, shuffle(&[0, 0]), Mark::Failed, "2 plies", "it tells no nodes, so its clock never ran"),
        ];
        for (control, plies, answers, mark, played, reason) in table {
            let mut case = game(control, plies);
            let (verdict, _, games) = lead(&mut case, answers);
            assert_eq!((verdict.mark, verdict.reason.as_str()), (mark, reason), "{control}");
            assert_eq!((verdict.played.as_str(), games), (played, 1), "{control}");
        }
    }

    #[test]
    fn lag_counts_and_idling_fails() {
        let terms = Terms { lag: Duration::from_millis(400), ..game("1", 4).terms };
        let mut case = Game::new(&Line::start_position(), terms);
        let (verdict, _, _) = lead(&mut case, shuffle(&[100, 100, 300, 100]));
        assert_eq!(
            (verdict.mark, verdict.reason.as_str()),
            (Mark::Fault, "flag: white oversteps 1 by 200ms at ply 3")
        );
        let terms = Terms { least_used: 0.25, ..game("1", 2).terms };
        for (nodes, mark) in [([250, 300], Mark::Passed), ([250, 200], Mark::Failed)] {
            let (verdict, _, _) = lead(&mut Game::new(&Line::start_position(), terms), shuffle(&nodes));
            assert_eq!(verdict.mark, mark, "{}", verdict.reason);
        }
    }

    #[test]
    fn both_clocks_are_shown_with_the_movers_period() {
        let mut case = game("2/1+0.1", 4);
        let (_, asked, _) = lead(&mut case, shuffle(&[100, 200, 100, 100]));
        let told: Vec<_> = asked
            .iter()
            .filter_map(|question| question.limits.clocks)
            .map(|clocks| (clocks.white.time.as_millis(), clocks.black.time.as_millis(), clocks.moves_to_go))
            .collect();
        assert_eq!(
            told,
            [(1100, 1100, Some(2)), (1100, 1100, Some(2)), (1100, 1000, Some(1)), (2100, 1000, Some(1))]
        );
    }
}
