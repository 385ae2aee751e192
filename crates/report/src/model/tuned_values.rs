//! The result of a tune as texts to paste: UCI commands, OpenBench's form, and constants in C++ and Rust.

use super::tuning::Tuning;
use threefold_stats::spsa::{Parameter, ParameterKind};

/// A form of the tuned values.
pub(crate) struct TunedText {
    /// Its title.
    pub(crate) title: &'static str,
    /// A line for each parameter.
    line: fn(&Parameter, f64) -> String,
}

/// All forms.
pub(crate) const TUNED_TEXTS: [TunedText; 4] = [
    TunedText { title: "UCI commands", line: set_option },
    TunedText { title: "OpenBench, to tune on from here", line: open_bench },
    TunedText { title: "C++", line: cpp },
    TunedText { title: "Rust", line: rust },
];

impl TunedText {
    /// The lines of all parameters.
    pub(crate) fn text(&self, tuning: &Tuning) -> String {
        let lines = tuning.parameters().map(|it| (self.line)(it.parameter, it.tuned()));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The UCI commands that set the tuned values.
pub(crate) fn set_options(tuning: &Tuning) -> String {
    TUNED_TEXTS[0].text(tuning)
}

fn set_option(parameter: &Parameter, value: f64) -> String {
    format!("setoption name {} value {}", parameter.name, parameter.text(value))
}

fn open_bench(parameter: &Parameter, value: f64) -> String {
    let Parameter { name, kind, min, max, c_end, r_end, .. } = parameter;
    format!("{name}, {kind}, {}, {min}, {max}, {c_end}, {r_end}", parameter.text(value))
}

fn cpp(parameter: &Parameter, value: f64) -> String {
    let kind = match parameter.kind {
        ParameterKind::Int if is_small(parameter) => "int",
        ParameterKind::Int => "long long",
        ParameterKind::Float => "double",
    };
    format!("constexpr {kind} {} = {};", identifier(&parameter.name), literal(parameter, value))
}

fn rust(parameter: &Parameter, value: f64) -> String {
    let kind = match parameter.kind {
        ParameterKind::Int if is_small(parameter) => "i32",
        ParameterKind::Int => "i64",
        ParameterKind::Float => "f64",
    };
    format!("pub const {}: {kind} = {};", upper_snake(&parameter.name), literal(parameter, value))
}

/// Do all its values fit into 32 bits?
fn is_small(parameter: &Parameter) -> bool {
    parameter.min >= f64::from(i32::MIN) && parameter.max <= f64::from(i32::MAX)
}

/// A number in C++ and Rust; one with decimals has a decimal point.
fn literal(parameter: &Parameter, value: f64) -> String {
    let text = parameter.text(value);
    let is_whole = text.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
    if parameter.kind == ParameterKind::Float && is_whole { format!("{text}.0") } else { text }
}

/// The name with `_` in place of what no identifier has.
fn identifier(name: &str) -> String {
    let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
    let text: String = letters.collect();
    if text.starts_with(|letter: char| letter.is_ascii_digit()) { format!("_{text}") } else { text }
}

/// `LmrBase` and `lmr base` are `LMR_BASE`.
fn upper_snake(name: &str) -> String {
    let mut text = String::new();
    let mut before = '_';
    for letter in identifier(name).chars() {
        if letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
        before = letter;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_stats::spsa::{ParameterEffect, Parameters, Schedule, Tune, TuneSettings};

    fn tuning() -> Tuning {
        let parameter = |name: &str, kind, value, max| Parameter {
            name: name.to_owned(),
            kind,
            value,
            min: -1.0,
            max,
            c_end: 0.5,
            r_end: 0.002,
        };
        let all = vec![
            parameter("LmrBase", ParameterKind::Int, 75.0, 150.0),
            parameter("Null move R2", ParameterKind::Int, 3.0, 1e10),
            parameter("3rdScale", ParameterKind::Float, 2.0, 4.0),
        ];
        let parameters = Parameters::new(all).expect("sound");
        let schedule = Schedule::usual(2, 1).expect("sound");
        let tune = Tune::new(TuneSettings { parameters, schedule, seed: 1, ahead: 1 });
        Tuning { effects: ParameterEffect::of_tune(&tune), tune, void_pairs: 0, has_test: false }
    }

    #[test]
    fn values_are_written_for_each_reader() {
        let texts = TUNED_TEXTS.map(|form| form.text(&tuning()));
        assert_eq!(
            texts,
            [
                "setoption name LmrBase value 75\nsetoption name Null move R2 value 3\nsetoption name 3rdScale value 2",
                "LmrBase, int, 75, -1, 150, 0.5, 0.002\nNull move R2, int, 3, -1, 10000000000, 0.5, 0.002\n\
                 3rdScale, float, 2, -1, 4, 0.5, 0.002",
                "constexpr int LmrBase = 75;\nconstexpr long long Null_move_R2 = 3;\nconstexpr double _3rdScale = 2.0;",
                "pub const LMR_BASE: i32 = 75;\npub const NULL_MOVE_R2: i64 = 3;\npub const _3RD_SCALE: f64 = 2.0;",
            ]
        );
    }
}
