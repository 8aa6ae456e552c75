// Last stages of the weight loader: bytes of the stream, turned to byte 0, become the lanes of a
// cell. Lanes without a channel are 0.
//
//% if types.mix
//     16 bits:   | 0 low | 0 high | 1 low | 1 high | ..
//     int8:      | 0 | 1 | .. of kernel 2m     | 0 | 1 | .. of kernel 2m + 1
//                  '--> low bytes of the lanes   '--> high bytes
//
//% end
//% if image_enable
// With 2 or 4 kernel rows per step the rows come one by one, each into its share of the lanes.
// Of int8 the two kernels of a cell then come one after the other, too.  //% if types.mix
//
//% end
//% if types.mix
// Contract: a load per cycle; the cell leaves 2 cycles after its last load. Reset: no load.
//% else
// Contract: a load per cycle; the cell leaves with the register behind its last load. Reset: no
// load.
//% end
`default_nettype none

module dla_csc_kernel (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // layer
    input  wire                       int8,  //% if types.mix
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one  //% if types.mix
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3  //% if image_enable
    input  wire [${atomic_c - 1:2}:0]                tail_off,       // lanes that the last block does not have

    // load
    input  wire                       in_valid,
    input  wire                       in_head,        // of the first cell of a step
    input  wire                       in_kernel_end,  // last row of a kernel  //% if image_enable
    input  wire                       in_cell_end,    // and of its cell  //% if image_enable && types.mix
    input  wire                       in_two,         // kernels of int8  //% if types.mix
    input  wire                       in_tail,        // of the last block
    input  wire [${entry_bits - 1:3}:0]               in_bytes,

    // CMAC
    output reg                        mac_a_valid_q,
    output reg                        mac_b_valid_q,
    output reg  [${cells - 1:2}:0]                mac_sel_q,      // one-hot cell
    output reg  [${entry_bits - 1:3}:0]               mac_data_q
);

    localparam LANES = ${atomic_c};
    localparam CELLS = ${cells};

//% if types.mix
    // ------------------------------------------------------------------ load in registers
    reg                valid_q, head_q, two_q, tail_q;
    reg                kernel_end_q, cell_end_q;  //% if image_enable
    reg  [16*LANES-1:0] bytes_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 1'b0;
        else        valid_q <= in_valid;
    end

    always @(posedge clk) begin
        if (in_valid) begin
            head_q       <= in_head;
            two_q        <= in_two;
            tail_q       <= in_tail;
            kernel_end_q <= in_kernel_end;  //% if image_enable
            cell_end_q   <= in_cell_end;  //% if image_enable
            bytes_q      <= in_bytes;
        end
    end

    // ------------------------------------------------------------------ lanes of a load
    // The second kernel of int8 begins behind the lanes of the first, or comes in its own loads.  //% if image_enable
    // The second kernel of int8 begins behind the lanes of the first.  //% if !image_enable
    wire [${clog2(atomic_c) - 1}:0]          lanes_less_1 = channel | {${clog2(atomic_c)}{!tail_q}};
    wire [16*LANES-1:0] second = {8'd0, bytes_q[16*LANES-1:8]} >> {lanes_less_1, 3'd0};
    wire [16*LANES-1:0] lanes;
    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
//%   if image_enable
            wire [7:0] high = rows_code[0] ? bytes_q[8*i +: 8] : second[8*i +: 8] & {8{two_q}};

            assign lanes[16*i +: 16] = int8 ? {high, bytes_q[8*i +: 8]} : bytes_q[16*i +: 16];
//%   else
            assign lanes[16*i +: 16] = int8 ? {second[8*i +: 8] & {8{two_q}}, bytes_q[8*i +: 8]}
                                            : bytes_q[16*i +: 16];
//%   end
        end
    endgenerate

    wire unused_bits = &{1'b0, second};

//% else
    // ------------------------------------------------------------------ lanes of a load
    wire                valid_q = in_valid, head_q = in_head, tail_q = in_tail;
    wire                kernel_end_q = in_kernel_end;  //% if image_enable
    wire [16*LANES-1:0] lanes   = in_bytes;

//% end
    // ------------------------------------------------------------------ cell
    wire [CELLS-1:0]   sel = head_q ? {{(CELLS-1){1'b0}}, 1'b1} : {mac_sel_q[CELLS-2:0], 1'b0};
    wire [LANES-1:0]   off = tail_off & {LANES{tail_q}};
    reg  [16*LANES-1:0] next;
    reg  [15:0]        lane;  //% if image_enable
    integer            n;

//% if image_enable
    // Rows share the lanes: 4 parts, of which a row fills 4, 2 or 1. The first row of a cell clears
    // the others: a kernel may have fewer rows, and what nobody wrote must not meet the data of
    // their lanes, which is 0, as X.
    reg  [1:0]         row_q;          // of the kernel
    wire [3:0]         here = rows_code[1] ? 4'd1 << row_q :
                              rows_code[0] ? {{2{row_q[0]}}, {2{!row_q[0]}}} : 4'b1111;
//%   if types.mix
    reg                half_q;         // second kernel of an int8 cell
    wire               clear    = (row_q == 2'd0) && !half_q;
    wire [3:0]         low      = here & {4{!half_q}};
    wire [3:0]         high     = here & {4{!(int8 && rows_code[0]) || half_q}};
    wire               fill_end = valid_q && cell_end_q;
//%   else
    wire               clear    = row_q == 2'd0;
    wire               fill_end = valid_q && kernel_end_q;
//%   end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            row_q  <= 2'd0;
            half_q <= 1'b0;  //% if types.mix
        end else if (valid_q) begin
            row_q  <= kernel_end_q ? 2'd0 : row_q + 2'd1;
            if (kernel_end_q) half_q <= !cell_end_q;  //% if types.mix
        end
    end

    always @* begin
        next = clear ? {(16*LANES){1'b0}} : mac_data_q;
        for (n = 0; n < LANES; n = n + 1) begin
            lane = rows_code[1] ? lanes[16*(n % (LANES/4)) +: 16] :
                   rows_code[0] ? lanes[16*(n % (LANES/2)) +: 16] : lanes[16*n +: 16];
            if (off[n]) lane = 16'd0;
            if (low[n / (LANES/4)])  next[16*n +: 8]   = lane[7:0];  //% if types.mix
            if (high[n / (LANES/4)]) next[16*n+8 +: 8] = lane[15:8];  //% if types.mix
            if (here[n / (LANES/4)]) next[16*n +: 16] = lane;  //% if !types.mix
        end
    end

//% else
    wire               fill_end = valid_q;

    always @* begin
        for (n = 0; n < LANES; n = n + 1) begin
            next[16*n +: 16] = off[n] ? 16'd0 : lanes[16*n +: 16];
        end
    end

//% end
    always @(posedge clk) begin
        if (valid_q)  mac_data_q <= next;
        if (fill_end) mac_sel_q  <= sel;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            mac_a_valid_q <= 1'b0;
            mac_b_valid_q <= 1'b0;
        end else begin
            mac_a_valid_q <= fill_end && (|sel[CELLS/2-1:0]);
            mac_b_valid_q <= fill_end && (|sel[CELLS-1:CELLS/2]);
        end
    end

endmodule

`default_nettype wire
