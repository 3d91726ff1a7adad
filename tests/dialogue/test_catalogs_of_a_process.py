"""Catalogs are known by their own names, found again where they were moved, and told of where they are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialogue.cli.main import main
from dialogue.exploration.jobs import Inquiry
from dialogue.services import UnknownCatalog, make_services
from dialogue.services.catalogs import read_catalogs
from pages.sessions.page import transcript, transcript_page
from tests.dialogue.toys import CATALOG


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "toys.yaml"
    path.write_text(CATALOG, encoding="utf-8")
    return path


def test_an_own_catalog_is_known_by_its_name_and_found_again_after_its_file_was_moved(
    home: Path, file: Path, tmp_path: Path
) -> None:
    """Nor does it matter that the path of its file was written down by an older release."""
    services = make_services(home, files=[file])
    name = services.catalogs()[0]
    session = services.start(str(file))
    assert services.snapshot(session).conversation.setup.catalog == name
    assert "/" not in name
    services.close()
    moved = tmp_path / "elsewhere" / "renamed.yaml"
    moved.parent.mkdir()
    file.rename(moved)
    services = make_services(home, files=[moved])
    assert services.snapshot(session).catalog.name == name
    services.close()


def test_a_conversation_finds_its_catalog_by_the_digest_of_its_text(home: Path, file: Path) -> None:
    """Where the name that was written down is that of a file which is not there any more."""
    services = make_services(home, files=[file])
    known = services.loaded(services.catalogs()[0])
    assert services.library.find("/gone/other.yaml", known.digest) == known.catalog.name
    with pytest.raises(UnknownCatalog, match="There are: "):
        services.library.find("/gone/unheard.yaml", "0" * 64)
    services.close()


def test_a_broken_catalog_does_not_stop_the_app_and_says_what_is_wrong(
    home: Path, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("version: 1\nname: broken\nfacts: {}\n", encoding="utf-8")
    monkeypatch.setenv("PLANGLASS_CATALOGS", f"{broken}:{file}")
    services = make_services(home)
    assert services.loaded(str(file)).catalog.facts
    assert [(path, bool(error.problems)) for path, error in services.library.broken.items()] == [(str(broken), True)]
    services.close()


def test_a_conversation_is_renamed_by_an_event_and_listed_under_its_name_with_secrets_masked(
    home: Path, file: Path
) -> None:
    services = make_services(home, files=[file])
    session = services.start(services.catalogs()[0])
    services.rename(session, "  my   first\ntoys ")
    seen = services.snapshot(session)
    assert seen.conversation.setup.name == "my first toys"
    assert seen.log[-1].event.kind == "renamed"
    services.rename(session, "")
    assert services.snapshot(session).conversation.setup.name == ""
    services.close()


def test_the_command_line_lists_conversations_and_goes_on_with_one(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`planglass sessions`, then `planglass chat --session` with the first letters of an id."""
    monkeypatch.setenv("PLANGLASS_HOME", str(home))
    services = make_services(home)
    session = services.start("banking")
    services.rename(session, "the new kitchen")
    services.close()
    assert main(["sessions", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (listed["session"], listed["name"]) == (session, "the new kitchen")
    assert main(["sessions"]) == 0
    assert f"{session[:8]}  " in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", iter(["hello\n"]))
    assert main(["chat", "--session", session[:6]]) == 0
    assert capsys.readouterr().out.count("Welcome to Harbour Bank") == 1
    monkeypatch.setattr("sys.stdin", iter(["hello\n"]))
    assert main(["chat", "--session", session, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replies"], "a second time its first line is heard again"
    assert main(["chat"]) == 2
    assert main(["chat", "--session", "none"]) == 2
    assert "planglass sessions" in capsys.readouterr().err


def test_a_transcript_says_who_said_what_with_sensitive_values_masked_as_text_and_as_one_page(
    home: Path, file: Path
) -> None:
    """The page holds no markup of anybody but its own, and asks for nothing."""
    services = make_services(home)
    session = services.start("banking")
    services.rename(session, "<b>kitchen</b>")
    services.say(session, "what is my credit score? my social security number is 900-12-3456 <script>")
    assert services.wait(session, 120)
    seen = services.snapshot(session)
    text, page = transcript(seen), transcript_page(seen)
    services.close()
    assert text.startswith("<b>kitchen</b>, Harbour Bank, ")
    assert "\n\nHarbour Bank: Welcome" in text
    assert "\n\nYou: what is my credit score?" in text
    assert "900-12-3456" not in text + page
    assert "<script" not in page
    assert "&lt;b&gt;kitchen" in page
    assert "http" not in page


def test_of_catalogs_with_one_name_each_is_kept_and_one_text_only_once(tmp_path: Path) -> None:
    texts = {"a": "name: mine\nfacts: {a: {ask: What?}}\n", "b": "name: mine\nfacts: {b: {ask: What?}}\n"}
    for file, text in {**texts, "again": texts["a"], "c": texts["b"] + "version: 1\n"}.items():
        (tmp_path / f"{file}.yaml").write_text(text, encoding="utf-8")
    read = read_catalogs([tmp_path / f"{file}.yaml" for file in ("a", "again", "b", "c")])
    assert [name for name in read.names if name.startswith("mine")] == ["mine", "mine-2", "mine-3"]


SHOP = """
name: {name}
facts:
  size: {{ask: "{ask}", value: {{kind: choice, options: [small, large]}}}}
goals: {{size: {{facts: [size], examples: [tell me the size, what size is it, which size do you have]}}}}
"""


def test_catalogs_of_the_operator_come_first_and_a_demo_where_it_is_named(home: Path, file: Path) -> None:
    services = make_services(home, files=[file])
    [own, *demos] = services.catalogs()
    services.close()
    assert demos == ["banking", "accounting", "reports"] and own not in demos
    services = make_services(home, files=[Path("reports"), file])
    assert services.catalogs() == ("reports", own, "banking", "accounting")
    services.close()


def test_an_edited_catalog_is_loaded_anew_and_an_open_conversation_keeps_its_own(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP.format(name="shop", ask="Small or large?"), encoding="utf-8")
    services = make_services(home, files=[path])
    before = services.start("shop")
    path.write_text(SHOP.format(name="shop", ask="How big is it to be?"), encoding="utf-8")
    after = services.start("shop")
    for session in (before, after):
        services.say(session, "tell me the size")
        assert services.wait(session)
    said = [services.snapshot(session).conversation.messages.all[-1].text for session in (before, after)]
    assert [("Small or large?" in text, "How big" in text) for text in said] == [(True, False), (False, True)]
    services.close()


def test_what_was_explored_of_a_catalog_is_not_told_of_the_one_that_it_was_edited_to(
    home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(SHOP.format(name="shop", ask="Small or large?"), encoding="utf-8")
    services = make_services(home, files=[path])
    inquiry = Inquiry("shop", "size")
    services.explorations.start(inquiry)
    before = services.explorations.wait(inquiry)
    path.write_text(SHOP.format(name="shop", ask="How big is it to be?"), encoding="utf-8")
    assert "shop" in services.catalogs()
    assert before is not None and before.status == "done" and services.explorations.look(inquiry) is None
    services.explorations.start(inquiry)
    after = services.explorations.wait(inquiry)
    services.close()
    assert after is not None and after.status == "done"


def test_an_edit_that_breaks_a_catalog_leaves_the_one_before_and_says_what_is_wrong(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text("name: [", encoding="utf-8")
    services = make_services(home, chosen={"catalogs": str(path)})
    assert "shop" not in services.catalogs()
    path.write_text(SHOP.format(name="shop", ask="Small or large?"), encoding="utf-8")
    assert services.catalogs()[0] == "shop" and not services.library.broken
    path.write_text("name: shop\nfacts: 7\n", encoding="utf-8")
    assert services.catalogs()[0] == "shop" and list(services.library.broken) == [str(path)]
    assert services.loaded("shop").catalog.facts
    path.write_text(SHOP.format(name="bakery", ask="Small or large?"), encoding="utf-8")
    assert services.catalogs() == ("bakery", "banking", "accounting", "reports") and not services.library.broken
    assert services.loaded("shop").catalog.name == services.loaded(str(path)).catalog.name == "bakery"
    path.unlink()
    assert services.catalogs()[0] == "bakery" and list(services.library.broken) == [str(path)]
    services.close()
