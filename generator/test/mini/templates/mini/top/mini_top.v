// Adds the ${lanes} signed addends of every word that software writes to a sum.
// The sum is there two cycles after the write. Reset: 0.
`default_nettype none

module mini_top (
    input  wire        clk,
    input  wire        rst_n,
    // AXI4-Lite
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [3:0]  s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    output wire [1:0]  s_axi_bresp,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    input  wire [3:0]  s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp
);

    localparam LANES = ${lanes};
    localparam W     = ${width};      // bits of an addend

    wire [31:0] operand;
    wire        operand_wr;
    wire        clear_wr;
    reg  [31:0] sum_q;
    reg  [31:0] sum_d;
    integer     i;

    always @* begin
        sum_d = sum_q;
        for (i = 0; i < LANES; i = i + 1)
//% if width < 32
            sum_d = sum_d + {{(32-W){operand[i*W+W-1]}}, operand[i*W +: W]};
//% else
            sum_d = sum_d + operand[i*W +: W];
//% end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)          sum_q <= 32'd0;
        else if (clear_wr)   sum_q <= 32'd0;
        else if (operand_wr) sum_q <= sum_d;
    end

    mini_top_regs u_regs (
        .clk(clk), .rst_n(rst_n), .operand(operand), .operand_wr(operand_wr), .sum(sum_q),
        .clear_wr(clear_wr),
        .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(s_axi_awready), .s_axi_awaddr(s_axi_awaddr),
        .s_axi_awprot(s_axi_awprot), .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready),
        .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb), .s_axi_bvalid(s_axi_bvalid),
        .s_axi_bready(s_axi_bready), .s_axi_bresp(s_axi_bresp), .s_axi_arvalid(s_axi_arvalid),
        .s_axi_arready(s_axi_arready), .s_axi_araddr(s_axi_araddr), .s_axi_arprot(s_axi_arprot),
        .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready), .s_axi_rdata(s_axi_rdata),
        .s_axi_rresp(s_axi_rresp)
    );
//% if lanes * width < 32

    wire unused = &{1'b0, operand[31:${lanes * width}]};
//% end

endmodule

`default_nettype wire
