//% let x_bits = 22
//% let rams = 1
//% let flops = gclk
// One lane of CDP's lookup: place in both tables, choice, entries, interpolation or slope.
//
//   LE: 65 entries, index log2(x - START) - OFFSET or (x - START) >> SELECT
//   LO: 257 entries, index (x - START) >> SELECT
//   in range y[i] + (y[i+1] - y[i]) * fraction, outside y[end] + (x - edge) * scale >> shift
//
// Contract: 14 cycles, one element per cycle, nothing stalls; `event_q` belongs to the element of 4
// cycles ago. Entries i and i+1 come from two RAMs, one for even entries and one for odd ones: LO
// entry i is word i/2, LE entry i is word 192 + i/2. No reset: data only.
`default_nettype none

module dla_cdp_lut_lane (
//% if clock_gating
    input  wire               clk,           // of the RAMs
    input  wire               gclk,
//% else
    input  wire               clk,
//% end
//% include "cdp/lut.vh"
