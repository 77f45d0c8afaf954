"""Reports and their templates: what is filled in, what is an error, and what the digest covers."""

import json
from importlib import resources

import pytest

from evocheckers.papers import report as reports
from evocheckers.papers.report import Report, TemplateError

TEXT = """# Games of ${player}

<!-- each opponent -->
Against `{opponent}`: ${score-{opponent}}.

<!-- end opponent -->
<!-- if remark -->
By the way: ${remark}.

<!-- end remark -->
**Scores**

${scores}

![A caption](${curve})
"""


@pytest.fixture
def template(monkeypatch):
    """Sets the text of the template."""

    def use(text: str) -> None:
        monkeypatch.setattr(reports, "_template", lambda name: text)

    use(TEXT)
    return use


def made() -> Report:
    report = Report("games", "a command")
    report.lists["opponent"] = ["material:noise", "random"]
    report.state(player="me", score_random="5-0-0")
    report.fact("score-material:noise", "0-5-0")
    report.table("scores", ("opponent", "score"), [["random", 1.0]])
    report.figure("curve", lambda plt: plt.plot([1, 2]))
    return report


def test_a_report_is_its_template_filled_in(template):
    report = made()
    lines = report.to_markdown("figures/").splitlines()
    assert lines == [
        "# Games of me",
        "",
        f"Made by `a command`; digest `{report.digest}`.",
        "",
        "Against `material:noise`: 0-5-0.",
        "",
        "Against `random`: 5-0-0.",
        "",
        "**Scores**",
        "",
        "| opponent | score |",
        "|---|---|",
        "| random | 1.0 |",
        "",
        "![A caption](figures/curve.png)",
    ]


def test_a_condition_is_a_fact(template):
    report = made()
    report.fact("remark", "none")
    assert "By the way: none." in report.to_markdown()


def test_what_the_report_lacks_is_an_error(template):
    with pytest.raises(TemplateError, match="has no list 'opponent'"):
        Report("games", "a command").to_markdown()
    report = made()
    del report.facts["score-random"]
    with pytest.raises(TemplateError, match="has no 'score-random'"):
        report.to_markdown()
    template("# T\n\n${score-{opponent}}")
    with pytest.raises(TemplateError, match="outside its section"):
        made().to_markdown()


def test_what_the_template_does_not_show_is_found(template):
    report = made()
    assert report.unused() == set()
    report.fact("elsewhere", "1", quoted=True)
    report.fact("remark", "2")
    assert report.unused() == set()
    template("# Games of ${player}")
    assert report.unused() == {"score-random", "score-material-noise", "scores", "curve", "remark"}


def test_a_name_is_used_once(template):
    report = made()
    with pytest.raises(ValueError, match="has a 'scores' already"):
        report.fact("scores", "1")


def test_the_digest_covers_results_and_no_text(template):
    report, digest = made(), made().digest
    template(TEXT.replace("By the way", "Besides").replace("caption", "picture"))
    assert report.digest == digest
    report.table("more", ("a",), [[1]])
    assert report.digest != digest
    other = made()
    other.facts["player"] = "you"
    assert other.digest != digest


def test_a_stored_report_comes_back(template):
    report = made()
    again = Report.from_json(json.loads(json.dumps(report.to_json())))
    assert again.to_markdown() == report.to_markdown()
    assert again.digest == report.digest


def test_paragraphs_are_filled(template):
    template("# T\n\n" + "a few words\n" * 30)
    *_, paragraph = made().blocks()
    assert max(map(len, paragraph.splitlines())) <= reports.WIDTH


def test_every_template_is_some_reports():
    folder = resources.files("evocheckers") / "papers"
    for paper in ("anaconda", "social", "hill", "ours"):
        files = {file.name: file.read_text() for file in (folder / paper).iterdir()}
        code = "".join(text for name, text in files.items() if name.endswith((".py", ".md")))
        for name in files:
            if name.endswith(".md"):
                stem = name.removesuffix(".md")
                assert f'Report("{paper}/{stem}"' in code or f"<!-- include {name} -->" in code, name
