//! The figures of a tune while it goes on: its iteration, and the parameters that moved most.

use threefold_player::visible::visible;
use threefold_run::TuneState;
use threefold_stats::spsa::Tune;

/// The parameters that are shown.
const SHOWN: usize = 5;

/// `iteration 34 of 187`, `LmrBase ↑ 78.2`, …: the parameters by the distance from their start, in units of
/// their `c_end`.
pub(super) fn tune_figures(state: &TuneState) -> Vec<String> {
    let tune = state.tune();
    let iterations = tune.settings().schedule.iterations();
    let iteration = (tune.results().len() as u64 + 1).min(iterations.into());
    let mut figures = vec![format!("iteration {iteration} of {iterations}")];
    figures.extend(moved(tune));
    figures.extend(match state.void_pairs() {
        0 => None,
        1 => Some("1 void pair".to_owned()),
        pairs => Some(format!("{pairs} void pairs")),
    });
    figures
}

/// The parameters that moved most, the first ones first.
fn moved(tune: &Tune) -> Vec<String> {
    let parameters = tune.settings().parameters.all().iter();
    let mut all: Vec<(f64, String)> = parameters
        .zip(tune.values())
        .map(|(parameter, &value)| {
            let change = (value - parameter.value) / parameter.c_end;
            let arrow = if change > 0.0 { '↑' } else { '↓' };
            (change.abs(), format!("{} {arrow} {}", visible(&parameter.name), short(value, parameter.c_end)))
        })
        .filter(|(change, _)| *change > 0.0)
        .collect();
    all.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    all.into_iter().take(SHOWN).map(|(_, text)| text).collect()
}

/// The value with the decimals that matter: a tenth of `c_end` is visible.
fn short(value: f64, c_end: f64) -> String {
    let digits = (1.0 - c_end.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_stats::spsa::{
        IterationResult, Parameter, ParameterKind, Parameters, Schedule, TuneSettings,
    };

    #[test]
    fn parameters_that_moved_most_are_shown_first() {
        let parameter = |index: usize| Parameter {
            name: format!("P{index}"),
            kind: ParameterKind::Float,
            value: 5.0,
            min: 0.0,
            max: 10.0,
            c_end: 0.25,
            r_end: 0.01 * (1.0 + index as f64),
        };
        let parameters = Parameters::new((0..7).map(parameter).collect()).expect("sound");
        let schedule = Schedule::usual(50, 1).expect("sound");
        let mut tune = Tune::new(TuneSettings { parameters, schedule, seed: 1, ahead: 1 });
        assert_eq!(moved(&tune), [""; 0]);
        tune.record(IterationResult::default().with_pair(1));
        let moved = moved(&tune);
        let names: Vec<&str> = moved.iter().map(|text| &text[..2]).collect();
        assert_eq!(names, ["P6", "P5", "P4", "P3", "P2"], "{moved:?}");
        assert!(moved.iter().all(|text| text.contains('↑') || text.contains('↓')), "{moved:?}");
        assert_eq!(
            [short(78.25, 7.0), short(2.284, 0.15), short(123_456.7, 1e5)],
            ["78.2", "2.28", "123457"]
        );
    }
}
