// Brings two requesters to one memory and addresses to their place in it.
//
// Request 0 (a bus port) and 1 (the host) take turns. The highest 4 bits of an address choose one
// of 16 segments; its word in the table, set by the host, is added to the address in units of
// 4 KiB: a program finds its data where it wants them in a small memory, too.
// Latency 1 cycle to the memory, answers pass through. Throughput one beat per cycle.
// Requests are answered in their order, which memory keeps; answers cannot stall.
// Reset: no request; the table is not reset.
`default_nettype none

module mem_path (
    input  wire        clk,
    input  wire        rst_n,

    // table
    input  wire        seg_we,
    input  wire [3:0]  seg_addr,
    input  wire [15:0] seg_data,

    input  wire        a_valid,
    output wire        a_ready,
    input  wire        a_write,
    input  wire [31:0] a_addr,        // bytes; beats of 8
    input  wire [63:0] a_wdata,
    input  wire [7:0]  a_wstrb,
    output wire        a_done,

    input  wire        b_valid,
    output wire        b_ready,
    input  wire        b_write,
    input  wire [31:0] b_addr,
    input  wire [63:0] b_wdata,
    output wire        b_done,

    // memory
    output wire        mem_valid,
    input  wire        mem_ready,
    output wire        mem_write,
    output wire        mem_id,        // 0: a, 1: b
    output wire [24:0] mem_addr,      // beats
    output wire [63:0] mem_wdata,
    output wire [7:0]  mem_wstrb,
    input  wire        mem_done,
    input  wire        mem_done_id
);

    reg         turn_q;               // who goes first
    wire        b_goes = b_valid && (turn_q || !a_valid);
    wire        ready;
    wire        write  = b_goes ? b_write : a_write;
    wire [31:0] addr   = b_goes ? b_addr : a_addr;
    wire [63:0] wdata  = b_goes ? b_wdata : a_wdata;
    wire [7:0]  wstrb  = b_goes ? 8'hff : a_wstrb;
    wire [15:0] base;
    wire [15:0] page   = addr[27:12] + base;

    wire unused_addr = &{addr[2:0]};

    assign a_ready = ready && !b_goes;
    assign b_ready = ready && b_goes;
    assign a_done  = mem_done && !mem_done_id;
    assign b_done  = mem_done && mem_done_id;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)                                turn_q <= 1'b0;
        else if (ready && (a_valid || b_valid))    turn_q <= !b_goes;
    end

    sram_dist_1r1w #(.W(16), .DEPTH(16)) u_table (
        .clk(clk), .we(seg_we), .waddr(seg_addr), .wdata(seg_data),
        .raddr(addr[31:28]), .rdata(base)
    );

    fifo_sync #(.W(99), .DEPTH(2)) u_request (
        .clk(clk), .rst_n(rst_n),
        .in_valid(a_valid || b_valid), .in_ready(ready),
        .in_data({write, b_goes, page, addr[11:3], wdata, wstrb}),
        .out_valid(mem_valid), .out_ready(mem_ready),
        .out_data({mem_write, mem_id, mem_addr, mem_wdata, mem_wstrb})
    );

endmodule

`default_nettype wire
