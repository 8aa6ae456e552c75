// A port for the subset of AXI that accelerators without full AXI speak: incrementing bursts of
// whole beats of 8 bytes, at most 2^LEN_W beats. One memory request per beat.
//
// Reads and writes take turns. Requests are made in the order of their bursts, and memory answers
// in order, so answers of one id never overtake each other. Room for an answer is reserved before
// its request: answers of memory cannot stall. Throughput one beat per cycle, 16 reads under way.
// Reset: empty. All bursts are answered without an error.
`default_nettype none

module axi_port #(
    parameter LEN_W = 4
) (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        aw_valid,
    output wire        aw_ready,
    input  wire [7:0]  aw_id,
    input  wire [LEN_W-1:0] aw_len,      // beats - 1
    input  wire [31:0] aw_addr,
    input  wire        w_valid,
    output wire        w_ready,
    input  wire [63:0] w_data,
    input  wire [7:0]  w_strb,
    output wire        b_valid,
    input  wire        b_ready,
    output wire [7:0]  b_id,
    input  wire        ar_valid,
    output wire        ar_ready,
    input  wire [7:0]  ar_id,
    input  wire [LEN_W-1:0] ar_len,      // beats - 1
    input  wire [31:0] ar_addr,
    output wire        r_valid,
    input  wire        r_ready,
    output wire [7:0]  r_id,
    output wire        r_last,
    output wire [63:0] r_data,

    output wire        mem_valid,
    input  wire        mem_ready,
    output wire        mem_write,
    output wire [31:0] mem_addr,
    output wire [63:0] mem_wdata,
    output wire [7:0]  mem_wstrb,
    input  wire        mem_done,      // of reads and writes, in order
    input  wire [63:0] mem_rdata
);

    localparam ROOM = 16;             // beats of reads, and of bursts of writes, on their way

    // ------------------------------------------------------------------ bursts
    // A burst in the making: what remains of it.
    wire        aw_in;
    wire        ar_in;
    localparam BURST_W = 40 + LEN_W;
    wire [BURST_W-1:0] aw_word;       // id, beats - 1, address
    wire [BURST_W-1:0] ar_word;
    wire        wd_valid;
    wire [63:0] wdata;
    wire [7:0]  wstrb;
    reg         wr_q;
    reg         rd_q;
    reg  [BURST_W-1:0] wr_burst_q;
    reg  [BURST_W-1:0] rd_burst_q;
    wire        wr_go;
    wire        rd_go;
    wire [7:0]  wr_id   = wr_burst_q[32+LEN_W +: 8];
    wire [7:0]  rd_id   = rd_burst_q[32+LEN_W +: 8];
    wire [LEN_W-1:0] wr_left = wr_burst_q[32 +: LEN_W];
    wire [LEN_W-1:0] rd_left = rd_burst_q[32 +: LEN_W];
    wire        wr_last = wr_left == {LEN_W{1'b0}};
    wire        rd_last = rd_left == {LEN_W{1'b0}};
    wire        aw_take = !wr_q || (wr_go && wr_last);
    wire        ar_take = !rd_q || (rd_go && rd_last);

    fifo_sync #(.W(BURST_W), .DEPTH(2)) u_aw (
        .clk(clk), .rst_n(rst_n), .in_valid(aw_valid), .in_ready(aw_ready),
        .in_data({aw_id, aw_len, aw_addr}),
        .out_valid(aw_in), .out_ready(aw_take), .out_data(aw_word)
    );
    fifo_sync #(.W(BURST_W), .DEPTH(2)) u_ar (
        .clk(clk), .rst_n(rst_n), .in_valid(ar_valid), .in_ready(ar_ready),
        .in_data({ar_id, ar_len, ar_addr}),
        .out_valid(ar_in), .out_ready(ar_take), .out_data(ar_word)
    );
    fifo_sync #(.W(72), .DEPTH(2)) u_w (
        .clk(clk), .rst_n(rst_n), .in_valid(w_valid), .in_ready(w_ready),
        .in_data({w_data, w_strb}),
        .out_valid(wd_valid), .out_ready(wr_go), .out_data({wdata, wstrb})
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wr_q <= 1'b0;
            rd_q <= 1'b0;
        end else begin
            if (aw_take) wr_q <= aw_in;
            if (ar_take) rd_q <= ar_in;
        end
    end

    always @(posedge clk) begin
        if (aw_take)    wr_burst_q <= aw_word;
        else if (wr_go) wr_burst_q <= {wr_id, wr_left - 1'b1,
                                       wr_burst_q[31:0] + 32'd8};
        if (ar_take)    rd_burst_q <= ar_word;
        else if (rd_go) rd_burst_q <= {rd_id, rd_left - 1'b1,
                                       rd_burst_q[31:0] + 32'd8};
    end

    // ------------------------------------------------------------------ requests
    reg  [4:0]  rd_room_q;            // answers that may still be asked for
    reg  [4:0]  wr_room_q;
    reg         turn_q;               // a write goes first
    wire        order_ready;
    wire        wr_can = wr_q && wd_valid && wr_room_q != 5'd0;
    wire        rd_can = rd_q && rd_room_q != 5'd0;

    wire        out_ready;
    wire        write = wr_can && (turn_q || !rd_can);
    wire        go    = (wr_can || rd_can) && order_ready && out_ready;
    assign      wr_go = go && write;
    assign      rd_go = go && !write;
    wire        r_out = r_valid && r_ready;
    wire        b_out = b_valid && b_ready;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            rd_room_q <= ROOM[4:0];
            wr_room_q <= ROOM[4:0];
            turn_q    <= 1'b0;
        end else begin
            rd_room_q <= rd_room_q - {4'd0, rd_go} + {4'd0, r_out};
            wr_room_q <= wr_room_q - {4'd0, wr_go && wr_last} + {4'd0, b_out};
            if (go) turn_q <= !write;
        end
    end

    fifo_sync #(.W(105), .DEPTH(2)) u_request (
        .clk(clk), .rst_n(rst_n), .in_valid(go), .in_ready(out_ready),
        .in_data({write, write ? wr_burst_q[31:0] : rd_burst_q[31:0], wdata, wstrb}),
        .out_valid(mem_valid), .out_ready(mem_ready),
        .out_data({mem_write, mem_addr, mem_wdata, mem_wstrb})
    );

    // ------------------------------------------------------------------ answers
    // What the requests on their way were.
    wire [9:0]  asked;                // write, last, id
    wire        asked_any;

    fifo_sync #(.W(10), .DEPTH(32)) u_order (
        .clk(clk), .rst_n(rst_n), .in_valid(go), .in_ready(order_ready),
        .in_data(write ? {1'b1, wr_last, wr_id}
                       : {1'b0, rd_last, rd_id}),
        .out_valid(asked_any), .out_ready(mem_done), .out_data(asked)
    );

    wire        r_room;
    wire        b_room;
    wire unused_room = &{r_room, b_room, asked_any};   // there is always room

    fifo_sync #(.W(73), .DEPTH(ROOM)) u_r (
        .clk(clk), .rst_n(rst_n), .in_valid(mem_done && !asked[9]), .in_ready(r_room),
        .in_data({mem_rdata, asked[8:0]}),
        .out_valid(r_valid), .out_ready(r_ready), .out_data({r_data, r_last, r_id})
    );
    fifo_sync #(.W(8), .DEPTH(ROOM)) u_b (
        .clk(clk), .rst_n(rst_n), .in_valid(mem_done && asked[9] && asked[8]), .in_ready(b_room),
        .in_data(asked[7:0]),
        .out_valid(b_valid), .out_ready(b_ready), .out_data(b_id)
    );

endmodule

`default_nettype wire
