"""The settings of a configuration module of PyTorch and their defaults, from its source, which is never run.

A default is what the setting is on a machine where no environment variable is set, in PyTorch as it is released (not
inside Meta: is_fbcode() is False). It is UNKNOWN where it depends on the machine, the platform or the build.
"""
import ast
import operator

PLATFORMS = ("linux", "darwin", "win32")
STEPS_MAX = 200_000  # a module of today takes some thousands


class Unknown:
    """A value that only the machine knows."""

    def __repr__(self):
        return "UNKNOWN"


UNKNOWN = Unknown()


class Name(str):
    """Something imported, by its dotted name: "os.environ", "typing.Optional"."""


class Setting:
    """What Config(...) makes."""

    def __init__(self, default=UNKNOWN, alias=None, variables=()):
        self.default, self.alias, self.variables = default, alias, list(variables)


class Function:
    def __init__(self, node):
        self.node = node


class Class:
    """A nested group of settings: `class triton:`."""

    def __init__(self, values, settings):
        self.values, self.settings = values, settings


class Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


class Evaluator:
    BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
              ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitOr: operator.or_,
              ast.BitAnd: operator.and_, ast.LShift: operator.lshift, ast.RShift: operator.rshift}
    COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
               ast.GtE: operator.ge, ast.Is: lambda a, b: a is b or (a is None and b is None), ast.IsNot: lambda a, b: a is not b,
               ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}
    BUILTINS = {"int": int, "float": float, "bool": bool, "str": str, "list": list, "set": set, "dict": dict, "tuple": tuple,
                "frozenset": frozenset, "len": len, "min": min, "max": max, "sorted": sorted, "abs": abs}
    METHODS = {"upper", "lower", "strip", "split", "join", "replace", "startswith", "endswith", "get", "items", "keys", "values"}

    def __init__(self, platform, hip):
        self.platform, self.hip = platform, hip
        self.scopes = [{}]
        self.settings = {}  # of the class or module whose body runs; None in a function
        self.read = []  # names of environment variables, in the order in which they are read
        self.read_from = 0  # those of the assignment that runs
        self.steps = 0

    # --- statements ---------------------------------------------------------------------------------------------------

    def run(self, body):
        for node in body:
            self.steps += 1
            if self.steps > STEPS_MAX:
                raise RuntimeError("the module does not end")
            handler = getattr(self, "do_" + type(node).__name__, None)
            if handler:
                handler(node)

    def do_Import(self, node):
        for alias in node.names:
            self.bind(alias.asname or alias.name.split(".")[0], Name(alias.name if alias.asname else alias.name.split(".")[0]))

    def do_ImportFrom(self, node):
        for alias in node.names:
            self.bind(alias.asname or alias.name, Name(f"{node.module or ''}.{alias.name}"))

    def do_FunctionDef(self, node):
        self.bind(node.name, Function(node))

    def do_ClassDef(self, node):
        if any("Enum" in ast.unparse(base) for base in node.bases):
            self.bind(node.name, Name(node.name))
            return
        settings = {}
        for decorator in node.decorator_list:  # @inherit_fields_from(cuda)
            if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "inherit_fields_from":
                parent = self.value(decorator.args[0])
                settings.update((k, v) for k, v in parent.settings.items() if not k.startswith("_"))
        self.scopes.append({})
        before, self.settings = self.settings, {}
        self.run(node.body)
        own, self.settings = self.settings, before
        values = self.scopes.pop()
        made = Class(values, {**{k: v for k, v in settings.items() if k not in own}, **own})
        self.bind(node.name, made)
        if before is not None:
            before[node.name] = made

    def do_Assign(self, node):
        self.read_from = len(self.read)
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node):
        if node.value is not None:
            self.read_from = len(self.read)
            self.assign(node.target, self.value(node.value))

    def do_AugAssign(self, node):
        self.assign(node.target, UNKNOWN)

    def do_Expr(self, node):
        """A list is changed in place: `names.extend(...)`."""
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            if isinstance(self.value(call.func.value), (list, set, dict)):
                self.assign(call.func.value, UNKNOWN)

    def do_If(self, node):
        test = self.value(node.test)
        if test is UNKNOWN or isinstance(test, Name):
            self.either(node.body, node.orelse)
        else:
            self.run(node.body if test else node.orelse)

    def do_Try(self, node):
        """Whether an import inside works is for the machine to know."""
        try:
            self.either([*node.body, *node.orelse], *[h.body for h in node.handlers])
        except Return:
            raise Return(UNKNOWN) from None

    def do_Return(self, node):
        raise Return(self.value(node.value) if node.value is not None else None)

    def do_Raise(self, node):
        raise Return(UNKNOWN)

    def either(self, *bodies):
        """One of these runs: what they set differently is unknown."""
        before, outcomes, returned = dict(self.scopes[-1]), [], []
        for body in bodies:
            self.scopes[-1] = dict(before)
            try:
                self.run(body)
                outcomes.append(self.scopes[-1])
            except Return as r:
                returned.append(r.value)
        if returned and len(returned) + len(outcomes) == len(bodies) and not outcomes and all(same(v, returned[0]) for v in returned):
            raise Return(returned[0])
        if returned:
            raise Return(UNKNOWN)
        self.scopes[-1] = {name: outcomes[0].get(name, UNKNOWN) if all(same(o.get(name, UNKNOWN), outcomes[0].get(name, UNKNOWN))
                                                                      for o in outcomes) else UNKNOWN
                           for name in dict.fromkeys(n for o in outcomes for n in o)}

    def assign(self, target, value):
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
            if self.settings is not None and is_setting(target.id, value):
                variables = value.variables if isinstance(value, Setting) else list(dict.fromkeys(self.read[self.read_from:]))
                self.settings[target.id] = value if isinstance(value, Setting) else Setting(value, None, variables)

    def bind(self, name, value):
        self.scopes[-1][name] = value

    # --- expressions --------------------------------------------------------------------------------------------------

    def value(self, node):
        handler = getattr(self, "of_" + type(node).__name__, None)
        if not handler:
            return UNKNOWN
        try:
            return handler(node)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, ZeroDivisionError):
            return UNKNOWN

    def values(self, nodes):
        return [self.value(n) for n in nodes]

    def of_Constant(self, node):
        return node.value

    def of_Name(self, node):
        for scope in reversed(self.scopes):
            if node.id in scope:
                value = scope[node.id]
                if isinstance(value, Name) and value.endswith("TYPE_CHECKING"):
                    return False
                return value.default if isinstance(value, Setting) else value
        return Name(node.id)

    def of_Attribute(self, node):
        base = self.value(node.value)
        if isinstance(base, Class):
            value = base.values.get(node.attr, UNKNOWN)
            return value.default if isinstance(value, Setting) else value
        if not isinstance(base, Name):
            return UNKNOWN
        dotted = f"{base}.{node.attr}"
        if dotted == "sys.platform":
            return self.platform
        if dotted == "torch.version.hip":
            return "6.0" if self.hip else None
        if dotted.endswith("TYPE_CHECKING"):
            return False
        return Name(dotted)

    def of_Tuple(self, node):
        return whole(tuple(self.values(node.elts)))

    def of_List(self, node):
        return whole(self.values(node.elts))

    def of_Set(self, node):
        return whole(set(self.values(node.elts)))

    def of_Dict(self, node):
        if any(k is None for k in node.keys):
            return UNKNOWN
        return whole(dict(zip(self.values(node.keys), self.values(node.values))))

    def of_UnaryOp(self, node):
        value = self.value(node.operand)
        if value is UNKNOWN or isinstance(value, Name):
            return UNKNOWN
        return {ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[type(node.op)](value)

    def of_BinOp(self, node):
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(left, Name) or isinstance(right, Name):
            return Name("typing.union")  # int | None
        if isinstance(node.op, ast.BitOr) and (left is None or right is None):
            return Name("typing.union")
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        return self.BINARY[type(node.op)](left, right)

    def of_BoolOp(self, node):
        unknown, value = False, None
        stop = isinstance(node.op, ast.Or)
        for n in node.values:
            value = self.value(n)
            if value is UNKNOWN or isinstance(value, Name):
                unknown = True
            elif bool(value) == stop:
                return value if not unknown or isinstance(value, bool) else UNKNOWN
        return UNKNOWN if unknown else value

    def of_IfExp(self, node):
        test = self.value(node.test)
        if test is UNKNOWN or isinstance(test, Name):
            yes, no = self.value(node.body), self.value(node.orelse)
            return yes if same(yes, no) else UNKNOWN
        return self.value(node.body if test else node.orelse)

    def of_Compare(self, node):
        left = self.value(node.left)
        for op, right_node in zip(node.ops, node.comparators):
            right = self.value(right_node)
            if isinstance(op, (ast.In, ast.NotIn)) and right == "os.environ" and isinstance(left, str):
                self.read.append(left)
                left_is = isinstance(op, ast.NotIn)
            elif left is UNKNOWN or right is UNKNOWN or isinstance(left, Name) or isinstance(right, Name):
                return UNKNOWN
            else:
                left_is = self.COMPARE[type(op)](left, right)
            if not left_is:
                return False
            left = right
        return True

    def of_Subscript(self, node):
        base = self.value(node.value)
        if base == "os.environ":
            self.read.append(self.value(node.slice))
            return UNKNOWN
        if isinstance(base, Name):
            return Name(base)  # Optional[int]
        if base is UNKNOWN:
            return UNKNOWN
        if isinstance(node.slice, ast.Slice):
            parts = [self.value(p) if p else None for p in (node.slice.lower, node.slice.upper, node.slice.step)]
            return UNKNOWN if UNKNOWN in parts else base[slice(*parts)]
        return base[self.value(node.slice)]

    def of_JoinedStr(self, node):
        parts = [v.value if isinstance(v, ast.Constant) else self.value(v.value) for v in node.values]
        return UNKNOWN if any(p is UNKNOWN or isinstance(p, Name) for p in parts) else "".join(map(str, parts))

    def of_GeneratorExp(self, node):
        if len(node.generators) != 1 or node.generators[0].ifs or not isinstance(node.generators[0].target, ast.Name):
            return UNKNOWN
        items = self.value(node.generators[0].iter)
        if items is UNKNOWN or isinstance(items, Name):
            return UNKNOWN
        made = []
        self.scopes.append({})
        for item in items:
            self.bind(node.generators[0].target.id, item)
            made.append(self.value(node.elt))
        self.scopes.pop()
        return whole(made)

    of_ListComp = of_GeneratorExp

    def of_Call(self, node):
        if isinstance(node.func, ast.Attribute) and node.func.attr in self.METHODS:
            base = self.value(node.func.value)
            if not isinstance(base, Name) and base is not UNKNOWN and not isinstance(base, Class):
                args = self.values(node.args)
                return UNKNOWN if UNKNOWN in args else getattr(base, node.func.attr)(*args)
        called = self.value(node.func)
        if isinstance(called, Function):
            return self.call(called.node, node)
        args = self.values(node.args)
        named = {k.arg: self.value(k.value) for k in node.keywords}
        return self.call_name(called, args, named) if isinstance(called, Name) else UNKNOWN

    def call_name(self, called, args, named):
        last = called.rsplit(".", 1)[-1]
        if called in ("os.environ.get", "os.getenv"):
            self.read.append(args[0])
            return args[1] if len(args) > 1 else named.get("default")
        if last == "get_tristate_env":
            self.read.append(args[0])
            return args[1] if len(args) > 1 else named.get("default")
        if last == "is_fbcode":
            return False
        if last in ("Config", "_Config"):
            return self.config(args, named)
        if last == "cast":
            return args[1]
        if called == "hasattr" and args == ["torch.version", "git_version"]:
            return True
        if called in self.BUILTINS and not any(a is UNKNOWN or isinstance(a, Name) for a in args) and not named:
            return self.BUILTINS[called](*args)
        return UNKNOWN

    @staticmethod
    def config(args, named):
        variables = []
        for key in ("env_name_force", "env_name_default"):
            names = named.get(key)
            variables += [names] if isinstance(names, str) else names or []
        default = named.get("default", args[0] if args else UNKNOWN)
        alias = named.get("alias")
        return Setting(None if alias else default, alias, variables)

    def call(self, function, call):
        """One of the module's own functions, such as decide_compile_threads()."""
        names = [a.arg for a in function.args.args]
        given = dict(zip(names, self.values(call.args)))
        given.update((k.arg, self.value(k.value)) for k in call.keywords)
        for name, default in zip(reversed(names), reversed(function.args.defaults)):
            given.setdefault(name, self.value(default))
        if len(self.scopes) > 20:
            return UNKNOWN
        self.scopes.append(given)
        before, self.settings = self.settings, None
        try:
            self.run(function.body)
            return None
        except Return as r:
            return r.value
        finally:
            self.scopes.pop()
            self.settings = before


def whole(container):
    """Unknown as soon as one part is; names of functions and types in it are no literal."""
    parts = [*container.keys(), *container.values()] if isinstance(container, dict) else container
    return UNKNOWN if any(p is UNKNOWN or isinstance(p, (Name, Function, Class, Setting)) for p in parts) else container


def same(a, b):
    return type(a) is type(b) and (a is b or a == b)


def is_setting(name, value):
    """As `visit` of torch/utils/_config_module.py decides it."""
    if name.startswith("__"):
        return False
    return value is UNKNOWN or isinstance(value, (Setting, int, float, bool, str, list, set, tuple, dict, type(None))) and not isinstance(value, Name)


def flatten(settings, prefix=""):
    for name, value in settings.items():
        if isinstance(value, Class):
            yield from flatten(value.settings, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def settings_on(tree, platform, hip):
    evaluator = Evaluator(platform, hip)
    evaluator.run(tree.body)
    return dict(flatten(evaluator.settings))


def settings_of(source):
    """{name: Setting} of a module's source; nested ones have a dot in their name."""
    tree = ast.parse(source)
    made = [settings_on(tree, platform, hip) for platform in PLATFORMS for hip in (False, True)]
    merged = {}
    for one in made:
        for name, setting in one.items():
            first = merged.setdefault(name, Setting(setting.default, setting.alias, setting.variables))
            if not same(first.default, setting.default):
                first.default = UNKNOWN
    return merged
