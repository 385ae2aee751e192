//! The form of an engine's `option` lines. They are read leniently elsewhere; here each error is named.

/// The types that UCI knows.
const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];
/// The words before a value.
const KEYWORDS: [&str; 4] = ["default", "min", "max", "var"];

/// What is wrong with a line `option name … type …`; `None` if it has the form that UCI requires.
///
/// ```
/// use threefold_chess::uci::option_line_error;
///
/// assert_eq!(option_line_error("option name Hash type spin default 16 min 1 max 1024"), None);
/// let error = option_line_error("option name Hash type spin default 16 min 32 max 1024");
/// assert_eq!(error.expect("out of range"), "the default 16 is not from 32 to 1024");
/// ```
pub fn option_line_error(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
    let Some(("name", named)) = words.split_first().map(|(first, named)| (*first, named)) else {
        return Some("it has no `name`".to_owned());
    };
    // A name has one word at least, which may be `type`.
    let at = named.iter().skip(1).position(|word| *word == "type").map(|at| at + 1);
    let Some(kind) = at.and_then(|at| named.get(at + 1)) else { return Some("it has no `type`".to_owned()) };
    if !TYPES.contains(kind) {
        return Some(format!("UCI does not know the type `{kind}`"));
    }
    let values = Values(&named[at.unwrap_or_default() + 2..]);
    match *kind {
        "check" => values.check_error(),
        "spin" => values.spin_error(),
        "combo" => values.combo_error(),
        _ => None,
    }
}

/// The words after the type.
struct Values<'l>(&'l [&'l str]);

impl Values<'_> {
    /// The values after a keyword, in lower case.
    fn after(&self, keyword: &str) -> Vec<String> {
        let starts = (0..self.0.len()).filter(|&at| self.0[at] == keyword);
        let value = |at: usize| {
            let words = self.0[at + 1..].iter().take_while(|word| !KEYWORDS.contains(word));
            words.map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>().join(" ")
        };
        starts.map(value).collect()
    }

    fn default(&self) -> String {
        self.after("default").into_iter().next().unwrap_or_default()
    }

    fn check_error(&self) -> Option<String> {
        let default = self.default();
        let is_known = ["true", "false"].contains(&default.as_str());
        (!is_known).then(|| format!("the default `{default}` is neither `true` nor `false`"))
    }

    fn spin_error(&self) -> Option<String> {
        let number = |keyword| self.after(keyword).first().and_then(|text| text.parse::<f64>().ok());
        let [default, min, max] = ["default", "min", "max"].map(number);
        let Some(((default, min), max)) = default.zip(min).zip(max) else {
            return Some("`default`, `min` and `max` must be numbers".to_owned());
        };
        (!(min..=max).contains(&default)).then(|| format!("the default {default} is not from {min} to {max}"))
    }

    fn combo_error(&self) -> Option<String> {
        let default = self.default();
        (!self.after("var").contains(&default)).then(|| format!("the default `{default}` is no `var`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_named() {
        let table = [
            ("name Threads type spin default 1 min 1 max 256", None),
            ("name Skill type spin default 0.5 min -1 max 2.5", None),
            ("name Clear Hash type button", None),
            ("name Style type combo default Very Solid var very solid var Risky", None),
            ("name SyzygyPath type string default <empty>", None),
            ("name Book type string", None),
            ("name Ponder type check default True", None),
            ("name type type button", None),
            ("Hash type spin default 1 min 1 max 2", Some("it has no `name`")),
            ("name type check default true", Some("it has no `type`")),
            ("name Hash", Some("it has no `type`")),
            ("name Hash type", Some("it has no `type`")),
            ("name Pretty type option name Overhead type spin", Some("UCI does not know the type `option`")),
            ("name Pretty type check", Some("the default `` is neither `true` nor `false`")),
            ("name Pretty type check default 0", Some("the default `0` is neither `true` nor `false`")),
            ("name Hash type spin default 16 max 64", Some("`default`, `min` and `max` must be numbers")),
            ("name Hash type spin default 128 min 1 max 64", Some("the default 128 is not from 1 to 64")),
            ("name Style type combo default Mild var Solid", Some("the default `mild` is no `var`")),
        ];
        for (line, error) in table {
            assert_eq!(option_line_error(&format!("option {line}")).as_deref(), error, "{line}");
        }
    }
}
