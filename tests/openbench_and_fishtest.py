#!/usr/bin/env python3
"""Runs the parsers of OpenBench's and fishtest's workers on the output of `threefold fastchess`.

    tests/openbench_and_fishtest.py PROGRAM --openbench DIR --fishtest DIR

DIR is a checkout of https://github.com/AndyGrant/OpenBench or https://github.com/official-stockfish/fishtest. PROGRAM is a
built `threefold`. The worker's own functions build the command (OpenBench) and read the lines and the PGN file; their sums are
compared with the report of the journal. Engines with a fault must be counted once each. Nothing is sent to a server.
"""

import argparse
import importlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import types
from pathlib import Path
from unittest import mock

BOOK = """4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1
4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3 w - - 0 1
4k3/pppppp2/8/8/8/8/PPPPPPP1/4K3 b - - 0 1
4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1
"""

# A UCI engine whose answer to `go` is the text of the option -c.
ENGINE = """#!/bin/sh
while read -r line; do case "$line" in
go*) {go};;
uci) echo option name Threads type spin default 1 min 1 max 8
    echo option name Hash type spin default 8 min 1 max 64; echo uciok;;
isready) echo readyok;;
quit) exit;;
esac; done
"""


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)


def check(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got}, expected {expected}")
    print(f"{what}: {got}")


