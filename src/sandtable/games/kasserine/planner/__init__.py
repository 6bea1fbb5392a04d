"""How the computer plays Kasserine."""
