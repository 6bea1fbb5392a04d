"""The ground: data, geomorphic boards, overlays and the battlefield that a scenario makes of them."""
