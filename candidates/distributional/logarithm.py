"""The natural logarithm, with the same bits everywhere.

Mathematical libraries differ in the last bit of a logarithm: numpy chooses an
implementation by processor, and compiled code calls another one.  A neighbour list must
not depend on that, so the logarithms that decide similarities are computed here from
operations that IEEE 754 defines exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10


def ln(x: Any) -> Any:
    """Return the natural logarithm of positive, normal float64 numbers.

    Takes a number or an array of them.  The error stays below one unit in the
    last place: x = 2**k (1 + f) with 1 + f between the square roots of 1/2 and 2, and
    log(1 + f) by the minimax polynomial of Sun's fdlibm (``e_log.c``, 1993).
    """
    # The conversions change nothing; numba sees the types by them.
    bits = np.float64(x).view(np.int64)
    k = (bits - _SQRT_HALF_BITS) >> 52
    f = np.int64(bits - (k << 52)).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    r = z * (
        6.666666666666735130e-01
        + z
        * (
            3.999999999940941908e-01
            + z
            * (
                2.857142874366239149e-01
                + z
                * (
                    2.222219843214978396e-01
                    + z
                    * (
                        1.818357216161805012e-01
                        + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01)
                    )
                )
            )
        )
    )
    half = 0.5 * f * f
    return k * _LN2_HIGH - ((half - (s * (half + r) + k * _LN2_LOW)) - f)
