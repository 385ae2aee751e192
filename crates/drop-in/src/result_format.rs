//! `-resultformat` of cutechess-cli: the columns of the table of players, as a list of fields or by the name
//! of one.

use std::fmt::Write as _;

use super::standing::Row;

/// A column: its name in a format, its heading, its width in characters, and its text.
pub(super) struct Column {
    name: &'static str,
    heading: &'static str,
    width: usize,
    /// Is the text at the left edge?
    is_left: bool,
    text: fn(&Row<'_>) -> String,
}

const fn column(
    name: &'static str,
    heading: &'static str,
    width: usize,
    text: fn(&Row<'_>) -> String,
) -> Column {
    Column { name, heading, width, is_left: false, text }
}

/// All columns, in cutechess-cli's order and with its headings and widths.
const COLUMNS: &[Column] = &[
    column("Rank", "Rank", 4, |row| row.rank.to_string()),
    Column { name: "Name", heading: "Name", width: 25, is_left: true, text: |row| row.standing.name.clone() },
    column("Games", "Games", 7, |row| row.all().games().to_string()),
    column("W", "Wins", 7, |row| row.all().wins().to_string()),
    column("L", "Losses", 7, |row| row.all().losses().to_string()),
    column("D", "Draws", 7, |row| row.all().draws().to_string()),
    column("wW", "WWins", 7, |row| row.white().wins().to_string()),
    column("wL", "WLoss.", 7, |row| row.white().losses().to_string()),
    column("wD", "WDraws", 7, |row| row.white().draws().to_string()),
    column("bW", "BWins", 7, |row| row.black().wins().to_string()),
    column("bL", "BLoss.", 7, |row| row.black().losses().to_string()),
    column("bD", "BDraws", 7, |row| row.black().draws().to_string()),
    column("Points", "Points", 8, |row| row.all().points()),
    column("wPoints", "WPoints", 8, |row| row.white().points()),
    column("bPoints", "BPoints", 8, |row| row.black().points()),
    column("Score", "Score", 7, |row| row.all().score()),
    column("DScore", "Draw", 7, |row| row.all().draw_share()),
    column("Elo", "Elo", 7, |row| row.all().elo()),
    column("Error", "+/-", 7, |row| row.all().error()),
    column("LOS", "LOS", 7, |row| row.all().superiority()),
    column("wScore", "White", 7, |row| row.white().score()),
    column("wDScore", "WDraw", 7, |row| row.white().draw_share()),
    column("wElo", "WElo", 7, |row| row.white().elo()),
    column("wError", "W+/-", 7, |row| row.white().error()),
    column("wLOS", "WLOS", 7, |row| row.white().superiority()),
    column("bScore", "Black", 7, |row| row.black().score()),
    column("bDScore", "BDraw", 7, |row| row.black().draw_share()),
    column("bElo", "BElo", 7, |row| row.black().elo()),
    column("bError", "B+/-", 7, |row| row.black().error()),
    column("bLOS", "BLOS", 7, |row| row.black().superiority()),
    column("Time", "Time", 7, |row| row.standing.ends("Time")),
    column("Illegal", "Illegal", 7, |row| row.standing.ends("Illegal")),
    column("Discon", "Discon", 7, |row| row.standing.ends("Discon")),
    column("Stall", "Stall", 7, |row| row.standing.ends("Stall")),
    // Engines of UCI claim no results, draws by counting rules are of other variants, and none are agreed.
    column("WrClaim", "WrClaim", 7, |row| row.standing.ends("WrClaim")),
    column("RegulL", "RegulL", 7, |row| row.standing.ends("RegulL")),
    column("RegulW", "RegulW", 7, |row| row.standing.ends("RegulW")),
    column("OtherW", "OtherW", 7, |row| row.standing.ends("OtherW")),
    column("DStale", "DStale", 7, |row| row.standing.ends("DStale")),
    column("DMater", "DMater", 7, |row| row.standing.ends("DMater")),
    column("DRepet", "DRepet", 7, |row| row.standing.ends("DRepet")),
    column("DMoves", "DMoves", 7, |row| row.standing.ends("DMoves")),
    column("DCount", "DCount", 7, |row| row.standing.ends("DCount")),
    column("DAdj", "DAdj", 7, |row| row.standing.ends("DAdj")),
    column("DAgree", "DAgree", 7, |row| row.standing.ends("DAgree")),
    column("OtherD", "OtherD", 7, |row| row.standing.ends("OtherD")),
    column("TC", "TC", 14, |row| row.standing.control.clone()),
];

/// Groups of fields.
const GROUPS: &[(&str, &str)] = &[
    ("WLDStats", "W,L,D,Points,Score,wW,wL,wD,wPoints,wScore,bW,bL,bD,bPoints,bScore"),
    ("DrawStats", "DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD"),
    ("Terminations", "Time,Illegal,Discon,Stall,WrClaim"),
];

/// Formats by name.
const FORMATS: &[(&str, &str)] = &[
    ("concise", "Rank,Name,Elo,Error,Games"),
    ("default", "Rank,Name,Elo,Error,Games,Score,DScore"),
    (
        "draws",
        "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD",
    ),
    ("minimal", "Rank,Name"),
    ("ordo", "Rank,Name,Elo,Points,Games,Score"),
    ("per-color", "Rank,Name,Elo,Error,Games,W,L,D,Points,wW,wL,wD,wPoints,bW,bL,bD,bPoints"),
    ("short", "Rank,Name,Elo,Games"),
    ("small", "Rank,Name,Games,Points"),
    ("term", "Rank,Name,Elo,Error,Games,Score,Time,Illegal,Discon,Stall,WrClaim"),
    ("wide", "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore"),
    ("wide2", "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,wScore,bScore"),
    ("wide3", "Rank,Name,TC,Elo,Error,Games,WLDStats,DrawStats,Terminations"),
    ("with-points", "Rank,Name,Elo,Error,Games,Points,Score,DScore"),
];

/// The columns of the table of players.
#[derive(Clone)]
pub(super) struct ResultFormat(Vec<&'static Column>);

impl std::fmt::Debug for ResultFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|column| column.name)).finish()
    }
}

