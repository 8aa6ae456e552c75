// Memory made of block RAM, beats of 8 bytes with byte enables: one RAM per byte.
// Latency 2 cycles, one request per cycle, never stalls. Writes are answered, too. Addresses wrap
// around. No reset of the contents; reset: nothing on its way.
`default_nettype none

module mem_ram #(
    parameter KIB = 128               // a power of two
) (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        in_valid,
    output wire        in_ready,
    input  wire        in_write,
    input  wire        in_id,
    input  wire [24:0] in_addr,       // beats
    input  wire [63:0] in_wdata,
    input  wire [7:0]  in_wstrb,
    output reg         out_valid,
    output reg         out_id,
    output reg  [63:0] out_rdata
);

    localparam DEPTH = KIB * 128;
    localparam AW    = $clog2(DEPTH);

    reg         read_q;               // the RAMs hold the word
    reg         id_q;
    wire [63:0] rdata;

    wire unused_addr = &{in_addr[24:AW]};

    assign in_ready = 1'b1;

    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : gen_byte
            sram_1r1w #(.W(8), .DEPTH(DEPTH)) u_ram (
                .clk(clk),
                .we(in_valid && in_write && in_wstrb[i]),
                .waddr(in_addr[AW-1:0]),
                .wdata(in_wdata[8*i +: 8]),
                .re(in_valid && !in_write),
                .raddr(in_addr[AW-1:0]),
                .rdata(rdata[8*i +: 8])
            );
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            read_q    <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            read_q    <= in_valid;
            out_valid <= read_q;
        end
    end

    always @(posedge clk) begin
        id_q      <= in_id;
        out_id    <= id_q;
        out_rdata <= rdata;
    end

endmodule

`default_nettype wire
