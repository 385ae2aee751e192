//! When players begin and end to search on the opponent's time.

use std::sync::{Arc, Mutex};

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use super::*;
use crate::move_details::DetailSelection;
use threefold_player::polyglot::{BookMoves, PolyglotBook};
use threefold_player::{Answer, Question};

/// A player that notes what it is asked. It answers with the moves of a game, and expects the next one.
struct Ponderer {
    name: &'static str,
    moves: &'static [&'static str],
    noted: Arc<Mutex<Vec<String>>>,
}

impl Ponderer {
    fn note(&self, what: &str) {
        self.noted.lock().expect("no panic").push(format!("{} {what}", self.name));
    }
}

impl Player for Ponderer {
    fn name(&self) -> &str {
        self.name
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        self.note("answers");
        let mv = |ply: usize| self.moves.get(ply).map(|mv| mv.parse().expect(mv));
        let ply = question.position.moves.len();
        Ok(Answer { best: mv(ply), ponder: mv(ply + 1), ..Answer::silent() })
    }

    fn ponder(&mut self, _: &Question) -> Result<(), EngineFault> {
        self.note("ponders");
        Ok(())
    }

    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        self.note("stops");
        Ok(())
    }
}

/// The book moves of a player that plays g1f3 after these moves.
fn book_after(moves: &[&str]) -> BookMoves {
    let mut position = Chess::default();
    for mv in moves {
        let mv: UciMove = mv.parse().expect("a move");
        position.play_unchecked(mv.to_move(&position).expect("legal"));
    }
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    // From g1 (file 6, row 0) to f3 (file 5, row 2).
    let (mv, weight): (u16, u16) = (6 << 6 | 2 << 3 | 5, 1);
    let entry = [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat();
    BookMoves::new(Arc::new(PolyglotBook::parse(&entry).expect("a book")), 10, 0, 0)
}

#[test]
fn book_move_ends_the_movers_search_also_if_both_sides_ponder() {
    let noted = Arc::<Mutex<Vec<String>>>::default();
    let player =
        |name| Ponderer { name, moves: &["e2e4", "e7e5", "g1f3", "b8c6"], noted: Arc::clone(&noted) };
    let (mut white, mut black) = (player("W"), player("B"));
    let terms = GameConditions {
        ponders: [true; 2],
        books: [Some(book_after(&["e2e4", "e7e5"])), None],
        ..GameConditions::of_plies(4)
    };
    let opening = GamePosition::start_position();
    let game = play(&opening, [&mut white, &mut black], &terms, &DetailSelection::default(), &mut ());
    assert_eq!(game.expect("legal").played.len(), 4);
    let of_game = ["W answers", "W ponders", "B answers", "B ponders", "W stops", "B answers"];
    let after_it = ["W stops", "B stops"];
    assert_eq!(*noted.lock().expect("no panic"), [&of_game[..], &after_it].concat());
}
