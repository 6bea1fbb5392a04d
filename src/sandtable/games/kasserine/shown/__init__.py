"""What players see: views, scenes, overlays, texts."""
