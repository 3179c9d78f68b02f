"""Work parted over processes, with word of how far it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")
Told = Callable[[int], None]
"""Is told how many of a part's pieces are done."""


def in_processes(work: Callable[[_Part, Told], _Result], parts: Sequence[_Part], told: Told) -> list[_Result | None]:
    """Have each part worked on, at once where the system can fork; a single part in this process.

    Args:
        work: does a part.
        parts: the parts.
        told: is told how many pieces of all parts are done.

    Returns:
        What came of each part; None where a process came to no end.

    Example:
        >>> in_processes(lambda part, told: sum(part), [[1, 2], [3]], lambda done: None)
        [3, 3]
    """
    if len(parts) == 1 or not hasattr(os, "fork"):
        before, results = 0, list[_Result | None]()
        for part in parts:
            results.append(work(part, lambda done, before=before: told(before + done)))  # type: ignore[misc]
            before += len(part)  # type: ignore[arg-type]
        return results
    return _forked(work, parts, told)


def _forked(work: Callable[[_Part, Told], _Result], parts: Sequence[_Part], told: Told) -> list[_Result | None]:
    from multiprocessing import get_context
    from multiprocessing.connection import Connection, wait

    context = get_context("fork")
    lines: list[Connection] = []
    processes = []
    for part in parts:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_child, args=(work, part, there))
        process.start()
        there.close()  # so that the end of the process is the end of the line
        lines.append(here)
        processes.append(process)
    results: list[_Result | None] = [None] * len(parts)
    done = [0] * len(parts)
    while any(not line.closed for line in lines):
        for line in wait([line for line in lines if not line.closed]):
            _hear(lines.index(line), line, results, done)  # type: ignore[arg-type]
            told(sum(done))
    for process in processes:
        process.join()
    return results


def _hear(number: int, line: Any, results: list[Any], done: list[int]) -> None:
    """Take one word of a process: how far it is, or its result."""
    try:
        final, value = line.recv()
    except EOFError:
        line.close()
        return
    if final:
        results[number] = value
    else:
        done[number] = value


def _child(work: Callable[[Any, Told], Any], part: Any, line: Any) -> None:
    result = work(part, lambda done: line.send((False, done)))
    line.send((True, result))
    line.close()
