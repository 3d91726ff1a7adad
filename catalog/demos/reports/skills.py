"""The skills of the demo of reports: what its catalog's endpoints name. Each is thin; the work is done beside it."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import wraps

from catalog.demos.reports import board
from catalog.demos.reports.assembly import Section, in_html, in_markdown, in_word, sources_of
from catalog.demos.reports.tables import CellFigures, SourcedTable, add_up, check_sheets, sums_of
from catalog.demos.reports.words import summarize, tell_revenue
from catalog.skills import File, Inputs, Result, Returnable, given, text_in
from catalog.skills.sheets import UnreadableFile, read_sheets, read_table

Made = Result[Returnable]

UNREADABLE, TROUBLE = "unreadable", "trouble"


def _or_unreadable(skill: Callable[[Inputs], Made]) -> Callable[[Inputs], Made]:
    """Turn what is wrong with a file into the outcome that says so."""

    @wraps(skill)
    def read(inputs: Inputs) -> Made:
        try:
            return skill(inputs)
        except UnreadableFile as problem:
            return Result(UNREADABLE, {TROUBLE: str(problem)})

    return read


# one file


@_or_unreadable
def read_data(inputs: Inputs) -> Made:
    """Read the table of a file, if no sheet that looks like the others is left out."""
    file = _file(inputs, "data_file")
    table = read_table(file)
    check_sheets(table, read_sheets(file))
    return Result("read", {"data_table": table})


@_or_unreadable
def add_up_data(inputs: Inputs) -> Made:
    """Add a table up by its groups; with a quarter only the rows of that count."""
    table = SourcedTable.of(inputs["data_table"])
    if "quarter" in inputs:
        table.check_totals()  # such a row has no day
        table = table.in_quarter(text_in(inputs, "quarter"))
    if table.frame.empty:
        return Result("nothing")
    sums, figures = sums_of(
        table, *(text_in(inputs, name) if name in inputs else "" for name in ("by_column", "sum_column"))
    )
    return Result("added", {"data_sums": sums.value, "data_figures": figures.value})


def summarize_data(inputs: Inputs) -> Made:
    """Say in words what a table adds up to."""
    sums, figures = SourcedTable.of(inputs["data_sums"]), SourcedTable.of(inputs["data_figures"])
    return Result("told", {"data_summary": summarize(_name_of(figures), sums, figures)})


def draw_data(inputs: Inputs) -> Made:
    sums = SourcedTable.of(inputs["data_sums"])
    measure = str(sums.frame.columns[-1])
    picture = draw_bars(
        f"{measure} by {sums.frame.columns[0]}", [str(one) for one in sums.frame.iloc[:, 0]],
        {measure: [float(one) for one in sums.frame.iloc[:, -1]]},
    )  # fmt: skip
    return Result("drawn", {"data_chart": File("chart.png", "image/png", picture)})


def write_report(inputs: Inputs) -> Made:
    """Write a report on a file as a Word document."""
    title, sections = _report(inputs)
    document = File("report.docx", "", in_word(title, sections))
    return Result("written", {"report": document, "report_sources": sources_of(sections)})


def write_page(inputs: Inputs) -> Made:
    return Result("written", {"report_page": File("report.html", "", in_html(*_report(inputs)).encode())})


def write_note(inputs: Inputs) -> Made:
    """Write a report on a file as Markdown."""
    return Result("written", {"report_note": File("report.md", "", in_markdown(*_report(inputs)).encode())})


def _report(inputs: Inputs) -> tuple[str, list[Section]]:
    figures = SourcedTable.of(inputs["data_figures"])
    chart = inputs.get("data_chart")
    quarter = f", {inputs['quarter']}" if "quarter" in inputs else ""
    return f"Report on {_name_of(figures)}{quarter}", [
        Section("Summary", text_in(inputs, "data_summary")),
        Section("Figures", "Each figure with the cells that it was added up from.", figures),
        Section("Chart", picture=chart if isinstance(chart, File) else None),
    ]


# the ledgers of months


@_or_unreadable
def read_ledger(inputs: Inputs) -> Made:
    table = SourcedTable.of(read_table(_file(inputs, "ledger"))).need("date", "kind", "category", "amount", "status")
    return Result("read", {"ledger_entries": table.value})


def keep_booked(inputs: Inputs) -> Made:
    """Leave out entries that were declared void."""
    return Result("kept", {"booked_entries": booked(SourcedTable.of(inputs["ledger_entries"])).value})


def add_up_month(inputs: Inputs) -> Made:
    return Result("added", {"month_figures": figures_of(SourcedTable.of(inputs["booked_entries"])).value})


# the board pack


def add_up_quarter(inputs: Inputs) -> Made:
    figures, text = quarter_of(text_in(inputs, "quarter"), _tables(inputs, "monthly_figures"))
    return Result("added", {"quarter_figures": figures.value, "revenue_text": text})


def draw_months(inputs: Inputs) -> Made:
    months = _tables(inputs, "monthly_figures")
    series = {name: [table.figure(name) or 0.0 for table in months] for name in ("Revenue", "Costs")}
    picture = draw_bars("Revenue and costs by month", [month_of(table) for table in months], series)
    return Result("drawn", {"quarter_chart": File("quarter.png", "image/png", picture)})


@_or_unreadable
def read_budget(inputs: Inputs) -> Made:
    table = SourcedTable.of(read_table(_file(inputs, "budget"))).need("category", "budget")
    return Result("read", {"budget_table": table.value})


def compare_costs(inputs: Inputs) -> Made:
    figures, text = board.compare(SourcedTable.of(inputs["quarter_figures"]), SourcedTable.of(inputs["budget_table"]))
    over = (figures.figure("Costs") or 0.0) > (figures.figure("Budget") or 0.0)
    return Result("over" if over else "within", {"cost_figures": figures.value, "cost_text": text})


def explain_costs(inputs: Inputs, result: Result) -> Mapping[str, float]:
    """Weigh costs and budget: how much each speaks for the outcome, as a share of the budget."""
    figures = SourcedTable.of(result.facts["cost_figures"])
    spent, planned = figures.figure("Costs") or 0.0, figures.figure("Budget") or 1.0
    towards = 1.0 if result.outcome == "over" else -1.0
    return {"quarter_figures": towards * spent / planned, "budget_table": -towards}


@_or_unreadable
def count_people(inputs: Inputs) -> Made:
    """Count the people of a firm, and say who joined in the quarter."""
    table = SourcedTable.of(read_table(_file(inputs, "staff_list"))).need("name", "team", "starts", "monthly pay")
    figures, text = board.count_people(table, text_in(inputs, "quarter"))
    return Result("counted", {"people_figures": figures.value, "people_text": text})


def summarize_board(inputs: Inputs) -> Made:
    summary = board.summarize(
        *(SourcedTable.of(inputs[name]) for name in ("quarter_figures", "cost_figures", "people_figures"))
    )
    return Result("told", {"board_summary": summary})


def write_board_pack(inputs: Inputs) -> Made:
    """Write the board pack as a Word document, and list what its figures rest on."""
    sections = board.sections(inputs)
    pack = File("board pack.docx", "", in_word(_board_title(inputs), sections))
    return Result("written", {"board_pack": pack, "board_sources": sources_of(sections)})


def write_board_page(inputs: Inputs) -> Made:
    page = in_html(_board_title(inputs), board.sections(inputs))
    return Result("written", {"board_page": File("board pack.html", "", page.encode())})


def check_board(inputs: Inputs) -> Made:
    """Check that the figures of a quarter are the same in the board pack and on its page."""
    checked = board.check(
        SourcedTable.of(inputs["quarter_figures"]), _file(inputs, "board_pack"), _file(inputs, "board_page")
    )
    return Result("agree" if checked.frame["equal"].all() else "differ", {"board_check": checked.value})


# branches


@_or_unreadable
def add_up_branch(inputs: Inputs) -> Made:
    file = _file(inputs, "takings")
    table = SourcedTable.of(read_table(file)).need("product", "units", "amount")
    return Result("added", {"branch_figures": board.sales_of(file.name, table).value})


def compare_branches(inputs: Inputs) -> Made:
    """Put the branches into one table, the one that sold most first."""
    figures, text = board.compare_branches(_tables(inputs, "branch_results"))
    return Result("compared", {"branch_table": figures.value, "branch_text": text})


def write_branch_report(inputs: Inputs) -> Made:
    figures = SourcedTable.of(inputs["branch_table"])
    names, sums = ([str(name) for name in figures.frame["figure"]], [float(one) for one in figures.frame["value"]])
    picture = draw_bars("Sales by branch", names[1:], {"sales": sums[1:]})
    sections = [
        Section("Summary", text_in(inputs, "branch_text")),
        Section("Branches", "", figures, File("branches.png", "image/png", picture), in_money=True),
    ]
    return Result(
        "written", {"branch_report": File("branches.html", "", in_html("Sales by branch", sections).encode())}
    )


def warm() -> None:
    """Load the libraries that a first call would wait for."""
    import docx  # noqa: F401
    import matplotlib.figure  # noqa: F401
    import openpyxl  # noqa: F401


def _file(inputs: Inputs, name: str) -> File:
    return given(inputs, name, File, "a File")


def _tables(inputs: Inputs, name: str) -> Sequence[SourcedTable]:
    return [SourcedTable.of(one) for one in given(inputs, name, list, "a list of tables")]


def _name_of(table: SourcedTable) -> str:
    return str(table.places[0]["name"]) if table.places else "the table"


def _board_title(inputs: Inputs) -> str:
    return f"Board pack {text_in(inputs, 'quarter')}"


_KINDS = (("revenue", "Revenue"), ("cost", "Costs"))
_MONTH = "Month"


def booked(entries: SourcedTable) -> SourcedTable:
    return entries.where(lambda row: str(row["status"]).casefold() == "booked")


def figures_of(entries: SourcedTable) -> SourcedTable:
    """Add up a month: revenue and costs, each in all and by category, and the result."""
    figures = CellFigures()
    sums = []
    for kind, name in _KINDS:
        rows = [at for at, one in enumerate(entries.frame["kind"]) if str(one).casefold() == kind]
        sums.append(figures.add(name, entries.total("amount", rows), (entries, "amount", rows)))
        for category, every in entries.groups("category"):
            if within := [at for at in every if at in rows]:
                figures.add(f"{name}: {category}", entries.total("amount", within), (entries, "amount", within))
    figures.add("Result", sums[0] - sums[1], (entries, "amount", None))
    months = sorted(str(day)[:7] for day in entries.frame["date"])
    if months:
        figures.add(_MONTH, int(months[0].replace("-", "")), (entries, "date", None))
    return figures.table


def quarter_of(quarter: str, months: Sequence[SourcedTable]) -> tuple[SourcedTable, str]:
    every = add_up(months)
    kept = [name for name in every.frame["figure"] if name != _MONTH]
    figures = CellFigures()
    figures.take(every, *kept)
    table = figures.table
    return table, tell_revenue(quarter, table, [(month_of(one), one.figure("Revenue") or 0.0) for one in months])


def month_of(figures: SourcedTable) -> str:
    number = int(figures.figure(_MONTH) or 0)
    return f"{date(number // 100, number % 100, 1):%B}" if number else "a month without entries"


_COLOURS = ("#0f8b8d", "#d98324", "#5b4bb5", "#c8453b", "#6b8e23", "#8a6f57")


def draw_bars(title: str, labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(6.4, 3.6), dpi=120, layout="constrained")
    FigureCanvasAgg(drawn)
    axes = drawn.add_subplot()
    width = 0.8 / max(1, len(series))
    for at, (name, values) in enumerate(series.items()):
        left = [place + width * (at - (len(series) - 1) / 2) for place in range(len(labels))]
        axes.bar(left, list(values), width=width, label=_plain(name), color=_COLOURS[at % len(_COLOURS)])
    axes.set_xticks(range(len(labels)), [_plain(label)[:24] for label in labels])
    if len(labels) > 6:
        axes.tick_params(axis="x", labelrotation=45)
    axes.set_title(_plain(title))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.spines[["top", "right"]].set_visible(False)
    if len(series) > 1:
        drawn.legend(loc="outside lower center", ncols=len(series), frameon=False)
    made = io.BytesIO()
    drawn.savefig(made, format="png", metadata={"Software": None})
    return made.getvalue()


def _plain(text: str) -> str:
    """Keep a text from being read as a formula (matplotlib takes what stands between dollars for one)."""
    return text.replace("$", r"\$")
