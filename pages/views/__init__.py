"""Views that several pages share: graphs, plans, timelines, media."""
