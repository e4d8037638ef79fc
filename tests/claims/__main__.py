"""``make claims``: every claim over seeds of its own, as a table; fails where one is not as said.

``make claims ARGS="--measure 200 pruning"`` counts instead over the seeds that the words are
written from: what an author gives a claim as ``true`` and ``of``.
"""

from __future__ import annotations

import argparse
import sys
import time

from joblib import Parallel, delayed

from claims.harness import WRITTEN_FROM, Claim, claims


def tried(name: str, seed: int) -> tuple[bool, float]:
    """Whether a claim is true for a seed, and the seconds that it took."""
    one = next(one for one in claims() if one.id == name)
    start = time.perf_counter()
    return bool(one.test(seed)), time.perf_counter() - start


def verdict(one: Claim, true: int) -> str:
    """Whether a claim holds, and where it would."""
    holds = "holds" if true in one.margin and one.stands else "FAILS"
    within = f"{one.margin[0]} to {one.margin[-1]}"
    return f"{holds} {true:3} of {len(one.seeds)} ({within}; written from {one.true} of {one.of})"


def main(words: list[str]) -> int:
    """Try the claims whose names contain one of the words (all without any)."""
    asked = argparse.ArgumentParser(prog="make claims")
    asked.add_argument("words", nargs="*", help="only claims with such a word in their name")
    asked.add_argument("--measure", type=int, metavar="N", help="count over N seeds to write from")
    options = asked.parse_args(words)
    chosen = [
        one
        for one in claims()
        if not options.words or any(word in one.id for word in options.words)
    ]
    bad = 0
    parallel = Parallel(n_jobs=-1, return_as="generator")
    for one in chosen:
        seeds = WRITTEN_FROM[: options.measure] if options.measure else one.seeds
        results = list(parallel(delayed(tried)(one.id, seed) for seed in seeds))
        true = sum(is_ for is_, _ in results)
        seconds = sum(took for _, took in results)
        if options.measure:
            line = f"{true:3} of {len(seeds)} (the claim says {one.true} of {one.of})"
        else:
            line = verdict(one, true)
            bad += line.startswith("FAILS")
        fails = [seed for seed, (is_, _) in zip(seeds, results, strict=True) if not is_][:5]
        print(f"{line} {seconds:6.1f} s  {one.id}" + (f"  not in {fails} …" if fails else ""))
        if not one.stands:
            print(f"      the lesson no longer says: {one.says}")
    print(f"{len(chosen)} claims" + ("" if options.measure else f", {bad} of them fail"))
    return 1 if bad or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
