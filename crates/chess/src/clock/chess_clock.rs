//! One player's clock as a state machine; time used is an argument.
//!
//! Rules that match runners have implemented wrongly, as decided here:
//!
//! - A time loss is decided before time is added: neither the increment nor the next period's time can save a
//!   move that came too late.
//! - The increment is on the clock before the first move, as in fastchess and cutechess.
//! - The margin is a tolerance and adds no time. Within it the game is not lost, but the overrun remains a
//!   debt: later increments and periods pay it off first, and the game is lost once the debt exceeds the
//!   margin. A runner that forgives each overrun gives away time in every move.
//! - UCI transmits whole milliseconds, so an overrun of less than one millisecond beyond the margin does not
//!   lose. It is a debt like any other.
//!
//! So at all times `left − debt = base · periods + increment · moves − used`.

use std::time::Duration;

use super::control::{Control, TimeControl};
use super::limits::Remaining;
use super::time_loss::{Flag, UCI_RESOLUTION};

/// One player's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessClock {
    grant: TimeGrant,
    left: Duration,
    debt: Duration,
    margin: Duration,
}

/// The kind of time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeGrant {
    /// No limit.
    Unlimited,
    /// A fixed time per move, nothing carried over.
    EachMove(Duration),
    /// A clock for the game, with the moves to the end of this period.
    Game { control: TimeControl, to_go: Option<u32> },
}

impl ChessClock {
    /// A clock at the start of a game.
    pub fn new(control: &Control) -> Self {
        let (grant, left) = match (control.time, control.movetime) {
            (Some(time), _) => (
                TimeGrant::Game { control: time, to_go: time.moves.map(std::num::NonZeroU32::get) },
                time.base + time.increment,
            ),
            (None, Some(movetime)) => (TimeGrant::EachMove(movetime), movetime),
            (None, None) => (TimeGrant::Unlimited, Duration::ZERO),
        };
        Self { grant, left, debt: Duration::ZERO, margin: control.margin.unwrap_or_default() }
    }

    /// The time that an engine gets, in whole milliseconds, whether it speaks UCI or is built in; `None`
    /// without a clock.
    pub fn remaining(&self) -> Option<Remaining> {
        // Rounded down, so that an engine gets no more than it has.
        let reported =
            |time: Duration| Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        match self.grant {
            TimeGrant::Game { control, .. } => {
                Some(Remaining { time: reported(self.left), increment: reported(control.increment) })
            }
            TimeGrant::Unlimited | TimeGrant::EachMove(_) => None,
        }
    }

    /// Moves to the next period; `None` in sudden death or without a clock.
    pub fn moves_to_go(&self) -> Option<u32> {
        match self.grant {
            TimeGrant::Game { to_go, .. } => to_go,
            TimeGrant::Unlimited | TimeGrant::EachMove(_) => None,
        }
    }

    /// Subtracts the time of a move. Returns the time left (`None` without a clock), or the time loss.
    pub fn spend(&mut self, used: Duration) -> Result<Option<Duration>, Flag> {
        if self.grant == TimeGrant::Unlimited {
            return Ok(None);
        }
        self.debt += used.saturating_sub(self.left);
        self.left = self.left.saturating_sub(used);
        if self.debt >= self.margin + UCI_RESOLUTION {
            return Err(Flag { over: self.debt, margin: self.margin });
        }
        match &mut self.grant {
            TimeGrant::Unlimited => return Ok(None),
            TimeGrant::EachMove(movetime) => {
                // Nothing is carried over, so an overrun within the margin is no debt.
                self.debt = Duration::ZERO;
                self.left = *movetime;
            }
            TimeGrant::Game { control, to_go } => {
                let credit = control.increment + next_period(*control, to_go);
                self.left += credit.saturating_sub(self.debt);
                self.debt = self.debt.saturating_sub(credit);
            }
        }
        Ok(Some(self.left))
    }
}

