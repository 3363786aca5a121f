"""Frozen dataclasses for modules that are loaded at the start of the program.

`dataclasses.dataclass` writes and compiles six functions for each class. The lobby loads 160
classes and makes instances of 20, and compiling took a quarter of the time until it was drawn (see
`docs/benchmarks.md`). These dataclasses share all functions but `__init__`, which is compiled when
the first instance is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the type checker sees the dataclasses that they look like
    from dataclasses import dataclass

    __all__ = ["dataclass"]
else:
    import dataclasses
    from dataclasses import FrozenInstanceError
    from operator import attrgetter

    def dataclass(*, frozen):
        """Do what `dataclasses.dataclass(frozen=True)` does. The bases must be made here too."""
        assert frozen
        return _made

    def _made(cls):
        own = frozenset(vars(cls))
        dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
        compared = [field.name for field in dataclasses.fields(cls) if field.compare]
        cls._compared = staticmethod(attrgetter(*compared) if compared else _nothing)
        shared = {name: vars(_Shared)[name] for name in _NAMES} | {"__init__": _first_init(cls)}
        for name, function in shared.items():
            if name not in own:
                setattr(cls, name, function)
        return cls

    def _nothing(_value):
        return ()

    def _first_init(cls):
        """Return the `__init__` that is replaced by the compiled one when it is first called.

        If two threads call it at once, both compile the same.
        """

        def __init__(self, *values, **named):  # noqa: N807 - it becomes a method
            fields = [(field.name, field.type, field) for field in dataclasses.fields(cls)]
            after = {name: getattr(cls, name) for name in ("__post_init__",) if hasattr(cls, name)}
            compiled = dataclasses.make_dataclass(
                cls.__name__, fields, namespace=after, frozen=True, repr=False, eq=False
            )
            cls.__init__ = compiled.__init__
            cls.__init__(self, *values, **named)

        return __init__

    class _Shared:
        def __repr__(self):
            shown = [field.name for field in dataclasses.fields(self) if field.repr]
            inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
            return f"{type(self).__qualname__}({inside})"

        def __eq__(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return self._compared(self) == self._compared(other)

        def __hash__(self):
            return hash(self._compared(self))

        def __setattr__(self, name, value):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise FrozenInstanceError(f"cannot delete field {name!r}")

    _NAMES = ("__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__")
