"""A report as Python objects: what is in report.json, whose fields schema/report.schema.json describes."""

import dataclasses
import json
import os
import pathlib
from typing import Any, Dict, List, Optional, Sequence, Type, TypeVar, Union

from ._binary import run

Path = Union[str, "os.PathLike[str]"]
Json = Dict[str, Any]
T = TypeVar("T", bound="Item")


@dataclasses.dataclass(frozen=True)
class Item:
    """One object of report.json. `raw` is all of it, with fields that this version of the module does not know."""

    raw: Json = dataclasses.field(repr=False, compare=False)

    @classmethod
    def of(cls: Type[T], raw: Json) -> T:
        known = {field.name for field in dataclasses.fields(cls)} - {"raw"}
        values = {name: value for name, value in raw.items() if name in known}
        if isinstance(values.get("frame"), dict):
            values["frame"] = Frame.of(values["frame"])
        return cls(raw=raw, **values)


@dataclasses.dataclass(frozen=True)
class Frame(Item):
    """A Python function that was compiled."""

    name: Optional[str] = None
    file: Optional[str] = None
    line: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class Finding(Item):
    """A verdict: what happened, where, what it cost, and what to do."""

    id: str = ""
    severity: str = "info"
    title: str = ""
    detail: Optional[str] = None
    cost: Json = dataclasses.field(default_factory=dict)
    rank: Optional[int] = None
    ranks: List[int] = dataclasses.field(default_factory=list)
    compiles: List[str] = dataclasses.field(default_factory=list)
    file: Optional[str] = None
    line: Optional[int] = None
    source: Optional[str] = None
    fix: Optional[str] = None
    paste: Optional[str] = None
    paste_kind: Optional[str] = None
    paste_at: Json = dataclasses.field(default_factory=dict)
    follows_from: Optional[str] = None
    spots: List[Json] = dataclasses.field(default_factory=list)
    doc: Optional[str] = None

    def __str__(self) -> str:
        lines = [f"{self.severity}: {self.title}"]
        if self.file:
            lines.append(f"  {self.file}:{self.line}" if self.line else f"  {self.file}")
        if self.source:
            lines.append(f"  > {self.source}")
        if self.fix:
            lines.append(f"  {self.fix}")
        if self.paste:
            lines += [f"    {line}" for line in self.paste.splitlines()]
        return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class Compile(Item):
    """One compile id, `id` as PyTorch prints it: "0/1" is the second compile of the first frame."""

    id: str = ""
    frame: Frame = dataclasses.field(default_factory=lambda: Frame(raw={}))
    status: str = "ok"
    recompile: bool = False
    limit_hit: bool = False
    attempts: int = 1
    start: Optional[str] = None
    duration_s: Optional[float] = None
    backward: bool = False
    graph_ops: Optional[int] = None
    guards: Optional[int] = None
    cache: Json = dataclasses.field(default_factory=dict)
    rank: Optional[int] = None
    pid: Optional[int] = None
    process: Optional[int] = None
    run: Optional[int] = None
    epoch: Optional[int] = None
    vllm: List[Json] = dataclasses.field(default_factory=list)
    estimates: List[Json] = dataclasses.field(default_factory=list)
    stack: List[Json] = dataclasses.field(default_factory=list)
    artifacts: List[Json] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class GraphBreak(Item):
    """A place where Dynamo stopped a graph; `count` compiles met it."""

    type: Optional[str] = None
    gb_id: Optional[str] = None
    reason: Optional[str] = None
    explanation: Optional[str] = None
    hints: List[str] = dataclasses.field(default_factory=list)
    file: Optional[str] = None
    line: Optional[int] = None
    function: Optional[str] = None
    source: Optional[str] = None
    count: int = 1
    compiles: List[str] = dataclasses.field(default_factory=list)
    rank: Optional[int] = None
    run: Optional[int] = None
    stack: List[Json] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Recompile(Item):
    """A compile `[N/M]` with M > 0, and the guards that failed before it."""

    compile: str = ""
    frame: Frame = dataclasses.field(default_factory=lambda: Frame(raw={}))
    reasons: List[Json] = dataclasses.field(default_factory=list)
    limit_hit: bool = False
    duration_s: Optional[float] = None
    rank: Optional[int] = None
    pid: Optional[int] = None
    process: Optional[int] = None
    epoch: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class Error(Item):
    """An exception that ended a compile, or the program."""

    compile: Optional[str] = None
    category: Optional[str] = None
    stage: Optional[str] = None
    where: Optional[str] = None
    type: Optional[str] = None
    message: Optional[str] = None
    file: Optional[str] = None
    line: Optional[int] = None
    source: Optional[str] = None
    silent: bool = False
    next: List[str] = dataclasses.field(default_factory=list)
    rank: Optional[int] = None
    pid: Optional[int] = None
    process: Optional[int] = None
    epoch: Optional[int] = None
    stack: List[Json] = dataclasses.field(default_factory=list)


