"""The fast engine: single trees, forests and boosting's rounds, the textbook's trees exactly.

All open nodes of all trees are handled together, a level at a time. Read :mod:`~.grow` first: it
is the loop. :mod:`~.frontier` has what passes between the files, :mod:`~.columns` makes a table
ready, :mod:`~.thresholds`, :mod:`~.packed` and :mod:`~.discrete` find the best splits,
:mod:`~.decide` says which of many thresholds is the best, :mod:`~.assemble` puts the trees
together, and :mod:`~.arrays` has the techniques all of them are made of.
"""
