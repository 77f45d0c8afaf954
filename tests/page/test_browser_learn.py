"""The lessons in a real browser."""

import re

WAYS = [("Step", [11, 15]), ("Jump", [14, 23]), ("Many jumps", [1, 28]), ("Must jump", [15, 22]), ("King", [26, 31])]


def test_the_rules_in_a_minute(page):
    page.open("/learn")
    for name, squares in WAYS:
        page.page.locator("#lesson-title", has_text=re.compile(f"^{name}$")).wait_for()
        page.page.locator(".movable").first.wait_for()
        if name == "Must jump":
            page.square(9).click()
            page.page.locator("#lesson-message", has_text="You must capture").wait_for()
        for square in squares:
            page.square(square).click()
        page.page.locator("#lesson-message.good").wait_for()
        page.page.click("#lesson-next")
    page.page.locator(".movable").first.wait_for()
    page.drag(21, 17)  # not yet
    page.page.locator("#lesson-message", has_text="Look again").wait_for()
    page.page.locator(".movable").first.wait_for()
    page.drag(21, 25)
    page.page.locator("#lesson-message", has_text="You win").wait_for()
    page.page.click("#lesson-next")
    page.page.locator("#status[data-waiting=human]").wait_for()


def test_a_node_and_what_it_looks_at(page):
    page.open("/learn")
    page.page.locator("#node-text", has_text="Node 41 of 91").wait_for()
    page.page.locator("#node-number").focus()
    page.page.keyboard.press("End")
    page.page.locator("#node-text", has_text="the whole board").wait_for()
    assert page.page.locator(".node-shown").get_attribute("width") == "790"
    assert page.page.locator("#progress .chart").count() == 1
