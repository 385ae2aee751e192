//! The table of options.

#[cfg(any(test, feature = "lab"))]
use crate::feature_switches::Feature;
#[cfg(feature = "mutants")]
use crate::mutants::{Mutant, SeededBug};
use crate::repetition::{Detector, RepetitionPolicy};
use crate::scoring::{DrawScore, EvalArithmetic, EvalGrain, MateScore};
#[cfg(any(test, feature = "lab"))]
use crate::search_constants::SearchConstant;
use crate::search_driver::SearchDriver;
use crate::strength::curve::MEASURED;
use crate::strength::{STRONGEST, StrengthCurve, WEAKEST};
use crate::table::{HashBounds, HashFifty, HashScores};
use crate::timeman::{Parameter, ReuseSample, TimeManager};

use super::{
    Effect, HASH, Listing, OptionKind, OptionRow, Row, STRENGTH_SEED, SYZYGY_PATH, Setter, Settings,
};

/// All options. A new one is one row here, or one in the table of feature switches. A row is experimental
/// unless it ends with `.listed()`.
pub(super) fn all() -> Vec<Row> {
    #[cfg(any(test, feature = "lab"))]
    let switches = Feature::ALL.iter().map(|&feature| {
        let kind = OptionKind::Check { default: true };
        row(feature.name(), feature.summary(), kind, Setter::Feature(feature))
    });
    #[cfg(any(test, feature = "lab"))]
    let constants = SearchConstant::ALL.iter().map(|&constant| {
        let [default, min, max] = constant.range().map(i64::from);
        row(
            constant.name(),
            constant.summary(),
            OptionKind::Spin { default, min, max },
            Setter::Constant(constant),
        )
    });
    #[cfg(not(any(test, feature = "lab")))]
    let (switches, constants) = (std::iter::empty(), std::iter::empty());
    rows_of_play()
        .into_iter()
        .chain(rows_of_strength())
        .chain(rows_of_time())
        .chain(rows_of_repetition())
        .chain(rows_of_scores())
        .chain(rows_of_bugs())
        .chain(switches)
        .chain(constants)
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

/// A row that sets a field to one value of an enum.
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

/// Options of GUIs.
fn rows_of_play() -> Vec<Row> {
    vec![
        spin(
            HASH,
            "Size of the transposition table in MiB.",
            [i64::from(DEFAULT.hash), 1, 65_536],
            |settings, n| {
                settings.hash = n as u32;
            },
        )
        .listed(),
        row(
            "Clear Hash",
            "Clears the transposition table, histories and corrections.",
            OptionKind::Button,
            Setter::Button(Effect::ClearHash),
        )
        .listed(),
        // Whether the opponent's time is thought on is decided by `go ponder`; a GUI asks for the option.
        check("Ponder", "Shows a GUI that `go ponder` is supported.", false, |_, _| {}).listed(),
        spin("MultiPV", "Number of lines reported.", [i64::from(DEFAULT.multi_pv), 1, 256], |settings, n| {
            settings.multi_pv = n as u32;
        })
        .listed(),
        spin(
            "Threads",
            "Search threads. With more than one, results are not deterministic.",
            [i64::from(DEFAULT.threads), 1, 256],
            |settings, n| settings.threads = n as u32,
        )
        .listed(),
        row(
            SYZYGY_PATH,
            "Folders of Syzygy tables, separated by `:` (Windows: `;`).",
            OptionKind::Text,
            Setter::Text(Effect::OpenEndings),
        )
        .listed(),
        check(
            "UCI_Chess960",
            "Chess960; castling is written as king takes rook.",
            DEFAULT.chess960,
            |settings, on| {
                settings.chess960 = on;
            },
        )
        .listed(),
    ]
}

/// Options of limited strength.
fn rows_of_strength() -> Vec<Row> {
    // The maximum of both curves, which end at full strength.
    let most = MEASURED.full_strength().max(STRONGEST);
    let ratings = [i64::from(DEFAULT.strength.elo), i64::from(WEAKEST), i64::from(most)];
    vec![
        check(
            "UCI_LimitStrength",
            "Plays at the strength of UCI_Elo.",
            DEFAULT.strength.limited,
            |settings, on| settings.strength.limited = on,
        )
        .listed(),
        spin("UCI_Elo", "Strength if UCI_LimitStrength is on.", ratings, |settings, n| {
            settings.strength.elo = n as u32;
        })
        .listed(),
        choice!("StrengthCurve", "Scale of UCI_Elo: measured Elo, or MadChess's own rating.", strength.curve: StrengthCurve),
        spin(
            STRENGTH_SEED,
            "Seed of the random choices below full strength; -1: a new one for each game.",
            [-1, -1, i64::from(i32::MAX)],
            // -1 does not convert, so no seed is set.
            |settings, n| settings.strength.set_seed = n.try_into().ok(),
        )
        .listed(),
    ]
}

/// Options of time management.
fn rows_of_time() -> Vec<Row> {
    let rows = vec![
        spin(
            "Move Overhead",
            "Reserve for each move for delays outside the engine, in milliseconds.",
            [i64::from(DEFAULT.move_overhead), 0, 10_000],
            |settings, n| settings.move_overhead = n as u32,
        )
        .listed(),
        spin(
            "nodestime",
            "Nodes for each millisecond of the engine's clock; 0 measures time.",
            [i64::from(DEFAULT.nodes_a_millisecond), 0, 1_000_000],
            |settings, n| settings.nodes_a_millisecond = n as u32,
        )
        // Listed because match runners need it to run the clock by nodes.
        .listed(),
        row(
            "TimeManager",
            "Time manager; takes Lc0's form `smooth(init-nps=20000.0,...)`, too.",
            OptionKind::Combo {
                default: DEFAULT.time_manager.name(),
                choices: TimeManager::ALL.iter().map(|manager| manager.name()).collect(),
            },
            Setter::TimeStrategy,
        )
        .listed(),
        choice!(
            "SmoothReuse",
            "What tree reuse is learnt from: inherited nodes, or the nodes that they save.",
            reuse_sample: ReuseSample
        ),
    ];
    let parameters = Parameter::ALL.iter().map(|&parameter| {
        let kind = OptionKind::Number { default: parameter.default() };
        row(parameter.name(), parameter.summary(), kind, Setter::Parameter(parameter))
    });
    rows.into_iter().chain(parameters).collect()
}

/// Options of repetitions: policy, detection, and stored scores.
fn rows_of_repetition() -> Vec<Row> {
    vec![
        choice!("RepetitionPolicy", "Which repetitions the search scores as draws.", repetition_policy: RepetitionPolicy)
            .listed(),
        choice!(
            "RepetitionDetector",
            "How the search detects repetitions.",
            repetition_detector: Detector
        ),
        check(
            "CycleDetection",
            "Scores a side that can reach an earlier position in one move as at least a draw.",
            DEFAULT.cycle_detection,
            |settings, on| settings.cycle_detection = on,
        ),
        choice!("HashScores", "What the transposition table stores of scores that depend on a repetition.", hash_scores: HashScores),
        choice!("HashFifty", "How the fifty-move counter enters the transposition table.", hash_fifty: HashFifty),
        choice!("HashBounds", "How the transposition table stores bounds.", hash_bounds: HashBounds),
    ]
}

/// Options of scores and of the search driver.
fn rows_of_scores() -> Vec<Row> {
    vec![
        choice!("MateScore", "How mate scores count the distance.", scores.mates: MateScore),
        choice!("DrawScore", "How draws are scored.", scores.draws: DrawScore).listed(),
        spin(
            "Contempt",
            "Penalty of a draw for the side that searches, in centipawns, if DrawScore is Contempt.",
            [i64::from(DEFAULT.scores.contempt), -200, 200],
            |settings, n| settings.scores.contempt = n as i32,
        )
        .listed(),
        spin(
            "PerpetualBonus",
            "Bonus of a draw by perpetual check for the side that gives it, in centipawns.",
            [i64::from(DEFAULT.scores.perpetual_bonus), 0, 200],
            |settings, n| settings.scores.perpetual_bonus = n as i32,
        ),
        check(
            "DrawJitter",
            "Varies draw scores by a centipawn. No effect with DrawScore CrayBlitz.",
            DEFAULT.scores.draw_jitter,
            |settings, on| settings.scores.draw_jitter = on,
        ),
        check(
            "ZeroExcluded",
            "Reserves the score 0 for draws: no evaluation is 0.",
            DEFAULT.scores.zero_excluded,
            |settings, on| settings.scores.zero_excluded = on,
        ),
        check(
            "Recognisers",
            "Recognises a few endings. A known win is worth at least 7.5 pawns.",
            DEFAULT.recognisers,
            |settings, on| settings.recognisers = on,
        ),
        spin(
            "EvalLimit",
            "Where evaluations saturate, in centipawns.",
            [i64::from(DEFAULT.scores.limit), 3000, i64::from(DEFAULT.scores.limit)],
            |settings, n| settings.scores.limit = n as i32,
        ),
        choice!("EvalGrain", "Step of evaluations, in centipawns.", scores.grain: EvalGrain),
        choice!("EvalArithmetic", "Arithmetic of the evaluation.", eval_arithmetic: EvalArithmetic),
        choice!("SearchDriver", "Search algorithm of each iteration.", search_driver: SearchDriver),
    ]
}

/// Options of builds with the features `mutants` or `lab`.
fn rows_of_bugs() -> Vec<Row> {
    vec![
        #[cfg(any(test, feature = "lab"))]
        check("Census", "Counts events of the search.", false, |settings, on| {
            settings.features.count_events(on);
        }),
        #[cfg(feature = "mutants")]
        combo(
            "Mutant",
            "One bug, seeded on purpose.",
            SOUND,
            [SOUND].into_iter().chain(Mutant::ALL.iter().map(|mutant| mutant.name())).collect(),
            |settings, word| settings.bug = word.parse().map_or(SeededBug::NONE, SeededBug::new),
        ),
    ]
}

/// The value of `Mutant` without a bug.
#[cfg(feature = "mutants")]
const SOUND: &str = "None";
