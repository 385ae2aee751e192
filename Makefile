# Builds threefold as a drop-in for fastchess: `make` leaves `./fastchess`, or the file that EXE= names.
#
# OpenBench runs `make -j CXX=...` in the root of the repository that its configuration names. CXX is ignored.

EXE ?= fastchess
CARGO ?= cargo
BUILT = $(or $(CARGO_TARGET_DIR),target)/release/threefold$(if $(filter Windows_NT,$(OS)),.exe)

all: $(EXE)

# Cargo decides what has to be built.
$(EXE): FORCE
	$(CARGO) build --release --locked --package threefold --bin threefold
	cp -f $(BUILT) $@.new
	mv -f $@.new $@

clean:
	rm -f $(EXE)
	$(CARGO) clean

FORCE:

.PHONY: all clean FORCE
