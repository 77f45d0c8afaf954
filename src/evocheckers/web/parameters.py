"""URL parameters and their constraints."""

from typing import Annotated

from fastapi import Path

RunName = Annotated[str, Path(max_length=120)]
Number = Annotated[int, Path(ge=0, le=10**9)]
GameId = Annotated[str, Path(min_length=8, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
