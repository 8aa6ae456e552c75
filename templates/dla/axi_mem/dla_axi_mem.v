// Memory bus: ${memory_bus == "axi3" ? "AXI3" : "AXI4"} master behind a memory port of the core.
//
// Contract: one beat per cycle either way; all outputs from registers or two-word FIFOs, no path
// from input to output. Bursts are INCR, as the core makes them: up to ${bus_burst} beats that do
// not leave a block of 16 beats, so no 4 KiB boundary is crossed. On a narrower bus (BUS_W <
// DATA_W) a beat of the core is a few of whole width; on a wider one beats keep their size
// (narrow transfers). One id per direction: answers come in order. Memory is normal, not
// cacheable and not bufferable: BRESP comes from where the data is kept, as the core needs it.
// Accesses are unprivileged, secure, data.
// An error answer: reads give 0, a write is dropped, the layer goes on to its end; `error`
// tells.
// Reset: nothing in flight; memory has to be reset with it or to be idle.
`default_nettype none

module dla_axi_mem #(
    parameter ADDR_W = ${addr_w},           // bits of an address
    parameter DATA_W = ${bus_bits},           // bits of a beat of the core
    parameter BUS_W  = ${axi_bits},           // bits of the data bus
    parameter NOTES  = ${bus_notes}           // transactions in flight per direction
) (
    input  wire                clk,
    input  wire                rst_n,

    // memory port of the core
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

    // AXI
    output wire                m_axi_awid,  // always 0
    output wire [ADDR_W-1:0]   m_axi_awaddr,
    output wire [${memory_bus == "axi3" ? 3 : 7}:0] m_axi_awlen,
    output wire [2:0]          m_axi_awsize,
    output wire [1:0]          m_axi_awburst,
    output wire ${memory_bus == "axi3" ? "[1:0]" : ""}  m_axi_awlock,
    output wire [3:0]          m_axi_awcache,
    output wire [2:0]          m_axi_awprot,
    output wire [3:0]          m_axi_awqos,  //% if memory_bus == "axi4"
    output wire                m_axi_awvalid,
    input  wire                m_axi_awready,
    output wire                m_axi_wid,  // always 0  //% if memory_bus == "axi3"
    output wire [BUS_W-1:0]    m_axi_wdata,
    output wire [BUS_W/8-1:0]  m_axi_wstrb,
    output wire                m_axi_wlast,
    output wire                m_axi_wvalid,
    input  wire                m_axi_wready,
    input  wire                m_axi_bid,  // always 0
    input  wire [1:0]          m_axi_bresp,
    input  wire                m_axi_bvalid,
    output wire                m_axi_bready,
    output wire                m_axi_arid,  // always 0
    output wire [ADDR_W-1:0]   m_axi_araddr,
    output wire [${memory_bus == "axi3" ? 3 : 7}:0] m_axi_arlen,
    output wire [2:0]          m_axi_arsize,
    output wire [1:0]          m_axi_arburst,
    output wire ${memory_bus == "axi3" ? "[1:0]" : ""}  m_axi_arlock,
    output wire [3:0]          m_axi_arcache,
    output wire [2:0]          m_axi_arprot,
    output wire [3:0]          m_axi_arqos,  //% if memory_bus == "axi4"
    output wire                m_axi_arvalid,
    input  wire                m_axi_arready,
    input  wire                m_axi_rid,  // always 0
    input  wire [BUS_W-1:0]    m_axi_rdata,
    input  wire [1:0]          m_axi_rresp,
    input  wire                m_axi_rlast,
    input  wire                m_axi_rvalid,
    output wire                m_axi_rready,

    // errors, pulses: {write, read}
    output wire [1:0]          error,
    output wire [1:0]          error_decode, // DECERR, not SLVERR
    output wire [7:0]          error_client,
    output wire [2*ADDR_W-1:0] error_addr
);

    localparam       SIZE  = $clog2((BUS_W < DATA_W ? BUS_W : DATA_W) / 8);
    localparam [1:0] INCR  = 2'b01;
    localparam [3:0] CACHE = 4'b0010;        // normal, not cacheable, not bufferable

    wire unused_ids = &{core_awid[7:4], core_arid[7:4], m_axi_bid, m_axi_rid};
    wire [7:0] awlen;
    wire [7:0] arlen;
    wire unused_len = &{awlen[7:4], arlen[7:4]};  //% if memory_bus == "axi3"

    dla_axi_mem_wr #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .BUS_W(BUS_W), .NOTES(NOTES)) u_wr (
        .clk           (clk),
        .rst_n         (rst_n),
        .aw_valid      (core_awvalid),
        .aw_ready      (core_awready),
        .aw_id         (core_awid[3:0]),
        .aw_len        (core_awlen),
        .aw_addr       (core_awaddr),
        .w_valid       (core_wvalid),
        .w_ready       (core_wready),
        .w_last        (core_wlast),
        .w_strb        (core_wstrb),
        .w_data        (core_wdata),
        .b_valid       (core_bvalid),
        .b_ready       (core_bready),
        .b_id          (core_bid[3:0]),
        .m_axi_awvalid (m_axi_awvalid),
        .m_axi_awready (m_axi_awready),
        .m_axi_awlen   (awlen),
        .m_axi_awaddr  (m_axi_awaddr),
        .m_axi_wvalid  (m_axi_wvalid),
        .m_axi_wready  (m_axi_wready),
        .m_axi_wlast   (m_axi_wlast),
        .m_axi_wstrb   (m_axi_wstrb),
        .m_axi_wdata   (m_axi_wdata),
        .m_axi_bvalid  (m_axi_bvalid),
        .m_axi_bready  (m_axi_bready),
        .m_axi_bresp   (m_axi_bresp),
        .error         (error[1]),
        .error_decode  (error_decode[1]),
        .error_client  (error_client[7:4]),
        .error_addr    (error_addr[ADDR_W +: ADDR_W])
    );

    dla_axi_mem_rd #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .BUS_W(BUS_W), .NOTES(NOTES)) u_rd (
        .clk           (clk),
        .rst_n         (rst_n),
        .ar_valid      (core_arvalid),
        .ar_ready      (core_arready),
        .ar_id         (core_arid[3:0]),
        .ar_len        (core_arlen),
        .ar_addr       (core_araddr),
        .r_valid       (core_rvalid),
        .r_ready       (core_rready),
        .r_id          (core_rid[3:0]),
        .r_last        (core_rlast),
        .r_data        (core_rdata),
        .m_axi_arvalid (m_axi_arvalid),
        .m_axi_arready (m_axi_arready),
        .m_axi_arlen   (arlen),
        .m_axi_araddr  (m_axi_araddr),
        .m_axi_rvalid  (m_axi_rvalid),
        .m_axi_rready  (m_axi_rready),
        .m_axi_rlast   (m_axi_rlast),
        .m_axi_rresp   (m_axi_rresp),
        .m_axi_rdata   (m_axi_rdata),
        .error         (error[0]),
        .error_decode  (error_decode[0]),
        .error_client  (error_client[3:0]),
        .error_addr    (error_addr[0 +: ADDR_W])
    );

    assign core_bid[7:4] = 4'd0;
    assign core_rid[7:4] = 4'd0;

    // What is the same for all transactions.
    assign m_axi_awid    = 1'b0;
    assign m_axi_awlen   = awlen${memory_bus == "axi3" ? "[3:0]" : ""};
    assign m_axi_awsize  = SIZE[2:0];
    assign m_axi_awburst = INCR;
    assign m_axi_awlock  = ${memory_bus == "axi3" ? 2 : 1}'d0;
    assign m_axi_awcache = CACHE;
    assign m_axi_awprot  = 3'd0;
    assign m_axi_arid    = 1'b0;
    assign m_axi_arlen   = arlen${memory_bus == "axi3" ? "[3:0]" : ""};
    assign m_axi_arsize  = SIZE[2:0];
    assign m_axi_arburst = INCR;
    assign m_axi_arlock  = ${memory_bus == "axi3" ? 2 : 1}'d0;
    assign m_axi_arcache = CACHE;
    assign m_axi_arprot  = 3'd0;
//% if memory_bus == "axi3"
    assign m_axi_wid     = 1'b0;
//% else
    assign m_axi_awqos   = 4'd0;
    assign m_axi_arqos   = 4'd0;
//% end

endmodule

`default_nettype wire
