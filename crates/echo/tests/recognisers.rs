//! Recognisers are exact: every position of these endings is compared with distance-to-mate tables.

use std::num::NonZeroUsize;

use shakmaty::{Color, EnPassantMode, Position};
use threefold_echo::position::set_up;
use threefold_echo::recognise::{EndgameOutcome, recognise};
use threefold_oracle::proven_value::Wdl;
use threefold_oracle::{Material, Tables};

/// The share of recognised positions; a wrongly recognised one fails the test.
fn share(name: &str) -> f64 {
    let material: Material = name.parse().expect("a material");
    let mut tables = Tables::new(NonZeroUsize::MIN);
    tables.make(&[material], &mut |_| {}).expect("few pieces");
    let table = tables.table(material).expect("made");
    let (mut known, mut all) = (0_u32, 0_u32);
    for address in 0..table.addresses() {
        let (Some(fact), Some(position)) = (table.at(address), table.position(address)) else { continue };
        let turn = position.turn();
        let setup = position.to_setup(EnPassantMode::Legal);
        let board = set_up(&setup).expect("legal");
        all += 1;
        let Some(outcome) = recognise(&board) else { continue };
        known += 1;
        let truth = match (fact.wdl(), turn) {
            (Wdl::Draw, _) => EndgameOutcome::Drawn,
            (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => {
                EndgameOutcome::Won(cozy_chess::Color::White)
            }
            (Wdl::Win, Color::Black) | (Wdl::Loss, Color::White) => {
                EndgameOutcome::Won(cozy_chess::Color::Black)
            }
        };
        // Mated positions are never passed to the recognisers.
        assert_eq!(outcome, truth, "{name}: {board}");
    }
    f64::from(known) / f64::from(all)
}

#[test]
fn recognisers_know_all_of_kpk_and_nearly_all_of_kqk_and_krk() {
    for (name, least) in [("KPK", 1.0), ("KQK", 0.9), ("KRK", 0.9)] {
        let share = share(name);
        assert!(share >= least, "{name}: {share}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a minute in a build for tests; .ci/long runs it")]
fn recognisers_know_two_minor_pieces_where_safe() {
    for name in ["KBNK", "KBBK"] {
        let share = share(name);
        assert!(share > 0.2, "{name}: {share}");
    }
}
