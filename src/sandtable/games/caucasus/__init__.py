"""The Caucasus Campaign: the Axis drive for the oil, July to November 1942."""
