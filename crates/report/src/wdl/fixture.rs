//! A report of simulated games.

use super::*;
use threefold_games::pgn_results::GameCounts;
use threefold_stats::GameResult;
use threefold_stats::wdl::{WdlModel, WdlPosition, fit_wdl};

pub(super) fn settings() -> WdlSettings {
    WdlSettings {
        by: WdlBy::Material,
        target: 58,
        moves: [1, 120],
        material: [17, 78],
        most: 400,
        bin: 5,
        unit: ScoreUnit::Fixed(100),
    }
}

/// Games of ten positions, whose results follow a model as evenly as possible.
pub(super) fn report() -> WdlReport {
    let planted = WdlModel { a: [0.0, 0.0, -30.0, 130.0], b: [0.0, 0.0, 0.0, 60.0], target: 58.0 };
    let (mut sample, mut state) = (WdlSample::default(), 7_u64);
    let mut random = || {
        // Knuth's linear congruential generator, of which the high bits are good enough for a fixture.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..300 {
        let position = (0..10).map(|_| {
            let (m, score) = (17 + (random() * 62.0) as u16, (random() * 161.0) as i32 * 5 - 400);
            let (rates, at) = (planted.rates(f64::from(score), f64::from(m)), random());
            let result = if at < rates.win {
                GameResult::Win
            } else if at < rates.win + rates.draw {
                GameResult::Draw
            } else {
                GameResult::Loss
            };
            WdlPosition { m, score, result }
        });
        sample.add_game(position.collect::<Vec<_>>());
    }
    let fit = fit_wdl(&sample, 58.0).expect("a fit");
    let census = GameCounts { read: 302, counted: 302, ..GameCounts::default() };
    WdlReport {
        input: InputSummary { files: vec!["games.pgn".to_owned()], census, ..InputSummary::default() },
        forfeits: 2,
        engines: vec!["<b>Echo</b>".to_owned()],
        settings: settings(),
        left_out: LeftOut { other_engines: 0, out_of_range: 12, high: 340 },
        sample,
        fit,
        claims: Vec::new(),
    }
}
