// CACC bank: accumulators of ${rows} positions of a kernel group, ${cells} cells each. A beat reads its
// position, adds, and writes it back or, as the last one, hands it to the delivery RAM:
//
//     beat --> flop --> [ + ], ${add_stages} cycles --last--> delivery RAM --> head
//               ^                  |
//               +-- assembly RAM <-+
//
// A position may come again ${add_stages + 2} cycles after a beat, not earlier. Reset: nothing on its way.
`default_nettype none

module dla_cacc_bank (
    input  wire          clk,
    input  wire          rst_n,
    input  wire          valid,
    input  wire [${row_w - 1}:0]    row,        // of the beat
    input  wire          first,      // replaces the accumulators
    input  wire          last,
    input  wire          ending,     // with last: very last of the layer
    input  wire          fp,         // fp16  //% if mixed
    input  wire          pair,       // int8  //% if int8 && int16
    input  wire [${cells * psum_w - 1:4}:0] psum,
    output wire          pushed,     // a position went into the delivery RAM in the cycle before
    output wire          busy,  //% if clock_gating
    input  wire [${row_w - 1}:0]    head_at,    // row of the head in the next cycle
    output wire [${cells * state_w - 1:4}:0] head,
    output wire          head_end    // very last of the layer
);

    localparam STAGES = ${add_stages + 1};          // of a beat behind the port

    // Stage n: the beat came n cycles ago.
    reg  [STAGES:1] valid_q;
    reg  [STAGES:1] last_q, ending_q;
    (* mem2reg *) reg  [${row_w - 1}:0]   row_q [1:STAGES];
    reg  [${add_stages + 1}:1]   fp_q;  //% if mixed
    reg  [1:1]   pair_q;  //% if int8 && int16
    reg  [${cells * state_w - 1}:0] acc_q;
    reg  [${cells * psum_w - 1}:0] psum_q;
    wire [${cells * state_w - 1}:0] acc, sum;
    reg         pushed_q;
    integer     s;

    assign pushed = pushed_q;
    assign busy   = |valid_q || pushed_q;  //% if clock_gating

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q  <= {STAGES{1'b0}};
            pushed_q <= 1'b0;
        end else begin
            valid_q  <= {valid_q[STAGES-1:1], valid};
            pushed_q <= valid_q[STAGES] && last_q[STAGES];
        end
    end

    always @(posedge clk) begin
        last_q   <= {last_q[STAGES-1:1], last};
        ending_q <= {ending_q[STAGES-1:1], ending};
        fp_q <= {fp_q[${add_stages}:1], fp};  //% if mixed
        pair_q <= pair;  //% if int8 && int16
        row_q[1] <= row;
        for (s = 2; s <= STAGES; s = s + 1) row_q[s] <= row_q[s-1];
        if (valid) begin
            acc_q  <= first ? ${cells * state_w}'d0 : acc;
            psum_q <= psum;
        end
    end

    sram_dist_1r1w #(.W(${cells * state_w}), .DEPTH(${rows})) u_assembly (
        .clk   (clk),
        .we    (valid_q[STAGES] && !last_q[STAGES]),
        .waddr (row_q[STAGES]),
        .wdata (sum),
        .raddr (row),
        .rdata (acc)
    );

    genvar c;
    generate
        for (c = 0; c < ${cells}; c = c + 1) begin : gen_cell
            dla_cacc_cell u_cell (
                .clk    (clk),
                .enable (valid_q[STAGES-1:1]),
                .fp (fp_q),  //% if mixed
                .pair (pair_q),  //% if int8 && int16
                .acc    (acc_q[${state_w}*c +: ${state_w}]),
                .psum   (psum_q[${psum_w}*c +: ${psum_w}]),
                .sum    (sum[${state_w}*c +: ${state_w}])
            );
        end
    endgenerate

    // A pointer of its own: it addresses many RAMs.
    wire [${row_w - 1}:0] head_row;

    reg_copy #(.W(${row_w})) u_head_row (
        .clk   (clk),
        .rst_n (rst_n),
        .d     (head_at),
        .q     (head_row)
    );

    sram_dist_1r1w #(.W(${cells * state_w + 1}), .DEPTH(${rows})) u_delivery (
        .clk   (clk),
        .we    (valid_q[STAGES] && last_q[STAGES]),
        .waddr (row_q[STAGES]),
        .wdata ({ending_q[STAGES], sum}),
        .raddr (head_row),
        .rdata ({head_end, head})
    );

endmodule

`default_nettype wire
