// The way from a bus port and a host to the memory of a board: block RAM or SDRAM.
`default_nettype none

module board_memory_dut #(
    parameter SDRAM = 0,
    parameter CAS   = 2,
    parameter MHZ   = 60
) (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        seg_we,
    input  wire [3:0]  seg_addr,
    input  wire [15:0] seg_data,
    // bus port
    input  wire        aw_valid,
    output wire        aw_ready,
    input  wire [7:0]  aw_id,
    input  wire [3:0]  aw_len,
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
    input  wire [3:0]  ar_len,
    input  wire [31:0] ar_addr,
    output wire        r_valid,
    input  wire        r_ready,
    output wire [7:0]  r_id,
    output wire        r_last,
    output wire [63:0] r_data,
    // host
    input  wire        h_valid,
    output wire        h_ready,
    input  wire        h_write,
    input  wire [31:0] h_addr,
    input  wire [63:0] h_wdata,
    output wire        h_done,
    output wire [63:0] h_rdata,
    // SDRAM
    output wire        ras_n,
    output wire        cas_n,
    output wire        we_n,
    output wire        cs_n,
    output wire        cke,
    output wire [1:0]  ba,
    output wire [12:0] a,
    output wire [1:0]  dqm,
    output wire [15:0] dq_o,
    output wire        dq_oe,
    input  wire [15:0] dq_i
);

    wire        a_valid, a_ready, a_write, a_done;
    wire [31:0] a_addr;
    wire [63:0] a_wdata;
    wire [7:0]  a_wstrb;
    wire        mem_valid, mem_ready, mem_write, mem_id, mem_done, mem_done_id;
    wire [24:0] mem_addr;
    wire [63:0] mem_wdata;
    wire [7:0]  mem_wstrb;
    wire [63:0] mem_rdata;

    assign h_rdata = mem_rdata;

    axi_port u_port (
        .clk(clk), .rst_n(rst_n),
        .aw_valid(aw_valid), .aw_ready(aw_ready), .aw_id(aw_id), .aw_len(aw_len),
        .aw_addr(aw_addr), .w_valid(w_valid), .w_ready(w_ready), .w_data(w_data), .w_strb(w_strb),
        .b_valid(b_valid), .b_ready(b_ready), .b_id(b_id),
        .ar_valid(ar_valid), .ar_ready(ar_ready), .ar_id(ar_id), .ar_len(ar_len),
        .ar_addr(ar_addr), .r_valid(r_valid), .r_ready(r_ready), .r_id(r_id), .r_last(r_last),
        .r_data(r_data),
        .mem_valid(a_valid), .mem_ready(a_ready), .mem_write(a_write), .mem_addr(a_addr),
        .mem_wdata(a_wdata), .mem_wstrb(a_wstrb), .mem_done(a_done), .mem_rdata(mem_rdata)
    );

    mem_path u_path (
        .clk(clk), .rst_n(rst_n), .seg_we(seg_we), .seg_addr(seg_addr), .seg_data(seg_data),
        .a_valid(a_valid), .a_ready(a_ready), .a_write(a_write), .a_addr(a_addr),
        .a_wdata(a_wdata), .a_wstrb(a_wstrb), .a_done(a_done),
        .b_valid(h_valid), .b_ready(h_ready), .b_write(h_write), .b_addr(h_addr),
        .b_wdata(h_wdata), .b_done(h_done),
        .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_write(mem_write), .mem_id(mem_id),
        .mem_addr(mem_addr), .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb),
        .mem_done(mem_done), .mem_done_id(mem_done_id)
    );

    generate
        if (SDRAM != 0) begin : gen_sdram
            sdram_x16 #(.MHZ(MHZ), .CAS(CAS), .INIT_US(101)) u_memory (
                .clk(clk), .rst_n(rst_n), .in_valid(mem_valid), .in_ready(mem_ready),
                .in_write(mem_write), .in_id(mem_id), .in_addr(mem_addr), .in_wdata(mem_wdata),
                .in_wstrb(mem_wstrb), .out_valid(mem_done), .out_id(mem_done_id),
                .out_rdata(mem_rdata),
                .sdram_cke(cke), .sdram_cs_n(cs_n), .sdram_ras_n(ras_n), .sdram_cas_n(cas_n),
                .sdram_we_n(we_n), .sdram_ba(ba), .sdram_a(a), .sdram_dqm(dqm),
                .sdram_dq_o(dq_o), .sdram_dq_oe(dq_oe), .sdram_dq_i(dq_i)
            );
        end else begin : gen_ram
            wire unused_dq = &{dq_i};
            assign {ras_n, cas_n, we_n, cs_n, cke, ba, a, dqm, dq_o, dq_oe} = 39'd0;
            mem_ram #(.KIB(64)) u_memory (
                .clk(clk), .rst_n(rst_n), .in_valid(mem_valid), .in_ready(mem_ready),
                .in_write(mem_write), .in_id(mem_id), .in_addr(mem_addr), .in_wdata(mem_wdata),
                .in_wstrb(mem_wstrb), .out_valid(mem_done), .out_id(mem_done_id),
                .out_rdata(mem_rdata)
            );
        end
    endgenerate

endmodule

`default_nettype wire
