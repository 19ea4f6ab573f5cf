"""A package of the user's own, so that breaks have another file to happen in."""
