// Memory port of the core, brought to the clock of the bus.
//
// Contract: each channel crosses in a FIFO of its own, in order; one beat per cycle of the slower
// clock. 3 to 4 cycles of the receiving clock each way.
// Reset: empty. Both sides are reset together; the core alone is reset without it, so that what is
// on its way ends.
`default_nettype none

module dla_axi_mem_cross #(
    parameter ADDR_W = ${addr_w},           // bits of an address
    parameter DATA_W = ${bus_bits}            // bits of a beat
) (
    input  wire                core_clk,
    input  wire                core_rst_n,   // of core_clk
    input  wire                clk,
    input  wire                rst_n,        // of clk

    // memory port of the core, core_clk
    input  wire                core_awvalid,
    output wire                core_awready,
    input  wire [7:0]          core_awid,    // client
    input  wire [3:0]          core_awlen,
    input  wire [ADDR_W-1:0]   core_awaddr,
    input  wire                core_wvalid,
    output wire                core_wready,
    input  wire [DATA_W-1:0]   core_wdata,
    input  wire [DATA_W/8-1:0] core_wstrb,
    input  wire                core_wlast,
    output wire                core_bvalid,
    input  wire                core_bready,
    output wire [7:0]          core_bid,
    input  wire                core_arvalid,
    output wire                core_arready,
    input  wire [7:0]          core_arid,    // client
    input  wire [3:0]          core_arlen,
    input  wire [ADDR_W-1:0]   core_araddr,
    output wire                core_rvalid,
    input  wire                core_rready,
    output wire [7:0]          core_rid,
    output wire                core_rlast,
    output wire [DATA_W-1:0]   core_rdata,

    // the same, clk
    output wire                bus_awvalid,
    input  wire                bus_awready,
    output wire [7:0]          bus_awid,
    output wire [3:0]          bus_awlen,
    output wire [ADDR_W-1:0]   bus_awaddr,
    output wire                bus_wvalid,
    input  wire                bus_wready,
    output wire [DATA_W-1:0]   bus_wdata,
    output wire [DATA_W/8-1:0] bus_wstrb,
    output wire                bus_wlast,
    input  wire                bus_bvalid,
    output wire                bus_bready,
    input  wire [7:0]          bus_bid,
    output wire                bus_arvalid,
    input  wire                bus_arready,
    output wire [7:0]          bus_arid,
    output wire [3:0]          bus_arlen,
    output wire [ADDR_W-1:0]   bus_araddr,
    input  wire                bus_rvalid,
    output wire                bus_rready,
    input  wire [7:0]          bus_rid,
    input  wire                bus_rlast,
    input  wire [DATA_W-1:0]   bus_rdata
);

    localparam DEPTH = 8;                    // keeps one beat per cycle, see fifo_async

    // Clients need 4 bits of an id.
    wire unused_ids = &{core_awid[7:4], core_arid[7:4], bus_bid[7:4], bus_rid[7:4]};

    assign bus_awid[7:4] = 4'd0;
    assign bus_arid[7:4] = 4'd0;
    assign core_bid[7:4] = 4'd0;
    assign core_rid[7:4] = 4'd0;

    // ------------------------------------------------------------------ to the bus
    fifo_async #(.W(ADDR_W + 8), .DEPTH(DEPTH)) u_aw (
        .wr_clk(core_clk), .wr_rst_n(core_rst_n),
        .in_valid(core_awvalid), .in_ready(core_awready),
        .in_data({core_awid[3:0], core_awlen, core_awaddr}),
        .rd_clk(clk), .rd_rst_n(rst_n),
        .out_valid(bus_awvalid), .out_ready(bus_awready),
        .out_data({bus_awid[3:0], bus_awlen, bus_awaddr})
    );

    fifo_async #(.W(DATA_W + DATA_W/8 + 1), .DEPTH(DEPTH)) u_w (
        .wr_clk(core_clk), .wr_rst_n(core_rst_n),
        .in_valid(core_wvalid), .in_ready(core_wready),
        .in_data({core_wlast, core_wstrb, core_wdata}),
        .rd_clk(clk), .rd_rst_n(rst_n),
        .out_valid(bus_wvalid), .out_ready(bus_wready),
        .out_data({bus_wlast, bus_wstrb, bus_wdata})
    );

    fifo_async #(.W(ADDR_W + 8), .DEPTH(DEPTH)) u_ar (
        .wr_clk(core_clk), .wr_rst_n(core_rst_n),
        .in_valid(core_arvalid), .in_ready(core_arready),
        .in_data({core_arid[3:0], core_arlen, core_araddr}),
        .rd_clk(clk), .rd_rst_n(rst_n),
        .out_valid(bus_arvalid), .out_ready(bus_arready),
        .out_data({bus_arid[3:0], bus_arlen, bus_araddr})
    );

    // ------------------------------------------------------------------ back to the core
    fifo_async #(.W(4), .DEPTH(DEPTH)) u_b (
        .wr_clk(clk), .wr_rst_n(rst_n),
        .in_valid(bus_bvalid), .in_ready(bus_bready), .in_data(bus_bid[3:0]),
        .rd_clk(core_clk), .rd_rst_n(core_rst_n),
        .out_valid(core_bvalid), .out_ready(core_bready), .out_data(core_bid[3:0])
    );

    fifo_async #(.W(DATA_W + 5), .DEPTH(DEPTH)) u_r (
        .wr_clk(clk), .wr_rst_n(rst_n),
        .in_valid(bus_rvalid), .in_ready(bus_rready),
        .in_data({bus_rlast, bus_rid[3:0], bus_rdata}),
        .rd_clk(core_clk), .rd_rst_n(core_rst_n),
        .out_valid(core_rvalid), .out_ready(core_rready),
        .out_data({core_rlast, core_rid[3:0], core_rdata})
    );

endmodule

`default_nettype wire
