"""Pages made of reports: they show what the data beside them say, and nothing that no report found."""

import pytest

from tools import papers_page, report_pages


@pytest.mark.parametrize("name", report_pages.reports())
def test_a_report_page_shows_its_data(name):
    page = (report_pages.EXPERIMENTS / f"{name}.md").read_text()
    assert report_pages.refreshed(page, name, report_pages.reports()[name]) == page


def test_the_papers_line_by_line():
    assert papers_page.PAGE.read_text() == papers_page.page()


def test_findings_come_from_reports():
    facts = {"over-the-hill": {"accepted": "one in four"}}
    assert papers_page.fill_in("rookies: {over-the-hill.accepted}", facts) == "rookies: one in four"
    with pytest.raises(papers_page.UnknownFactError, match="over-the-hill has no fact 'lost'"):
        papers_page.fill_in("{over-the-hill.lost}", facts)


@pytest.mark.parametrize("name", report_pages.reports())
def test_a_stored_report_shows_all_its_data(name):
    report = report_pages.reports()[name]
    assert not report.unused() & {*report.tables, *report.figures}
    assert (report_pages.EXPERIMENTS / f"{name}.json").read_text().count(report.digest) == 1
    assert all((report_pages.FIGURES / f"{name}-{figure}.png").exists() for figure in report.figures)


def test_a_page_says_where_its_report_stands():
    report = report_pages.reports()["endings"]
    page = f"{report_pages.BEGIN}old\n{report_pages.END}by hand\n"
    made = report_pages.refreshed(page, "endings", report)
    assert "# Are won endings won?" in made
    assert "old" not in made.split()
    assert made.endswith("by hand\n")
    with pytest.raises(ValueError, match=r"endings\.md does not say where"):
        report_pages.refreshed("nothing", "endings", report)
