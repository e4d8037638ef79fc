"""The tables of the course."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Literal

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.table.table import Missing, Table

__all__ = ["penguins", "tax_fraud", "tax_returns", "truth_table", "two_attributes", "word_sense"]

_MOST_INPUTS = 16


def __dir__() -> list[str]:
    return __all__


def tax_fraud() -> Table:
    """Ten tax returns, and who cheats.

    Two discrete attributes and a continuous one, the income in thousands.

    Examples
    --------
    >>> tax_fraud().counts()
    array([7, 3])
    """
    rows = [
        ("Yes", "Single", 125, "No"),
        ("No", "Married", 100, "No"),
        ("No", "Single", 70, "No"),
        ("Yes", "Married", 120, "No"),
        ("No", "Divorced", 95, "Yes"),
        ("No", "Married", 60, "No"),
        ("Yes", "Divorced", 220, "No"),
        ("No", "Single", 85, "Yes"),
        ("No", "Married", 75, "No"),
        ("No", "Single", 90, "Yes"),
    ]
    return Table.from_rows(
        rows,
        target="Cheat",
        names=["Refund", "Marital Status", "Taxable Income", "Cheat"],
        kinds={"Refund": ("Yes", "No"), "Marital Status": ("Single", "Married", "Divorced")},
    )


def tax_returns(n: int = 3000, *, seed: int = 0) -> Table:
    """As many tax returns as one likes, with the attributes of :func:`tax_fraud`, made by a rule.

    About one in seven cheats. Who gets no refund, is not married and earns from 80 to 160 thousand
    does so more often than others, and for no return is it certain.

    Parameters
    ----------
    n
        How many, at least 1.
    seed
        The same seed gives the same returns.

    Raises
    ------
    ValueError
        For an `n` that is no whole number from 1 on.

    Examples
    --------
    >>> returns = tax_returns(1000, seed=1)
    >>> returns.names == tax_fraud().names, returns.n_rows
    (True, 1000)
    """
    n = checked_whole("n", n, 1)
    rng, small = np.random.default_rng(seed), tax_fraud()
    # Codes are in the order of the attributes' values.
    refund, status = rng.choice(2, n, p=[0.3, 0.7]), rng.choice(3, n, p=[0.35, 0.45, 0.2])
    income = np.clip(np.rint(np.exp(rng.normal(4.5, 0.4, n))), 10, 400)
    between = np.isin(income, range(80, 161))
    odds = np.exp(-4.6 + 1.2 * refund + np.array([1.2, 0, 1.8])[status] + 1.3 * between)
    cheats = rng.random(n) < odds / (1 + odds)
    columns = (refund.astype(np.int32), status.astype(np.int32), income)
    return Table(small.attributes, small.target, columns, cheats.astype(np.int32))


def word_sense() -> Table:
    """Seven uses of the word "run", told apart by its part of speech and its neighbours.

    Examples
    --------
    >>> word_sense().classes
    ('run1', 'run2', 'run3', 'run4')
    """
    text = """
        noun no  no  no  run4
        verb no  no  no  run1
        verb no  yes no  run3
        noun yes yes yes run4
        verb no  no  yes run1
        verb yes yes no  run2
        verb no  yes yes run3
    """
    rows = [line.split() for line in text.strip().splitlines()]
    names = ["pos", "near(race)", "near(river)", "near(stockings)", "sense"]
    return Table.from_rows(rows, target="sense", names=names)


def two_attributes() -> Table:
    """Eight rows with X1 and X2, of which one says more about Y.

    Examples
    --------
    >>> two_attributes().n_rows
    8
    """
    rows = ["TTT", "TFT", "TTT", "TFT", "FTT", "FFF", "FTF", "FFF"]
    order = ("T", "F")
    kinds = {"X1": order, "X2": order, "Y": order}
    return Table.from_rows([list(r) for r in rows], "Y", names=["X1", "X2", "Y"], kinds=kinds)


def truth_table(function: Literal["or", "and", "xor", "majority"], n: int) -> Table:
    """All 2^n rows of a function of n binary attributes a1 … an.

    Parameters
    ----------
    function
        ``"or"``: any is true. ``"and"``: all are. ``"xor"``: an odd number of them is (odd
        parity). ``"majority"``: more than half are.
    n
        How many attributes, 1 to 16.

    Raises
    ------
    ValueError
        For another function, or a number out of range.

    Examples
    --------
    >>> truth_table("xor", 2).column("xor")
    ['F', 'T', 'T', 'F']
    """
    functions: dict[str, Callable[[int], bool]] = {
        "or": lambda trues: trues > 0,
        "and": lambda trues: trues == n,
        "xor": lambda trues: trues % 2 == 1,
        "majority": lambda trues: 2 * trues > n,
    }
    if function not in functions:
        msg = f"function={function!r} must be one of {', '.join(map(repr, functions))}"
        raise ValueError(msg)
    n = checked_whole("n", n, 1, _MOST_INPUTS)
    names = [f"a{i}" for i in range(1, n + 1)]
    rows = [
        [*("FT"[bit] for bit in bits), "FT"[functions[function](sum(bits))]]
        for bits in product((0, 1), repeat=n)
    ]
    return Table.from_rows(
        rows,
        target=function,
        names=[*names, function],
        kinds=dict.fromkeys([*names, function], ("F", "T")),
    )


def penguins(missing: Missing = "keep") -> Table:
    """344 penguins of three species, with the gaps that a real table has.

    Adult penguins, measured from 2007 to 2009 on three islands of the Palmer Archipelago,
    Antarctica: island, bill length and depth and flipper length in mm, body mass in g, sex. The
    year of the study is left out: it tells when somebody went there, not what a penguin is like,
    and as a number it would be cut like one.

    Parameters
    ----------
    missing
        ``"keep"``: 19 values are None, in 11 rows. ``"drop"``: only the 333 rows without a gap.

    Raises
    ------
    ValueError
        For another word, and for ``"error"``, since there are gaps.

    References
    ----------
    Horst AM, Hill AP, Gorman KB (2020). palmerpenguins: Palmer Archipelago (Antarctica) penguin
    data. https://doi.org/10.5281/zenodo.3960218. Licence: CC0 1.0. First published by Gorman KB,
    Williams TD, Fraser WR (2014), PLoS ONE 9(3): e90081. Where this file was taken from stands
    beside it, in ``data/penguins.txt``.

    Examples
    --------
    >>> penguins().classes
    ('Adelie', 'Chinstrap', 'Gentoo')
    >>> penguins("drop").n_rows
    333
    """
    file = Path(__file__).with_name("data") / "penguins.csv"
    whole = Table.read_csv(file, "species", na=("NA",), missing=missing)
    kept = [i for i, attribute in enumerate(whole.attributes) if attribute.name != "year"]
    return Table(
        tuple(whole.attributes[i] for i in kept),
        whole.target,
        tuple(whole.columns[i] for i in kept),
        whole.labels,
    )
