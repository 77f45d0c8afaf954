"""Folders that only the user can write to, for code to be loaded and for files that are trusted as the user's own."""

import functools
import os
import stat
from pathlib import Path


def make_private(folder: Path) -> None:
    """Create a folder and any missing parents, accessible to the user only."""
    for place in (*reversed(folder.parents), folder):
        if not place.exists():
            place.mkdir(mode=0o700, exist_ok=True)
    if not folder.is_dir():
        raise FileExistsError(f"{folder} is not a folder")


def intrusion(folder: Path) -> str:
    """How somebody else could put files into a folder, as text; empty if nobody could.

    The folder must belong to the user and be writable by nobody else. Its parents must belong to the user or root, and
    may be writable by others only if those cannot rename files they do not own, as in the folder for temporary files.
    Links are followed first: use the path that ``resolve`` gives, not one whose links can be changed later.
    """
    if not hasattr(os, "getuid"):
        return ""  # Windows: access lists keep the user's folders private
    user = os.getuid()
    place = folder.resolve()
    for here in (place, *place.parents):
        found = here.stat()
        if found.st_uid != user and (here == place or found.st_uid != 0):
            return f"belongs to another user ({found.st_uid})" + ("" if here == place else f" at {here}")
        is_shared = found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and not _is_own_group(found.st_gid))
        if is_shared and (here == place or not found.st_mode & stat.S_ISVTX):
            return "can be written by others" + ("" if here == place else f" at {here}")
    return ""


@functools.cache
def _is_own_group(group: int) -> bool:
    """Whether this is the user's private group, which many systems create for each user."""
    import grp
    import pwd

    try:
        user, found = pwd.getpwuid(os.getuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return user.pw_gid == group and found.gr_name == user.pw_name and set(found.gr_mem) <= {user.pw_name}
