//! Time losses in words: by how much, and whether the engine, the machine or the runner caused them.
//!
//! Every time loss counts as a loss. A time loss says nothing about the engine if the machine or the runner
//! delayed it, so the report shows the cause.

use crate::format;
use crate::model::report::{ClockUse, MatchPart};
use threefold_chess::clock::{Delays, Flag, LossCause, LossShares};

/// One time loss, with the shares of the engine, the machine and the runner if they are known.
pub(crate) fn describe(flag: Flag, delays: Option<Delays>) -> String {
    let over = format::duration(flag.over);
    let (Some(delays), Some(cause)) = (delays, flag.cause(delays)) else {
        return format!("lost on time by {over}");
    };
    let LossShares { engine, machine, runner } = flag.shares(delays);
    let [engine, machine, runner] = [engine, machine, runner].map(format::duration);
    let cause = match cause {
        LossCause::Engine => "engine",
        LossCause::Machine => "machine, which had no CPU for the engine",
        LossCause::Runner => "runner, which read the move late",
    };
    format!(
        "lost on time by {over}; caused by the {cause} (engine {engine}, machine {machine}, runner {runner})"
    )
}

/// Time losses of one engine: `3`, `3 (2 caused by the machine)`.
pub(crate) fn counted(clock: &ClockUse) -> String {
    let causes = [(clock.flags_of_the_machine, "machine"), (clock.flags_of_the_runner, "runner")];
    let causes = causes.into_iter().filter(|&(count, _)| count > 0);
    let causes: Vec<String> = causes.map(|(count, cause)| format!("{count} caused by the {cause}")).collect();
    if causes.is_empty() {
        clock.flags.to_string()
    } else {
        format!("{} ({})", clock.flags, causes.join(", "))
    }
}

/// A sentence about all time losses in these matches; `None` if there is none with a known delay by the
/// machine.
pub(crate) fn summary(matches: &[MatchPart]) -> Option<String> {
    let games = matches.iter().flat_map(|part| &part.games);
    let (mut engines, mut machines, mut runners) = (0, 0, 0);
    for game in games {
        let Some((flag, delays)) = game.record.end.time_loss() else { continue };
        match flag.cause(delays) {
            Some(LossCause::Engine) => engines += 1,
            Some(LossCause::Machine) => machines += 1,
            Some(LossCause::Runner) => runners += 1,
            None => {}
        }
    }
    let known = engines + machines + runners;
    (known > 0).then(|| {
        format!(
            "Losses on wall clocks: {known}. Caused by the machine, which had no CPU for the engine: {machines}. Caused by the \
             runner, which read the move late: {runners}. Caused by the engine: {engines}."
        )
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::fixture;
    use crate::model::report::NumberedSummary;
    use threefold_games::game::GameEnd;
    use threefold_games::game_summary::GameSummary;

    #[test]
    fn time_loss_names_its_cause_if_known() {
        let table = [
            (None, "lost on time by 14 ms"),
            (
                Some(13),
                "lost on time by 14 ms; caused by the engine (engine 1 ms, machine 13 ms, runner 0 ms)",
            ),
            (
                Some(20),
                "lost on time by 14 ms; caused by the machine, which had no CPU for the engine (engine 0 ms, machine 14 ms, \
                 runner 0 ms)",
            ),
        ];
        let millis = Duration::from_millis;
        let flag = Flag { over: millis(14), margin: Duration::ZERO };
        for (waited, expected) in table {
            let delays = waited.map(|waited| Delays { engine: millis(waited), runner: Duration::ZERO });
            assert_eq!(describe(flag, delays), expected);
        }
        let late = Delays { engine: millis(1), runner: millis(14) };
        let expected = "lost on time by 14 ms; caused by the runner, which read the move late (engine 0 ms, machine 0 ms, \
                        runner 14 ms)";
        assert_eq!(describe(flag, Some(late)), expected);
    }

    #[test]
    fn time_losses_are_counted_by_cause() {
        let mut part = fixture::report().matches.swap_remove(0);
        assert_eq!((counted(&part.clocks[0]).as_str(), summary(std::slice::from_ref(&part))), ("0", None));
        (part.clocks[0].flags, part.clocks[0].flags_of_the_machine) = (3, 2);
        assert_eq!(counted(&part.clocks[0]), "3 (2 caused by the machine)");
        part.clocks[0].flags_of_the_runner = 1;
        assert_eq!(counted(&part.clocks[0]), "3 (2 caused by the machine, 1 caused by the runner)");
        let over = Duration::from_millis(14);
        let game = part.games.swap_remove(0);
        part.games = [None, Some(over), Some(over / 2), Some(2 * over)]
            .map(|waited: Option<Duration>| {
                let delays = waited.map(|engine| Delays { engine, runner: Duration::ZERO });
                let record = GameSummary {
                    end: GameEnd::TimeForfeit { over, margin: Duration::ZERO, delays },
                    ..game.record.clone()
                };
                NumberedSummary { record, ..game.clone() }
            })
            .to_vec();
        let text = summary(&[part]).expect("three are known");
        assert!(text.starts_with("Losses on wall clocks: 3."), "{text}");
        assert!(
            text.ends_with(
                "engine: 2. Caused by the runner, which read the move late: 0. Caused by the engine: 1."
            ),
            "{text}"
        );
    }
}
