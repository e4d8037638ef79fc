"""A packed record of a lab, put together again as the browser does."""

from __future__ import annotations

import json
import zlib

from dtree_lab.labs.kit.recording import Record

# A text that begins so stands for a piece that is kept elsewhere, by its number.
MARK = "~"


def unpacked(data):
    """What was packed, as the browser puts it together."""
    told = json.loads(zlib.decompress(data))
    pieces = []
    for piece in told["pieces"]:
        pieces.append(_whole(piece, pieces))
    actions, said = told["actions"], told["said"]
    moves = [
        {
            actions[i]: to if isinstance(to, str) else (to, said[more[0]] if more else "")
            for i, to, *more in each
        }
        for each in told["moves"]
    ]
    views = [_whole(view, pieces) for view in told["views"]]
    return Record(views, told["keys"], moves, remembers=told["remembers"], begins=told["begins"])


def _whole(packed, pieces):
    match packed:
        case str() if packed.startswith(MARK * 2):
            return packed[1:]
        case str() if packed.startswith(MARK):
            return pieces[int(packed[1:], 36)]
        case list():
            return [_whole(one, pieces) for one in packed]
        case dict():
            return {name: _whole(one, pieces) for name, one in packed.items()}
    return packed
