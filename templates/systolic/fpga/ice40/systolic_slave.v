// The AXI4 slave before the registers of control, for a small FPGA: bursts of one beat, which have
// their address and their data at the same time. Of what can be read there are STATUS and CYCLES:
// the counters of the modules are never looked at, and tools leave them out.
//
// A write is seen by the registers in its cycle; answers come in the next cycle, and are OKAY.
// Reset: nothing on its way.
`default_nettype none

module systolic_slave (
    input  wire         clk,
    input  wire         rst_n,

    input  wire [3:0]   s_axi_awid,
    input  wire [31:0]  s_axi_awaddr,
    input  wire [7:0]   s_axi_awlen,
    input  wire [2:0]   s_axi_awsize,
    input  wire [1:0]   s_axi_awburst,
    input  wire         s_axi_awlock,
    input  wire [3:0]   s_axi_awcache,
    input  wire [2:0]   s_axi_awprot,
    input  wire [3:0]   s_axi_awqos,
    input  wire         s_axi_awvalid,
    output wire         s_axi_awready,
    input  wire [127:0] s_axi_wdata,
    input  wire [15:0]  s_axi_wstrb,
    input  wire         s_axi_wlast,
    input  wire         s_axi_wvalid,
    output wire         s_axi_wready,
    output wire [3:0]   s_axi_bid,
    output wire [1:0]   s_axi_bresp,
    output wire         s_axi_bvalid,
    input  wire         s_axi_bready,
    input  wire [3:0]   s_axi_arid,
    input  wire [31:0]  s_axi_araddr,
    input  wire [7:0]   s_axi_arlen,
    input  wire [2:0]   s_axi_arsize,
    input  wire [1:0]   s_axi_arburst,
    input  wire         s_axi_arlock,
    input  wire [3:0]   s_axi_arcache,
    input  wire [2:0]   s_axi_arprot,
    input  wire [3:0]   s_axi_arqos,
    input  wire         s_axi_arvalid,
    output wire         s_axi_arready,
    output wire [3:0]   s_axi_rid,
    output wire [127:0] s_axi_rdata,
    output wire [1:0]   s_axi_rresp,
    output wire         s_axi_rlast,
    output wire         s_axi_rvalid,
    input  wire         s_axi_rready,

    // registers
    output wire         write,        // pulse
    output wire [2:0]   write_word,
    output wire [127:0] write_data,
    output wire [15:0]  write_strobes,
    output wire [2:0]   read_word,
    input  wire [127:0] read_data     // of read_word
);

    reg          b_valid_q;
    reg          r_valid_q;
    reg          cycles_q;            // CYCLES is read, else STATUS

    assign write         = s_axi_awvalid && s_axi_wvalid && !b_valid_q;
    assign write_word    = s_axi_awaddr[6:4];
    assign write_data    = s_axi_wdata;
    assign write_strobes = s_axi_wstrb;
    assign read_word     = {1'b0, cycles_q, !cycles_q};

    assign s_axi_awready = write;
    assign s_axi_wready  = write;
    assign s_axi_bid     = 4'd0;
    assign s_axi_bresp   = 2'd0;
    assign s_axi_bvalid  = b_valid_q;
    assign s_axi_arready = !r_valid_q;
    assign s_axi_rid     = 4'd0;
    assign s_axi_rdata   = read_data;
    assign s_axi_rresp   = 2'd0;
    assign s_axi_rlast   = 1'b1;
    assign s_axi_rvalid  = r_valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            b_valid_q <= 1'b0;
            r_valid_q <= 1'b0;
        end else begin
            b_valid_q <= write || (b_valid_q && !s_axi_bready);
            r_valid_q <= r_valid_q ? !s_axi_rready : s_axi_arvalid;
        end
    end

    always @(posedge clk) begin
        if (!r_valid_q) cycles_q <= s_axi_araddr[5];
    end

    wire unused_bits = &{1'b0, s_axi_awid, s_axi_awaddr, s_axi_awlen, s_axi_awsize, s_axi_awburst,
                         s_axi_awlock, s_axi_awcache, s_axi_awprot, s_axi_awqos, s_axi_wlast,
                         s_axi_arid, s_axi_araddr, s_axi_arlen, s_axi_arsize, s_axi_arburst,
                         s_axi_arlock, s_axi_arcache, s_axi_arprot, s_axi_arqos};

endmodule

`default_nettype wire
