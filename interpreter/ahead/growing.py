"""Values that never fall when a number rises: more of a sort are never worth less."""

from __future__ import annotations

from dataclasses import dataclass, field

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import Extents
from ichiba.dsl.rules.walks import functions_of
from ichiba.interpreter.analysis.variables import variables_in

Vars = frozenset[ir.Var]


@dataclass(slots=True)
class Growing:
    """Whether an expression is nothing or more, and does not fall when some numbers, which are that too, rise."""

    extents: Extents
    known: dict[object, bool] = field(default_factory=dict)

    def grows(self, e: ir.Exp, rising: Vars, natural: Vars = frozenset()) -> bool:
        """`natural`: further numbers of which it is known that they are nothing or more."""
        match e:
            case ir.Use(var=var, at=None) if var in rising or var in natural:
                return True
            case ir.Op(op="+" | "*" | "min" | "max", args=args):
                return all(self.grows(arg, rising, natural) for arg in args)
            case ir.Op(op="/down" | "/up", args=(number, by)):
                return self.grows(number, rising, natural) and self._stays(by, rising) and self.extents.value(by)[0] >= 1
            case ir.Cond(test=test, yes=yes, no=no):
                return self._stays(test, rising) and self.grows(yes, rising, natural) and self.grows(no, rising, natural)
            case ir.CallValue(function=ref, args=args):
                return all(self._answer(function, args, rising, natural) for function in functions_of(ref))
            case ir.Aggregate(how="sum" | "highest", set=inner, value=ir.CallValue() | ir.Op() as value):
                return self._stays(inner, rising) and self.grows(value, rising, natural)
            case _:  # any other: it does not fall where it hangs on none of these numbers
                return self._stays(e, rising) and self.extents.value(e)[0] >= 0

    def _stays(self, e: ir.Exp | ir.Set, rising: Vars) -> bool:
        return rising.isdisjoint(variables_in([e]))

    def _answer(self, function: ir.Function, args: tuple[ir.Exp, ...], rising: Vars, natural: Vars) -> bool:
        given = list(zip(function.params, args, strict=True))
        if not all(self._stays(arg, rising) or self.grows(arg, rising, natural) for _, arg in given):
            return False
        up = frozenset(param for param, arg in given if not self._stays(arg, rising))
        fixed = [(param, arg) for param, arg in given if param not in up and arg.kind.form == "number"]
        also = frozenset(param for param, arg in fixed if self.grows(arg, rising, natural))
        key = function, up, also
        if key not in self.known:
            self.known[key] = True  # a function that asks itself: what holds for the others holds for it
            self.known[key] = self._body(function.body, up, also)
        return self.known[key]

    def _body(self, body: ir.Exp | ir.Block | ir.Set | None, rising: Vars, natural: Vars) -> bool:
        while isinstance(body, ir.Block) and len(body.body) == 1 and isinstance(body.body[0], ir.Block):
            body = body.body[0]
        if not isinstance(body, ir.Block):
            return isinstance(body, ir.EXP_CLASSES) and self.grows(body, rising, natural)
        for statement in body.body[:-1]:
            if not isinstance(statement, ir.Assign) or statement.at is not None:
                return False
            var, value = statement.var, statement.value
            if not self.grows(value, rising, natural):
                return False
            rising, natural = (rising, natural | {var}) if self._stays(value, rising) else (rising | {var}, natural)
        last = body.body[-1] if body.body else None
        return isinstance(last, ir.GiveBack) and len(last.values) == 1 and self.grows(last.values[0], rising, natural)