def journal_sums(program, journal, folder):
    """Wins, losses and draws of the first engine, and its pairs, from the report of a journal."""
    command = [program, "report", journal, "--format", "json", "--out", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    match = json.loads((Path(folder) / "report.json").read_text())["matches"][0]
    duel = match["result"] if "result" in match else match
    return duel


def stubbed(names):
    """Modules that the workers import and these tests do not need."""
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            sys.modules[name] = mock.MagicMock(name=name)


def openbench_config(games, controls):
    dev, base = ({"time_control": control, "options": "Threads=1 Hash=8", "engine": "Engine"} for control in controls)
    test = {
        "id": 1, "type": "SPRT", "win_adj": "movecount=3 score=400", "draw_adj": "movenumber=40 movecount=8 score=10",
        "syzygy_adj": "DISABLED", "syzygy_wdl": "DISABLED", "book": {"name": "test_book.epd"}, "book_index": 2,
        "book_seed": 42, "dev": dev, "base": base,
    }
    distribution = {"concurrency-per": 1, "rounds-per-runner": games // 2}
    workload = {"test": test, "distribution": distribution, "result": {"id": 1}}
    return types.SimpleNamespace(workload=workload, syzygy_max=0, syzygy_path=None)


def openbench_run(worker, folder, dev, games, controls):
    """Plays games as a worker does; returns the sums that it would report, and the PGN file."""
    os.chdir(folder)
    config = openbench_config(games, controls)
    command = worker.build_runner_command(config, dev, "good", 1.0, 1.0, 0)
    journal, pgn = folder / f"{dev}.sqlite", folder / worker.MatchRunner.pgn_name(config, 1.0, 0)
    pgn.unlink(missing_ok=True)
    results = queue.Queue()
    worker.run_and_parse_runner(config, f"{command} -config outname={journal}", 0, results, threading.Event())
    sums = {"trinomial": [0] * 3, "pentanomial": [0] * 5, "crashes": 0, "timelosses": 0, "illegals": 0}
    while not results.empty():
        for key, value in results.get().items():
            if key in sums:
                old = sums[key]
                sums[key] = [a + b for a, b in zip(old, value)] if isinstance(old, list) else old + value
    return sums, pgn, journal


def openbench(program, checkout, folder):
    stubbed(["cpuinfo", "psutil", "requests"])
    sys.path.insert(0, str(checkout / "Client"))
    worker, pgn_util = importlib.import_module("worker"), importlib.import_module("pgn_util")
    for name in ["Engines", "Books", "PGNs"]:
        (folder / name).mkdir()
    (folder / "fastchess-ob").symlink_to(program)
    (folder / "Books" / "test_book.epd").write_text(BOOK)
    engines = folder / "Engines"
    script(engines / "good", f"#!/bin/sh\nexec {program} uci\n")
    for name, go in {
        "crash": "exit 4",
        "hang": "sleep 30",
        "cheat": "echo bestmove a1h8",
        "late": "sleep 2; echo bestmove e2e3",
    }.items():
        script(engines / name, ENGINE.format(go=go))

    os.chdir(folder)
    version = worker.get_version("./fastchess-ob")
    print(f"version: {version}")
    sums, pgn, journal = openbench_run(worker, folder, "good", 40, ["N=300", "N=100"])
    duel = journal_sums(program, journal, folder / "report")
    check("OpenBench: pairs", sums["pentanomial"], duel["pairs"])
    check("OpenBench: games", sum(sums["trinomial"]), 40)
    check("OpenBench: faults", [sums[key] for key in ("crashes", "timelosses", "illegals")], [0, 0, 0])
    games = list(worker.PGNHelper.slice_pgn_file(str(pgn)))
    check("OpenBench: games of the PGN file", len(games), 40)
    errors = [worker.PGNHelper.get_error_reason(headers) for headers, _ in games]
    check("OpenBench: errors in the PGN file", [error for error in errors if error], [])
    for compact in [True, False]:
        text = pgn_util.process_pgn_file(str(pgn), 1.0, compact)
        name = "compact" if compact else "verbose"
        check(f"OpenBench: games of the {name} upload", text.count("[Round "), 40)
        print(f"OpenBench: moves without data in the {name} upload: {text.count('{unknown}')}")

    # An engine that never answers is a crash here; fastchess calls it a time loss.
    expected_counts = {"crash": [1, 0, 0], "hang": [1, 0, 0], "late": [0, 1, 0], "cheat": [0, 0, 1]}
    counters = ["crashes", "timelosses", "illegals"]
    for dev, expected in expected_counts.items():
        # The worker reports whole pairs, so each of the two games counts.
        sums, pgn, _ = openbench_run(worker, folder, dev, 2, ["1.0+0.0"] * 2)
        check(f"OpenBench: {dev}, by game", [sums[key] // 2 for key in counters], expected)
        reasons = [worker.PGNHelper.get_error_reason(headers) for headers, _ in worker.PGNHelper.slice_pgn_file(str(pgn))]
        print(f"OpenBench: {dev}, errors in the PGN file: {reasons[-2:]}")


def fishtest(program, checkout, folder):
    stubbed(["requests", "expression"])
    sys.path.insert(0, str(checkout / "worker"))
    games = importlib.import_module("games")
    (folder / "book.epd").write_text(BOOK)
    script(folder / "engine", f"#!/bin/sh\nexec {program} uci\n")
    os.chdir(folder)
    (folder / "fastchess").symlink_to(program)
    number, names = 24, ["New-" + "a" * 40, "Base-" + "b" * 40]
    command = (
        "./fastchess -testEnv -recover -repeat -games 2".split()
        + ["-rounds", str(number // 2)]
        + "-ratinginterval 1 -scoreinterval 1 -autosaveinterval 0 -report penta=true".split()
        + "-pgnout file=results.pgn append=false -crc32 pgn=true -site http://localhost/tests/view/1".split()
        + ["-event", "Batch 1: new vs base", "-srand", str(2**64 - 1)]
        + "-resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20".split()
        + "-variant standard -concurrency 2 -force-concurrency".split()
        + "-openings file=book.epd format=epd order=random plies=16 start=2 -check-mate-pvs".split()
        + ["-engine", f"name={names[0]}", "tc=1.000+0.010", f"cmd={folder}/engine", "dir=.", "option.Hash=16"]
        + ["-engine", f"name={names[1]}", "tc=0.500+0.010", f"cmd={folder}/engine", "dir=.", "option.Hash=16"]
        + "-each proto=uci timemargin=10000 option.Threads=1 -config outname=fishtest.sqlite".split()
    )
    updates = []

    def update(_, payload, quiet=False):
        stats = payload["stats"]
        updates.append(2 * sum(stats["pentanomial"]))
        return {"task_alive": True}

    stats = {"wins": 0, "losses": 0, "draws": 0, "crashes": 0, "time_losses": 0, "pentanomial": [0] * 5}
    result = {"stats": stats}
    pipe = subprocess.PIPE
    with mock.patch.object(games, "send_api_post_request", update):
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, universal_newlines=True, bufsize=1) as process:
            alive = games.parse_fastchess_output(
                process, names[0], names[1], {"task_id": 1, "last_updated": None}, {}, "", "", result, False, number, 2,
                300, {"CRC": None}, "1", 1,
            )
    check("fishtest: the task goes on", alive, True)
    check("fishtest: updates", updates, list(range(2, number + 1, 2)))
    duel = journal_sums(program, folder / "fishtest.sqlite", folder / "report")
    check("fishtest: pairs", stats["pentanomial"], duel["pairs"])
    check("fishtest: faults", [stats["crashes"], stats["time_losses"]], [0, 0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--openbench", type=Path)
    parser.add_argument("--fishtest", type=Path)
    args = parser.parse_args()
    program = args.program.resolve()
    checkouts = [args.openbench and args.openbench.resolve(), args.fishtest and args.fishtest.resolve()]
    for run, checkout in zip([openbench, fishtest], checkouts):
        if checkout is None:
            print(f"{run.__name__}: skipped, no checkout is given")
            continue
        with tempfile.TemporaryDirectory() as folder:
            run(program, checkout, Path(folder).resolve())


if __name__ == "__main__":
    main()
