"""Tasks behind the services: handing them over and following them, on the page, in the chat and with a model."""
