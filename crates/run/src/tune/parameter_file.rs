//! The file of a tune's parameters: the seven columns of OpenBench, or TOML.
//!
//! ```text
//! # name, type, value, min, max, c_end, r_end
//! LmrBase, int, 75, 10, 150, 7, 0.002
//! LmrScale, float, 2.25, 1.0, 4.0, 0.15, 0.002
//! ```
//!
//! Columns are separated by commas, or by blanks in a line without a comma. Empty lines and lines that begin
//! with `#` are skipped. The same in TOML, for a file whose name ends in `.toml`:
//!
//! ```toml
//! [[parameter]]
//! name = "LmrBase"
//! type = "int"
//! value = 75
//! min = 10
//! max = 150
//! c_end = 7
//! r_end = 0.002
//! ```

use serde::Deserialize;
use toml::Spanned;

use threefold_stats::spsa::{Parameter, ParameterKind, Parameters};
use threefold_suites::{SourceFile, SuiteError};

/// The columns of a line.
const COLUMNS: [&str; 7] = ["name", "type", "value", "min", "max", "c_end", "r_end"];

/// The form of a line, for error messages.
const FORM: &str = "write `NAME, int|float, VALUE, MIN, MAX, C_END, R_END`, as in OpenBench";

/// The keys of a parameter in TOML, for error messages.
const KEYS: &str =
    "a file has [[parameter]] with name, type (int or float), value, min, max, c_end and r_end";

/// Parameters with the lines that they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterFile {
    /// The parameters.
    pub parameters: Parameters,
    /// The line of each, from 1.
    pub lines: Vec<usize>,
}

/// The file in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    parameter: Vec<Spanned<WrittenParameter>>,
}

/// A parameter in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenParameter {
    name: String,
    #[serde(rename = "type")]
    kind: Spanned<String>,
    value: f64,
    min: f64,
    max: f64,
    c_end: f64,
    r_end: f64,
}

impl ParameterFile {
    /// Reads a file. The ending of its name decides on the format.
    ///
    /// # Errors
    /// If a line or a parameter is wrong. The error has the line, the cause and the remedy.
    pub fn parse(file: &SourceFile) -> Result<Self, SuiteError> {
        let is_toml = file.file.to_ascii_lowercase().ends_with(".toml");
        let (lines, parameters): (Vec<usize>, Vec<Parameter>) =
            if is_toml { from_toml(file)? } else { from_columns(file)? }.into_iter().unzip();
        let parameters = Parameters::new(parameters).map_err(|(index, error)| match lines.get(index) {
            Some(&line) => file.error_at_line(line, error.to_string(), error.remedy()),
            None => file.error_in_file(error.to_string(), error.remedy()),
        })?;
        Ok(Self { parameters, lines })
    }
}

fn from_columns(file: &SourceFile) -> Result<Vec<(usize, Parameter)>, SuiteError> {
    let lines = file.text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    SuiteError::collect(lines.map(|(line, number)| Ok((number, from_line(file, number, line)?))))
}

fn from_line(file: &SourceFile, number: usize, line: &str) -> Result<Parameter, SuiteError> {
    let columns: Vec<&str> = if line.contains(',') {
        line.split(',').map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    };
    let Ok([name, kind, value, min, max, c_end, r_end]) = <[&str; 7]>::try_from(&columns[..]) else {
        let what = match COLUMNS.get(columns.len()) {
            Some(missing) => format!("{} columns, `{missing}` is missing", columns.len()),
            None => format!("{} columns in place of 7", columns.len()),
        };
        return Err(file.error_at_line(number, what, FORM));
    };
    let read = |column: usize, text: &str| {
        text.parse::<f64>().map_err(|_| {
            let what = format!("{} `{text}` of `{name}` is not a number", COLUMNS[column]);
            file.error_at_line(number, what, FORM)
        })
    };
    Ok(Parameter {
        name: name.to_owned(),
        kind: kind.parse().map_err(|_| unknown_type(file, number, kind))?,
        value: read(2, value)?,
        min: read(3, min)?,
        max: read(4, max)?,
        c_end: read(5, c_end)?,
        r_end: read(6, r_end)?,
    })
}

fn from_toml(file: &SourceFile) -> Result<Vec<(usize, Parameter)>, SuiteError> {
    let Written { parameter: written } = file.toml(KEYS)?;
    SuiteError::collect(written.into_iter().map(|written| {
        let line = file.line_at(written.span().start);
        let WrittenParameter { name, kind, value, min, max, c_end, r_end } = written.into_inner();
        let kind: ParameterKind = kind
            .get_ref()
            .parse()
            .map_err(|_| unknown_type(file, file.line_at(kind.span().start), kind.get_ref()))?;
        Ok((line, Parameter { name, kind, value, min, max, c_end, r_end }))
    }))
}

fn unknown_type(file: &SourceFile, line: usize, given: &str) -> SuiteError {
    file.error_at_line(line, format!("type `{given}` is not known"), "use int or float")
}

