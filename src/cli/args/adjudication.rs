//! One option for each rule of adjudication, from the table of rules.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::playout::adjudication::{Adjudication, RULES, RuleError, RuleKind};

/// The rules of adjudication that are given, with their settings as they are written.
#[derive(Debug, Clone, Default)]
pub struct AdjudicationArgs(Vec<(&'static RuleKind, String)>);

impl AdjudicationArgs {
    /// Reads the settings of all rules that are given.
    pub fn read(&self) -> Result<Adjudication, RuleError> {
        let read = |(kind, text): &(&RuleKind, String)| (kind.read)(&format!("--{}", kind.flag), text);
        self.0.iter().map(read).collect::<Result<Vec<_>, _>>().map(Adjudication::new)
    }
}

impl FromArgMatches for AdjudicationArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |kind: &'static RuleKind| Some((kind, matches.get_one::<String>(kind.name)?.clone()));
        Ok(Self(RULES.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for AdjudicationArgs {
    fn augment_args(command: Command) -> Command {
        command.args(
            RULES
                .iter()
                .map(|kind| Arg::new(kind.name).long(kind.flag).value_name(kind.value).help(kind.help)),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
