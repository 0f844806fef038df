"""Warnings that point to the user's code."""

import os
import pathlib
import sys
import warnings

PACKAGE = str(pathlib.Path(__file__).parents[1]) + os.sep


def warn_caller(message):
    """Warn at the innermost calling line outside of this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_code.co_filename.startswith(PACKAGE) and frame.f_back:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)