/// Counts a move of the period; returns the time added if a new period begins.
fn next_period(control: TimeControl, to_go: &mut Option<u32>) -> Duration {
    match *to_go {
        Some(last) if last <= 1 => {
            *to_go = control.moves.map(std::num::NonZeroU32::get);
            control.base
        }
        Some(more) => {
            *to_go = Some(more - 1);
            Duration::ZERO
        }
        None => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn clock_charges_moves_and_detects_time_losses() {
        let table = [
            // control, times used, result of the last move (time left or overrun)
            ("8+0.08", vec![1000], Ok(Some(7160))),
            ("8+0.08", vec![8080], Ok(Some(80))),
            ("8+0.08", vec![8081], Err(1)),
            ("inf", vec![3_600_000], Ok(None)),
            ("nodes=5", vec![3_600_000], Ok(None)),
            // The next period is added after the decision: move 2 of 2/1 comes too late whatever follows.
            ("2/1", vec![500], Ok(Some(500))),
            ("2/1", vec![500, 500], Ok(Some(1000))),
            ("2/1", vec![500, 501], Err(1)),
            ("2/1", vec![500, 400, 1100], Ok(Some(0))),
            // A fixed time for each move carries nothing over, neither savings nor debt.
            ("st=0.1", vec![10, 100], Ok(Some(100))),
            ("st=0.1", vec![10, 101], Err(1)),
            ("st=0.1,timemargin=5", vec![105, 105, 105], Ok(Some(100))),
            // The margin is granted once: the second overrun adds to the first.
            ("1,timemargin=50", vec![1030], Ok(Some(0))),
            ("1,timemargin=50", vec![1030, 20], Ok(Some(0))),
            ("1,timemargin=50", vec![1030, 21], Err(51)),
            ("1+0.1,timemargin=50", vec![1150], Ok(Some(50))),
            ("1,timemargin=50", vec![1051], Err(51)),
        ];
        for (control, used, outcome) in table {
            let mut clock = ChessClock::new(&control.parse().expect(control));
            let (last, before) = used.split_last().expect("a move");
            for &time in before {
                clock.spend(millis(time)).expect("in time");
            }
            let came = clock.spend(millis(*last));
            let margin = clock.margin;
            let expected =
                outcome.map(|left| left.map(millis)).map_err(|over| Flag { over: millis(over), margin });
            assert_eq!(came, expected, "{control}: {used:?}");
        }
    }

    #[test]
    fn overrun_below_uci_resolution_is_a_debt_and_no_loss() {
        let micros = Duration::from_micros;
        let mut clock = ChessClock::new(&"0.1".parse().expect("sound"));
        assert_eq!(clock.spend(micros(100_600)), Ok(Some(Duration::ZERO)));
        assert_eq!(clock.spend(micros(399)), Ok(Some(Duration::ZERO)));
        assert_eq!(clock.spend(micros(1)), Err(Flag { over: millis(1), margin: Duration::ZERO }));
    }

    #[test]
    fn clock_reports_the_period() {
        let mut clock = ChessClock::new(&"3/60+1".parse().expect("sound"));
        let reported: Vec<_> = (0..4)
            .map(|_| {
                let reported =
                    (clock.moves_to_go(), clock.remaining().map(|remaining| remaining.time.as_secs()));
                clock.spend(millis(1000)).expect("in time");
                reported
            })
            .collect();
        assert_eq!(
            reported,
            [(Some(3), Some(61)), (Some(2), Some(61)), (Some(1), Some(61)), (Some(3), Some(121))]
        );
    }

    proptest! {
        /// Time is conserved, and no clock shows less than zero.
        #[test]
        fn clock_conserves_time(
            moves in 0..5_u32,
            base in 1..1000_u64,
            increment in 0..100_u64,
            margin in 0..100_u64,
            used in prop::collection::vec(0..300_u64, 1..60),
        ) {
            let time = TimeControl {
                moves: std::num::NonZeroU32::new(moves),
                base: millis(base),
                increment: millis(increment),
            };
            let control = Control { time: Some(time), margin: Some(millis(margin)), ..Control::default() };
            let mut clock = ChessClock::new(&control);
            let mut granted = base + increment;
            let mut charged = 0;
            for (index, &time) in (1_u64..).zip(&used) {
                charged += time;
                match clock.spend(millis(time)) {
                    Err(Flag { over, .. }) => {
                        prop_assert_eq!(over, millis(charged - granted));
                        prop_assert!(over > millis(margin));
                        break;
                    }
                    Ok(left) => {
                        prop_assert!(charged <= granted + margin);
                        granted += increment;
                        if moves > 0 && index % u64::from(moves) == 0 {
                            granted += base;
                        }
                        prop_assert_eq!(left, Some(clock.left));
                        prop_assert_eq!(clock.left + millis(charged), millis(granted) + clock.debt);
                        prop_assert!(clock.left.is_zero() || clock.debt.is_zero());
                        prop_assert!(clock.debt <= millis(margin));
                    }
                }
            }
        }
    }
}
