//% let x_bits = 38
//% let rams = 0
//% let flops = "clk"
// One lane of CDP's lookup for 16-bit elements: place in both tables, choice, entries,
// interpolation or slope.
//
//   LE: 65 entries, index log2(x - START) - OFFSET or (x - START) >> SELECT
//   LO: 257 entries, index (x - START) >> SELECT
//   in range y[i] + (y[i+1] - y[i]) * fraction, outside y[end] + (x - edge) * scale >> shift
//
// Contract: 14 cycles, one element per cycle, nothing stalls; `event_q` belongs to the element of 4
// cycles ago, addresses of entries to that of 6 cycles ago. LO entry i is word i/2 of the even or
// odd entries, LE entry i is word 192 + i/2. No reset: data only.
`default_nettype none

module dla_cdp_lut_wide (
    input  wire               clk,
//% include "cdp/lut.vh"
