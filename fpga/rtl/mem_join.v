// Two requesters of memory become one. They take turns; answers go back in the order of the
// requests, which memory keeps, and cannot stall.
//
// Nothing is held here but who asked: requests and answers pass in their cycle, one per cycle.
// Reset: nothing is on its way.
`default_nettype none

module mem_join #(
    parameter ROOM = 64               // requests that wait for their answers
) (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        a_valid,
    output wire        a_ready,
    input  wire        a_write,
    input  wire [31:0] a_addr,
    input  wire [63:0] a_wdata,
    input  wire [7:0]  a_wstrb,
    output wire        a_done,

    input  wire        b_valid,
    output wire        b_ready,
    input  wire        b_write,
    input  wire [31:0] b_addr,
    input  wire [63:0] b_wdata,
    input  wire [7:0]  b_wstrb,
    output wire        b_done,

    output wire        mem_valid,
    input  wire        mem_ready,
    output wire        mem_write,
    output wire [31:0] mem_addr,
    output wire [63:0] mem_wdata,
    output wire [7:0]  mem_wstrb,
    input  wire        mem_done       // of reads and writes, in order
);

    reg         turn_q;               // b goes first
    wire        b_goes = b_valid && (turn_q || !a_valid);
    wire        order_ready;
    wire        go = mem_valid && mem_ready;
    wire        asked_b;
    wire        asked_any;

    wire unused_any = asked_any;      // an answer has its request

    assign mem_valid = (a_valid || b_valid) && order_ready;
    assign mem_write = b_goes ? b_write : a_write;
    assign mem_addr  = b_goes ? b_addr : a_addr;
    assign mem_wdata = b_goes ? b_wdata : a_wdata;
    assign mem_wstrb = b_goes ? b_wstrb : a_wstrb;
    assign a_ready   = mem_ready && order_ready && !b_goes;
    assign b_ready   = mem_ready && order_ready && b_goes;
    assign a_done    = mem_done && !asked_b;
    assign b_done    = mem_done && asked_b;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)  turn_q <= 1'b0;
        else if (go) turn_q <= !b_goes;
    end

    fifo_sync #(.W(1), .DEPTH(ROOM)) u_order (
        .clk(clk), .rst_n(rst_n), .in_valid(go), .in_ready(order_ready), .in_data(b_goes),
        .out_valid(asked_any), .out_ready(mem_done), .out_data(asked_b)
    );

endmodule

`default_nettype wire
