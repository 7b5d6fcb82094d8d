"""One self-contained HTML page per run: figures, plots, and every sample with its mathematics.

Model text is untrusted here as everywhere: it is escaped by Jinja2 and MarkupSafe, mathematics passes a list
of allowed tags, and the page's own policy lets no script run but the one it was written with.
"""
