//! A move in the notation of a PGN file.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _, Role};

use super::options::PgnNotation;

/// A legal move as text, with the position `after` it. `written` is the move in UCI notation, as the game has it.
pub(super) fn move_text(
    position: &Chess,
    after: &Chess,
    mv: Move,
    written: UciMove,
    notation: PgnNotation,
) -> String {
    match notation {
        PgnNotation::San => san_plus(position, after, mv).to_string(),
        PgnNotation::Lan => long(position, after, mv),
        PgnNotation::Uci => written.to_string(),
    }
}

/// As [`SanPlus::from_move`], which generates all replies to every move; these matter only after a check.
fn san_plus(position: &Chess, after: &Chess, mv: Move) -> SanPlus {
    let suffix = after
        .is_check()
        .then(|| if after.legal_moves().is_empty() { Suffix::Checkmate } else { Suffix::Check });
    SanPlus { san: San::from_move(position, mv), suffix }
}

/// Like SAN, but always with the square of origin: `Ng1f3`, `e4xd5`, `e7e8=Q+`.
fn long(position: &Chess, after: &Chess, mv: Move) -> String {
    let san = san_plus(position, after, mv);
    let Some(from) = mv.from().filter(|_| !mv.is_castle()) else { return san.to_string() };
    let piece = match mv.role() {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let capture = if mv.is_capture() { "x" } else { "" };
    let promotion = mv.promotion().map(|role| format!("={}", role.upper_char())).unwrap_or_default();
    let suffix = san.suffix.map(|suffix| suffix.to_string()).unwrap_or_default();
    format!("{piece}{from}{capture}{}{promotion}{suffix}", mv.to())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand::seq::IndexedRandom as _;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_oracle::Referee;

    fn after(position: &Chess, mv: Move) -> Chess {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    }

    #[test]
    fn moves_are_written_in_each_notation() {
        let table = [
            // position, UCI, SAN, LAN
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O", "O-O"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O", "O-O-O"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1a8", "Ra8+", "Ra1a8+"),
            ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", "b8=Q+", "b7b8=Q+"),
            ("2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7c8n", "bxc8=N", "b7xc8=N"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#", "Ra1a8#"),
            ("4k3/8/8/8/8/8/8/R3K1NR w - - 0 1", "g1f3", "Nf3", "Ng1f3"),
        ];
        for (fen, uci, san, lan) in table {
            let referee = Referee::new(&GamePosition::parse(fen, "").expect(fen)).expect(fen);
            let written: UciMove = uci.parse().expect(uci);
            let mv = referee.legal(written).expect(uci);
            let (position, after) = (referee.position(), after(referee.position(), mv));
            let given =
                PgnNotation::ALL.iter().map(|&notation| move_text(position, &after, mv, written, notation));
            assert_eq!(given.collect::<Vec<_>>(), [san, lan, uci]);
        }
    }

    #[test]
    fn marks_of_check_and_mate_are_those_of_shakmaty() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut checks, mut mates) = (0, 0);
        for _ in 0..300 {
            let mut position = Chess::default();
            for _ in 0..200 {
                let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
                let after = after(&position, mv);
                let san = san_plus(&position, &after, mv);
                assert_eq!(san, SanPlus::from_move(position.clone(), mv));
                checks += usize::from(san.suffix == Some(Suffix::Check));
                mates += usize::from(san.suffix == Some(Suffix::Checkmate));
                position = after;
            }
        }
        assert!(checks > 100 && mates > 0, "{checks} {mates}");
    }
}
