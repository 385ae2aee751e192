//! Warnings for time controls that are valid but probably typing errors.

use std::time::Duration;

use super::control::TimeControl;
use super::seconds::Seconds;

impl TimeControl {
    /// The warning, in a sentence, if this time control is probably a typing error.
    pub fn warning(&self) -> Option<String> {
        /// A game with less time than this is shorter than the overhead of running it.
        const SHORTEST_GAME: Duration = Duration::from_millis(100);
        /// The assumed number of moves of each side.
        const MOVES: u32 = 40;
        let second = Duration::from_secs(1);
        let minutes = self.base.as_secs() / 60;
        // `10/0.1` is probably `10+0.1`, with a slash for the plus.
        if let Some(moves) = self.moves.filter(|_| self.base < second) {
            let base = Seconds(self.base);
            return Some(format!(
                "`{self}` is {moves} moves in {base} s; for {moves} s and {base} s a move write `{moves}+{base}`"
            ));
        }
        let seconds = self.base.saturating_sub(Duration::from_secs(60 * minutes));
        // `8:0.08` is probably `8+0.08`, with a colon for the plus.
        if minutes > 0 && !seconds.is_zero() && seconds < second {
            let seconds = Seconds(seconds);
            return Some(format!(
                "`{self}` is {minutes} minutes and {seconds} s; for {minutes} s and {seconds} s a move write \
                 `{minutes}+{seconds}`"
            ));
        }
        let granted = self.base + self.increment * MOVES;
        (granted < SHORTEST_GAME).then(|| {
            format!(
                "`{self}` grants {} ms for a game of {MOVES} moves; times are in seconds",
                granted.as_millis()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implausible_time_controls_give_a_warning() {
        let table = [
            ("8/0.08", "`8/0.08` is 8 moves in 0.08 s; for 8 s and 0.08 s a move write `8+0.08`"),
            ("8:0.08", "`480.08` is 8 minutes and 0.08 s; for 8 s and 0.08 s a move write `8+0.08`"),
            ("0.08", "`0.08` grants 80 ms for a game of 40 moves; times are in seconds"),
            ("0.05+0.0005", "`0.05+0.0005` grants 70 ms for a game of 40 moves; times are in seconds"),
            ("8+0.08", ""),
            ("40/60", ""),
            ("1:30+1", ""),
            ("60+0.6", ""),
            ("0.2+0.002", ""),
            ("0+0.1", ""),
        ];
        for (written, warning) in table {
            let control: TimeControl = written.parse().expect(written);
            assert_eq!(control.warning().unwrap_or_default(), warning, "{written}");
        }
    }
}
