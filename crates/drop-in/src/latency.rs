//! `-show-latency` of fastchess: the measured time of each move minus the time that the engine reported.

use std::collections::BTreeMap;

use threefold_games::game::GameRecord;
use threefold_player::traffic;

/// The latencies of each engine, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct Latencies(BTreeMap<String, Vec<f64>>);

impl Latencies {
    /// Takes the moves of a game and writes a line for each to the log, if there is one.
    pub(super) fn add(&mut self, number: usize, game: &GameRecord) {
        let first = usize::from(game.opening.side_to_move() == shakmaty::Color::Black);
        for (ply, played) in game.played.iter().enumerate() {
            let reported = played.details.as_ref().and_then(|details| details.reported_time);
            let Some((used, reported)) = played.used.zip(reported) else { continue };
            let [used, reported] = [used, reported].map(|time| time.as_secs_f64() * 1000.0);
            let (engine, latency) = (&game.players[(first + ply) % 2], used - reported);
            let (mv, job) = (&played.mv, format!("game {number}"));
            let line = format!("{mv}: {latency:.3} ms (measured {used:.3} ms, reported {reported:.0} ms)");
            tracing::info!(
                target: traffic::TARGET,
                engine = engine.as_str(),
                instance = 0_u64,
                job = job.as_str(),
                direction = "latency:",
                line = line.as_str()
            );
            self.0.entry(engine.clone()).or_default().push(latency);
        }
    }

    /// A line for each engine: mean, median and the largest latency of its moves.
    pub(super) fn lines(&mut self) -> Vec<String> {
        let line = |(engine, latencies): (&String, &mut Vec<f64>)| {
            latencies.sort_by(f64::total_cmp);
            let number = latencies.len();
            let mean = latencies.iter().sum::<f64>() / number as f64;
            let (median, largest) = (latencies[number / 2], latencies[number - 1]);
            format!(
                "Latency of {engine}: mean {mean:.3} ms, median {median:.3} ms, largest {largest:.3} ms of {number} moves"
            )
        };
        self.0.iter_mut().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_chess::score::Ply;
    use threefold_games::game::{GameEnd, GameOutcome, MoveRecord};
    use threefold_games::move_details::MoveDetails;

    fn played(mv: &str, used: u64, reported: Option<u64>) -> MoveRecord {
        let details =
            MoveDetails { reported_time: reported.map(Duration::from_millis), ..MoveDetails::default() };
        MoveRecord {
            depth: Ply(1),
            used: Some(Duration::from_micros(used)),
            details: Some(Box::new(details)),
            ..MoveRecord::new(mv.parse().expect("a move"))
        }
    }

    #[test]
    fn latencies_are_counted_for_the_mover() {
        let position = GamePosition::start_position();
        let mut game = GameRecord {
            played: vec![
                played("e2e4", 12_500, Some(12)),
                played("e7e5", 1_000, None),
                played("g1f3", 9_000, Some(10)),
                played("b8c6", 3_250, Some(3)),
            ],
            ..GameRecord::new(["A", "B"], position.clone(), GameOutcome::Draw, GameEnd::Threefold)
        };
        let mut latencies = Latencies::default();
        latencies.add(1, &game);
        assert_eq!(
            latencies.lines(),
            [
                "Latency of A: mean -0.250 ms, median 0.500 ms, largest 0.500 ms of 2 moves",
                "Latency of B: mean 0.250 ms, median 0.250 ms, largest 0.250 ms of 1 moves",
            ]
        );
        // Black moves first.
        game.opening = GamePosition { moves: vec!["d2d4".parse().expect("a move")], ..position };
        game.played.truncate(1);
        let mut latencies = Latencies::default();
        latencies.add(2, &game);
        assert_eq!(latencies.lines().len(), 1);
        assert!(latencies.lines()[0].starts_with("Latency of B: mean 0.500 ms"));
    }
}
