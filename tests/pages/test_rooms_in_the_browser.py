"""Group chat, as people use it: two of them in one room with four bots, and norms that are looked at and changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from catalog.demos.banking.personas import ANN
from tests.pages.screen import PATIENCE_MS, Screen, Server, watched
from tests.pages.test_pages_stay_safe import EVIL, assert_inert, assert_read_aloud_well

pytestmark = pytest.mark.browser

BANK = """
name: bank
participants:
  Bank: {kind: bot, bot: "assistant:banking"}
defaults: {bot: permitted}
"""
OPENING = "activate: [oblig_to_mediator_to_open, proh_to_experts]"


@pytest.fixture
def elsewhere(chromium: BrowserContext, site: Server) -> Iterator[Screen]:
    """Return the screen of somebody else, at a browser of their own."""
    assert chromium.browser is not None
    context = chromium.browser.new_context(locale="en-GB")
    yield from watched(context, site)
    context.close()


def join(screen: Screen, name: str) -> None:
    screen.page.get_by_label("Your name").fill(name)
    screen.page.get_by_role("button", name="Join", exact=True).click()


def send(screen: Screen, text: str) -> None:
    """Type into the chat, and send it: the input is empty then."""
    box = screen.page.get_by_test_id("stChatInputTextArea")
    box.fill(text)
    box.press("Enter")
    try:
        expect(box).to_have_value("", timeout=PATIENCE_MS / 4)
    except AssertionError:  # it was drawn anew in between, on a busy machine
        box.press("Enter")


def tell(screen: Screen, text: str) -> None:
    """Say something, and wait until it stands there."""
    send(screen, text)
    expect(screen.page.locator(".in-room.user .bubble").last).to_have_text(text)


def ask(screen: Screen, text: str) -> None:
    """Ask about the room, and wait until it is answered."""
    send(screen, text)
    expect(screen.page.locator(".about-room", has_text=text).locator(".bubble")).to_be_visible()


def press(button: Locator) -> None:
    """Press a button by the keyboard: it can be reached by Tab, and its focus is seen."""
    assert button.evaluate("button => button.tabIndex === 0 && !button.closest('[inert]')")
    button.focus()
    button.press("Enter")


def posted(screen: Screen) -> list[str]:
    return screen.page.locator(".in-room:not(.denied) .bubble").all_inner_texts()


def test_two_people_talk_with_four_bots_in_one_room_under_norms(screen: Screen, elsewhere: Screen) -> None:
    """Whatever is posted is there for both at once, in one order, and inert; what was denied is there on demand."""
    ana, ben = screen.page, elsewhere.page
    screen.open("rooms")
    ana.get_by_role("button", name="Open the room").click()
    join(screen, "Ana")
    expect(ana.get_by_test_id("stChatInputTextArea")).to_be_visible()
    link = re.sub(r"[&?]as=Ana", "", screen.page.url).partition("/rooms")[2]
    elsewhere.open(f"rooms{link}")
    join(elsewhere, "TB")
    expect(ben.locator(".st-key-room-join-trouble")).to_contain_text("the name of a bot")
    join(elsewhere, "Ana")
    expect(ben.locator(".st-key-room-join-trouble")).to_contain_text("Ana is in the room already.")
    join(elsewhere, "Ben")
    expect(ana.locator(".notice-line", has_text="Ben joined.")).to_be_visible()
    tell(screen, "How much would 5000 reais become in two years?")
    best = ana.locator(".in-room", has=ana.locator(".by strong", has_text=re.compile("^In$"))).last
    expect(best).to_contain_text("5,000", timeout=30_000)
    for name in ("SA", "CD", "TB"):
        expect(ana.locator(".in-room.assistant .by strong", has_text=re.compile(f"^{name}$")).first).to_be_visible()
    tell(elsewhere, EVIL)
    expect(ana.locator(".in-room .bubble", has_text="window.pwned").first).to_be_visible()
    expect(ana.locator(".working")).to_have_count(0)
    expect(ben.locator(".working")).to_have_count(0)
    assert posted(screen) == posted(elsewhere)
    for one in (screen, elsewhere):
        assert EVIL in one.text
        assert_inert(one)
    # questions in the chat itself are answered there, for both, and lead to what shows it
    ask(elsewhere, "who may answer now?")
    ask(elsewhere, "why didn't CD answer?")
    answer = ana.locator(".about-room .bubble").last
    expect(answer).to_contain_text("CD")
    assert ana.locator(".about-room").all_inner_texts() == ben.locator(".about-room").all_inner_texts()
    shown_by = answer.get_by_role("button").last
    entry = re.findall(r"\d+", shown_by.inner_text())[-1]
    shown_by.click()
    expect(ana.locator(f'[data-key="m{entry}"]')).to_be_in_viewport()
    # who may speak, in words
    standing = {row.locator("strong").first.inner_text(): row.inner_text() for row in ana.locator(".standing").all()}
    assert set(standing) == {"Ana", "Ben", "In", "SA", "CD", "TB"}
    assert all(re.search("must speak|may speak|must not speak", words) for words in standing.values())
    # what was denied, and why; after a reload it is all there still
    expect(ben.locator(".message.denied")).to_have_count(0)
    if (show := ana.get_by_role("button", name=re.compile("^Show .* denied"))).count():
        show.click()
    denied = ana.locator(".message.denied").first
    expect(denied).to_contain_text("wanted to say:")
    expect(denied).to_contain_text("Denied by “")
    denied.get_by_role("button", name=re.compile("Why was this denied")).click()
    expect(ana.locator(".drill")).to_contain_text("denied by “")
    ana.reload()
    screen.settle()
    expect(ana.locator(".drill")).to_contain_text("denied by “")
    expect(ana.locator(".message.denied").first).to_be_visible()
    assert_read_aloud_well(screen)
    # somebody who is silent, by the keyboard alone
    press(ana.get_by_role("button", name=re.compile("^Why: TB")))
    expect(ana.locator(".drill h3")).to_have_text("Why TB?")
    expect(ana.locator(".drill .because").first).to_contain_text("TB")
    screen.settle()
    press(ana.get_by_role("button", name="Close this explanation"))
    expect(ana.locator(".drill")).to_have_count(0)
    # norms over time, also as a table
    ana.get_by_role("radio", name="Norms over time").click()
    ana.get_by_text("The same as a table").click()
    expect(ana.locator("table.norms tbody tr").first).to_be_visible()
    expect(ana.locator(".js-plotly-plot")).to_be_visible()
    # other norms: a fault has its line, and a replay says what would differ
    ana.get_by_role("radio", name="Change the norms").click()
    area = ana.locator(".editor textarea")
    expect(area).not_to_have_value("")
    norms = area.input_value()
    assert OPENING in norms
    area.fill(norms.replace(OPENING, OPENING.replace("proh_to_experts", "proh_to_exprets")))
    expect(ana.locator(".fault")).to_contain_text("proh_to_experts")
    expect(ana.locator(".editor .marked")).to_have_count(1)
    area.fill(norms.replace(OPENING, OPENING.replace("oblig_to_mediator_to_open, ", "")))
    expect(ana.locator(".insight h2")).to_contain_text("It loads.")
    expect(ana.locator("table.replay td.differs").first).to_be_visible()
    assert_inert(screen)
    assert_read_aloud_well(screen)
    ana.get_by_role("radio", name="Conversation").click()
    expect(ana.get_by_test_id("stChatInputTextArea")).to_be_visible()


@pytest.mark.long
def test_what_a_bot_asks_that_is_sensitive_is_for_one_person_alone(screen: Screen, elsewhere: Screen) -> None:
    """Somebody else in the room sees that something passed between two, and never the words; so does who looks on."""
    ana, ben = screen.page, elsewhere.page
    screen.open("rooms")
    ana.get_by_role("radio", name="Write norms").click()
    expect(ana.locator(".editor textarea")).not_to_have_value("")
    ana.locator(".editor textarea").fill(BANK)
    expect(ana.locator(".insight h2")).to_contain_text("It loads.")
    # what can happen is walked meanwhile
    found = ana.locator(".fault", has_text="Bank can go on for ever without a word from a person.")
    expect(found.locator("li").first).to_contain_text("Bank: greeting (from here on it repeats)")
    expect(ana.locator(".insight", has=ana.locator("h3"))).to_contain_text("Proved with 2 people in the room")
    ana.locator(".editor textarea").fill(BANK.replace("permitted", "prohibited"))
    expect(ana.locator(".insight h3")).to_contain_text("No finding")
    ana.locator(".editor textarea").fill(BANK)
    expect(found).to_be_visible()
    ana.get_by_role("button", name="Open a room with these").click()
    join(screen, "Ana")
    expect(ana.get_by_test_id("stChatInputTextArea")).to_be_visible()
    elsewhere.open("rooms" + re.sub(r"as=Ana", "as=Ben", screen.page.url).partition("/rooms")[2])
    join(elsewhere, "Ben")
    for words in ("Hi, I'd like a loan of $12,000", ANN.customer.email, "Yes", ANN.ssn):
        tell(screen, words)
        expect(ana.locator(".working")).to_have_count(0)
        expect(ana.locator(".message").last).to_have_class(re.compile("assistant"))
    assert ANN.ssn in screen.text
    expect(ben.locator(".in-room .bubble").last).to_contain_text("approved")
    assert ANN.ssn not in elsewhere.text
    # whoever it is for may leave while it is written: then it is not sent at all, least of all to everybody
    ana.get_by_role("button", name="Ben", exact=True).click()
    ana.get_by_role("button", name="for them alone").click()
    expect(ana.get_by_role("button", name="for them alone")).to_have_attribute("aria-pressed", "true")
    ben.get_by_role("button", name="Leave").click()
    expect(ana.get_by_role("button", name="Ben (left)")).to_have_attribute("aria-pressed", "true")
    ana.get_by_test_id("stChatInputTextArea").fill("only between us")
    ana.get_by_test_id("stChatInputTextArea").press("Enter")
    expect(ana.get_by_test_id("stToast")).to_contain_text("Ben left, so nothing was sent.")
    assert "only between us" not in screen.chat
    elsewhere.open("rooms?" + re.sub(r"&?as=\w+", "", elsewhere.page.url).partition("?")[2])
    expect(ben.get_by_label("Your name")).to_be_visible()
    for words in ("Bank asked Ana something in private.", "Ana told Bank something in private."):
        assert words in elsewhere.chat
    for words in (ANN.ssn, "Only for", "social security"):
        assert words not in elsewhere.text


def test_a_room_fits_a_telephone_and_one_that_is_not_there_leads_on(small_screen: Screen) -> None:
    """In every section, with nothing said yet; and words that are missing are asked for."""
    page = small_screen.page
    small_screen.open("rooms?room=nope")
    expect(page.locator(".notice")).to_contain_text("There is no such room here")
    page.get_by_role("button", name="See all rooms").click()
    page.get_by_role("button", name="Open the room").click()
    join(small_screen, "")
    expect(page.locator(".st-key-room-join-trouble")).to_contain_text("Please type a name")
    join(small_screen, "Ana/..")
    expect(page.locator(".st-key-room-join-trouble")).to_contain_text("looks like a path")
    join(small_screen, "Ana")
    expect(page.locator(".notice-line", has_text="Ana joined.")).to_be_visible()
    press(page.get_by_role("button", name="Why did In speak?").first)
    expect(page.locator(".drill h3")).to_have_text("Why In spoke")
    expect(page.locator(".drill h3")).to_be_in_viewport()  # though it stands below the conversation
    for section in ("Conversation", "Norms over time", "Change the norms"):
        page.get_by_role("radio", name=section).click()
        small_screen.settle()
        assert not page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
    page.get_by_role("button", name="All rooms").click()
    page.get_by_role("button", name="Delete…").first.click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("button", name="Delete for good")).to_have_count(0)


@pytest.mark.long
def test_the_scene_in_a_room_plays_to_its_end_with_nothing_typed(screen: Screen) -> None:
    """Bots and people speak by themselves, a question about the room is answered, and it leads on to the norms."""
    screen.open("demo?script=group-chat")
    screen.page.get_by_role("radio", name="At once").click()
    screen.page.get_by_role("button", name="Play").click()
    expect(screen.page.get_by_text("The end. Now say something yourself.")).to_be_visible()
    expect(screen.page.locator(".watch .count")).to_have_text("6 of 6")
    expect(screen.page.locator(".about-room .bubble")).to_contain_text("CD")
    expect(screen.page.get_by_role("link", name="Change the norms of this room")).to_be_visible()
    assert "Something went wrong" not in screen.text
