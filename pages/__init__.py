"""The user interface: one folder a page. Streamlit is imported here and in `app.py`, and nowhere else."""
