# The project's usual commands: `just` lists them. CONTRIBUTING.md explains what each is for.

# List the commands
default:
    @just --list --unsorted

# Check that everything compiles
check:
    cargo check --workspace --all-targets

# Run the tests of the workspace, or of one crate: just test -p threefold-stats
test *arguments:
    cargo test {{ arguments }}

# Format the code
fmt:
    cargo fmt --all

# Check format and lints, as CI does
lint:
    cargo fmt --check
    cargo clippy --quiet --all-targets --features lab,mutants -- --deny warnings
    cargo clippy --quiet -p threefold-player --all-targets --features portable -- --deny warnings

# Print the node count that identifies Echo's search
bench:
    cargo run --quiet --release -- bench

# Run the main job on Echo: suites, tests and calibration, compared with the baseline
regress *arguments:
    cargo run --quiet --release -- regress {{ arguments }}

# Build the API documentation
doc:
    cargo doc --no-deps --workspace

# Build the book into docs/book
book:
    mdbook build docs

# Check licences, duplicate crates and sources of all dependencies
deny:
    cargo deny --workspace check licenses bans sources

# Build the release archive for this machine and check it
archive:
    .ci/archive build

# Run everything that must pass before a change is merged
ci:
    .ci/run

# Run the tests that need more time, memory or tools
long:
    .ci/long
