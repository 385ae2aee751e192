//! The numbers of cases of each class in the text of a plan.

use std::fmt::Write as _;

/// A plan with these numbers of cases of each class, by suite, and the reason.
pub fn with_per_class<'s>(
    plan: &str,
    numbers: impl IntoIterator<Item = (&'s str, usize)>,
    why: &str,
) -> String {
    const TABLE: &str = "[per-class]\n";
    let numbers: Vec<(&str, usize)> = numbers.into_iter().collect();
    let mut table = String::from(TABLE);
    for (suite, cases) in &numbers {
        let _ = writeln!(table, "{suite} = {cases}    # {why}");
    }
    let is_replaced = |line: &&str| numbers.iter().any(|(suite, _)| line.starts_with(&format!("{suite} = ")));
    let kept: String = plan.split_inclusive('\n').filter(|line| !is_replaced(line)).collect();
    kept.replace(TABLE, &table)
}

/// The suites that ask many positions of the same classes, of which fewer say nearly as much. `ponder-move` is none of them: its
/// verdict is that of a significance test, and a bug shows in few of its cases.
const OF_MANY_POSITIONS: [&str; 13] = [
    "special-moves",
    "value",
    "ending-value",
    "symmetry",
    "rule",
    "mate-game",
    "policy",
    "root-return",
    "repetition",
    "hash-pollution",
    "best-move",
    "mate",
    "explosion",
];

/// May a suite of the plan ask fewer cases of each class?
pub fn can_be_smaller(suite: &str) -> bool {
    OF_MANY_POSITIONS.contains(&suite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_of_the_plan_get_other_numbers_of_cases() {
        const SUITES: &str = include_str!("plan_suites.toml");
        assert!(OF_MANY_POSITIONS.iter().all(|suite| SUITES.contains(&format!("\"builtin:{suite}\","))));
        let smaller = with_per_class(SUITES, [("value", 6), ("mate", 2)], "few");
        assert!(
            smaller.contains("[per-class]\nvalue = 6    # few\nmate = 2    # few\nrepetition = 12\n"),
            "{smaller}"
        );
        let [before, after]: [toml::Table; 2] = [SUITES, &smaller].map(|text| text.parse().expect("TOML"));
        let names = |plan: &toml::Table| plan["per-class"].as_table().expect("a table").len();
        assert_eq!(names(&after), names(&before) + 1);
    }
}
