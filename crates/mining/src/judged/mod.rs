//! Traps of the middlegame, where no table reaches: judged, not proven.
//!
//! Echo plays itself with few nodes, so that it goes to and fro at times. Wherever a move would lead to a
//! position that stood on the board once, two Echos are asked that differ in one word alone: is such a
//! position a draw, or not? Where they choose different moves the answer is looked for with a hundred times
//! the nodes, from the position without its history, so that neither word weighs in: a third occurrence is
//! still two visits away, and until then the board alone decides what a move is worth. The case is kept where
//! both deep searches find one of the two moves good and the other bad, and where the one that was misled
//! plays well once the history is taken away: then it was the history that misled it.

mod game;
mod jury;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode};

use self::jury::{Juror, Opinion};
use super::{asked, crew};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Centipawns;
use threefold_echo::Echo;
use threefold_echo::repetition::RepetitionPolicy;
use threefold_named_enum::named_enum;
use threefold_oracle::Referee;

/// What a glance may spend, in nodes.
const GLANCE: u64 = 5_000;

/// What a judgement may spend, in nodes.
const JUDGEMENT: u64 = 100 * GLANCE;

/// How many lines of play a judgement compares.
const LINES: usize = 4;

/// Moves this near to the best are accepted, in centipawns.
const AS_GOOD: i32 = 30;

/// The trap costs at least this, in centipawns.
const COSTS: i32 = 100;

/// Games that are played for each trap asked for before the lot is given up.
const PATIENCE: u64 = 2_000;

named_enum! {
    /// How the history misleads.
    pub enum JudgedClass {
        /// Every good move leads to a position that stood on the board once.
        Repeat = "middlegame-repeat",
        /// The bad move leads to such a position, and a good one does not.
        Refuge = "middlegame-refuge",
        /// Neither does: the repetition lies deeper.
        Deeper = "middlegame-deeper",
    }
}

/// A position of Echo's own games in which the two policies part, and one of them is judged wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedTrap {
    /// How the history misleads.
    pub class: JudgedClass,
    /// The position with its history, since the last capture or pawn move.
    pub line: GamePosition,
    /// The moves that both deep searches find good, the best first.
    pub best: Vec<UciMove>,
    /// What the misled policy plays.
    pub avoid: UciMove,
    /// Who is misled.
    pub misled: RepetitionPolicy,
    /// What the bad move costs, in centipawns, by the deep search that finds it less bad.
    pub costs: Centipawns,
}

/// Two jurors.
struct Jury {
    draw: Juror,
    ignored: Juror,
}

impl Jury {
    fn new() -> Self {
        let draw = Juror::new(RepetitionPolicy::HistoryDraw);
        Self { draw, ignored: Juror::new(RepetitionPolicy::HistoryIgnored) }
    }

    /// The trap that a position with its history is, if it is one.
    fn judge(&mut self, line: &GamePosition) -> Option<JudgedTrap> {
        let referee = Referee::new(line).ok()?;
        let bare = GamePosition {
            start: Fen::from_position(referee.position(), EnPassantMode::Legal),
            moves: Vec::new(),
        };
        let by_draw = self.draw.choice(line, GLANCE)?;
        let by_ignored = self.ignored.choice(line, GLANCE)?;
        if by_draw == by_ignored {
            return None;
        }
        let deep = [self.draw.opinions(&bare, JUDGEMENT, &[]), self.ignored.opinions(&bare, JUDGEMENT, &[])];
        let best = as_good(&deep);
        let (misled, avoid) = match (best.contains(&by_draw), best.contains(&by_ignored)) {
            (false, true) => (RepetitionPolicy::HistoryDraw, by_draw),
            (true, false) => (RepetitionPolicy::HistoryIgnored, by_ignored),
            _ => return None,
        };
        let juror = match misled {
            RepetitionPolicy::HistoryDraw => &mut self.draw,
            _ => &mut self.ignored,
        };
        if !best.contains(&juror.choice(&bare, GLANCE)?) {
            return None;
        }
        let [draw, ignored] = deep;
        let costs = [(&mut self.draw, draw), (&mut self.ignored, ignored)]
            .into_iter()
            .map(|(juror, deep)| {
                let bad = juror.opinions(&bare, JUDGEMENT, &[avoid]);
                Some(deep.first()?.worth.0 - bad.first()?.worth.0)
            })
            .collect::<Option<Vec<i32>>>()?;
        let costs = costs.into_iter().min().filter(|&costs| costs >= COSTS)?;
        let class = JudgedClass::of(&referee, &best, avoid);
        Some(JudgedTrap { class, line: line.clone(), best, avoid, misled, costs: Centipawns(costs) })
    }
}

/// The moves that both find good, in the first one's order.
fn as_good(deep: &[Vec<Opinion>; 2]) -> Vec<UciMove> {
    let good = |opinions: &[Opinion]| -> Vec<UciMove> {
        let best = opinions.first().map_or(0, |best| best.worth.0);
        opinions.iter().filter(|other| other.worth.0 + AS_GOOD >= best).map(|other| other.mv).collect()
    };
    let [first, second] = deep.each_ref().map(|opinions| good(opinions));
    first.into_iter().filter(|mv| second.contains(mv)).collect()
}

