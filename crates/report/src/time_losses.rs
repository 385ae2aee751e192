//! Time losses in words: by how much, and whether the machine or the engine caused them.
//!
//! Every time loss counts as a loss. A time loss says nothing about the engine if the machine delayed it, so the report
//! shows the cause.

use std::time::Duration;

use super::format;
use super::model::{ClockUse, MatchPart};
use threefold_chess::clock::Flag;
use threefold_harness::arena::game::GameEnd;

/// One time loss, with the delay by the machine, if that is known.
pub(super) fn describe(flag: Flag, waited: Option<Duration>) -> String {
    let over = format::duration(flag.over);
    let Some(kept) = waited.map(format::duration) else { return format!("lost on time by {over}") };
    if flag.is_machine_caused(waited) {
        format!("lost on time by {over}; caused by the machine, which delayed the engine by {kept}")
    } else {
        format!("lost on time by {over}; caused by the engine (the machine delayed it by {kept})")
    }
}

/// Time losses of one engine: `3`, `3 (2 caused by the machine)`.
pub(super) fn counted(clock: &ClockUse) -> String {
    match clock.flags_of_the_machine {
        0 => clock.flags.to_string(),
        machines => format!("{} ({machines} caused by the machine)", clock.flags),
    }
}

/// A sentence about all time losses in these matches; `None` if there is none with a known delay by the machine.
pub(super) fn summary(matches: &[MatchPart]) -> Option<String> {
    let games = matches.iter().flat_map(|part| &part.games);
    let (mut known, mut machines) = (0, 0);
    for game in games {
        if let GameEnd::TimeForfeit { over, waited: waited @ Some(_) } = game.record.end {
            known += 1;
            machines += usize::from(Flag { over }.is_machine_caused(waited));
        }
    }
    (known > 0).then(|| {
        format!(
            "Losses on wall clocks: {known}. Caused by the machine, which delayed the engine by at least the time it \
             overstepped: {machines}. Caused by the engine: {}.",
            known - machines
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::model::NumberedGame;
    use threefold_harness::arena::game::GameRecord;

    #[test]
    fn time_loss_names_its_cause_if_known() {
        let table = [
            (None, "lost on time by 14 ms"),
            (Some(13), "lost on time by 14 ms; caused by the engine (the machine delayed it by 13 ms)"),
            (Some(14), "lost on time by 14 ms; caused by the machine, which delayed the engine by 14 ms"),
        ];
        for (waited, expected) in table {
            let flag = Flag { over: Duration::from_millis(14) };
            assert_eq!(describe(flag, waited.map(Duration::from_millis)), expected);
        }
    }

    #[test]
    fn time_losses_are_counted_by_cause() {
        let mut part = fixture::report().matches.swap_remove(0);
        assert_eq!((counted(&part.clocks[0]).as_str(), summary(std::slice::from_ref(&part))), ("0", None));
        (part.clocks[0].flags, part.clocks[0].flags_of_the_machine) = (3, 2);
        assert_eq!(counted(&part.clocks[0]), "3 (2 caused by the machine)");
        let over = Duration::from_millis(14);
        let game = part.games.swap_remove(0);
        part.games = [None, Some(over), Some(over / 2), Some(2 * over)]
            .map(|waited| {
                let record = GameRecord { end: GameEnd::TimeForfeit { over, waited }, ..game.record.clone() };
                NumberedGame { record, ..game.clone() }
            })
            .to_vec();
        let text = summary(&[part]).expect("three are known");
        assert!(text.starts_with("Losses on wall clocks: 3."), "{text}");
        assert!(text.ends_with("overstepped: 2. Caused by the engine: 1."), "{text}");
    }
}
