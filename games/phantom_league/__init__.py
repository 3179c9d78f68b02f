"""The Phantom League: captains with their ships trade, explore, fight and ally for fame or notoriety."""
