//! Training positions: traced positions of played games with the results of the games.

use std::collections::BTreeSet;

use rand::RngExt;
use shakmaty::fen::Epd;

use threefold_echo::eval::traced::TracedPosition;
use threefold_echo::position;
use threefold_mining::ordered_parallel;

/// A position with the result of its game.
#[derive(Debug, Clone)]
pub struct TrainingPosition {
    /// The position with the counts of its evaluation terms.
    pub traced: TracedPosition,
    /// 1 where White won, 0 where Black did.
    pub result: f64,
    /// Echo's search score in the game, in centipawns for White.
    pub searched: f64,
}

/// Training positions and held-out positions.
#[derive(Debug, Clone, Default)]
pub struct TrainingData {
    /// Positions that the weights are fitted to.
    pub training: Vec<TrainingPosition>,
    /// Positions that only measure the loss.
    pub held_out: Vec<TrainingPosition>,
    /// Number of games.
    pub games: usize,
}

/// An invalid line of a file of positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{number}: {what}; `threefold-lab tune games` writes such files")]
pub struct NoLesson {
    /// The path as given.
    pub file: String,
    /// The line, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub what: String,
}

/// One game of this number is in the held-out set.
const HELD_OUT: u64 = 10;
/// Upper limit of game numbers.
const MOST_GAMES: u64 = 1 << 40;

/// Reads files of `threefold-lab tune games`. Whole games are held out at random, because the positions of
/// one game are too similar to be independent.
pub fn parse_training_data(pages: &[(String, String)], seed: u64) -> Result<TrainingData, NoLesson> {
    let mut data = TrainingData::default();
    let mut games = BTreeSet::new();
    for ((file, text), page) in pages.iter().zip(0..) {
        for (line, number) in text.lines().zip(1..) {
            let wrong = |what: String| NoLesson { file: file.clone(), number, what };
            let (game, lesson) = lesson(line).map_err(wrong)?;
            // The games of each file are numbered from 0.
            let game = page * MOST_GAMES + game;
            games.insert(game);
            let Some(lesson) = lesson else { continue };
            // The stream is that of the game, so its positions are all on one side.
            if ordered_parallel::rng_for(seed, game).random_range(0..HELD_OUT) == 0 {
                data.held_out.push(lesson);
            } else {
                data.training.push(lesson);
            }
        }
    }
    data.games = games.len();
    Ok(data)
}

/// The game and the position of a line; none if the evaluation knows the outcome without weights.
fn lesson(line: &str) -> Result<(u64, Option<TrainingPosition>), String> {
    let (epd, rest) = line.split_once(" c9 ").ok_or("no result (c9)")?;
    let result = match quoted(rest) {
        Some("1-0") => 1.0,
        Some("1/2-1/2") => 0.5,
        Some("0-1") => 0.0,
        Some(_) | None => return Err("no result (c9)".to_owned()),
    };
    let id = rest.split_once("id ").and_then(|(_, id)| quoted(id)).and_then(|id| id.parse().ok());
    let game = id.ok_or("no number of its game (id)")?;
    let value = rest.split_once("ce ").and_then(|(_, value)| value.split(';').next()?.parse::<i32>().ok());
    let searched = f64::from(value.ok_or("no value of the search (ce)")?);
    let setup = epd.parse::<Epd>().map_err(|error| error.to_string())?.into_setup();
    let board = position::set_up(&setup)?;
    Ok((game, TracedPosition::from_board(&board).map(|traced| TrainingPosition { traced, result, searched })))
}

fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - c9 \"1-0\"; ce 17; id \"3\";\n\
         4k3/8/8/8/4P3/8/8/4K3 w - - c9 \"1-0\"; ce 17; id \"4\";\n\
         4k3/8/8/8/4P3/8/4P3/4K3 w - - c9 \"1/2-1/2\"; ce 17; id \"4\";\n";

    fn page(text: &str) -> (String, String) {
        ("games.epd".to_owned(), text.to_owned())
    }

    #[test]
    fn positions_with_a_known_result_are_not_training_data() {
        let data = parse_training_data(&[page(SOUND), page(SOUND)], 1).expect("sound");
        assert_eq!(data.training.len() + data.held_out.len(), 4);
        assert_eq!(data.games, 4);
    }

    #[test]
    fn training_data_errors_name_the_line() {
        let table = [
            ("4k3/8/8/8/4P3/8/8/4K3 w - - id \"4\";", "games.epd:1: no result (c9)"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - - c9 \"2-0\"; id \"4\";", "games.epd:1: no result (c9)"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - - c9 \"1-0\";", "games.epd:1: no number of its game (id)"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - - c9 \"1-0\"; id \"4\";", "games.epd:1: no value of the search (ce)"),
        ];
        for (line, said) in table {
            let error = parse_training_data(&[page(line)], 1).expect_err("no lesson").to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
