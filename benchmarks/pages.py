"""The dashboard in a real browser: from a click to the paint, a cold load, a full rerun, and what polling costs.

    python -m benchmarks.pages [--clicks 40]

A loan is had first, so that the page is as full as people see it. A click is timed in the page itself: from the
pointer's event to the frame after the one in which the drill-down shows what was clicked. Prints a table for
benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import statistics
import time

import psutil
from playwright.sync_api import Browser, Page

from catalog.demos.banking.personas import ANN
from tests.pages.screen import Screen, Server, open_dashboard

POLLED_S = 10

TIMED = """([selector, wanted]) => new Promise((done, fail) => {
  let began = 0;
  addEventListener('pointerdown', () => { began = performance.now(); }, { capture: true, once: true });
  const inside = root => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].map(e => e.shadowRoot && inside(e.shadowRoot)).find(Boolean);
  const limit = performance.now() + 20000;
  const look = () => {
    const found = inside(document);
    if (began && found && found.textContent === wanted) {
      requestAnimationFrame(() => done(performance.now() - began));
    } else if (performance.now() > limit) fail('not painted: ' + (found ? found.textContent : 'nothing'));
    else requestAnimationFrame(look);
  };
  look();
})"""


def timed(page: Page, selector: str, wanted: str, act: str, *where: object) -> float:
    """Do something with the mouse, and return the milliseconds until `selector` reads `wanted`."""
    page.evaluate(f"(given) => {{ window.timing = ({TIMED})(given); }}", [selector, wanted])
    if act == "node":
        graph = page.locator(".st-key-plan-graph .graph")
        place = graph.evaluate("(e, id) => e.__network.canvasToDOM(e.__network.getPositions([id])[id])", str(where[0]))
        graph.click(position=place)
    else:
        page.locator(act).nth(int(str(where[0]))).click()
    taken: float = page.evaluate("() => window.timing")
    return taken


def clicks(screen: Screen, count: int, act: str) -> list[float]:
    """Click two steps in turn; return the milliseconds of each click."""
    titles = screen.page.locator(".steps .step .title").all_text_contents()
    last, asked = len(titles) - 1, titles.index("social security number")
    taken = []
    for i in range(count):
        which = (last, asked)[i % 2]
        wanted = ("loan desk", "social security number")[i % 2]
        taken.append(timed(screen.page, ".drill h3", wanted, act, which))
        screen.settle()
    return taken


def reruns(screen: Screen, count: int) -> list[float]:
    """Hide and show the inspector, which runs the whole script; return the milliseconds of each."""
    taken = []
    for i in range(count):
        wanted = ("Show the inspector", "Hide the inspector")[i % 2]
        taken.append(timed(screen.page, ".st-key-inspector-toggle p", wanted, ".st-key-inspector-toggle button", 0))
        screen.settle()
    return taken


def cold_load(browser: Browser, url: str) -> tuple[float, int]:
    """Load the page with an empty cache; return the milliseconds until it can be used, and the bytes sent."""
    context = browser.new_context(viewport={"width": 1380, "height": 860})
    page = context.new_page()
    sent = 0

    def count(event: dict[str, float]) -> None:
        nonlocal sent
        sent += int(event["encodedDataLength"])

    watch = context.new_cdp_session(page)
    watch.send("Network.enable")
    watch.on("Network.loadingFinished", count)
    began = time.perf_counter()
    page.goto(url)
    page.wait_for_selector('[data-testid="stChatInputTextArea"]')
    page.wait_for_selector(".message .bubble")
    taken = 1000 * (time.perf_counter() - began)
    page.wait_for_load_state("networkidle")
    context.close()
    return taken, sent


def polling_share(screen: Screen, server: Server) -> float:
    """Let the demo wait between two lines, which polls; return the share of a core that the server uses."""
    screen.open("demo")
    screen.page.get_by_role("button", name="Step").click()
    screen.page.locator(".message.question").first.wait_for()
    screen.page.get_by_role("radio", name="Slow").click()
    screen.page.get_by_role("button", name="Play").click()
    process = psutil.Process(server.process.pid)
    process.cpu_percent()
    screen.page.wait_for_timeout(1000 * POLLED_S)
    return float(process.cpu_percent())


FOLLOWED = """([input, count]) => new Promise(done => {
  const root = input.getRootNode(), marked = [], told = [];
  const inside = at => at.querySelector('.fork-told')
    ?? [...at.querySelectorAll('*')].map(e => e.shadowRoot && inside(e.shadowRoot)).find(Boolean);
  const move = () => {
    if (told.length === count) return done([marked, told]);
    const began = performance.now(), before = inside(document).textContent;
    input.value = 1000 + 10 * (told.length + 1) + (told.length % 2 ? 20000 : 0);
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    requestAnimationFrame(() => marked.push(performance.now() - began));
    const look = () => {
      if (inside(document).textContent === before) return requestAnimationFrame(look);
      requestAnimationFrame(() => { told.push(performance.now() - began); setTimeout(move, 200); });
    };
    look();
  };
  move();
})"""


def drags(screen: Screen, count: int) -> tuple[list[float], list[float]]:
    """Move the amount of a fork about; return the milliseconds until outcome and border, and until its plan."""
    screen.open(f"?session={screen.session}&panel=What+if%3F")
    thumb = screen.page.locator('.slider input[aria-label="Loan amount"]')
    screen.page.locator(".stretches").wait_for()
    marked, told = screen.page.evaluate(FOLLOWED, [thumb.element_handle(), count])
    return marked, told


def row(name: str, taken: list[float]) -> str:
    """Write one line of the table."""
    ordered = sorted(taken)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"| {name} | {len(taken)} | {statistics.median(ordered):.0f} | {p95:.0f} | {ordered[-1]:.0f} |"


def main() -> None:
    """Measure, and print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--clicks", type=int, default=40)
    count = parser.parse_args().clicks
    with open_dashboard() as (server, browser):
        loads = [cold_load(browser, server.url) for _ in range(5)]
        context = browser.new_context(viewport={"width": 1380, "height": 860})
        screen = Screen(context.new_page(), server.url)
        screen.open()
        screen.say("Hi, I'd like a loan of $12,000")
        screen.say(ANN.customer.email)
        screen.press("Yes")
        screen.say(ANN.ssn)
        lines = [
            row("click on a node → drill-down painted", clicks(screen, count, "node")),
            row("click on a step button → drill-down painted", clicks(screen, count, ".steps .step")),
            row("full rerun → painted", reruns(screen, count)),
            row("cold load → usable", [taken for taken, _ in loads]),
        ]
        marked, told = drags(screen, count)
        lines += [
            row("drag of an amount in What if? → outcome and border painted", marked),
            row("… → fork painted, with the rest of 80 ms that it waits for", told),
        ]
        share = polling_share(screen, server)
    print("| what | times | p50 ms | p95 ms | maximum ms |\n|---|---|---|---|---|", *lines, sep="\n")
    print(f"\nCold load: {max(sent for _, sent in loads) / 1000:.0f} kB. Polling: {share:.1f} % of a core.")


if __name__ == "__main__":
    main()
