//! The index: known sizes, round trips, and symmetries.

use super::*;

fn layout(name: &str) -> PositionIndex {
    PositionIndex::new(name.parse().expect("a material"))
}

#[test]
fn index_has_known_sizes() {
    let table = [
        ("KQK", 462 * 64),
        ("KPK", 1806 * 48),
        ("KBBK", 462 * 64 * 63 / 2),
        ("KNNNK", 462 * 64 * 63 * 62 / 6),
        ("KPPKP", 1806 * 48 * 47 / 2 * 48),
    ];
    for (name, addresses) in table {
        assert_eq!(layout(name).addresses(), 2 * addresses, "{name}");
        assert_eq!(addresses % 8, 0, "{name}");
    }
}

#[test]
fn index_and_placement_round_trip() {
    for name in ["KQK", "KPK", "KRKP", "KBNK", "KBBK", "KPPK", "KNNNK", "KPPPK", "KPPKP", "KQKRR"] {
        let layout = layout(name);
        for index in (0..layout.addresses()).step_by(if layout.addresses() < 1 << 22 { 7 } else { 1009 }) {
            let placement = layout.place(index);
            assert_eq!(layout.index(placement), Some(index), "{name}");
            let frame = layout.frame(placement).expect("kings apart");
            for slot in 2..layout.pieces().len() {
                assert_eq!(
                    layout.moved(&frame, placement, slot, placement.squares[slot]) as usize,
                    index,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn symmetric_placements_share_an_address() {
    let layout = layout("KRRRK");
    let squares = [Square::C1, Square::F6, Square::A7, Square::A1, Square::H3];
    let placement = Placement { turn: Color::White, squares };
    let exchanged = [[2, 3, 4], [2, 4, 3], [3, 2, 4], [3, 4, 2], [4, 2, 3], [4, 3, 2]];
    for (turn, [a, b, c]) in (0..8).flat_map(|turn| exchanged.map(|order| (turn, order))) {
        let squares = [squares[0], squares[1], squares[a], squares[b], squares[c]];
        let turned = squares.map(|square| turn_of_board(turn, square));
        assert_eq!(layout.index(Placement { squares: turned, ..placement }), layout.index(placement));
    }
}

#[test]
fn invalid_placements_have_no_address() {
    let table =
        [("KQK", [Square::A1, Square::B2, Square::H8]), ("KPK", [Square::A1, Square::C2, Square::H1])];
    for (name, placement) in table {
        let squares = std::array::from_fn(|slot| placement.get(slot).copied().unwrap_or(Square::A1));
        assert_eq!(
            layout(name).index(Placement { turn: Color::White, squares }),
            None,
            "{name} {placement:?}"
        );
    }
    let squares = [Square::A1, Square::C3, Square::E5, Square::E5, Square::A1];
    assert_eq!(layout("KBBK").index(Placement { turn: Color::White, squares }), None);
    assert!(layout("KBNK").index(Placement { turn: Color::White, squares }).is_some());
}
