//! Enums with their variants, names and help lines in one declaration.
//!
//! Such an enum is parsed from a command line, a UCI option or a file, listed in help, and printed. Each of
//! these needs the list of variants; [`named_enum!`] derives all of them from one declaration.
//!
//! ```
//! use threefold_named_enum::named_enum;
//!
//! named_enum! {
//!     /// How games are paired.
//!     pub enum Pairing {
//!         /// Everyone against everyone.
//!         RoundRobin = "roundrobin",
//!         /// The first against each of the others.
//!         Gauntlet = "gauntlet",
//!     }
//! }
//!
//! assert_eq!("RoundRobin".parse(), Ok(Pairing::RoundRobin));
//! assert_eq!(Pairing::Gauntlet.to_string(), "gauntlet");
//! assert_eq!(Pairing::Gauntlet.summary(), "The first against each of the others.");
//! let unknown = "swiss".parse::<Pairing>().unwrap_err();
//! assert_eq!(unknown.to_string(), "`swiss` is not known; use one of roundrobin, gauntlet");
//! ```

use std::fmt;

/// The error of `FromStr`: the name that is not known, and the names that are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The text that was parsed.
    pub given: String,
    /// The known names, in the order of declaration.
    pub known: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not known; use one of {}", self.given, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// The selected members without repetitions, in the order of selection; all members if none is selected.
pub fn selected_or_all<S: Copy + PartialEq>(given: &[S], all: &[S]) -> Vec<S> {
    let mut once = Vec::new();
    for member in if given.is_empty() { all } else { given } {
        if !once.contains(member) {
            once.push(*member);
        }
    }
    once
}

/// Declares an enum with `ALL`, `name()`, `summary()`, `Display` and a case-insensitive `FromStr`.
///
/// The doc comment of a variant is its summary.
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $set:ident {
            $( $(#[doc = $summary:literal])+ $variant:ident = $name:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $set {
            $( $(#[doc = $summary])+ $variant ),+
        }

        impl $set {
            /// Every member, in the order of declaration.
            pub const ALL: &'static [Self] = &[$( Self::$variant ),+];

            /// The name on the command line, in UCI and in files.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name ),+ }
            }

            /// One line of help.
            pub fn summary(self) -> &'static str {
                match self { $( Self::$variant => concat!($($summary),+).trim() ),+ }
            }
        }

        impl ::std::fmt::Display for $set {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $set {
            type Err = $crate::UnknownName;

            fn from_str(given: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|member| member.name().eq_ignore_ascii_case(given)).ok_or_else(
                    || $crate::UnknownName {
                        given: given.to_owned(),
                        known: Self::ALL.iter().map(|member| member.name()).collect(),
                    },
                )
            }
        }
    };
}

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

#[cfg(test)]
mod tests {
    #![expect(unreachable_pub, reason = "the macro's members are as public as its enums are meant to be")]

    use super::selected_or_all;

    named_enum! {
        /// A colour of light.
        enum Light {
            /// Stop.
            Red = "red",
            /// Go.
            Green = "green",
        }
    }

    #[test]
    fn names_parse_back_whatever_their_case() {
        for &light in Light::ALL {
            assert_eq!(light.name().parse(), Ok(light));
            assert_eq!(light.name().to_uppercase().parse(), Ok(light));
        }
        assert_eq!(Light::Red.summary(), "Stop.");
    }

    #[test]
    fn selected_members_come_once_and_all_come_if_none_is_selected() {
        assert_eq!(selected_or_all(&[], Light::ALL), Light::ALL);
        assert_eq!(
            selected_or_all(&[Light::Green, Light::Red, Light::Green], Light::ALL),
            [Light::Green, Light::Red]
        );
    }

    #[test]
    fn unknown_name_error_lists_the_known_ones() {
        let error = "amber".parse::<Light>().expect_err("amber is no member");
        assert_eq!(error.to_string(), "`amber` is not known; use one of red, green");
    }
}
