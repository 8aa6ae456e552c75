// Turns blocks of atoms: atom i of what comes out holds element i of all atoms that came in.
//
//                  e0 e1 e2 e3                   rows turned by their number, a RAM per lane
//     atom 0       a0 a1 a2 a3                   a0 a1 a2 a3
//     atom 1       b0 b1 b2 b3        -->        b3 b0 b1 b2        --> a0 b0 c0 0, a1 b1 c1 0, ..
//     atom 2       c0 c1 c2 c3                   c2 c3 c0 c1
//
// So each lane has one element of every column, and a column comes out turned by its number.
// Contract: one atom per cycle in and out; ${rubik_banks} blocks in it. A block has block_in + 1 atoms in and
// block_out + 1 out; elements that no atom came in for are 0. Latency: last atom in to first atom
// out 4 cycles. Reset: empty.
`default_nettype none

module dla_rubik_turn (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         sixteen,                       // bits of an element  //% if int8 && types16

    // the block whose atoms come in
    input  wire         block_valid,
    output wire         block_taken,                   // with its last atom
    input  wire [${rubik_run_w - 1}:0]   block_in,
    input  wire [${rubik_run_w - 1}:0]   block_out,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [${atom_bits - 1:3}:0] in_data,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [${atom_bits - 1:3}:0] out_data
);

    localparam BITS   = ${atom_bits};
    localparam LANE   = ${rubik_lane};                             // bits
    localparam ROW_W  = ${rubik_run_w};                             // 2^ROW_W lanes and rows of a bank
    localparam LANES  = ${1 << rubik_run_w};
    localparam BANKS  = ${rubik_banks};
    localparam BANK_W = ${clog2(rubik_banks)};
    localparam [ROW_W-1:0]  ROW  = {{(ROW_W-1){1'b0}}, 1'b1};
    localparam [BANK_W-1:0] BANK = ${clog2(rubik_banks)}'d1;

    // Lane i of the result is lane i - by of the atom.
    function [BITS-1:0] rotated;
        input [BITS-1:0]  data;
        input [ROW_W-1:0] by;
        integer i;
    begin
        rotated = data;
        for (i = 0; i < ROW_W; i = i + 1) begin
            if (by[i]) rotated = (rotated << (LANE << i)) | (rotated >> (BITS - (LANE << i)));
        end
    end
    endfunction

    // Lanes by which row or column `number` is turned.
    function [ROW_W-1:0] lanes;
        input [ROW_W-1:0] number;
//% if int8 && types16
        lanes = sixteen ? {number[ROW_W-2:0], 1'b0} : number;
//% else
        lanes = number;
//% end
    endfunction

    // ------------------------------------------------------------------ in
    reg  [BANKS-1:0]  full_q;
    reg  [ROW_W-1:0]  rows_q [0:BANKS-1];              // of each bank, less 1
    reg  [ROW_W-1:0]  cols_q [0:BANKS-1];
    reg  [BANK_W-1:0] fill_q;                          // bank that is filled
    reg  [ROW_W-1:0]  row_q;
    reg               we_q, filled_q;                  // a row, the last row goes into its bank
    reg  [BANK_W-1:0] we_bank_q;
    reg  [ROW_W-1:0]  we_row_q;
    reg  [BITS-1:0]   we_data_q;
    wire              put      = in_valid && in_ready;
    wire              put_last = put && row_q == block_in;

    assign in_ready    = block_valid && !full_q[fill_q];
    assign block_taken = put_last;

    always @(posedge clk) begin
        if (put) begin
            we_bank_q <= fill_q;
            we_row_q  <= row_q;
            we_data_q <= rotated(in_data, lanes(row_q));
        end
        if (put_last) begin
            rows_q[fill_q] <= block_in;
            cols_q[fill_q] <= block_out;
        end
    end

    // ------------------------------------------------------------------ columns
    reg  [BANK_W-1:0] read_q;                          // bank that is read
    reg  [ROW_W-1:0]  col_q;
    wire [BITS-1:0]   column;                          // turned
    reg               got_valid_q, out_valid_q;
    reg  [BITS-1:0]   got_q, out_q;
    reg  [ROW_W-1:0]  got_rows_q, got_turn_q;
    wire              step     = !out_valid_q || out_ready;
    wire              get      = full_q[read_q] && (!got_valid_q || step);
    wire              get_last = get && col_q == cols_q[read_q];
    genvar            l;

    generate
        for (l = 0; l < LANES; l = l + 1) begin : gen_lane
//% if int8 && types16
            localparam [ROW_W-1:0] ROW8  = l;
            localparam [ROW_W-1:0] ROW16 = l / 2;
            wire [ROW_W-1:0] down = (sixteen ? ROW16 : ROW8) - col_q;
            wire [ROW_W-1:0] row  = {down[ROW_W-1] && !sixteen, down[ROW_W-2:0]};
//% else
            localparam [ROW_W-1:0] LANE_ROW = l;
            wire [ROW_W-1:0] row = LANE_ROW - col_q;
//% end

            sram_dist_1r1w #(.W(LANE), .DEPTH(BANKS * LANES)) u_ram (
                .clk(clk), .we(we_q),
                .waddr({we_bank_q, we_row_q}), .wdata(we_data_q[l*LANE +: LANE]),
                .raddr({read_q, row}), .rdata(column[l*LANE +: LANE])
            );
        end
    endgenerate

    // ---- back in order, without rows that do not exist
    wire [BITS-1:0] ordered = rotated(got_q, got_turn_q);
    reg  [BITS-1:0] cut;
    integer         i;

    always @* begin
        cut = ordered;
        for (i = 0; i < LANES; i = i + 1) begin
//% if int8 && types16
            if ((sixteen ? i[ROW_W:1] : i[ROW_W-1:0]) > got_rows_q)
                cut[i*LANE +: LANE] = {LANE{1'b0}};
//% else
            if (i[ROW_W-1:0] > got_rows_q) cut[i*LANE +: LANE] = {LANE{1'b0}};
//% end
        end
    end

    assign out_valid = out_valid_q;
    assign out_data  = out_q;

    always @(posedge clk) begin
        if (get) begin
            got_q      <= column;
            got_turn_q <= ~lanes(col_q) + ROW;         // back
            got_rows_q <= rows_q[read_q];
        end
        if (step) out_q <= cut;
    end

    // ------------------------------------------------------------------ banks
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            full_q      <= {BANKS{1'b0}};
            fill_q      <= {BANK_W{1'b0}};
            read_q      <= {BANK_W{1'b0}};
            row_q       <= {ROW_W{1'b0}};
            col_q       <= {ROW_W{1'b0}};
            we_q        <= 1'b0;
            filled_q    <= 1'b0;
            got_valid_q <= 1'b0;
            out_valid_q <= 1'b0;
        end else begin
            we_q     <= put;
            filled_q <= put_last;
            if (put)      row_q <= put_last ? {ROW_W{1'b0}} : row_q + ROW;
            if (put_last) fill_q <= fill_q + BANK;
            if (get)      col_q <= get_last ? {ROW_W{1'b0}} : col_q + ROW;
            if (get_last) read_q <= read_q + BANK;
            if (filled_q) full_q[we_bank_q] <= 1'b1;
            if (get_last) full_q[read_q] <= 1'b0;
            got_valid_q <= get || (got_valid_q && !step);
            out_valid_q <= got_valid_q || (out_valid_q && !out_ready);
        end
    end

endmodule

`default_nettype wire
