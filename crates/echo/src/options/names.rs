//! Names that options had in earlier versions: specs, scripts and journals that say them go on working.

/// What an option was called, and what it is called now.
const FORMER: [(&str, &str); 2] =
    [("MoveOverhead", "Move Overhead"), ("UpcomingRepetition", "CycleDetection")];

/// The present name of an option, for a name of now or then; any other text is returned as it is.
pub fn current_name(name: &str) -> &str {
    FORMER.iter().find(|(former, _)| former.eq_ignore_ascii_case(name)).map_or(name, |&(_, current)| current)
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, table};
    use super::*;

    #[test]
    fn a_former_name_sets_the_option_that_has_a_new_one() {
        for (former, current) in FORMER {
            let names: Vec<&str> = table().iter().map(|row| row.name).collect();
            assert!(names.contains(&current) && !names.contains(&former), "{former}: {names:?}");
            let value = if current == "Move Overhead" { "77" } else { "true" };
            let [mut then, mut now] = [Settings::DEFAULT; 2];
            then.set(&former.to_lowercase(), value).expect(former);
            now.set(current, value).expect(current);
            assert_eq!(then, now, "{former}");
            assert_ne!(then, Settings::DEFAULT, "{former}");
        }
        assert_eq!(current_name("hash"), "hash");
    }
}
