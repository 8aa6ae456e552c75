// Register accesses of the player as a master of AXI4-Lite, or of AXI4 with single beats of 32 bits
// on a wider bus: a register is in the lane of its address.
`timescale 1ns / 1ps
`default_nettype none

module bench_axi_lite #(
    parameter ADDR_W = 32,
    parameter BITS   = 32
) (
    input  wire              clk,
    input  wire              rst_n,

    input  wire              req_valid,
    input  wire              req_write,
    input  wire [31:0]       req_addr,
    input  wire [31:0]       req_wdata,
    output reg               done,
    output reg  [31:0]       rdata,
    output reg               error,

    output reg               axi_awvalid,
    input  wire              axi_awready,
    output reg  [ADDR_W-1:0] axi_awaddr,
    output reg               axi_wvalid,
    input  wire              axi_wready,
    output reg  [BITS-1:0]   axi_wdata,
    output reg  [BITS/8-1:0] axi_wstrb,
    input  wire              axi_bvalid,
    output wire              axi_bready,
    input  wire [1:0]        axi_bresp,
    output reg               axi_arvalid,
    input  wire              axi_arready,
    output reg  [ADDR_W-1:0] axi_araddr,
    input  wire              axi_rvalid,
    output wire              axi_rready,
    input  wire [BITS-1:0]   axi_rdata,
    input  wire [1:0]        axi_rresp
);

    localparam LANES = BITS / 32;

    reg         busy;
    wire [31:0] lane = req_addr / 4 % LANES;

    assign axi_bready = 1'b1;
    assign axi_rready = 1'b1;

    always @(posedge clk) begin
        if (rst_n !== 1'b1) begin
            {busy, done, error, axi_awvalid, axi_wvalid, axi_arvalid} <= 6'd0;
        end else begin
            done <= 1'b0;
            if (axi_awready) axi_awvalid <= 1'b0;
            if (axi_wready)  axi_wvalid  <= 1'b0;
            if (axi_arready) axi_arvalid <= 1'b0;
            if (req_valid && !busy && !done) begin
                busy        <= 1'b1;
                axi_awvalid <= req_write;
                axi_wvalid  <= req_write;
                axi_arvalid <= !req_write;
                axi_awaddr  <= req_addr[ADDR_W-1:0];
                axi_araddr  <= req_addr[ADDR_W-1:0];
                axi_wdata   <= {LANES{req_wdata}};
                axi_wstrb   <= {BITS/8{1'b0}} | 32'd15 << 4 * lane;
            end
            if (axi_bvalid || axi_rvalid) begin
                busy  <= 1'b0;
                done  <= 1'b1;
                error <= (axi_bvalid ? axi_bresp : axi_rresp) != 2'd0;
                rdata <= axi_rdata[32*lane +: 32];
            end
        end
    end

endmodule

`default_nettype wire
