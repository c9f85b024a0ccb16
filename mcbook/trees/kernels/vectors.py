"""Four additions in one instruction, which the compiler by itself does not dare: the arrays might overlap."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

WIDTH = 4
_FOUR = cgutils.ir.VectorType(cgutils.ir.DoubleType(), WIDTH)


def take_four(source: Any, start: Any) -> Any:
    """The numbers start .. start + 3 of an array, in the order of memory."""
    return tuple(source.flat[start + place] for place in range(WIDTH))


def add_four(target: Any, start: Any, numbers: Any) -> None:
    """Add four numbers to those at start .. start + 3 of an array."""
    for place in range(WIDTH):
        target.flat[start + place] += numbers[place]


@overload(take_four)
def _compiled_take(source, start):
    return lambda source, start: _take(source, start)


@overload(add_four)
def _compiled_add(target, start, numbers):
    return lambda target, start, numbers: _add(target, start, numbers)


@intrinsic
def _take(typing_context, source, start):
    def generate(context, builder, signature, arguments):
        # No more is known than that each of the numbers stands where a double may.
        four = builder.load(_place(context, builder, signature, arguments), align=8)
        numbers = [builder.extract_element(four, context.get_constant(types.int32, place)) for place in range(WIDTH)]
        return context.make_tuple(builder, signature.return_type, numbers)

    return types.UniTuple(types.float64, WIDTH)(source, start), generate


@intrinsic
def _add(typing_context, target, start, numbers):
    def generate(context, builder, signature, arguments):
        to, four = _place(context, builder, signature, arguments), cgutils.ir.Constant(_FOUR, cgutils.ir.Undefined)
        for place, number in enumerate(cgutils.unpack_tuple(builder, arguments[2], WIDTH)):
            four = builder.insert_element(four, number, context.get_constant(types.int32, place))
        builder.store(builder.fadd(builder.load(to, align=8), four), to, align=8)
        return context.get_dummy_value()

    return types.void(target, start, numbers), generate


def _place(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Where the four numbers stand."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    start = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.bitcast(builder.gep(data, [start]), _FOUR.as_pointer())
