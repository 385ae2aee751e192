# syntax=docker/dockerfile:1
# Two stages: the first builds a static program, the second holds nothing else.
#   docker build --tag threefold .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" threefold regress --engine ./my-engine

FROM rust:1-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends musl-tools \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN target="$(uname -m)-unknown-linux-musl" \
    && rustup target add "$target" \
    && cargo build --locked --profile dist --package threefold --target "$target" \
    && install -D "target/$target/dist/threefold" /out/threefold

# Engines that are linked dynamically need a C library, and the guard of engine processes needs a shell.
FROM debian:bookworm-slim
COPY --from=build /out/threefold /usr/local/bin/threefold
WORKDIR /work
ENTRYPOINT ["threefold"]
CMD ["--help"]
