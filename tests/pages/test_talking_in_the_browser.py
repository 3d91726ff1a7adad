"""The assistant, as somebody uses it in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.pages.screen import Screen

pytestmark = pytest.mark.browser


def get_loan(screen: Screen) -> None:
    screen.open()
    screen.say("Hi, I'd like a loan of $12,000")
    screen.say("It's ann.bell@example.org")
    screen.press("Yes")
    screen.say("900-12-3456")


@pytest.mark.row("V17")
def test_a_click_on_a_node_drills_down_and_each_link_leads_on(screen: Screen) -> None:
    """From a step of the graph to its fact, from there to what it was made of, and back along the trail."""
    get_loan(screen)
    steps = screen.page.locator(".steps .step")
    last = steps.count() - 1
    screen.click_node("plan-graph", str(last))
    expect(screen.page.locator(".drill h3")).to_have_text("loan desk")
    screen.page.locator(".drill").get_by_role("button", name="loan", exact=True).first.click()
    expect(screen.page.locator(".drill h3")).to_have_text("loan")
    assert "select=fact%3Aloan_result" in screen.page.url
    screen.page.locator(".drill .answer").get_by_role("button", name="credit score").click()
    expect(screen.page.locator(".drill h3")).to_have_text("credit score")
    screen.page.locator(".trail").get_by_role("button", name="loan", exact=True).click()
    expect(screen.page.locator(".drill h3")).to_have_text("loan")
    expect(screen.page.locator(".trail .crumb")).to_have_text(["loan desk"])


def test_a_step_can_be_chosen_with_the_keyboard_alone(screen: Screen) -> None:
    """The graph is a canvas; the row of step buttons is reached by Tab and works with Enter."""
    screen.open()
    screen.say("I want a loan")
    step = screen.page.locator(".steps .step").first
    for _ in range(60):
        if step.evaluate("button => button.getRootNode().activeElement === button"):
            break
        screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Enter")
    expect(screen.page.locator(".drill h3")).to_be_visible()
    expect(step).to_have_attribute("aria-pressed", "true")


def test_who_answers_by_keyboard_may_go_on_typing(screen: Screen) -> None:
    """A quick reply goes when it was used; the focus does not go with it, but to where the next answer is typed."""
    screen.open()
    screen.say("I want a loan")
    reply = screen.page.locator(".reply").first
    screen.page.keyboard.press("Shift+Tab")
    reply.focus()
    screen.page.keyboard.press("Enter")
    expect(screen.page.get_by_test_id("stChatInputTextArea")).to_be_focused()
    expect(screen.page.locator(".message.user")).to_have_count(2)


def test_a_double_click_on_a_quick_reply_says_it_once(screen: Screen) -> None:
    """Consent is given once, however nervous the finger."""
    screen.open()
    screen.say("I want a loan of $12,000")
    screen.say("ann.bell@example.org")
    before = screen.page.locator(".message.user").count()
    screen.page.locator(".reply", has_text="Yes").dblclick()
    screen.answered(before)
    assert screen.page.locator(".message.user").count() == before + 1


@pytest.mark.row("V4")
def test_a_chart_is_drawn_into_the_chat(screen: Screen) -> None:
    """A pie chart answers the wish for a plot; plotly is loaded only now."""
    screen.open()
    screen.say("Show me my spending. My account number is HB-204518.")
    expect(screen.page.locator(".st-key-chat-box .js-plotly-plot")).to_be_visible()


def test_every_tab_follows_the_conversation_and_agrees_only_to_what_it_shows(
    screen: Screen, other_screen: Screen
) -> None:
    """The second tab is brought up to date by itself, and the first by what is said in the second."""
    screen.open("?catalog=accounting")
    screen.say("Create an invoice over $90 for garden work")
    other_screen.open(f"?session={screen.session}")
    expect(other_screen.page.locator(".message.assistant").last).to_contain_text("$90")
    other_screen.press("No")
    expect(screen.page.locator(".message.user").last).to_have_text(re.compile("No"))
    expect(screen.page.get_by_role("group", name="Quick replies")).to_have_count(0)
    other_screen.say("Create an invoice over $70 for yoga class")
    expect(screen.page.locator(".message.assistant").last).to_contain_text("$70")
    screen.press("Yes")
    expect(other_screen.page.locator(".message.assistant", has_text="It is on the books")).to_have_count(1)
    assert "$90" not in screen.last_said


def test_an_answer_typed_on_a_page_that_is_behind_is_asked_again(screen: Screen, other_screen: Screen) -> None:
    """The first tab has stood still since its question; what it answers is no answer to the one asked meanwhile."""
    screen.open("?catalog=accounting")
    screen.say("Create an invoice for garden work")
    stand_still(screen)
    other_screen.open(f"?session={screen.session}")
    other_screen.say("$90")
    other_screen.press("No")
    other_screen.say("Create an invoice for yoga class")
    expect(screen.page.locator(".message.user")).to_have_count(1)
    box = screen.page.get_by_test_id("stChatInputTextArea")
    box.fill("$70")
    box.press("Enter")
    expect(other_screen.page.locator(".message.assistant", has_text="before you could see my question")).to_have_count(
        1
    )
    assert other_screen.last_said == "Back to my question: Over which amount should the invoice be?"
    assert "$70" not in "\n".join(other_screen.page.locator(".message.assistant").all_inner_texts())


def stand_still(screen: Screen) -> None:
    """Let no timer of the page go off any more: it no longer asks whether the conversation went on elsewhere."""
    screen.page.evaluate("""() => {
      for (let timer = setTimeout(() => {}, 0); timer > 0; timer--) { clearTimeout(timer); clearInterval(timer); }
    }""")


def test_what_is_typed_while_the_assistant_is_at_work_stays_readable(screen: Screen) -> None:
    screen.open("?catalog=banking")
    screen.say("I'd like a loan of $12,000")
    box = screen.page.get_by_role("textbox")
    for text in ("ann.bell@example.org", "what do you need from me?"):
        box.fill(text)
        box.press("Enter")
        expect(screen.page.locator(".message.user", has_text=text)).to_have_count(1)


def test_the_first_screen_says_what_this_is_and_leads_on_and_menus_and_tabs_say_where_one_is(screen: Screen) -> None:
    screen.open("")
    expect(screen.page.get_by_text("Planglass plans each conversation as it goes")).to_be_in_viewport()
    expect(screen.page).to_have_title("Harbour Bank, new conversation · Assistant · Planglass")
    screen.page.get_by_role("button", name="Talk Say what you want").click()
    box = screen.page.get_by_test_id("stChatInputTextArea")
    expect(box).to_be_focused()
    screen.page.keyboard.type("I want a loan of $5,000")
    screen.page.keyboard.press("Enter")
    screen.answered(0)
    expect(box).to_be_focused()
    expect(screen.page).to_have_title(f"Harbour Bank, conversation {screen.session[:4]} · Assistant · Planglass")
    screen.press("I don't know")
    expect(box).to_be_focused()
    begun = screen.session
    screen.page.get_by_role("button", name="Start over").click()
    screen.settle()
    screen.page.get_by_role("button", name="Take the tour").click()
    expect(screen.page.locator(".message.user").first).to_be_visible()
    screen.page.get_by_role("button", name="Pause").click()
    expect(screen.page).to_have_title("The tour: three minutes · Tour · Planglass")
    assert begun not in screen.page.url
    menu = screen.page.get_by_test_id("stTopNavSection")
    marks = menu.locator("p").evaluate_all("all => all.map(one => getComputedStyle(one, '::after').content)")
    assert [mark.strip('"').strip() for mark in marks] == ["› Tour", "none", "none", "none"]


def test_the_tour_keeps_the_question_in_sight_where_two_plans_are_shown(screen: Screen) -> None:
    screen.open("demo?script=tour")
    for line in range(1, 5):
        expect(screen.page.locator(".working")).to_have_count(0)
        screen.page.get_by_role("button", name="Step", exact=True).click()
        expect(screen.page.locator(".watch .count")).to_have_text(re.compile(f"^{line} of"))
    expect(screen.page.locator(".two-plans li.added").first).to_be_in_viewport()
    screen.settle()
    expect(screen.page.locator(".message.assistant .bubble").last).to_be_in_viewport(ratio=1)
    expect(screen.page.get_by_test_id("stChatInputTextArea")).to_be_in_viewport(ratio=1)
