//! Rating lists.

use threefold::stats::rating::{self, Anchor, Crosstable, Errors, Rated, Seat, Strength};

use crate::case::{Found, Input};

pub(crate) fn davidson(input: &Input) -> Found {
    let names: Vec<String> = input.read("players");
    let anchor = names.iter().position(|name| name == input.text("anchor")).expect("the anchor plays");
    let anchor = Anchor { seat: Seat(anchor), rating: Strength(input.number("anchor_rating")) };
    let mut table = Crosstable::new(names);
    for (first, second, pairs) in input.read::<Vec<(usize, usize, [[u64; 3]; 3])>>("pairs") {
        table.encounter(Seat(first), Seat(second)).pairs = pairs;
    }
    let fit = rating::fit(&table, &[anchor]).expect("the games connect everybody");
    let errors = |error: fn(&Errors) -> f64| {
        fit.players.iter().map(|player| error(&player.errors)).collect::<Vec<_>>()
    };
    let elo = |rated: &Rated| rated.strength.0;
    Found::from([
        ("elo", fit.players.iter().map(elo).collect::<Vec<_>>().into()),
        ("advantage", elo(&fit.white_advantage).into()),
        ("draw_rate_equal", fit.draw_rate_equal.into()),
        ("loglik", fit.log_likelihood.into()),
        ("se_fisher", errors(|errors| errors.fisher).into()),
        ("se_cluster", errors(|errors| errors.clustered).into()),
        ("advantage_se_fisher", fit.white_advantage.errors.fisher.into()),
        ("advantage_se_cluster", fit.white_advantage.errors.clustered.into()),
    ])
}
