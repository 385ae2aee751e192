//! The macro that declares commands, each by one row: its help, its arguments and the function that runs it.

/// Declares an enum of commands. A row is `Variant(Arguments) => function;`, with the help as its doc
/// comment. A command with a run adds where its arguments have the run options: `, run options: FIELD`, or
/// `subcommand` if it is a group of commands itself.
#[macro_export]
macro_rules! command_table {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $(
                $(#[$help:meta])*
                $command:ident($args:ty) => $function:path $(, run options: $($options:ident).+)?;
            )*
        }
    ) => {
        #[derive(Debug, clap::Subcommand)]
        $(#[$attribute])*
        pub enum $name {
            $($(#[$help])* $command($args),)*
        }

        impl $name {
            /// Runs the command.
            pub fn run(&self) -> anyhow::Result<$crate::exit::Exit> {
                match self {
                    $(Self::$command(args) => $function(args),)*
                }
            }

            /// Run options of the command; `None` for commands without a run.
            pub fn run_options(&self) -> Option<&$crate::args::RunOptions> {
                $($(
                    if let Self::$command(args) = self {
                        return $crate::command_table!(@args $($options).+);
                    }
                )?)*
                None
            }
        }
    };
    (@$args:ident subcommand) => { $args.run_options() };
    (@$args:ident $($field:ident).+) => { Some(&$args.$($field).+) };
}
