//! The UCI engine Echo as a stand-alone program.

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use threefold_echo::options::Listing;
use threefold_echo::processor;

/// The exit code of wrong use.
const MISUSE: u8 = 2;

fn main() -> ExitCode {
    let listing = match listing(env::args_os().skip(1)) {
        Ok(listing) => listing,
        Err(complaint) => return fail(&complaint, MISUSE),
    };
    if let Err(lacking) = processor::check() {
        return fail(&lacking.to_string(), MISUSE);
    }
    match echo_uci::serve(io::stdin().lock(), io::stdout(), listing) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string(), 1),
    }
}

/// The options listed by `uci`, from the arguments.
fn listing(arguments: impl Iterator<Item = OsString>) -> Result<Listing, String> {
    let mut listing = Listing::Players;
    for argument in arguments {
        if argument != "--experimental" {
            return Err(format!(
                "`{}` is no argument of echo-uci; give none, or `--experimental` to have `uci` list every option",
                argument.to_string_lossy().escape_debug()
            ));
        }
        listing = Listing::Experimental;
    }
    Ok(listing)
}

#[expect(clippy::print_stderr, reason = "standard output is the GUI's")]
fn fail(complaint: &str, code: u8) -> ExitCode {
    eprintln!("error: {complaint}");
    code.into()
}
