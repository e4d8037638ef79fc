"""The words that are in every text, whatever it is about."""

from __future__ import annotations

_TEXT = """
a an the this that these those such some any each every all both half no nobody nothing none
somebody someone something anybody anything everyone everybody everything either neither other
others another same own enough few more most many much less least only just even also too very
so quite rather almost hardly still yet already again ever never always often once soon then
now there here when where while whenever wherever why how however what which who whom whose
i me my mine myself you your yours yourself he him his himself she her hers herself it its
itself we us our ours ourselves they them their theirs themselves one
am is are was were be been being do does did doing done don't have has had having can cannot
can't could may might must shall should will would going
and or but nor if unless until because since although though as than whether not
about above across after against along among around at before behind below beneath beside
between beyond by down during for from in inside into like near of off on onto out outside over
past round through to towards under up upon with within without
two three four five six seven eight nine ten eleven twelve
"""
STOP_WORDS = frozenset(_TEXT.split())
