"""What is put in the address of a page holds, though a page that asks anew at that moment brings an older address."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def look() -> None:
    """Show what is asked about, with ways to change it, as a page would."""
    import streamlit as st

    from pages.shell import address

    st.button("ask", on_click=address.put, args=("about", "TB"))
    st.button("close", on_click=address.put, args=("about", None))
    st.button("leave", on_click=address.forget)
    st.text(address.get("about") or "nothing")


def shown(page: AppTest) -> str:
    return page.text[0].value


def test_what_was_put_in_the_address_is_not_undone_by_the_address_as_it_was_before() -> None:
    page = AppTest.from_function(look)
    page.query_params["about"] = "CD"
    assert shown(page.run()) == "CD"
    assert shown(page.button[1].click().run()) == "nothing"
    page.query_params["about"] = "CD"  # the browser had not heard of it yet
    assert shown(page.run()) == "nothing"
    assert "about" not in page.query_params


def test_another_address_counts_at_once_and_what_is_left_is_forgotten() -> None:
    page = AppTest.from_function(look)
    page.run()
    assert shown(page.button[0].click().run()) == "TB"
    page.query_params["about"] = "SA"
    assert shown(page.run()) == "SA"
    assert shown(page.button[0].click().run()) == "TB"
    page.button[2].click().run()
    page.query_params["about"] = "SA"
    assert shown(page.run()) == "SA"
