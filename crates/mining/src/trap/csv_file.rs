//! The CSV file of traps: header, columns, and a row for each trap.

use shakmaty::uci::UciMove;

use super::difficulty::GradedTrap;
use threefold_oracle::ProvenValue;

/// The columns, in order.
const COLUMNS: [&str; 16] = [
    "id", "class", "fen", "moves", "best", "avoid", "result", "material", "dtm", "after", "erred", "source",
    "pull", "depth", "grade", "note",
];

/// The first line of a file of traps.
pub const TITLE: &str = "Repetition traps: positions in which the game's history decides what is right.";

/// A file with this first line of traps, each with the name of its class, to the byte. Ids are numbered by
/// class.
pub fn render(title: &str, made_by: &str, traps: &[(&str, &GradedTrap)]) -> String {
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for (index, (class, trap)) in traps.iter().enumerate() {
        let number = 1 + traps[..index].iter().filter(|(other, _)| other == class).count();
        written = written.and_then(|()| rows.write_record(row(class, number, trap)));
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    let rows = String::from_utf8(rows).expect("made of strings");
    format!(
        "# {title}\n\
         # Made by: {made_by}\n\
         # Proven again by: threefold positions check\n\
         # `dtm`: moves to mate of the best right move. `after`: the same of the move to avoid, on the board (negative: mated; =: drawn).\n\
         # `erred`: the plies of the history that were errors by the table.\n\
         # `pull`: by how many centipawns the wrong choice looks better in three plies that forget the game.\n\
         # `depth`: the plies at which a plain search sees the truth and keeps to it. `grade`: from depth and pull.\n\
         {rows}"
    )
}

fn row(class: &str, number: usize, graded: &GradedTrap) -> [String; COLUMNS.len()] {
    let trap = &graded.trap;
    let moves = |moves: &[UciMove]| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    [
        format!("{class}.{}.{number:03}", trap.material),
        class.to_owned(),
        trap.position.start.to_string(),
        trap.position.moves_text(),
        moves(&trap.best),
        moves(&trap.avoid),
        trap.result.to_string(),
        trap.material.to_string(),
        trap.mate.map(|mate| mate.moves().to_string()).unwrap_or_default(),
        value_text(trap.after),
        history_errors_text(trap.history_errors.as_deref()),
        trap.proof.to_string(),
        trap.bait_score.0.to_string(),
        graded.solving_depth.to_string(),
        graded.grade().to_string(),
        trap.note.clone(),
    ]
}

/// The value of the bait, as the file writes it.
pub fn value_text(fact: Option<ProvenValue>) -> String {
    match fact {
        None => String::new(),
        Some(ProvenValue::Draw) => "=".to_owned(),
        Some(ProvenValue::Mate(mate)) => mate.moves().to_string(),
    }
}

/// The errors in the history, as the file writes them.
pub fn history_errors_text(plies: Option<&[usize]>) -> String {
    match plies {
        None => String::new(),
        Some([]) => "none".to_owned(),
        Some(plies) => plies.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}
