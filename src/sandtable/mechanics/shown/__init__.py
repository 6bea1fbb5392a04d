"""What views, scenes and logs of all games say alike."""
