//! The file of traps: how it was made, the columns, and a row for each trap.

use shakmaty::uci::UciMove;

use super::Trap;

/// The columns, in order.
const COLUMNS: [&str; 12] =
    ["id", "class", "fen", "moves", "best", "avoid", "result", "material", "dtm", "source", "pull", "note"];

/// A file of traps, to the byte. Names count by class.
pub fn render(made_by: &str, traps: &[Trap]) -> String {
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for (index, trap) in traps.iter().enumerate() {
        let number = 1 + traps[..index].iter().filter(|other| other.class == trap.class).count();
        written = written.and_then(|()| rows.write_record(row(number, trap)));
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    let rows = String::from_utf8(rows).expect("made of strings");
    format!(
        "# Repetition traps: positions in which the game's history decides what is right.\n\
         # Made by: {made_by}\n\
         # Proven again by: threefold positions check\n\
         # `pull`: by how many centipawns the wrong choice looks better at a glance (material and the move).\n\
         {rows}"
    )
}

fn row(number: usize, trap: &Trap) -> [String; COLUMNS.len()] {
    let moves = |moves: &[UciMove]| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    [
        format!("{}.{}.{number:03}", trap.class, trap.material),
        trap.class.to_string(),
        trap.line.start.to_string(),
        trap.line.moves_text(),
        moves(&trap.best),
        moves(&trap.avoid),
        trap.result.to_string(),
        trap.material.to_string(),
        trap.mate.map(|mate| mate.moves().to_string()).unwrap_or_default(),
        trap.proof.to_string(),
        trap.pull.0.to_string(),
        trap.note.clone(),
    ]
}
