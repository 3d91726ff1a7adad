"""What is shown: one file a page. Streamlit is imported here and in `app.py`, and nowhere else."""
