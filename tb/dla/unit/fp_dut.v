// Floating point cells side by side, all fed by the same words.
`default_nettype none

module fp_dut (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        in_valid,
    input  wire [31:0] a,
    input  wire [31:0] b,
    input  wire        least,
    input  wire [35:0] fixed,
    output wire [5:1]  out_valid,      // behind 1 .. 5 stages
    output wire [31:0] add32,
    output wire [16:0] add17,
    output wire [31:0] mul32,
    output wire [16:0] mul17,
    output wire [31:0] max32,
    output wire [15:0] max16,
    output wire [16:0] widen16_17,
    output wire [31:0] widen16_32,
    output wire [31:0] widen17_32,
    output wire [15:0] narrow32_16,
    output wire [16:0] narrow32_17,
    output wire [15:0] narrow17_16,
    output wire [15:0] int17_16,
    output wire [16:0] fraction16_17,
    output wire [16:0] fraction35_17,
    output wire [15:0] to_int16
);

    reg  [4:0] valid_q;
    wire [4:0] load = {valid_q[3:0], in_valid};

    assign out_valid = valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 5'd0;
        else        valid_q <= load;
    end

    fp_add #(.E(8), .M(23)) u_add32 (
        .clk (clk), .load (load), .a (a), .b (b), .sum_q (add32)
    );
    fp_add #(.E(6), .M(10)) u_add17 (
        .clk (clk), .load (load), .a (a[16:0]), .b (b[16:0]), .sum_q (add17)
    );
    fp_mul #(.E(8), .M(23)) u_mul32 (
        .clk (clk), .load (load[2:0]), .a (a), .b (b), .p_q (mul32)
    );
    fp_mul #(.E(6), .M(10)) u_mul17 (
        .clk (clk), .load (load[2:0]), .a (a[16:0]), .b (b[16:0]), .p_q (mul17)
    );
    fp_max #(.E(8), .M(23)) u_max32 (
        .clk (clk), .load (load[0]), .least (least), .a (a), .b (b), .out_q (max32)
    );
    fp_max #(.E(5), .M(10)) u_max16 (
        .clk (clk), .load (load[0]), .least (least), .a (a[15:0]), .b (b[15:0]), .out_q (max16)
    );
    fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_widen16_17 (
        .clk (clk), .load (load[0]), .in (a[15:0]), .out_q (widen16_17)
    );
    fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_widen16_32 (
        .clk (clk), .load (load[0]), .in (a[15:0]), .out_q (widen16_32)
    );
    fp_widen #(.EI(6), .MI(10), .EO(8), .MO(23), .NORMALISE(0)) u_widen17_32 (
        .clk (clk), .load (load[0]), .in (a[16:0]), .out_q (widen17_32)
    );
    fp_narrow #(.EI(8), .MI(23), .EO(5), .MO(10)) u_narrow32_16 (
        .clk (clk), .load (load[1:0]), .in (a), .out_q (narrow32_16)
    );
    fp_narrow #(.EI(8), .MI(23), .EO(6), .MO(10), .DENORMAL(0)) u_narrow32_17 (
        .clk (clk), .load (load[1:0]), .in (a), .out_q (narrow32_17)
    );
    fp_narrow #(.EI(6), .MI(10), .EO(5), .MO(10)) u_narrow17_16 (
        .clk (clk), .load (load[1:0]), .in (a[16:0]), .out_q (narrow17_16)
    );
    fp_from_fixed #(.W(17), .F(0), .E(5), .M(10)) u_int17_16 (
        .clk (clk), .load (load[1:0]), .sign (least), .in (fixed[16:0]), .out_q (int17_16)
    );
    fp_from_fixed #(.W(16), .F(16), .E(6), .M(10)) u_fraction16_17 (
        .clk (clk), .load (load[1:0]), .sign (1'b0), .in (fixed[15:0]), .out_q (fraction16_17)
    );
    fp_from_fixed #(.W(36), .F(35), .E(6), .M(10)) u_fraction35_17 (
        .clk (clk), .load (load[1:0]), .sign (1'b0), .in (fixed), .out_q (fraction35_17)
    );
    fp16_to_int16 u_to_int16 (
        .clk (clk), .load (load[1:0]), .in (a[15:0]), .out_q (to_int16)
    );

endmodule

`default_nettype wire
