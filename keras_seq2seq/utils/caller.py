"""Warnings at the line of the user's code, however deep they arise."""

import os
import pathlib
import sys
import warnings

PACKAGE = str(pathlib.Path(__file__).parents[1]) + os.sep


def warn_caller(message):
    """Warn at the first line outside of this package that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_code.co_filename.startswith(PACKAGE) and frame.f_back:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)
