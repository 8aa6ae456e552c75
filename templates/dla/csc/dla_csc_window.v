// Windows of image layers: turns entries of stored lines into the lanes of an operation.
//
// The lanes are 4 groups. With 1, 2 or 4 kernel rows per operation a row has 4, 2 or 1 of them; a
// group keeps the two newest entries of its row and takes its bytes from anywhere in the two:
//
//     | entry before | newest entry |        crossing: the position begins in the entry before
//               ^ place
//
// Contract: `load` stores an entry. In any later cycle `select` takes the bytes at the `place` of
// the cycle before; `lanes` and `exists` are there one cycle later. No reset: nothing is used
// before it is loaded.
`default_nettype none

module dla_csc_window (
    input  wire                       clk,

    input  wire [1:0]                 rows_code,      // rows per operation - 1: 0, 1, 3
    input  wire                       int8,           // lanes in the first half of each group  //% if types.mix

    input  wire                       load,
    input  wire [1:0]                 load_row,
    input  wire                       load_inside,    // the line exists; else padding
    input  wire [${entry_bits - 1:3}:0]               load_data,

    input  wire                       select,
    input  wire [${clog2(atomic_c) + types16 - 1:2}:0]                place,          // byte in its entry, in the
    input  wire                       crossing,       // cycle before select
    output wire [${atomic_c - 1:2}:0]                exists,         // lanes
    output wire [${entry_bits - 1:3}:0]               lanes
);

    localparam GROUP = ${atomic_c / 4};                // lanes of a group
    localparam LSB   = ${clog2(atomic_c) + types16};
    localparam BITS  = ${types.lane_bits}*GROUP;

    wire [LSB:0]   start = {!crossing, place};
//% if !types.mix
    reg  [LSB-3:0] low_q, shift_q;                     // bytes inside a group

    always @(posedge clk) begin
        low_q <= start[LSB-3:0];
        if (select) shift_q <= low_q;
    end
//% else
    reg  [LSB-4:0] low_q;                              // bytes inside half a group

    always @(posedge clk) low_q <= start[LSB-4:0];
//% end

    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : gen_group
            localparam [2:0] ONE = g, TWO = g % 2;     // group inside its row
            localparam [1:0] ROW_OF_4 = g, ROW_OF_2 = g / 2;

            reg  [8*BITS-1:0] bytes_q;                 // 2 entries are 8 groups
            reg               inside_q;
            reg  [2*BITS-1:0] both_q;                  // where the lanes are
            reg               exists_q;

            wire        mine = load && (rows_code[1] ? load_row == ROW_OF_4 :
                                       !rows_code[0] || (load_row == ROW_OF_2));
            wire [2:0]  skip = rows_code[1] ? 3'd0 : rows_code[0] ? TWO : ONE;
//% if types.mix
            // Int8: the lanes of a group are half as many bytes.
            reg  [3:0]  from_q;
            wire [2:0]  part = from_q[3:1];
            reg  [LSB-3:0] shift_q;                    // bytes inside a group

            always @(posedge clk) begin
                from_q <= start[LSB:LSB-3] + (int8 ? {1'b0, skip} : {skip, 1'b0});
            end

//% else
            reg  [2:0]  part_q;
            wire [2:0]  part = part_q;

            always @(posedge clk) part_q <= start[LSB:LSB-2] + skip;

//% end
            // The group behind each.
            wire [8*BITS-1:0] behind = {bytes_q[BITS-1:0], bytes_q[8*BITS-1:BITS]};
            wire [2*BITS-1:0] moved = both_q >> {shift_q, 3'd0};

            assign lanes[g*BITS +: BITS]    = moved[BITS-1:0];
            assign exists[g*GROUP +: GROUP] = {GROUP{exists_q}};

            always @(posedge clk) begin
                if (mine) begin
                    bytes_q  <= {load_data, bytes_q[8*BITS-1:4*BITS]};
                    inside_q <= load_inside;
                end
                if (select) begin
                    both_q   <= {behind[part*BITS +: BITS], bytes_q[part*BITS +: BITS]};
                    exists_q <= inside_q;
                    shift_q  <= {from_q[0], low_q};  //% if types.mix
                end
            end

            wire unused_bits = &{1'b0, moved[2*BITS-1:BITS]};
        end
    endgenerate

endmodule

`default_nettype wire
