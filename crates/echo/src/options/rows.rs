//! The table of options, a row each.

#[cfg(any(test, feature = "lab"))]
use crate::feature_switches::Feature;
#[cfg(feature = "mutants")]
use crate::mutants::{Mutant, SeededBug};
use crate::repetition::{Detector, RepetitionPolicy};
use crate::scoring::{DrawScore, EvalArithmetic, EvalGrain, MateScore};
use crate::search_driver::SearchDriver;
use crate::strength::curve::MEASURED;
use crate::strength::{STRONGEST, StrengthCurve, WEAKEST};
use crate::table::{HashBounds, HashScores};
use crate::timeman::{Parameter, TimeManager};

use super::{Effect, HASH, Listing, OptionKind, OptionRow, Row, SYZYGY_PATH, Setter, Settings};

/// Every option there is: a new one is one row here, or in the laboratory's table. A row is experimental unless it
/// ends with `.listed()`.
pub(super) fn all() -> Vec<Row> {
    #[cfg(any(test, feature = "lab"))]
    let switches = Feature::ALL.iter().map(|&feature| {
        let kind = OptionKind::Check { default: true };
        row(feature.name(), feature.summary(), kind, Setter::Feature(feature))
    });
    #[cfg(not(any(test, feature = "lab")))]
    let switches = std::iter::empty();
    rows_of_play()
        .into_iter()
        .chain(rows_of_strength())
        .chain(rows_of_time())
        .chain(rows_of_repetition())
        .chain(rows_of_scores())
        .chain(rows_of_bugs())
        .chain(switches)
        .collect()
}

const DEFAULT: Settings = Settings::DEFAULT;

const fn row(name: &'static str, summary: &'static str, kind: OptionKind, set: Setter) -> Row {
    Row { option: OptionRow { name, summary, kind, listing: Listing::Experimental }, set }
}

const fn check(
    name: &'static str,
    summary: &'static str,
    default: bool,
    set: fn(&mut Settings, bool),
) -> Row {
    row(name, summary, OptionKind::Check { default }, Setter::Check(set))
}

const fn spin(
    name: &'static str,
    summary: &'static str,
    [default, min, max]: [i64; 3],
    set: fn(&mut Settings, i64),
) -> Row {
    row(name, summary, OptionKind::Spin { default, min, max }, Setter::Spin(set))
}

const fn combo(
    name: &'static str,
    summary: &'static str,
    default: &'static str,
    choices: Vec<&'static str>,
    set: fn(&mut Settings, &str),
) -> Row {
    row(name, summary, OptionKind::Combo { default, choices }, Setter::Combo(set))
}

/// A row that sets a field to one of a closed set.
macro_rules! choice {
    ($name:literal, $summary:literal, $($field:ident).+ : $set:ty) => {
        combo(
            $name,
            $summary,
            DEFAULT.$($field).+.name(),
            <$set>::ALL.iter().map(|member| member.name()).collect(),
            |settings, word| settings.$($field).+ = word.parse().expect("one of the row's own choices"),
        )
    };
}

/// What a GUI asks for.
fn rows_of_play() -> Vec<Row> {
    vec![
        spin(HASH, "Size of the hash table in MiB.", [i64::from(DEFAULT.hash), 1, 65_536], |settings, n| {
            settings.hash = n as u32;
        })
        .listed(),
        row(
            "Clear Hash",
            "Empties the hash table and forgets what searches have learnt.",
            OptionKind::Button,
            Setter::Button(Effect::ClearHash),
        )
        .listed(),
        // Whether the opponent's time is thought on is decided by `go ponder`; a GUI asks for the option.
        check("Ponder", "Tells a GUI that `go ponder` is understood.", false, |_, _| {}).listed(),
        spin(
            "MultiPV",
            "How many lines of play are reported.",
            [i64::from(DEFAULT.multi_pv), 1, 256],
            |settings, n| settings.multi_pv = n as u32,
        )
        .listed(),
        spin(
            "Threads",
            "Search threads; with more than one, answers vary.",
            [i64::from(DEFAULT.threads), 1, 256],
            |settings, n| settings.threads = n as u32,
        )
        .listed(),
        row(
            SYZYGY_PATH,
            "Folders of Syzygy tables, separated as the system separates paths.",
            OptionKind::Text,
            Setter::Text(Effect::OpenEndings),
        )
        .listed(),
        check("UCI_Chess960", "Castling is written as king takes rook.", DEFAULT.chess960, |settings, on| {
            settings.chess960 = on;
        })
        .listed(),
    ]
}

