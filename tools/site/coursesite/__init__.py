"""The course as a static site: pages to read, and JupyterLite to run them in a browser."""
