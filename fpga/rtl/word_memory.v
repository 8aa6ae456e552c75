// A small memory of words of 4 bytes for a host, two ports and a reader of instructions, with the
// way of addresses to their place: as mem_path, the highest 4 bits of an address choose one of 16
// segments, whose entry in the table is added in units of 512 bytes.
//
// One access per cycle; the host goes first, then port 0, port 1, the reader. A word that is read
// is there in the cycle after its request, and not longer. The host reads and writes beats of 8
// bytes in two accesses. Addresses wrap around. Reset: nothing under way; table and memory: none.
`default_nettype none

module word_memory #(
    parameter KIB = 4                 // a power of two
) (
    input  wire        clk,
    input  wire        rst_n,

    // table
    input  wire        seg_we,
    input  wire [3:0]  seg_addr,
    input  wire [15:0] seg_data,

    // host
    input  wire        h_valid,
    output wire        h_ready,
    input  wire        h_write,
    input  wire [31:0] h_addr,        // bytes; beats of 8
    input  wire [63:0] h_wdata,
    output reg         h_done,        // of reads and writes
    output wire [63:0] h_rdata,

    // port 0, port 1, reader; port 0 in the low bits
    input  wire [2:0]  c_valid,
    output wire [2:0]  c_ready,
    input  wire [1:0]  c_write,
    input  wire [95:0] c_addr,        // bytes
    input  wire [63:0] c_wdata,
    input  wire [7:0]  c_wstrb,
    output wire [31:0] c_rdata
);

    localparam DEPTH  = KIB * 256;
    localparam AW     = $clog2(DEPTH);
    localparam PAGE_W = 9;            // bits of a byte in a unit of the table
    localparam BASE_W = AW + 2 - PAGE_W;

    reg          half_q;              // the upper half of the host's beat
    wire [BASE_W-1:0] base;
    wire [31:0]  addr  = h_valid    ? {h_addr[31:3], half_q, 2'd0} :
                         c_valid[0] ? c_addr[31:0] :
                         c_valid[1] ? c_addr[63:32] : c_addr[95:64];
    wire [31:0]  wdata = h_valid    ? (half_q ? h_wdata[63:32] : h_wdata[31:0]) :
                         c_valid[0] ? c_wdata[31:0] : c_wdata[63:32];
    wire [3:0]   wstrb = h_valid    ? 4'hf : c_valid[0] ? c_wstrb[3:0] : c_wstrb[7:4];
    wire         write = h_valid    ? h_write :
                         c_valid[0] ? c_write[0] : c_valid[1] && c_write[1];
    wire         some  = h_valid || c_valid != 3'd0;
    wire [AW-1:0] place = {addr[AW+1:PAGE_W] + base, addr[PAGE_W-1:2]};

    wire unused_high = &{addr[27:AW+2], addr[1:0], h_addr[2:0], seg_data[15:BASE_W]};

    assign h_ready = half_q;
    assign c_ready = {!h_valid && c_valid[1:0] == 2'd0, !h_valid && !c_valid[0], !h_valid};

    sram_dist_1r1w #(.W(BASE_W), .DEPTH(16)) u_table (
        .clk(clk), .we(seg_we), .waddr(seg_addr), .wdata(seg_data[BASE_W-1:0]),
        .raddr(addr[31:28]), .rdata(base)
    );

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_byte
            sram_1r1w #(.W(8), .DEPTH(DEPTH)) u_ram (
                .clk(clk), .we(some && write && wstrb[i]), .waddr(place), .wdata(wdata[8*i +: 8]),
                .re(some && !write), .raddr(place), .rdata(c_rdata[8*i +: 8])
            );
        end
    endgenerate

    // The lower half waits for the upper one.
    reg  [31:0] low_q;

    assign h_rdata = {c_rdata, low_q};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            half_q <= 1'b0;
            h_done <= 1'b0;
        end else begin
            half_q <= h_valid && !half_q;
            h_done <= h_valid && half_q;
        end
    end

    always @(posedge clk) begin
        if (half_q) low_q <= c_rdata;
    end

endmodule

`default_nettype wire
