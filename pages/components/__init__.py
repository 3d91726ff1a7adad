"""What the pages share: the shell, the sheets that text is drawn on, graphs, chat and inspector."""
