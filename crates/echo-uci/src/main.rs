//! Echo alone, for any GUI.

use std::io;

use threefold_echo::processor;

fn main() -> io::Result<()> {
    if let Err(lacking) = processor::check() {
        return Err(io::Error::other(lacking.to_string()));
    }
    echo_uci::serve(io::stdin().lock(), io::stdout())
}