impl JudgedClass {
    /// The class of a position with its good moves and the bad one.
    pub fn of(referee: &Referee, best: &[UciMove], avoid: UciMove) -> Self {
        let repeats = |mv: UciMove| referee.legal(mv).is_ok_and(|mv| referee.occurrences_after(mv) > 0);
        if best.iter().all(|&mv| repeats(mv)) {
            Self::Repeat
        } else if repeats(avoid) {
            Self::Refuge
        } else {
            Self::Deeper
        }
    }
}

/// Mines traps from Echo's games, one from each game at most and no position twice. The same seed finds the
/// same, whatever the number of threads. `heard` is told of games played and traps found.
pub fn mine(
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    heard: &mut dyn FnMut(usize, usize),
) -> Vec<JudgedTrap> {
    let mut traps: Vec<JudgedTrap> = Vec::new();
    let mut positions: Vec<Chess> = Vec::new();
    let mut played = 0;
    let tools = || (game::player(), Jury::new());
    let work = |(player, jury): &mut (Echo, Jury), number: u64| {
        let mut lot = crew::lot(seed, number);
        game::moments(&mut lot, player).into_iter().find_map(|(line, here)| Some((here, jury.judge(&line)?)))
    };
    crew::in_turn(threads, 0..count as u64 * PATIENCE, tools, work, |found| {
        played += 1;
        if let Some((position, trap)) = found
            && !positions.contains(&position)
        {
            positions.push(position);
            traps.push(trap);
        }
        heard(played, traps.len());
        if traps.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    traps
}

/// The file that [`mine`] makes of a seed, to the byte. It is another one where Echo plays otherwise.
pub fn file(seed: u64, count: usize, threads: NonZeroUsize, heard: &mut dyn FnMut(usize, usize)) -> String {
    let traps = mine(seed, count, threads, heard);
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for (number, trap) in (1..).zip(&traps) {
        written = written.and_then(|()| rows.write_record(row(number, trap)));
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    let rows = String::from_utf8(rows).expect("made of strings");
    format!(
        "# Repetition traps of the middlegame, from Echo's own games: judged, not proven.\n\
         # Two policies part at {GLANCE} nodes; {JUDGEMENT} nodes of both, without the history, settle the answer.\n\
         # `misled`: the policy that plays `avoid`; `costs`: what that gives away, in centipawns.\n\
         # Made by: threefold positions judged --seed {seed} --count {count}\n\
         {}\
         # Checked again by: threefold positions check\n\
         {rows}",
        asked::by_whom()
    )
}

/// The columns, in order.
const COLUMNS: [&str; 9] = ["id", "class", "fen", "moves", "best", "avoid", "source", "misled", "costs"];

fn row(number: usize, trap: &JudgedTrap) -> [String; COLUMNS.len()] {
    let best: Vec<String> = trap.best.iter().map(ToString::to_string).collect();
    [
        format!("middlegame.{number:03}"),
        trap.class.to_string(),
        trap.line.start.to_string(),
        trap.line.moves_text(),
        best.join(" "),
        trap.avoid.to_string(),
        "judged".to_owned(),
        trap.misled.to_string(),
        trap.costs.0.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;

    fn opinions(text: &str) -> Vec<Opinion> {
        let mut words = text.split(' ');
        std::iter::from_fn(|| {
            let mv = words.next()?.parse().expect("a move");
            let worth = Centipawns(words.next()?.parse().expect("centipawns"));
            Some(Opinion { mv, worth })
        })
        .collect()
    }

    #[test]
    fn a_move_is_good_where_both_find_it_as_good_as_the_best() {
        let table = [
            ("a2a3 50 b2b3 20 c2c3 19", "b2b3 10 a2a3 0", "a2a3 b2b3"),
            ("a2a3 50 b2b3 20", "b2b3 10 a2a3 -21", "b2b3"),
            ("a2a3 50", "b2b3 10", ""),
        ];
        for (first, second, good) in table {
            let found: Vec<String> =
                as_good(&[opinions(first), opinions(second)]).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), good, "{first}; {second}");
        }
    }

    #[test]
    fn a_case_is_called_by_what_repeats() {
        // The rook has gone to and fro: a1a2 leads to a position that stood on the board once.
        let line =
            GamePosition::parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2 e8e7 a2a1 e7e8").expect("sound");
        let referee = Referee::new(&line).expect("legal");
        let table = [
            ("a1a2", "a1a3", JudgedClass::Repeat),
            ("a1a3", "a1a2", JudgedClass::Refuge),
            ("a1a3", "a1a4", JudgedClass::Deeper),
        ];
        for (best, avoid, expected) in table {
            let [best, avoid] = [best, avoid].map(|mv| mv.parse().expect("a move"));
            assert_eq!(JudgedClass::of(&referee, &[best], avoid), expected);
        }
    }

    #[test]
    fn where_the_policies_agree_there_is_no_trap() {
        let line = GamePosition::parse("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "").expect("sound");
        assert_eq!(Jury::new().judge(&line), None);
    }

    #[test]
    fn moments_are_positions_in_which_a_move_repeats() {
        let moments: Vec<(GamePosition, Chess)> =
            (0..4).flat_map(|game| game::moments(&mut crew::lot(1, game), &mut game::player())).collect();
        assert!(!moments.is_empty());
        for (line, here) in moments {
            let referee = Referee::new(&line).expect("legal");
            let once = |mv| referee.occurrences_after(mv) == 1;
            assert!(here.legal_moves().into_iter().any(once), "{line}");
            assert_eq!(*referee.position(), here);
        }
    }
}
