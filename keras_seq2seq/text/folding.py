"""Small letters, one code point at a time."""


def fold(character: str) -> str:
    """Small letter of one character, where that is one character."""
    lower = character.lower()
    return lower if len(lower) == 1 else character
