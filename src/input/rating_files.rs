//! Files of `rate`: anchors, relations, synonyms and lists of players, as Ordo reads them.
//!
//! Each line holds fields separated by commas. A field with a comma is quoted: `"Engine, new", 2500`. Empty
//! lines and lines that start with `#` are skipped.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::known_ratings::{FixedRating, Prior};
use crate::files;

/// The known ratings of a file.
#[derive(Debug, Default, PartialEq)]
pub struct Anchors {
    /// `name, elo`
    pub fixed: Vec<FixedRating>,
    /// `name, elo, error`
    pub priors: Vec<Prior>,
}

/// A line `A, B, elo, error`: the prior of A's rating minus B's.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// The players' names.
    pub players: [String; 2],
    /// The mean difference, in Elo.
    pub difference: f64,
    /// Its standard deviation, in Elo.
    pub sd: f64,
}

/// The main name of each other name.
pub type Synonyms = HashMap<String, String>;

/// Reads known ratings, one player per line.
pub fn anchors(path: &Path) -> anyhow::Result<Anchors> {
    let mut anchors = Anchors::default();
    for row in rows(path)? {
        let form = "write `name, elo`, or `name, elo, error`";
        match &row.fields[..] {
            [name, elo] => {
                anchors.fixed.push(FixedRating { name: name.clone(), rating: row.number(elo, form)? });
            }
            [name, elo, error] => anchors.priors.push(Prior {
                name: name.clone(),
                mean: row.number(elo, form)?,
                sd: row.error(error, form)?,
            }),
            _ => anyhow::bail!(row.complaint(form)),
        }
    }
    Ok(anchors)
}

/// Reads relations, one pair of players per line.
pub fn relations(path: &Path) -> anyhow::Result<Vec<Relation>> {
    let form = "write `player, player, elo, error`";
    let relation = |row: Row| {
        let [a, b, difference, error] = &row.fields[..] else { anyhow::bail!(row.complaint(form)) };
        Ok(Relation {
            players: [a.clone(), b.clone()],
            difference: row.number(difference, form)?,
            sd: row.error(error, form)?,
        })
    };
    rows(path)?.into_iter().map(relation).collect()
}

/// Reads synonyms: the main name of each line, then its other names.
pub fn synonyms(path: &Path) -> anyhow::Result<Synonyms> {
    let mut synonyms = Synonyms::new();
    let rows = rows(path)?;
    for row in &rows {
        let [main, others @ ..] = &row.fields[..] else { continue };
        for other in others.iter().filter(|other| *other != main) {
            let earlier = synonyms.insert(other.clone(), main.clone());
            if let Some(earlier) = earlier.filter(|earlier| earlier != main) {
                anyhow::bail!(row.complaint(&format!("`{other}` already means `{earlier}`; name it once")));
            }
        }
    }
    // A second pass, since a later line may have the main name of an earlier one as another name.
    for row in &rows {
        if let Some(main) = row.fields.first().and_then(|name| Some((name, synonyms.get(name)?))) {
            let remedy = format!("`{}` is itself another name of `{}`; join the lines", main.0, main.1);
            anyhow::bail!(row.complaint(&remedy));
        }
    }
    Ok(synonyms)
}

/// Replaces each `@FILE` by the names in that file, one per line.
pub fn names(given: &[String]) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for name in given {
        match name.strip_prefix('@') {
            None => names.push(name.clone()),
            Some(file) => {
                let path = Path::new(file);
                for row in rows(path)? {
                    // Without quotes a comma is part of the name.
                    names.push(if row.text.starts_with('"') { row.fields[0].clone() } else { row.text });
                }
            }
        }
    }
    Ok(names)
}

/// Replaces each `@FILE` by the paths in that file, one per line, relative to the current folder.
pub fn paths(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for path in given {
        match path.to_str().filter(|text| text.starts_with('@')) {
            None => paths.push(path.clone()),
            Some(list) => {
                let listed = names(&[list.to_owned()])?;
                anyhow::ensure!(
                    !listed.is_empty(),
                    "{}: names no file; write one path on each line",
                    &list[1..]
                );
                paths.extend(listed.into_iter().map(PathBuf::from));
            }
        }
    }
    Ok(paths)
}

/// A line of a file.
#[derive(Debug)]
struct Row {
    file: String,
    number: usize,
    text: String,
    fields: Vec<String>,
}

impl Row {
    fn complaint(&self, remedy: &str) -> String {
        format!("{}:{}: `{}`: {remedy}", self.file, self.number, self.text)
    }

    fn number(&self, field: &str, form: &str) -> anyhow::Result<f64> {
        let number = field.parse().ok().filter(|number: &f64| number.is_finite());
        number.with_context(|| self.complaint(&format!("`{field}` is not a number; {form}")))
    }

    /// A standard deviation.
    fn error(&self, field: &str, form: &str) -> anyhow::Result<f64> {
        let error = self.number(field, form)?;
        anyhow::ensure!(error > 0.0, self.complaint("the error must be above 0"));
        Ok(error)
    }
}

fn rows(path: &Path) -> anyhow::Result<Vec<Row>> {
    let text = files::text_of_any_encoding(path)?;
    let file = path.display().to_string();
    let row = |(index, line): (usize, &str)| {
        let line = line.trim();
        (!line.is_empty() && !line.starts_with('#')).then(|| {
            let fields = fields(line);
            Row { file: file.clone(), number: index + 1, text: line.to_owned(), fields }
        })
    };
    Ok(text.lines().enumerate().filter_map(row).collect())
}

/// The fields of a line; in quotes, `""` is a quote and a comma is text.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut quoted, mut characters) = (false, line.chars().peekable());
    while let Some(character) = characters.next() {
        let field = fields.last_mut().expect("there is always a field");
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                field.push('"');
                characters.next();
            }
            '"' if quoted => quoted = false,
            '"' if field.trim().is_empty() => quoted = true,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(character),
        }
    }
    fields.iter().map(|field| field.trim().to_owned()).collect()
}

/// The error for an unknown name, with the closest known names.
pub fn unknown_player<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let mut near: Vec<(f64, &str)> = known
        .map(|known| (-strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), known))
        .collect();
    near.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let near: Vec<String> = near.iter().take(3).map(|(_, known)| format!("`{known}`")).collect();
    format!("there is no player `{name}`; the closest names are {}", near.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_split_at_commas_outside_of_quotes() {
        let table: &[(&str, &[&str])] = &[
            ("A, B ,3", &["A", "B", "3"]),
            ("\"A, B\", \"C \"\"x\"\"\",-1.5", &["A, B", "C \"x\"", "-1.5"]),
            ("A 5\" b, c", &["A 5\" b", "c"]),
            ("A", &["A"]),
        ];
        for (line, expected) in table {
            assert_eq!(fields(line), *expected, "{line}");
        }
    }
}
