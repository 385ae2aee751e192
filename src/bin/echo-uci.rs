//! Echo alone, for any GUI.

use std::io;

use threefold::echo::processor;
use threefold::serve;

fn main() -> io::Result<()> {
    if let Err(lacking) = processor::check() {
        return Err(io::Error::other(lacking.to_string()));
    }
    serve::serve(io::stdin().lock(), io::stdout())
}
