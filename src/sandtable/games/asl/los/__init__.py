"""Line of sight: who sees whom, what hinders or blocks it, and under which rule."""
