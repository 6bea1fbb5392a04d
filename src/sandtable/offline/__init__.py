"""The whole table in a browser, without a server: the same application, run by Pyodide in a worker of the page."""
