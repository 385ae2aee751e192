//! One option for each rule of adjudication, from the table of rules.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use threefold_games::playout::adjudication::{Adjudication, AdjudicationMode, RULES, RuleError, RuleKind};

/// The rules of adjudication that are given, with their settings as they are written.
#[derive(Debug, Clone, Default)]
pub struct AdjudicationArgs {
    rules: Vec<(&'static RuleKind, String)>,
    mode: AdjudicationMode,
}

impl AdjudicationArgs {
    /// Reads the settings of all rules that are given.
    pub fn read(&self) -> Result<Adjudication, RuleError> {
        let read = |(kind, text): &(&RuleKind, String)| (kind.read)(&format!("--{}", kind.flag), text);
        let rules = self.rules.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(Adjudication::new(rules).with_mode(self.mode))
    }
}

impl FromArgMatches for AdjudicationArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |kind: &'static RuleKind| Some((kind, matches.get_one::<String>(kind.name)?.clone()));
        let mode = matches.get_one(MODE).copied().unwrap_or_default();
        Ok(Self { rules: RULES.iter().filter_map(given).collect(), mode })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option that says what the rules do.
const MODE: &str = "adjudication";

fn mode() -> Arg {
    Arg::new(MODE)
        .long(MODE)
        .value_name("MODE")
        .value_parser(str::parse::<AdjudicationMode>)
        .default_value(AdjudicationMode::Apply.name())
        .help("`apply` the rules, or `shadow`: play on and report what they would have changed")
}

impl Args for AdjudicationArgs {
    fn augment_args(command: Command) -> Command {
        command.args(
            RULES
                .iter()
                .map(|kind| Arg::new(kind.name).long(kind.flag).value_name(kind.value).help(kind.help))
                .chain([mode()]),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        adjudication: AdjudicationArgs,
    }

    #[test]
    fn every_rule_is_an_option_with_its_own_help() {
        let help = Cli::augment_args(Command::new("match").term_width(0)).render_long_help().to_string();
        for kind in RULES {
            assert!(help.contains(&format!("--{} <{}>", kind.flag, kind.value)), "{help}");
            assert!(help.contains(kind.help), "{help}");
        }
    }

    #[test]
    fn rules_are_read_from_their_options_and_errors_name_them() {
        let read = |given: &[&str]| {
            let given = std::iter::once("match").chain(given.iter().copied());
            Cli::try_parse_from(given).expect("known options").adjudication.read()
        };
        let rules = read(&["--maxmoves", "60", "--resign", "movecount=3,score=600"]).expect("sound");
        let texts: Vec<_> = rules.texts().map(|(kind, text)| (kind.name, text)).collect();
        let resign = "movecount=3,score=600,twosided=false".to_owned();
        assert_eq!(texts, [("resign", resign), ("max-moves", "60".to_owned())]);
        assert_eq!(read(&[]).expect("none is a choice"), Adjudication::default());
        for (given, message) in [
            (["--draw", "soon"], "--draw `soon` can't be read; write it as movenumber=34,"),
            (["--resign", "movecount=2"], "--resign: score must be a whole number; write it as"),
            (["--maxmoves", "0"], "--maxmoves: 0 is not in 1..4294967295; give a number of full moves"),
        ] {
            let error = read(&given).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
