"""Logs of PyTorch in a file of our own. Part of the hook; loaded when torch._logging._internal was.

TORCH_LOGS has one list for all: setting it would print lines on the program's standard error that nobody asked for, and
torch._logging.set_logs() of the program would be ignored. So PyTorch is left to what the program and the environment
say, then more loggers are switched on, whose lines go to the file alone.
"""

import logging
import os
import sys
from importlib.util import find_spec

from _pt2trace_hook import asked, note

WANTED, PATH = asked("LOGS").split(" ", 1)


class Ours:
    """What was switched on over what the program asks for."""

    def __init__(self, internal):
        self.internal, self.registry = internal, internal.log_registry
        self.levels = {}  # logger's name -> level that the program gave it, level that it has now
        self.artifacts = set()
        self.handler = None

    def switch_on(self):
        """After PyTorch did what the program asks for, at start and at each set_logs()."""
        wanted = self.internal._parse_log_settings(",".join(name for name in WANTED.split(",") if self.is_known(name)))
        state = self.internal.log_state
        self.artifacts = set(wanted.artifact_names) - set(state.artifact_names)
        self.levels = {}
        for name, level in wanted.get_log_level_pairs():
            self.lower(logging.getLogger(name), level)
        for name in self.artifacts:
            state.enable_artifact(name)
        for name in self.registry.get_artifact_log_qnames():
            self.internal.configure_artifact_log(logging.getLogger(name))
        self.add_handlers()

    def is_known(self, name):
        """A name that this version lacks would be an error."""
        name = name.strip().lstrip("+-")
        return self.registry.is_log(name) or self.registry.is_artifact(name) or bool(find_spec(name))

    def lower(self, logger, level):
        before = self.levels.get(logger.name, (logger.level,))[0]
        logger.setLevel(min(level, before or level))
        self.levels[logger.name] = (before, logger.level)

    def add_handlers(self):
        self.handler = self.handler or self.new_handler()
        for name in self.registry.get_log_qnames():
            logger = logging.getLogger(name)
            for handler in logger.handlers:
                if self.internal._is_torch_handler(handler):
                    handler.addFilter(self.is_programs)
            logger.addHandler(self.internal._track_handler(self.handler))

    def new_handler(self):
        handler = logging.FileHandler("%s.%d.log" % (PATH, os.getpid()), delay=True)
        handler.setFormatter(self.internal.TorchLogsFormatter())
        handler.addFilter(lambda record: not self.is_programs(record))
        return handler

    def is_programs(self, record):
        """Whether the line would be there without us."""
        logger = logging.getLogger(record.name)
        artifact = getattr(logger, "artifact_name", None)
        if artifact in self.artifacts:
            if artifact in self.registry.off_by_default_artifact_names:
                return False
            logger = logger.parent
        while logger is not None:
            before, now = self.levels.get(logger.name, (None, None))
            level = before if logger.level == now else logger.level
            if level:
                return record.levelno >= level
            logger = logger.parent
        return True


def begin():
    internal = sys.modules["torch._logging._internal"]
    init, ours = internal._init_logs, Ours(internal)

    def _init_logs(*args, **kwargs):
        init(*args, **kwargs)
        try:
            ours.switch_on()
        except Exception as error:
            note("PT2TRACE_LOGS: %s: %s" % (type(error).__name__, error))

    internal._init_logs = _init_logs
