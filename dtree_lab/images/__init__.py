"""Small grey images that the library draws itself: simple faces, and much that is none.

- :func:`draw`: many images of one kind, such as ``"face"`` or ``"upside down"``.
- :func:`scene`: a larger image with faces at known places, to look for them.
- :func:`show`: images side by side in a notebook, with rectangles drawn over them.

Everything is drawn by seed, with additions, multiplications, divisions and roots only, which give
the same numbers on all machines.
"""

from dtree_lab.images.painting import FACE, KINDS, OTHER, Box, Scene, draw, scene
from dtree_lab.images.showing import Shown, show

__all__ = ["FACE", "KINDS", "OTHER", "Box", "Scene", "Shown", "draw", "scene", "show"]
__dir__ = __all__.copy  # what is public, and nothing else
