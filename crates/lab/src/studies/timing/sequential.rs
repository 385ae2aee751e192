//! A sequential test of a match with a fixed number of games.
//!
//! The match continues after the decision of the test, so its fixed-N interval is valid. The error rates of
//! the test are unchanged, because only its first decision counts.

use threefold_report::format;
use threefold_report::model::report::NumberedSummary;
use threefold_run::job::white_result;
use threefold_stats::{Bounds, EloModel, GameResult, Judgement, Look, Risks, Sprt, SprtConfig, SprtState};

/// A test that is checked after every pair.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sequential {
    /// The log-likelihood ratio after each pair.
    pub(super) path: Vec<f64>,
    /// The pair of the first decision, and the decision.
    pub(super) decided: Option<(usize, Judgement)>,
}

impl Sequential {
    /// The test on pairs in the order of the schedule.
    pub(super) fn new(pairs: &[[GameResult; 2]]) -> Self {
        let mut running = SprtState::new(SprtConfig::from(test()));
        let looks: Vec<Look> = pairs.iter().map(|&pair| running.record(pair)).collect();
        let first = looks.iter().position(|look| look.judgement != Judgement::Continue);
        Self {
            path: looks.iter().map(|look| look.llr).collect(),
            decided: first.map(|index| (index + 1, looks[index].judgement)),
        }
    }

    /// `H1 after 412 pairs`, `undecided, LLR +0.81`.
    pub(super) fn describe(&self) -> String {
        match self.decided {
            Some((pairs, Judgement::AcceptH1)) => format!("H1 after {}", format::count(pairs, "pair")),
            Some((pairs, Judgement::AcceptH0)) => format!("H0 after {}", format::count(pairs, "pair")),
            Some((_, Judgement::Continue)) | None => match self.path.last() {
                Some(llr) => format!("undecided, LLR {llr:+.2}"),
                None => "no pair is complete".to_owned(),
            },
        }
    }
}

/// Is the manager stronger by ten normalized Elo, or not at all?
fn test() -> Sprt {
    Sprt::new(EloModel::Normalized, 0.0, 10.0, Risks::USUAL).expect("sound by construction")
}

/// Where it decides.
pub(super) fn bounds() -> Bounds {
    test().bounds()
}

/// What is tested: `[0, 10] normalized Elo, α = 0.05, β = 0.05`.
pub(super) fn question() -> String {
    let (test, Risks { alpha, beta }) = (test(), test().risks());
    format!("[{}, {}] {}, α = {alpha}, β = {beta}", test.elo0(), test.elo1(), test.model().unit())
}

/// Complete pairs from one player's side, in the order of the schedule.
pub(super) fn pairs(games: &[NumberedSummary], player: &str) -> Vec<[GameResult; 2]> {
    let result = |game: &NumberedSummary| {
        let for_white = white_result(&game.record);
        if game.record.players[0] == player { for_white } else { for_white.reversed() }
    };
    // Games are numbered from 1, so the first of a pair has an odd number.
    let both =
        games.windows(2).filter(|both| both[0].number % 2 == 1 && both[1].number == both[0].number + 1);
    both.map(|both| [result(&both[0]), result(&both[1])]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample_games::meeting;
    use super::*;
    use GameResult::{Draw, Loss, Win};
    use threefold_echo::timeman::TimeManager::Smooth;

    #[test]
    fn first_crossing_counts() {
        let won = |pairs| [[Win, Draw], [Win, Loss]].repeat(pairs);
        let lost = |pairs| [[Loss, Draw], [Win, Loss]].repeat(pairs);
        let turned = [won(100), lost(2000)].concat();
        let table = [
            (vec![], "no pair is complete"),
            (vec![[Win, Draw], [Win, Loss], [Draw, Loss]], "undecided, LLR "),
            (won(100), "H1 after "),
            (lost(100), "H0 after "),
            (turned, "H1 after "),
        ];
        for (pairs, text) in table {
            let test = Sequential::new(&pairs);
            assert!(test.describe().starts_with(text), "{}", test.describe());
            assert_eq!(test.path.len(), pairs.len());
        }
        assert_eq!(question(), "[0, 10] normalized Elo, α = 0.05, β = 0.05");
    }

    #[test]
    fn pairs_are_counted_from_the_managers_side() {
        let results = [[Win, Draw], [Loss, Loss], [Draw, Win]];
        let mut part = meeting(Smooth, "8+0.08", &results, [&[], &[]]);
        assert_eq!(pairs(&part.games, "Smooth"), results);
        // One game of a pair is missing.
        part.games.pop();
        assert_eq!(pairs(&part.games, "Smooth"), results[..2]);
        part.games.remove(0);
        assert_eq!(pairs(&part.games, "Smooth"), results[1..2]);
    }
}
