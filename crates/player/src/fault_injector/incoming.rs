//! Faults in what comes from the engine: reports and the move.

use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};

use crate::BorderFault;
use crate::{Answer, Question, ScoredInfo};
use threefold_chess::score::{MateDistance, Score};
use threefold_oracle::Referee;

/// The answer with the fault.
pub(super) fn answer(fault: BorderFault, asked: &Question, mut answer: Answer) -> Answer {
    let mover = asked.position.side_to_move();
    for info in answer.infos.iter_mut().chain(&mut answer.other_lines) {
        change_info(fault, mover, info);
    }
    if fault == BorderFault::PonderMoveLost {
        answer.ponder = None;
    }
    let played = answer.best.and_then(|best| played(fault, asked, best));
    if played.is_some() {
        // The ponder move replies to the move that the engine has chosen.
        (answer.best, answer.ponder) = (played, None);
    }
    answer
}

/// Changes one report.
fn change_info(fault: BorderFault, mover: Color, info: &mut ScoredInfo) {
    match fault {
        // The square that the last move left is empty now.
        BorderFault::PvIllegal => info.pv.extend(info.pv.last().copied()),
        BorderFault::PvTruncated => info.pv.truncate(1),
        _ => info.score = score(fault, mover, info.score),
    }
    // The engine wrote another one.
    info.line = None;
}

/// The score with the fault.
fn score(fault: BorderFault, mover: Color, score: Score) -> Score {
    let mate_in = |moves: i32| MateDistance::from_moves(moves).map_or(score, Score::Mate);
    match (fault, score) {
        (BorderFault::MateSignFlipped, Score::Mate(mate)) => mate_in(-mate.moves()),
        (BorderFault::MateInPlies, Score::Mate(mate)) => mate_in(2 * mate.moves()),
        (BorderFault::ScoreFromWhite, score) if mover == Color::Black => score.reversed(),
        (_, score) => score,
    }
}

/// The move with the fault; `None` if there is no other move.
fn played(fault: BorderFault, asked: &Question, best: UciMove) -> Option<UciMove> {
    match (fault, best) {
        (BorderFault::OtherMovePlayed, _) => other_move(asked, best),
        // None of the mover's pieces is on its target square.
        (BorderFault::IllegalMovePlayed, UciMove::Normal { from, to, .. }) => {
            Some(UciMove::Normal { from: to, to: from, promotion: None })
        }
        _ => None,
    }
}

/// The first other legal move of those asked about, in the order of their UCI text.
fn other_move(asked: &Question, best: UciMove) -> Option<UciMove> {
    let referee = Referee::new(&asked.position).ok()?;
    let best = referee.legal(best).ok()?;
    let allowed: Vec<_> = asked.searchmoves.iter().filter_map(|&mv| referee.legal(mv).ok()).collect();
    let moves = referee.position().legal_moves();
    let others = moves.iter().filter(|&&mv| mv != best && (allowed.is_empty() || allowed.contains(&mv)));
    others.map(|&mv| referee.uci(mv)).min_by_key(ToString::to_string)
}
