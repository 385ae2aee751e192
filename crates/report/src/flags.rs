//! Fallen flags in words: by how much, and whose doing it was.
//!
//! A flag is a flag, and its game is lost. But one that fell because the machine kept the engine waiting says nothing
//! about the engine, and nobody is to guess which are which.

use std::time::Duration;

use super::model::{ClockUse, MatchPart};
use super::phrase;
use threefold_chess::clock::Flag;
use threefold_harness::arena::game::End;

/// One flag, and how long the machine kept the engine waiting, where that is known.
pub(super) fn told(flag: Flag, waited: Option<Duration>) -> String {
    let over = phrase::duration(flag.over);
    let Some(kept) = waited.map(phrase::duration) else { return format!("lost on time by {over}") };
    if flag.is_machine_caused(waited) {
        format!("lost on time by {over}, the machine's doing: it kept the engine waiting for {kept}")
    } else {
        format!("lost on time by {over}, its own doing: the machine kept it waiting for {kept}")
    }
}

/// How many flags of one engine fell: `3`, `3 (2 the machine's)`.
pub(super) fn counted(clock: &ClockUse) -> String {
    match clock.flags_of_the_machine {
        0 => clock.flags.to_string(),
        machines => format!("{} ({machines} the machine's)", clock.flags),
    }
}

/// A sentence about all flags in these matches; `None` where none fell of which the machine's part is known.
pub(super) fn summary(matches: &[MatchPart]) -> Option<String> {
    let games = matches.iter().flat_map(|part| &part.games);
    let (mut known, mut machines) = (0, 0);
    for game in games {
        if let End::TimeForfeit { over, waited: waited @ Some(_) } = game.record.end {
            known += 1;
            machines += usize::from(Flag { over }.is_machine_caused(waited));
        }
    }
    (known > 0).then(|| {
        format!(
            "Of {} that fell on wall clocks, {machines} by the machine's doing (it kept the engine waiting for a CPU for \
             at least as long as the engine overstepped) and {} by the engine's own.",
            phrase::count(known, "flag"),
            known - machines
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::NumberedGame;
    use crate::specimen;
    use threefold_harness::arena::game::GameRecord;

    #[test]
    fn whose_doing_a_flag_was_is_told_where_it_is_known() {
        let table = [
            (None, "lost on time by 14 ms"),
            (Some(13), "lost on time by 14 ms, its own doing: the machine kept it waiting for 13 ms"),
            (Some(14), "lost on time by 14 ms, the machine's doing: it kept the engine waiting for 14 ms"),
        ];
        for (waited, expected) in table {
            let flag = Flag { over: Duration::from_millis(14) };
            assert_eq!(told(flag, waited.map(Duration::from_millis)), expected);
        }
    }

    #[test]
    fn flags_are_counted_by_whose_doing_they_were() {
        let mut part = specimen::report().matches.swap_remove(0);
        assert_eq!((counted(&part.clocks[0]).as_str(), summary(std::slice::from_ref(&part))), ("0", None));
        (part.clocks[0].flags, part.clocks[0].flags_of_the_machine) = (3, 2);
        assert_eq!(counted(&part.clocks[0]), "3 (2 the machine's)");
        let over = Duration::from_millis(14);
        let game = part.games.swap_remove(0);
        part.games = [None, Some(over), Some(over / 2), Some(2 * over)]
            .map(|waited| {
                let record = GameRecord { end: End::TimeForfeit { over, waited }, ..game.record.clone() };
                NumberedGame { record, ..game.clone() }
            })
            .to_vec();
        let told = summary(&[part]).expect("three are known");
        assert!(told.starts_with("Of 3 flags that fell on wall clocks, 2 by the machine's"), "{told}");
        assert!(told.ends_with("and 1 by the engine's own."), "{told}");
    }
}
