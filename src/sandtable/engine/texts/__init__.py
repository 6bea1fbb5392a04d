"""What is said: texts with facts, catalogues of other languages, names and verbs."""
