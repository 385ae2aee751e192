//! Texts for why an answer is right, and which side erred before.

use shakmaty::uci::UciMove;

use super::judged_line::JudgedLine;
use super::{NotATrap, TrapClass};
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::IllegalGame;
use threefold_oracle::threefold_rule::JudgedMove;
use threefold_oracle::{ProvenValue, Referee, Tables, Wdl};

/// Why the answer is right.
pub(super) fn reason(scene: &JudgedLine<'_>) -> String {
    let only = scene.right.first().map(|judged| judged.uci.to_string()).unwrap_or_default();
    let wins_in = scene.right.first().map_or(0, |judged| moves_to_mate(judged));
    let bait = scene.bait.map(|bait| bait.uci.to_string()).unwrap_or_default();
    let bait_moves = scene.bait.map_or(0, moves_to_mate);
    match scene.class {
        TrapClass::OnlyWinRepeats => format!(
            "only {only} wins (mate in {wins_in}), and its position occurred once before: an engine that scores it \
             as a draw gives the win away",
        ),
        TrapClass::FalseRefuge => format!(
            "{} moves draw; {bait} repeats a position in which the win was missed once, and {} \
             (mated in {bait_moves})",
            scene.right.len(),
            if bait_moves <= 5 { "walks back into the mating attack" } else { "loses" },
        ),
        TrapClass::ThirdAvoid => third_avoid(scene),
        TrapClass::ThirdSeek => third_seek(&only),
        TrapClass::Dawdle => format!(
            "{} moves win, the quickest of them mates in {}; {bait} would win as well (mate in {bait_moves}) but \
             for the third occurrence",
            scene.right.len(),
            scene.right.iter().map(|judged| moves_to_mate(judged)).min().unwrap_or(0),
        ),
        TrapClass::OnlyDrawRepeats => {
            format!("only {only} draws, and its position occurred once before; every other move loses")
        }
        TrapClass::FiftyMoves => fifty_moves(scene),
        TrapClass::OtherSide => format!(
            "only {only} wins (mate in {wins_in}); the pieces were on these squares twice, but with the other side \
             to move, which is another position: an engine that scores it as a draw gives the win away",
        ),
        TrapClass::ZugzwangTriangle => format!(
            "only {only} wins (mate in {wins_in}): it loses a move on a triangle and so repeats a zugzwang that \
             occurred once before; with the winner to move {}",
            match scene.waited.and_then(ProvenValue::mate) {
                Some(mate) if mate.is_win() => format!("the win would take {} moves", mate.moves()),
                Some(_) => "the winner would lose".to_owned(),
                None => "there would be no win".to_owned(),
            },
        ),
        TrapClass::VoidEnPassant => {
            let said = if scene.result == Wdl::Win { third_avoid(scene) } else { third_seek(&only) };
            let step = scene.third().and_then(|third| scene.past.void_step(&third.after));
            let step = step.map(|step| step.to_string()).unwrap_or_default();
            format!("{said}; the first followed {step}, but no pawn could capture en passant")
        }
        TrapClass::LiveEnPassant => {
            let step = scene.right.first().and_then(|judged| scene.past.live_step(&judged.after));
            let step = step.map(|step| step.to_string()).unwrap_or_default();
            format!(
                "only {only} wins (mate in {wins_in}), and its position occurred once before: the time before \
                 that, after {step}, a capture en passant was legal, and it was another position",
            )
        }
        TrapClass::PerpetualFind | TrapClass::PerpetualAvoid | TrapClass::PinnedEnPassant => String::new(),
    }
}

fn moves_to_mate(judged: &JudgedMove) -> i32 {
    judged.table.mate().map_or(0, |mate| mate.moves().abs())
}

fn third_avoid(scene: &JudgedLine<'_>) -> String {
    let bait = scene.bait.map(|bait| bait.uci.to_string()).unwrap_or_default();
    format!(
        "{bait} is the quickest by the tables (mate in {}) but makes the third occurrence, a draw; {} can be \
         forced without a position that occurred twice",
        scene.bait.map_or(0, moves_to_mate),
        if scene.right.len() == 1 { "the other win" } else { "the other wins" },
    )
}

fn third_seek(only: &str) -> String {
    format!("lost by the tables; only {only} draws, by the third occurrence")
}

fn fifty_moves(scene: &JudgedLine<'_>) -> String {
    let right: Vec<String> = scene.right.iter().map(|judged| judged.uci.to_string()).collect();
    let right = right.join(", ");
    let bait = scene.bait.map(|bait| bait.uci.to_string()).unwrap_or_default();
    let moves = scene.bait.map_or(0, moves_to_mate);
    let JudgedLine { counter, .. } = scene;
    if scene.result == Wdl::Win {
        format!(
            "{counter} plies without capture or pawn move: {bait}, the quickest by the tables (mate in {moves}), \
             comes too late for the fifty-move rule; with {right} a capture or pawn move keeps the win in time",
        )
    } else {
        format!(
            "{counter} plies without capture or pawn move: lost by the tables, but {right} {} until move \
             fifty; {bait}, the longest defence by the tables (mated in {moves}), does not",
            if scene.right.len() == 1 { "lasts" } else { "last" },
        )
    }
}

/// A move of the history that was an error by the tables.
pub(super) struct HistoryError {
    mv: UciMove,
    /// The ply, from 1.
    pub(super) ply: usize,
    what: &'static str,
}

/// The errors in the history, by the tables.
pub(super) fn errors(tables: &Tables, position: &GamePosition) -> Result<Vec<HistoryError>, NotATrap> {
    let mut referee = Referee::new(&GamePosition { moves: Vec::new(), ..position.clone() })?;
    let mut errors = Vec::new();
    for (index, &mv) in position.moves.iter().enumerate() {
        let ply = index + 1;
        let before = tables.probe(referee.position()).map(ProvenValue::wdl);
        referee.play(mv).map_err(|cause| IllegalGame::Move { number: ply, mv, cause })?;
        let after = tables.probe(referee.position()).map(|fact| fact.one_ply_earlier().wdl());
        let what = match (before, after) {
            (Some(Wdl::Win), Some(Wdl::Draw)) => "let a win go",
            (Some(Wdl::Win), Some(Wdl::Loss)) => "turned a win into a loss",
            (Some(Wdl::Draw), Some(Wdl::Loss)) => "lost a drawn game",
            _ => continue,
        };
        errors.push(HistoryError { mv, ply, what });
    }
    Ok(errors)
}

/// The errors as a clause of the trap's reason.
pub(super) fn in_words(errors: &[HistoryError]) -> String {
    if errors.is_empty() {
        return "no earlier move was an error; the repetition cost time only".to_owned();
    }
    let reported = errors.iter().map(|HistoryError { mv, ply, what }| format!("{mv} (ply {ply}) {what}"));
    reported.collect::<Vec<_>>().join(", ")
}
