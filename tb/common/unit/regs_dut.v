// Register files of one map on every kind of bus; fields of native, AXI4-Lite, APB4 side by side.
`default_nettype none

module regs_dut (
    input  wire        clk,
    input  wire        rst_n,
    // fields
    input  wire        busy,
    input  wire [15:0] count,
    output wire [2:0]  enable,
    output wire [35:0] level,
    output wire [95:0] data,
    output wire [2:0]  sticky,
    output wire [2:0]  ctrl_wr,
    output wire [2:0]  key_wr,
    // native
    input  wire        reg_valid,
    input  wire [2:0]  reg_addr,
    input  wire [31:0] reg_wdata,
    input  wire        reg_write,
    output wire [31:0] reg_rdata,
    // AXI4-Lite
    input  wire        awvalid,
    output wire        awready,
    input  wire [4:0]  awaddr,
    input  wire        wvalid,
    output wire        wready,
    input  wire [31:0] wdata,
    input  wire [3:0]  wstrb,
    output wire        bvalid,
    input  wire        bready,
    output wire [1:0]  bresp,
    input  wire        arvalid,
    output wire        arready,
    input  wire [4:0]  araddr,
    output wire        rvalid,
    input  wire        rready,
    output wire [31:0] rdata,
    output wire [1:0]  rresp,
    // APB4
    input  wire        psel,
    input  wire        penable,
    input  wire [4:0]  paddr,
    input  wire        pwrite,
    input  wire [31:0] pwdata,
    input  wire [3:0]  pstrb,
    output wire        pready,
    output wire [31:0] prdata,
    output wire        pslverr
);

    native_regs u_native (
        .clk(clk), .rst_n(rst_n), .reg_valid(reg_valid), .reg_addr(reg_addr),
        .reg_wdata(reg_wdata), .reg_write(reg_write), .reg_rdata(reg_rdata),
        .ctrl_enable(enable[0]), .ctrl_level(level[0 +: 12]), .data(data[0 +: 32]),
        .status_sticky(sticky[0]), .ctrl_wr(ctrl_wr[0]), .key_wr(key_wr[0]),
        .status_busy(busy), .status_count(count)
    );

    axi_regs u_axi (
        .clk(clk), .rst_n(rst_n), .s_axi_awvalid(awvalid), .s_axi_awready(awready),
        .s_axi_awaddr(awaddr), .s_axi_awprot(3'd0), .s_axi_wvalid(wvalid),
        .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
        .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_bresp(bresp),
        .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_araddr(araddr),
        .s_axi_arprot(3'd0), .s_axi_rvalid(rvalid), .s_axi_rready(rready),
        .s_axi_rdata(rdata), .s_axi_rresp(rresp),
        .ctrl_enable(enable[1]), .ctrl_level(level[12 +: 12]), .data(data[32 +: 32]),
        .status_sticky(sticky[1]), .ctrl_wr(ctrl_wr[1]), .key_wr(key_wr[1]),
        .status_busy(busy), .status_count(count)
    );

    apb_regs u_apb (
        .clk(clk), .rst_n(rst_n), .s_apb_psel(psel), .s_apb_penable(penable),
        .s_apb_paddr(paddr), .s_apb_pwrite(pwrite), .s_apb_pwdata(pwdata), .s_apb_pstrb(pstrb),
        .s_apb_pprot(3'd0), .s_apb_pready(pready), .s_apb_prdata(prdata),
        .s_apb_pslverr(pslverr),
        .ctrl_enable(enable[2]), .ctrl_level(level[24 +: 12]), .data(data[64 +: 32]),
        .status_sticky(sticky[2]), .ctrl_wr(ctrl_wr[2]), .key_wr(key_wr[2]),
        .status_busy(busy), .status_count(count)
    );

endmodule

`default_nettype wire