/// How to play below full strength.
fn rows_of_strength() -> Vec<Row> {
    // As far as either curve goes, both of which end at full strength.
    let most = MEASURED.full_strength().max(STRONGEST);
    let ratings = [i64::from(DEFAULT.strength.elo), i64::from(WEAKEST), i64::from(most)];
    vec![
        check(
            "UCI_LimitStrength",
            "Plays below full strength, as UCI_Elo says.",
            DEFAULT.strength.limited,
            |settings, on| settings.strength.limited = on,
        )
        .listed(),
        spin("UCI_Elo", "How strong to play where UCI_LimitStrength is on.", ratings, |settings, n| {
            settings.strength.elo = n as u32;
        })
        .listed(),
        choice!("StrengthCurve", "What UCI_Elo is a measure of.", strength.curve: StrengthCurve),
        spin(
            "StrengthSeed",
            "What is left to chance below full strength is drawn from this seed.",
            [i64::from(DEFAULT.strength.seed), 0, i64::from(i32::MAX)],
            |settings, n| settings.strength.seed = n as u32,
        )
        .listed(),
    ]
}

/// What the clock is read by.
fn rows_of_time() -> Vec<Row> {
    let rows = vec![
        spin(
            "Move Overhead",
            "Milliseconds a move that are lost on the way to the clock.",
            [i64::from(DEFAULT.move_overhead), 0, 10_000],
            |settings, n| settings.move_overhead = n as u32,
        )
        .listed(),
        spin(
            "nodestime",
            "Nodes that make a millisecond on the engine's clock; 0: time is measured.",
            [i64::from(DEFAULT.nodes_a_millisecond), 0, 1_000_000],
            |settings, n| settings.nodes_a_millisecond = n as u32,
        )
        // Without it a harness could not run the clock of this engine by nodes.
        .listed(),
        row(
            "TimeManager",
            "Who plans how long to think; takes `smooth(init-nps=20000,...)`, too.",
            OptionKind::Combo {
                default: DEFAULT.time_manager.name(),
                choices: TimeManager::ALL.iter().map(|manager| manager.name()).collect(),
            },
            Setter::TimeStrategy,
        )
        .listed(),
    ];
    let parameters = Parameter::ALL.iter().map(|&parameter| {
        let kind = OptionKind::Number { default: parameter.default() };
        row(parameter.name(), parameter.summary(), kind, Setter::Parameter(parameter))
    });
    rows.into_iter().chain(parameters).collect()
}

/// Which repetitions count, how they are found, and what is kept of them.
fn rows_of_repetition() -> Vec<Row> {
    vec![
        choice!("RepetitionPolicy", "Which repetitions the search scores as draws.", repetition_policy: RepetitionPolicy)
            .listed(),
        choice!(
            "RepetitionDetector",
            "How the search finds out that a position occurred before.",
            repetition_detector: Detector
        ),
        check(
            "CycleDetection",
            "Whoever can repeat a position has a draw before the move is made.",
            DEFAULT.cycle_detection,
            |settings, on| settings.cycle_detection = on,
        ),
        choice!("HashScores", "What the hash table keeps of values that hang on a repetition.", hash_scores: HashScores),
        choice!("HashBounds", "What the hash table keeps of a value's bounds.", hash_bounds: HashBounds),
    ]
}

/// What values mean, and how the root's is found.
fn rows_of_scores() -> Vec<Row> {
    vec![
        choice!("MateScore", "How a mate counts its distance.", scores.mates: MateScore),
        choice!("DrawScore", "What a draw is worth.", scores.draws: DrawScore).listed(),
        spin(
            "Contempt",
            "What the side that thinks would pay to avoid a draw, in centipawns, where DrawScore is Contempt.",
            [i64::from(DEFAULT.scores.contempt), -200, 200],
            |settings, n| settings.scores.contempt = n as i32,
        )
        .listed(),
        check(
            "DrawJitter",
            "A draw is worth a centipawn more or less at times; not under CrayBlitz, which tells draws apart itself.",
            DEFAULT.scores.draw_jitter,
            |settings, on| settings.scores.draw_jitter = on,
        ),
        check(
            "ZeroExcluded",
            "No judgement is 0: what is worth nothing is drawn.",
            DEFAULT.scores.zero_excluded,
            |settings, on| settings.scores.zero_excluded = on,
        ),
        check(
            "Recognisers",
            "A few endings are known by heart, and worth more than any judgement.",
            DEFAULT.recognisers,
            |settings, on| settings.recognisers = on,
        ),
        choice!("EvalGrain", "Centipawns between two judgements.", scores.grain: EvalGrain),
        choice!("EvalArithmetic", "What the evaluation computes with.", eval_arithmetic: EvalArithmetic),
        choice!("SearchDriver", "How an iteration finds the root's value.", search_driver: SearchDriver),
    ]
}

/// What a build for tests and studies has besides.
fn rows_of_bugs() -> Vec<Row> {
    vec![
        #[cfg(any(test, feature = "lab"))]
        check("Census", "Counts what the search meets.", false, |settings, on| {
            settings.features.take_census(on)
        }),
        #[cfg(feature = "mutants")]
        combo(
            "Mutant",
            "One bug, seeded on purpose.",
            SOUND,
            [SOUND].into_iter().chain(Mutant::ALL.iter().map(|mutant| mutant.name())).collect(),
            |settings, word| settings.seed = word.parse().map_or(SeededBug::NONE, SeededBug::of),
        ),
    ]
}

/// The value of `Mutant` that seeds no bug.
#[cfg(feature = "mutants")]
const SOUND: &str = "None";