# The lists of report.json that are made into objects.
LISTS: Dict[str, Type[Item]] = {
    "findings": Finding, "compiles": Compile, "graph_breaks": GraphBreak, "recompiles": Recompile, "errors": Error,
}


class Report:
    """What was found. `raw` is all of report.json; its other lists and objects are `report["phases"]` and so on."""

    findings: List[Finding]
    compiles: List[Compile]
    graph_breaks: List[GraphBreak]
    recompiles: List[Recompile]
    errors: List[Error]

    def __init__(self, raw: Json):
        self.raw = raw
        for name, cls in LISTS.items():
            setattr(self, name, [cls.of(item) for item in raw.get(name, [])])

    @property
    def totals(self) -> Json:
        """Counts; null, here None, where the input does not contain them."""
        totals: Json = self.raw.get("totals", {})
        return totals

    def __getitem__(self, name: str) -> Any:
        return self.raw[name]

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(getattr(self, name))} {name.replace('_', ' ')}" for name in LISTS)
        return f"<pt2trace.Report: {counts}>"

    def _repr_html_(self) -> str:
        from ._html import report_html

        return report_html(self)

    def to_pandas(self, name: str = "findings") -> Any:
        """A list of report.json ("findings", "compiles", "phases", ...) as a pandas DataFrame. Needs pandas."""
        import pandas

        rows = self.raw.get(name)
        if not isinstance(rows, list):
            lists = sorted(field for field, value in self.raw.items() if isinstance(value, list))
            raise KeyError(f"{name} is not a list of report.json; its lists: {', '.join(lists)}")
        # Of an empty list the columns are kept: what selects one works on every trace.
        fields = [field.name for field in dataclasses.fields(LISTS[name]) if field.name != "raw"] if name in LISTS else None
        return pandas.DataFrame(rows, columns=None if rows else fields)


def _words(paths: Union[Path, Sequence[Path]], options: Sequence[str]) -> List[str]:
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    return [*options, "--", *(os.fspath(path) for path in several)]


def load(paths: Union[Path, Sequence[Path]], *options: str) -> Report:
    """Reads traces, logs, or a report.json that exists, and returns the report; nothing is written.

    `options` are those of `pt2trace export`: load(path, "--redact"). Raises Pt2traceError where nothing can be read.
    """
    if isinstance(paths, (str, os.PathLike)) and pathlib.Path(paths).name == "report.json":
        return Report(json.loads(pathlib.Path(paths).read_text(encoding="utf-8")))
    return Report(json.loads(run(["export", "--format", "json", *_words(paths, options)])))


def report(paths: Union[Path, Sequence[Path]], output: Path = "pt2trace_out", *options: str) -> pathlib.Path:
    """Writes the report into the folder `output`, over an earlier report of pt2trace, and returns its index.html.

    `options` are those of `pt2trace report`.
    """
    run(["report", "--no-browser", "--quiet", "--overwrite", "-o", os.fspath(output), *_words(paths, options)])
    return pathlib.Path(output) / "index.html"
