"""What the shipped lectures say: their scenes by title, and their words as plain text."""

from functools import cache

from dtree_lab.cli.lecture import shipped
from dtree_lab.stage.reading import read_lecture


@cache
def given(name):
    """A shipped lecture."""
    return read_lecture(shipped()[name])


class Said:
    """What one lecture says."""

    def __init__(self, name):
        self.name = name

    def scene(self, begins):
        """The scene whose title, or question, is or begins so."""
        titles = {_plain(one.title): one for one in given(self.name).scenes}
        if begins in titles:
            return titles[begins]
        found = [title for title in titles if title.startswith(begins)]
        assert len(found) == 1, (begins, list(titles))
        return titles[found[0]]

    def screen(self, begins):
        """The words of a scene that the class sees."""
        return "\n".join(self.scene(begins).blocks)

    def table(self, begins):
        """The cells of the table in a scene, its heading first, without signs for bold type."""
        lines = [one for one in self.screen(begins).splitlines() if one.startswith("|")]
        rows = [[cell.strip(" *") for cell in one.strip("|").split("|")] for one in lines]
        return [rows[0], *rows[2:]]

    def has(self, begins, *texts, answer=""):
        """Check that a scene says all of these, to the class or to the lecturer, and its answer."""
        scene = self.scene(begins)
        question = scene.question
        if answer:
            assert [question.takes.options[i] for i in sorted(question.takes.right)] == [answer]
        asked = (question.asks, question.because, *question.takes.options) if question else ()
        said = " ".join(" ".join((*scene.blocks, *asked, scene.notes)).split())
        for text in texts:
            assert text in said, (text, said)


def _plain(title):
    return title.replace("*", "")
