//! Echo alone, for any GUI.

use std::io;

fn main() -> io::Result<()> {
    threefold::serve::serve(io::stdin().lock(), io::stdout())
}
