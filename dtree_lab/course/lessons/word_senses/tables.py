"""Tables that tell ID3 from what is nearly ID3."""

from __future__ import annotations

from dtree_lab.course.lessons.word_senses.common import table_of

THREE_VALUES = table_of(
    """
    pos       near(fog) near(sea) near(lamp) sense
    noun      no        no        no         light1
    noun      yes       no        yes        light1
    noun      yes       yes       no         light2
    noun      no        yes       no         light1
    verb      no        no        no         light4
    verb      yes       no        yes        light2
    verb      yes       yes       yes        light4
    verb      no        yes       yes        light4
    adjective no        yes       no         light2
    adjective yes       no        yes        light3
    adjective no        no        no         light3
    """
)
# Below noun another order holds than at the root.
OTHER_ORDER = table_of(
    """
    pos       near(sea) near(fog) near(lamp) sense
    adjective yes       yes       yes        light2
    adjective no        no        no         light3
    noun      no        yes       no         light1
    adjective yes       no        no         light2
    noun      yes       no        no         light2
    verb      yes       yes       yes        light2
    adjective no        yes       no         light4
    noun      yes       yes       no         light2
    noun      no        yes       yes        light2
    """
)
ALIKE_ROWS = table_of(
    """
    pos  near(sea) sense
    noun yes       light1
    noun no        light1
    noun no        light2
    noun no        light2
    verb yes       light4
    verb no        light4
    verb no        light4
    """
)
