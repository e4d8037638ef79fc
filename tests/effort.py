"""How much is tried of what has no end: less by ``make test`` than by ``make thorough``."""

from __future__ import annotations

from hypothesis import Phase, settings

# What becomes of a number of examples, a test's own or Hypothesis's hundred, in each profile.
EFFORT = {"quick": 0.2, "thorough": 2.0, "mutants": 0.2}
# Whether a test fails is all that is asked of a mutant; how simply it can fail takes far longer.
_PHASES = {"mutants": (Phase.explicit, Phase.generate)}


def profile():
    """The profile in force; Hypothesis adds to its name, as in quick-with-verbose-verbosity."""
    return settings.get_current_profile_name().partition("-")[0]


def scaled(number, fewest=10):
    """A number of examples as the profile has it."""
    return max(round(number * EFFORT[profile()]), fewest)


def some(cases, every):
    """The first of some cases and every so many after it; all of them by ``make thorough``."""
    return list(cases)[:: 1 if profile() == "thorough" else every]


def scale(test):
    """Change a property's own number of examples as the profile has it, once.

    Hypothesis keeps a test's settings in this attribute, and its own plugin for pytest sets it too.
    """
    asked = getattr(test, "_hypothesis_internal_use_settings", None)
    if asked is not None and not hasattr(test, "_scaled"):
        phases = _PHASES.get(profile(), asked.phases)
        few = settings(asked, max_examples=scaled(asked.max_examples), phases=phases)
        test._hypothesis_internal_use_settings = few
        test._scaled = True
