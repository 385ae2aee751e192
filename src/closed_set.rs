//! Closed choices: enums whose variant, wire name and help line stand together.
//!
//! A choice is read from a command line, a UCI option or a file, listed in help, and printed back. Each of
//! those needs the list of members; the macro keeps that list in one place.

use std::fmt;

/// The error of a closed set's `FromStr`: it lists what would have been right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// What was given.
    pub given: String,
    /// The names that are known, in order.
    pub known: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not known; use one of {}", self.given, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// The members asked for, each once, in the order asked; all where none is.
pub fn asked<S: Copy + PartialEq>(given: &[S], all: &[S]) -> Vec<S> {
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
/// A variant's doc comment is its summary.
#[macro_export]
macro_rules! closed_set {
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
            type Err = $crate::closed_set::UnknownName;

            fn from_str(given: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|member| member.name().eq_ignore_ascii_case(given)).ok_or_else(
                    || $crate::closed_set::UnknownName {
                        given: given.to_owned(),
                        known: Self::ALL.iter().map(|member| member.name()).collect(),
                    },
                )
            }
        }
    };
}

#[cfg(test)]
mod tests {
    #![expect(unreachable_pub, reason = "the macro's members are as public as its enums are meant to be")]

    use super::asked;

    closed_set! {
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
    fn who_asks_twice_gets_it_once_and_who_asks_for_nothing_gets_all() {
        assert_eq!(asked(&[], Light::ALL), Light::ALL);
        assert_eq!(asked(&[Light::Green, Light::Red, Light::Green], Light::ALL), [Light::Green, Light::Red]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let error = "amber".parse::<Light>().expect_err("amber is no member");
        assert_eq!(error.to_string(), "`amber` is not known; use one of red, green");
    }
}
