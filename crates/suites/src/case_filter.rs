//! An expression that chooses cases: `mate and not (underpromotion or krk)`.
//!
//! The grammar is that of `pytest -k`: words with `and`, `or`, `not` and parentheses. `not` binds more
//! strongly than `and`, and `and` more strongly than `or`. A word matches a case if it is a part of the name
//! of its suite, of its class or of its id; case is ignored.
//!
//! The expression is kept in postfix order (shunting-yard algorithm), so that neither reading nor matching
//! recurses: a command line may have any number of parentheses.

use std::str::FromStr;

use crate::CaseInfo;

/// An expression that chooses cases.
///
/// ```
/// use threefold_suites::CaseFilter;
///
/// let filter: CaseFilter = "mate and not (m2 or krk)".parse()?;
/// assert!(filter.matches_names(["mate", "m1", "m1.KQK.001"]));
/// assert!(!filter.matches_names(["mate", "m1", "m1.KRK.001"]));
/// let error = "mate and".parse::<CaseFilter>().expect_err("a word is missing");
/// assert_eq!((error.column, error.to_string().starts_with("column 9: ")), (9, true));
/// # Ok::<(), threefold_suites::CaseFilterError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFilter {
    text: String,
    /// In postfix order.
    steps: Vec<Step>,
}

/// Why a text is no such expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "column {column}: {problem}; give words with `and`, `or`, `not` and parentheses, such as `mate and not (m2 or krk)`"
)]
pub struct CaseFilterError {
    /// The place of the error, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: FilterProblem,
}

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterProblem {
    /// It ends where a word must follow.
    #[error("a word, `not` or `(` is missing at the end")]
    EndsEarly,
    /// This is where a word must be.
    #[error("a word, `not` or `(` is missing before `{0}`")]
    NoWord(String),
    /// This follows a word without an operator.
    #[error("`and` or `or` is missing before `{0}`")]
    NoOperator(String),
    /// A parenthesis is not closed.
    #[error("this `(` is not closed")]
    NotClosed,
    /// A parenthesis is closed that is not open.
    #[error("this `)` closes no `(`")]
    NotOpen,
}

/// A word or an operator on the values before it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// In lower case.
    Word(String),
    Operator(Operator),
}

/// In the order of their strength, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Or,
    And,
    Not,
}

/// What waits for its right side, or for its end.
enum Open {
    Operator(Operator),
    /// With its column.
    Parenthesis(usize),
}

/// What may come next.
enum Expected {
    Word,
    Operator,
}

impl CaseFilter {
    /// The expression as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Does a case match?
    pub fn matches(&self, case: &CaseInfo) -> bool {
        self.matches_names([&case.suite, &case.class, &case.id])
    }

    /// Does a case match with these names of its suite, its class and itself?
    pub fn matches_names(&self, names: [&str; 3]) -> bool {
        let names = names.map(str::to_lowercase);
        let mut values: Vec<bool> = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Word(word) => names.iter().any(|name| name.contains(word)),
                Step::Operator(operator) => {
                    let last = values.pop().expect("each operator follows its values");
                    match operator {
                        Operator::Not => !last,
                        // The pop is first: after `last &&` it would not always be evaluated, and its value
                        // would stay.
                        Operator::And => values.pop().expect("two values") && last,
                        Operator::Or => values.pop().expect("two values") || last,
                    }
                }
            };
            values.push(value);
        }
        values == [true]
    }
}

impl FromStr for CaseFilter {
    type Err = CaseFilterError;

    fn from_str(text: &str) -> Result<Self, CaseFilterError> {
        let mut steps = Vec::new();
        let mut open = Vec::new();
        let mut expected = Expected::Word;
        for (column, token) in tokens(text) {
            let wrong = |problem| CaseFilterError { column, problem };
            expected = match (expected, token.as_str()) {
                (Expected::Word, "not") => {
                    // `not` has no left side, so it closes no operator.
                    open.push(Open::Operator(Operator::Not));
                    Expected::Word
                }
                (Expected::Word, "(") => {
                    open.push(Open::Parenthesis(column));
                    Expected::Word
                }
                (Expected::Word, ")" | "and" | "or") => return Err(wrong(FilterProblem::NoWord(token))),
                (Expected::Word, word) => {
                    steps.push(Step::Word(word.to_lowercase()));
                    Expected::Operator
                }
                (Expected::Operator, "and") => {
                    push(Operator::And, &mut open, &mut steps);
                    Expected::Word
                }
                (Expected::Operator, "or") => {
                    push(Operator::Or, &mut open, &mut steps);
                    Expected::Word
                }
                // `Or` is the weakest operator, so all of them are closed, up to the parenthesis.
                (Expected::Operator, ")") => {
                    close_operators(&mut open, &mut steps, Operator::Or);
                    open.pop().ok_or_else(|| wrong(FilterProblem::NotOpen))?;
                    Expected::Operator
                }
                (Expected::Operator, _) => return Err(wrong(FilterProblem::NoOperator(token))),
            };
        }
        if let Expected::Word = expected {
            let column = 1 + text.trim_end().chars().count();
            return Err(CaseFilterError { column, problem: FilterProblem::EndsEarly });
        }
        close_operators(&mut open, &mut steps, Operator::Or);
        if let Some(Open::Parenthesis(column)) = open.pop() {
            return Err(CaseFilterError { column, problem: FilterProblem::NotClosed });
        }
        Ok(Self { text: text.to_owned(), steps })
    }
}

