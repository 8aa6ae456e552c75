/* Functions of float32 for macrame_host_map(): those that a network uses are compiled. */
#ifndef MACRAME_FUNCTIONS_H
#define MACRAME_FUNCTIONS_H

#include <math.h>

#define MACRAME_FUNCTION(name, value)                                               \
    static inline float macrame_function_##name(float x, float alpha, float beta) { \
        (void)alpha;                                                                \
        (void)beta;                                                                 \
        return value;                                                               \
    }

static inline float macrame_between(float x, float least, float most) {
    return x < least ? least : most < x ? most : x;
}

/* log(1 + exp(x)) */
static inline float macrame_softplus(float x) {
    return (x < 0 ? 0.0F : x) + log1pf(expf(-fabsf(x)));
}

MACRAME_FUNCTION(relu, x < 0 ? 0.0F : x)
MACRAME_FUNCTION(relu6, macrame_between(x, 0.0F, 6.0F))
MACRAME_FUNCTION(relu_n1_to_1, macrame_between(x, -1.0F, 1.0F))
MACRAME_FUNCTION(relu_0_to_1, macrame_between(x, 0.0F, 1.0F))
MACRAME_FUNCTION(leaky_relu, x > 0 ? x : x * alpha)
MACRAME_FUNCTION(sigmoid, 1.0F / (1.0F + expf(-x)))
MACRAME_FUNCTION(tanh, tanhf(x))
MACRAME_FUNCTION(hard_swish, x* macrame_between(x + 3.0F, 0.0F, 6.0F) / 6.0F)
MACRAME_FUNCTION(exp, expf(x))
MACRAME_FUNCTION(elu, x < 0 ? alpha * expm1f(x) : x)
MACRAME_FUNCTION(abs, fabsf(x))
MACRAME_FUNCTION(neg, -x)
MACRAME_FUNCTION(square, x* x)
MACRAME_FUNCTION(sqrt, sqrtf(x))
MACRAME_FUNCTION(rsqrt, 1.0F / sqrtf(x))
MACRAME_FUNCTION(hard_sigmoid, macrame_between(alpha* x + beta, 0.0F, 1.0F))
MACRAME_FUNCTION(gelu, 0.5F * x * erfcf(x * -0.70710678F))
MACRAME_FUNCTION(gelu_tanh, 0.5F * x * (1.0F + tanhf(0.79788456F * (x + 0.044715F * x * x * x))))
MACRAME_FUNCTION(erf, erff(x))
MACRAME_FUNCTION(silu, x / (1.0F + expf(-alpha * x)))
MACRAME_FUNCTION(mish, x* tanhf(macrame_softplus(x)))
MACRAME_FUNCTION(softplus, macrame_softplus(x))
MACRAME_FUNCTION(softsign, x / (1.0F + fabsf(x)))
MACRAME_FUNCTION(log, logf(x))
MACRAME_FUNCTION(reciprocal, 1.0F / x)
MACRAME_FUNCTION(sin, sinf(x))
MACRAME_FUNCTION(cos, cosf(x))
MACRAME_FUNCTION(floor, floorf(x))
MACRAME_FUNCTION(ceil, ceilf(x))
MACRAME_FUNCTION(round, nearbyintf(x))
MACRAME_FUNCTION(sign, (float)((x > 0) - (x < 0)))

#undef MACRAME_FUNCTION

#endif
