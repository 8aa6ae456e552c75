// Made by macrame 0.1.0 from templates/systolic/store/systolic_pick.v

// Lanes of a beat from a row of banks: lane m has the first bank from `bank` on that is m modulo
// LANES. Lanes behind the last bank are zero. Combinational.
`default_nettype none

module systolic_pick #(
    parameter LANES = 16,             // a power of two
    parameter BANKS = 16,
    parameter W     = 32              // bits of an element
) (
    input  wire [BANKS*W-1:0] row,
    input  wire [7:0]         bank,
    output wire [LANES*W-1:0] lanes
);

    localparam [7:0] COUNT = LANES[7:0];

    wire [7:0] group  = bank / COUNT;
    wire [7:0] offset = bank % COUNT;

    genvar m;
    generate
        for (m = 0; m < LANES; m = m + 1) begin : gen_lane
            if (m >= BANKS) begin : gen_none
                assign lanes[m*W +: W] = {W{1'b0}};
            end else if (BANKS <= LANES) begin : gen_one
                assign lanes[m*W +: W] = row[m*W +: W];
            end else begin : gen_some
                wire [7:0]   from = group + {7'd0, m[7:0] < offset};
                reg  [W-1:0] found;
                integer      g;

                always @* begin
                    found = {W{1'b0}};
                    for (g = 0; g*LANES + m < BANKS; g = g + 1)
                        found = found | ({W{from == g[7:0]}} & row[(g*LANES + m)*W +: W]);
                end

                assign lanes[m*W +: W] = found;
            end
        end
    endgenerate
    wire unused_bits = &{1'b0, group, offset};

endmodule

`default_nettype wire
