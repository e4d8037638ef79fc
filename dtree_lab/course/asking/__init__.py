"""Questions as cards: chosen and committed by a click, and kept in the code of the cell."""
