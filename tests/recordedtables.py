"""The tables that other programs grew trees on; what they wrote is in `doors/recorded/`."""

from __future__ import annotations

import dtree_lab as dt

# Words with commas and blanks, one the beginning of another; a name with a mark of a question.
SKIES = ("rain", "rain, then sun", "clear", "fog > 1 km")


def complete_penguins():
    """The penguins of whom everything is known."""
    table = dt.datasets.penguins()
    whole = [i for i in range(table.n_rows) if None not in table.row(i).values()]
    return table.take(whole)


def heavy_penguins():
    """The same, their mass to be predicted."""
    table = complete_penguins()
    columns = {name: table.column(name) for name in (*table.names, table.target.name)}
    return dt.Table.from_columns(columns, target="body_mass_g")


def walks():
    """Whether one goes out, by rules over the weather, and now and then the other way."""
    columns = {"sky": [], "wind <= 3": [], "felt °C": [], "goes out": []}
    for i in range(160):
        sky, calm = SKIES[i * 7 % 4], "yes" if i * 5 % 3 else "no"
        warm = (i * 37 % 101) / 4 - 3.1
        if sky == "clear":
            goes = "walks" if warm > 4 else "stays in"
        elif sky == "rain":
            goes = "stays in"
        else:
            goes = "walks" if calm == "yes" else "looks out"
        if i % 13 == 0:
            goes = "looks out"
        for name, v in zip(columns, (sky, calm, warm, goes), strict=True):
            columns[name].append(v)
    return dt.Table.from_columns(columns, target="goes out")


TABLES = {
    "penguins": complete_penguins,
    "gaps": dt.datasets.penguins,
    "heavy": heavy_penguins,
    "walks": walks,
    "tax": dt.datasets.tax_fraud,
    "senses": dt.datasets.word_sense,
}
