"""Alembic's environment: the versions of the database's form."""
