"""The database: its form, its one writer, and how old ones are brought up to date."""