/// A parameter as a line of OpenBench's form.
pub fn line(parameter: &Parameter) -> String {
    let Parameter { name, kind, value, min, max, c_end, r_end } = parameter;
    format!("{name}, {kind}, {value}, {min}, {max}, {c_end}, {r_end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(file: &str, text: &str) -> Result<ParameterFile, SuiteError> {
        ParameterFile::parse(&SourceFile { file: file.to_owned(), text: text.to_owned() })
    }

    const TOML: &str = "# of a search\n[[parameter]]\nname = \"A\"\ntype = \"int\"\nvalue = 75\nmin = -17\nmax = 303\n\
                        c_end = 16\nr_end = 0.004\n\n[[parameter]]\nname = \"B c\"\ntype = \"float\"\nvalue = 1.5\n\
                        min = 0\nmax = 4\nc_end = 0.195\nr_end = 2e-3\n";

    #[test]
    fn forms_of_the_file_read_alike() {
        let columns = "# name, type, value, min, max, c_end, r_end\n\nA, int, 75, -17, 303, 16.0, 0.004\n\
                       \tB c,float,1.5,0.0,4,0.195,0.002  \r\n";
        let read = parse("p.csv", columns).expect("sound");
        assert_eq!(read.lines, [3, 4]);
        let lines: Vec<String> = read.parameters.all().iter().map(line).collect();
        assert_eq!(lines, ["A, int, 75, -17, 303, 16, 0.004", "B c, float, 1.5, 0, 4, 0.195, 0.002"]);
        assert_eq!(parse("p", &lines.join("\n")).expect("its own form").parameters, read.parameters);
        let toml = parse("P.TOML", TOML).expect("sound");
        assert_eq!((toml.parameters, toml.lines), (read.parameters, vec![2, 11]));
        let blanks = parse("p.txt", "A int 75.0 -17 303 16 .004").expect("no comma");
        assert_eq!(line(&blanks.parameters.all()[0]), lines[0]);
    }

    #[test]
    fn wrong_files_are_refused_with_line_and_remedy() {
        let columns = [
            ("", "p.csv: there is no parameter; give at least one"),
            ("# only a comment\n", "p.csv: there is no parameter"),
            ("A, int, 5, 0, 10, 1", "p.csv:1: 6 columns, `r_end` is missing; write `NAME, int|float"),
            ("A, int, 5, 0, 10, 1, 1, 1", "p.csv:1: 8 columns in place of 7"),
            ("\nA, integer, 5, 0, 10, 1, 1", "p.csv:2: type `integer` is not known; use int or float"),
            ("A, int, five, 0, 10, 1, 1", "p.csv:1: value `five` of `A` is not a number"),
            ("A, int, 5, 0, 10, 1,", "p.csv:1: r_end `` of `A` is not a number"),
            ("A, int, 5, 0, inf, 1, 1", "p.csv:1: max of `A` is not finite; give a finite number"),
            ("A, int, 5, 0, 1e999, 1, 1", "p.csv:1: max of `A` is not finite"),
            ("A, int, 5.5, 0, 10, 1, 1", "p.csv:1: value of `A` is 5.5, and its type is int; give a whole"),
            ("A, int, 5, 10, 0, 1, 1", "p.csv:1: min 10 of `A` is not below max 0"),
            ("A, int, 11, 0, 10, 1, 1", "p.csv:1: value 11 of `A` is not from 0 to 10"),
            ("A, int, 5, 0, 10, 0, 1", "p.csv:1: c_end of `A` is 0; give a number above 0 and at most 10"),
            ("A, int, 5, 0, 10, 1, 0", "p.csv:1: r_end of `A` is 0; give a number above 0; 0.002 is usual"),
            (
                "A, int, 5, 0, 10, 1, 1\n\na, int, 5, 0, 10, 1, 1",
                "p.csv:3: `a` is there twice; remove one of them",
            ),
            (", int, 5, 0, 10, 1, 1", "p.csv:1: the parameter has no name"),
        ];
        for (text, message) in columns {
            let error = parse("p.csv", text).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let toml = [
            ("", "p.toml: there is no parameter"),
            ("[[parameters]]\n", "p.toml:1: unknown field `parameters`"),
            (&TOML.replace("min = 0\n", ""), "p.toml:11: missing field `min`; a file has [[parameter]] with"),
            (&TOML.replace("float", "real"), "p.toml:13: type `real` is not known; use int or float"),
            (&TOML.replace("max = 4", "max = inf"), "p.toml:11: max of `B c` is not finite"),
            (&TOML.replace("1.5", "\"x\""), "p.toml:14: invalid type: string \"x\""),
        ];
        for (text, message) in toml {
            let error = parse("p.toml", text).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
        // All wrong lines are named at once.
        let two = parse("p.csv", "A, int\nB, int").expect_err("both").to_string();
        assert_eq!(two.lines().count(), 2, "{two}");
    }
}