impl Default for ResultFormat {
    fn default() -> Self {
        let of = |name: &str| COLUMNS.iter().find(|column| column.name == name);
        let names = FORMATS.iter().find(|(name, _)| *name == "default").map_or("", |(_, fields)| fields);
        Self(names.split(',').filter_map(of).collect())
    }
}

impl ResultFormat {
    /// Reads the name of a format, or fields and groups with commas between them.
    ///
    /// # Errors
    /// The name of an unknown field, with the known ones.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let fields = FORMATS.iter().find(|(name, _)| *name == text).map_or(text, |(_, fields)| fields);
        let mut columns = Vec::new();
        for field in fields.split(',') {
            let names = GROUPS.iter().find(|(name, _)| *name == field).map_or(field, |(_, fields)| fields);
            for name in names.split(',') {
                let column = COLUMNS.iter().find(|column| column.name == name).ok_or_else(|| {
                    format!("`{name}` is no field or format; `-resultformat help` lists them")
                })?;
                columns.push(column);
            }
        }
        Ok(Self(columns))
    }

    /// The heading of the table.
    pub(super) fn heading(&self) -> String {
        self.line(|column| column.heading.to_owned())
    }

    /// The line of a player.
    pub(super) fn row(&self, row: &Row<'_>) -> String {
        self.line(|column| (column.text)(row))
    }

    fn line(&self, text: impl Fn(&Column) -> String) -> String {
        let mut line = String::new();
        for column in &self.0 {
            let (text, width) = (text(column), column.width);
            // Writing to text never fails.
            _ = if column.is_left {
                write!(line, "{text:<width$} ")
            } else {
                write!(line, "{text:>width$} ")
            };
        }
        line.trim_end().to_owned()
    }
}

/// What `-resultformat help` prints.
pub(super) fn help() -> String {
    let mut text =
        "Option -resultformat accepts a comma separated list of fields or one of these format names:\n"
            .to_owned();
    for (name, fields) in FORMATS {
        _ = writeln!(text, "{name}\n  {fields}");
    }
    let fields: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    _ = writeln!(text, "Fields:\n  {}\nGroups of fields:", fields.join(" "));
    for (name, fields) in GROUPS {
        _ = writeln!(text, "{name}\n  {fields}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_groups_have_known_fields_only() {
        for (name, fields) in FORMATS.iter().chain(GROUPS) {
            assert!(ResultFormat::parse(name).is_ok(), "{name}");
            assert!(ResultFormat::parse(fields).is_ok(), "{name}");
            assert!(help().contains(name) && help().contains(fields));
        }
        assert_eq!(
            format!("{:?}", ResultFormat::default()),
            format!("{:?}", ResultFormat::parse("default").expect("known"))
        );
        let error = ResultFormat::parse("Rank,Nam").expect_err("unknown");
        assert_eq!(error, "`Nam` is no field or format; `-resultformat help` lists them");
    }

    #[test]
    fn headings_have_the_widths_of_cutechess() {
        assert_eq!(
            ResultFormat::default().heading(),
            "Rank Name                          Elo     +/-   Games   Score    Draw"
        );
    }
}
