"""What the labs share: actions, controls, parts of a view, states as text. No Jupyter here."""