/// Opens an operator with two sides. Those that are at least as strong have their right sides.
fn push(operator: Operator, open: &mut Vec<Open>, steps: &mut Vec<Step>) {
    close_operators(open, steps, operator);
    open.push(Open::Operator(operator));
}

/// Closes the open operators that are at least this strong, up to a parenthesis.
fn close_operators(open: &mut Vec<Open>, steps: &mut Vec<Step>, weakest: Operator) {
    while let Some(&Open::Operator(operator)) = open.last()
        && operator >= weakest
    {
        open.pop();
        steps.push(Step::Operator(operator));
    }
}

/// Words and parentheses with their columns, in characters from 1.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut tokens: Vec<(usize, String)> = Vec::new();
    let mut is_in_word = false;
    for (column, letter) in (1..).zip(text.chars()) {
        let is_parenthesis = matches!(letter, '(' | ')');
        match tokens.last_mut() {
            _ if letter.is_whitespace() => is_in_word = false,
            Some((_, word)) if is_in_word && !is_parenthesis => word.push(letter),
            _ => {
                tokens.push((column, letter.to_string()));
                is_in_word = !is_parenthesis;
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(expression: &str, names: [&str; 3]) -> bool {
        expression.parse::<CaseFilter>().expect(expression).matches_names(names)
    }

    #[test]
    fn filter_matches_parts_of_the_names() {
        let case = ["mate", "Underpromotion", "m1.KQK.001"];
        let table = [
            ("mate", true),
            ("MATE", true),
            ("underp", true),
            ("kqk.0", true),
            ("krk", false),
            ("m1.KQK.001", true),
            ("not krk", true),
            ("not not mate", true),
            ("mate and krk", false),
            ("mate or krk", true),
            ("krk and mate or kqk", true),
            ("kqk or mate and krk", true),
            ("(kqk or mate) and krk", false),
            ("not krk and kqk", true),
            ("not (krk or kqk)", false),
            ("not krk or kqk and krk", true),
            ("not (mate and not krk)", false),
            ("((mate))and(kqk)", true),
            ("  mate\tand  not\nkrk ", true),
            // Operators are words in lower case alone, as for pytest; longer words are no operators.
            ("android or order or nothing or mate", true),
        ];
        for (expression, expected) in table {
            assert_eq!(matches(expression, case), expected, "{expression}");
        }
        assert!(matches("é", ["s", "CAFÉ", "1"]));
        // Words do not go over from one name to the next.
        assert!(!matches("ab", ["a", "b", "c"]));
    }

    #[test]
    fn wrong_expression_names_the_place_and_the_remedy() {
        use FilterProblem::{EndsEarly, NoOperator, NoWord, NotClosed, NotOpen};
        let table = [
            ("", 1, EndsEarly),
            ("   ", 1, EndsEarly),
            ("mate and", 9, EndsEarly),
            ("mate and ", 9, EndsEarly),
            ("not", 4, EndsEarly),
            ("(", 2, EndsEarly),
            ("and mate", 1, NoWord("and".to_owned())),
            ("mate or and krk", 9, NoWord("and".to_owned())),
            ("mate and ()", 11, NoWord(")".to_owned())),
            ("é or )", 6, NoWord(")".to_owned())),
            ("mate krk", 6, NoOperator("krk".to_owned())),
            ("mate not krk", 6, NoOperator("not".to_owned())),
            ("mate(krk)", 5, NoOperator("(".to_owned())),
            ("mate AND krk", 6, NoOperator("AND".to_owned())),
            ("mate)", 5, NotOpen),
            ("(mate))", 7, NotOpen),
            ("mate and (krk or (kqk)", 10, NotClosed),
            ("((mate)", 1, NotClosed),
        ];
        for (expression, column, problem) in table {
            let error = expression.parse::<CaseFilter>().expect_err(expression);
            assert_eq!(error, CaseFilterError { column, problem }, "{expression}");
            let text = error.to_string();
            assert!(text.starts_with(&format!("column {column}: ")), "{text}");
            assert!(
                text.ends_with(
                    "; give words with `and`, `or`, `not` and parentheses, such as `mate and not (m2 or krk)`"
                ),
                "{text}"
            );
        }
    }

    #[test]
    fn deep_expression_is_no_problem() {
        let deep = |left: &str, right: &str| format!("{}mate{}", left.repeat(100_000), right.repeat(100_000));
        assert!(matches(&deep("(", ")"), ["mate", "", ""]));
        assert!(matches(&deep("not ", ""), ["mate", "", ""]));
        assert!(deep("(", "").parse::<CaseFilter>().is_err());
    }
}
