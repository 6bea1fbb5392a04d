"""Chapter 5: supply lines, supply roads and the Supply Determination Phase."""
