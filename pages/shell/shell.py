"""The shell around every page: navigation, the look, and a message when something breaks.

It is what `app.py` runs. With `st.navigation` here, a deep link to any page passes through it, even as the very
first request.
"""

from __future__ import annotations

import streamlit as st

from pages.shell.address import page_file
from pages.shell.confirm import draw_confirmation
from pages.shell.frame import entitle, guarded, mark_section, wear_look
from pages.shell.root import services
from pages.shell.sheet import FOLDER

st.set_page_config(
    page_title="Planglass", page_icon=FOLDER / "logo.svg", layout="wide", initial_sidebar_state="collapsed"
)
wear_look()
st.logo(FOLDER / "logo.svg", size="large")

SECTIONS = {
    "Talk": [
        st.Page(page_file("assistant"), title="Assistant", icon=":material/chat:", default=True),
        st.Page(page_file("rooms"), title="Group chat", icon=":material/forum:", url_path="rooms"),
        st.Page(page_file("tasks"), title="Tasks", icon=":material/task_alt:", url_path="tasks"),
        st.Page(page_file("demo"), title="Tour", icon=":material/movie:", url_path="demo"),
    ],
    "Look inside": [
        st.Page(page_file("plans"), title="Plans", icon=":material/route:", url_path="plans"),
        st.Page(page_file("sessions"), title="Sessions", icon=":material/folder_open:", url_path="sessions"),
        st.Page(page_file("orchestrators"), title="Orchestrators", icon=":material/groups:", url_path="orchestrators"),
    ],
    "Build your own": [
        st.Page(page_file("catalog"), title="Catalog", icon=":material/menu_book:", url_path="catalog"),
        st.Page(
            page_file("understanding"), title="Understanding", icon=":material/lightbulb:", url_path="understanding"
        ),
        st.Page(page_file("explore"), title="What can happen", icon=":material/account_tree:", url_path="explore"),
    ],
    "Settings": [
        st.Page(page_file("settings"), title="Settings", icon=":material/settings:", url_path="settings"),
    ],
}
page = st.navigation(SECTIONS, position="top")
entitle(page.title)
place, section = next(
    (place, name)
    for place, (name, pages) in enumerate(SECTIONS.items())
    if page.url_path in [p.url_path for p in pages]
)
mark_section(place, page.title if page.title != section else "")
with guarded(page.title):
    services().refresh()
    draw_confirmation(page.url_path)
    page.run()
