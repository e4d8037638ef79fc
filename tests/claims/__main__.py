"""``make claims``: every claim over every seed, as a table; fails where one holds too rarely."""

from __future__ import annotations

import sys
import time

from joblib import Parallel, delayed

from claims.harness import SEEDS, claims


def tried(name: str, seed: int) -> tuple[bool, float]:
    """Whether a claim is true for a seed, and the seconds that it took."""
    one = next(one for one in claims() if one.id == name)
    start = time.perf_counter()
    return bool(one.of(seed)), time.perf_counter() - start


def main(words: list[str]) -> int:
    """Try the claims whose names contain one of the words (all without any)."""
    chosen = [one for one in claims() if not words or any(word in one.id for word in words)]
    bad = 0
    parallel = Parallel(n_jobs=-1, return_as="generator")
    for one in chosen:
        results = list(parallel(delayed(tried)(one.id, seed) for seed in SEEDS))
        true = sum(is_ for is_, _ in results)
        fails = [seed for seed, (is_, _) in zip(SEEDS, results, strict=True) if not is_]
        wrong = true < one.holds or not one.stands
        bad += wrong
        seconds = sum(took for _, took in results)
        print(
            f"{'FAILS' if wrong else 'holds'} {true:2} of {len(SEEDS)} (at least {one.holds:2})"
            f" {seconds:6.1f} s  {one.id}" + (f"  not in seeds {fails}" if fails else "")
        )
        if not one.stands:
            print(f"      the lesson no longer says: {one.says}")
    print(f"{len(chosen)} claims, {bad} of them fail")
    return 1 if bad or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
