#include "macrame_fixed16.h"
#include "macrame_host_internal.h"

/* A gate of a cell, in Q3. */
static int16_t gate(const struct macrame_host_lstm* with, uint32_t number, uint32_t cell,
                    const int8_t* input, const int8_t* output) {
    const int8_t* const in = with->inputs[number] + cell * with->values;
    const int8_t* const before = with->outputs[number] + cell * with->cells;
    int64_t sum = with->biases[number] ? with->biases[number][cell] : 0;
    int16_t first;
    uint32_t i;
    for (i = 0; i < with->values; ++i)
        sum += in[i] * (input[i] - with->zero_input);
    first = macrame_saturated16(macrame_multiply((int32_t)sum, with->from_input[number]));
    sum = 0;
    for (i = 0; i < with->cells; ++i)
        sum += before[i] * (output[i] - with->zero_output);
    return macrame_saturated16((int64_t)macrame_multiply((int32_t)sum, with->from_output[number]) +
                               first);
}

static void step(int8_t* to, int16_t* state, const int8_t* input, const int8_t* output,
                 const struct macrame_host_lstm* with) {
    uint32_t i;
    for (i = 0; i < with->cells; ++i) {
        const int16_t taken = macrame_sigmoid16(gate(with, 0, i, input, output));
        const int16_t kept = macrame_sigmoid16(gate(with, 1, i, input, output));
        const int16_t fresh = macrame_tanh16(gate(with, 2, i, input, output), 3);
        const int16_t given = macrame_sigmoid16(gate(with, 3, i, input, output));
        const int16_t old = macrame_wrapped16(macrame_shift_right(kept * state[i], 15));
        const int16_t added =
            macrame_wrapped16(macrame_shift_right(taken * fresh, 30 + with->exponent));
        int16_t shown;
        state[i] = macrame_saturated16(old + added);
        if (with->clip > 0) state[i] = (int16_t)macrame_clamp(state[i], -with->clip, with->clip);
        shown = macrame_tanh16(state[i], 15 + with->exponent);
        to[i] = (int8_t)macrame_clamp(
            (int64_t)macrame_multiply(given * shown, with->to_output) + with->zero_output, -128,
            127);
    }
}

void macrame_host_lstm(void* all, void* last, void* state, const void* input,
                       const void* output_before, const void* state_before,
                       const struct macrame_host_lstm* with) {
    const int8_t* output = (const int8_t*)output_before;
    uint32_t i;
    for (i = 0; i < with->cells; ++i)
        ((int16_t*)state)[i] = ((const int16_t*)state_before)[i];
    for (i = 0; i < with->steps; ++i) {
        int8_t* const to = (int8_t*)all + i * with->cells;
        step(to, (int16_t*)state, (const int8_t*)input + i * with->values, output, with);
        output = to;
    }
    for (i = 0; i < with->cells; ++i)
        ((int8_t*)last)[i] = output[i];
}
