//! Former names of options, which specs, scripts and journals may still use.

/// The former and the current name.
const FORMER: [(&str, &str); 2] =
    [("MoveOverhead", "Move Overhead"), ("UpcomingRepetition", "CycleDetection")];

/// The current name of an option, from a current or former name; other text is returned unchanged.
pub fn current_name(name: &str) -> &str {
    FORMER.iter().find(|(former, _)| former.eq_ignore_ascii_case(name)).map_or(name, |&(_, current)| current)
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, table};
    use super::*;

    #[test]
    fn former_option_names_are_accepted() {
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
