"""The arrays that are passed between functions, by what they hold."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[Any]  # of any width: small ones are kept small
Bools: TypeAlias = NDArray[np.bool_]
