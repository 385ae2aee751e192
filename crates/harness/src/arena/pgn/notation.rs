//! A move in the notation of a PGN file.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Role};

use super::options::PgnNotation;

/// A legal move as text. `written` is the move in UCI notation, as the game has it.
pub(super) fn text(position: &Chess, mv: Move, written: UciMove, notation: PgnNotation) -> String {
    match notation {
        PgnNotation::San => SanPlus::from_move(position.clone(), mv).to_string(),
        PgnNotation::Lan => long(position, mv),
        PgnNotation::Uci => written.to_string(),
    }
}

/// Like SAN, but always with the square of origin: `Ng1f3`, `e4xd5`, `e7e8=Q+`.
fn long(position: &Chess, mv: Move) -> String {
    let san = SanPlus::from_move(position.clone(), mv);
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
    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_oracle::Referee;

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
            let given =
                PgnNotation::ALL.iter().map(|&notation| text(referee.position(), mv, written, notation));
            assert_eq!(given.collect::<Vec<_>>(), [san, lan, uci]);
        }
    }
}
