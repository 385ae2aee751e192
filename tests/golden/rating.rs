//! Rating lists.

use threefold::stats::rating::{
    self, Anchor, Crosstable, Model, Reference, Seat, Strength, Terms, Uncertainty,
};

use crate::case::{Found, Input};

pub(crate) fn davidson(input: &Input) -> Found {
    let names: Vec<String> = input.read("players");
    let anchor = names.iter().position(|name| name == input.text("anchor")).expect("the anchor plays");
    let anchor = Anchor::fixed(Seat(anchor), Strength(input.number("anchor_rating")));
    let mut table = Crosstable::new(names);
    for (first, second, pairs) in input.read::<Vec<(usize, usize, [[u64; 3]; 3])>>("pairs") {
        table.encounter(Seat(first), Seat(second)).pairs = pairs;
    }
    let terms = Terms { anchors: vec![anchor], ..Terms::new(Model::Davidson) };
    let list = rating::rate(&table, &terms).expect("the games connect everybody");
    let errors = |errors: &Uncertainty| -> Vec<_> {
        table.seats().map(|seat| errors.of(seat, Reference::Anchors)).collect()
    };
    Found::from([
        ("elo", list.players.iter().map(|player| player.rating.0).collect::<Vec<_>>().into()),
        ("advantage", list.white_advantage.0.into()),
        ("draw_rate_equal", list.draw_rate.into()),
        ("loglik", list.log_likelihood.into()),
        ("se_fisher", errors(&list.independent).into()),
        ("se_cluster", errors(&list.clustered).into()),
        ("advantage_se_fisher", list.independent.of_advantage().into()),
        ("advantage_se_cluster", list.clustered.of_advantage().into()),
    ])
}
