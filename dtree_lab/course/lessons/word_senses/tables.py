"""Tables that tell the best attribute, and ID3, from what is nearly that."""

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
    noun no        light3
    noun no        light2
    noun no        light2
    noun no        light1
    verb yes       light4
    verb no        light4
    verb no        light4
    """
)
# One heap of two attributes is pure and small: only the weights tell which question is better.
SMALL_PURE = table_of(
    """
    pos       near(sea) near(fog) near(lamp) sense
    verb      yes       no        no         light2
    adjective no        yes       no         light4
    noun      no        no        yes        light1
    verb      no        no        no         light2
    verb      no        no        yes        light1
    verb      no        no        yes        light4
    noun      no        no        yes        light1
    """
)
# Three values, and they tell less than two.
MANY_VALUES = table_of(
    """
    form    near(race) near(mayor) sense
    ran     yes        no          run2
    ran     no         no          run1
    runs    yes        yes         run2
    runs    no         no          run1
    running yes        no          run2
    running no         no          run1
    """
)
# The majorities get as many rows right after one question as after another that gains less.
NOT_BY_ERRORS = table_of(
    """
    pos       near(sea) near(fog) near(lamp) sense
    adjective no        yes       no         light4
    noun      yes       yes       no         light1
    noun      no        no        no         light1
    adjective no        yes       no         light2
    adjective yes       yes       yes        light2
    verb      yes       no        yes        light2
    adjective no        yes       no         light2
    """
)
TIE = table_of(
    """
    near(fog) near(sea) pos  sense
    yes       no        noun light1
    yes       no        verb light1
    no        yes       noun light2
    no        yes       verb light2
    """
)
# Three values, and they tell most; divided by what three values cost, two tell more.
FORM_TELLS = table_of(
    """
    near(race) form near(mayor) sense
    no         ran  yes         run2
    yes        run  yes         run1
    no         run  no          run3
    no         run  yes         run1
    yes        runs yes         run2
    no         runs no          run2
    yes        run  yes         run1
    no         runs no          run3
    """
)
FORM_NAMES = ["near(race)", "form", "near(mayor)"]
# Together they tell all, and neither gains anything.
NOTHING_GAINS = table_of(
    """
    near(sea) near(fog) sense
    no        no        light2
    no        yes       light1
    yes       no        light1
    yes       yes       light2
    """
)
# The same below a question that gains.
NOTHING_GAINS_BELOW = table_of(
    """
    near(sea) near(fog) pos  sense
    no        yes       noun light1
    no        no        noun light2
    no        yes       verb light3
    yes       no        noun light1
    yes       yes       verb light3
    yes       yes       noun light2
    no        no        verb light3
    """
)
# The first name and the last are those that tell least.
TIE_BETWEEN = table_of(
    """
    pos  near(race) near(mayor) form sense
    noun no         yes         ran  run1
    noun no         yes         run  run1
    verb no         yes         run  run1
    noun yes        no          run  run2
    verb yes        no          ran  run2
    verb yes        no          ran  run2
    """
)
BETWEEN = ["pos", "near(race)", "near(mayor)", "form"]
# The gain is the only measure by which near(fog) is best.
BY_GAIN_ALONE = table_of(
    """
    pos  near(sea) near(lamp) near(fog) sense
    noun yes       yes        yes       light1
    verb no        yes        yes       light2
    noun no        yes        no        light4
    verb no        yes        no        light3
    noun yes       no         no        light2
    verb yes       yes        yes       light1
    verb no        yes        no        light1
    verb no        yes        yes       light1
    """
)
