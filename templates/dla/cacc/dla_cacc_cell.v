// CACC cell: adds a partial sum of a MAC cell to an accumulator, ${int8 ? "or two of int8" : !fp16 ? "of int16" : int16 ? "of 16 bits" : "of fp16"}.
// ${add_stages} cycles${several_types ? " for any type" : ""}. Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cacc_cell (
    input  wire         clk,
    input  wire [${add_stages - 1}:0]   enable,     // bit n: of what came n cycles ago
    input  wire [${add_stages + 1}:1]   fp,       // bit n: of what came n - 1 cycles ago: fp16  //% if mixed
    input  wire [1:1]   pair,       // bit n: of what came n - 1 cycles ago: int8  //% if int8 && int16
    input  wire [${state_w - 1}:0]  acc,
    input  wire [${psum_w - 1}:0]  psum,
    output wire [${state_w - 1}:0]  sum
);

//% let acc48 = state_w > 48 ? "acc[47:0]" : "acc"
//% if fp16
    wire [47:0] fp_sum;

    dla_cacc_fadd u_fadd (
        .clk    (clk),
        .enable (enable${mixed ? " & fp[8:1]" : ""}),
        .acc    (${acc48}),
        .psum   (psum),
        .sum    (fp_sum)
    );

//% end
//% if int8
    // ---------------------------------------------------------------- int8, two kernels
    function [${acc_w - 1}:0] add8(input [${acc_w - 1}:0] a, input [${psum_w / 2 - 1}:0] p);
        add8 = a + {{${acc_w - psum_w / 2}{p[${psum_w / 2 - 1}]}}, p};
    endfunction

    wire [${state_w - 1}:0] sum8 =
        {${state_w - 2 * acc_w}'d0, add8(acc[${2 * acc_w - 1}:${acc_w}], psum[${psum_w / 2 * 2 - 1}:${psum_w / 2}]),  //% if state_w > 2 * acc_w
        {add8(acc[${2 * acc_w - 1}:${acc_w}], psum[${psum_w / 2 * 2 - 1}:${psum_w / 2}]),  //% if state_w == 2 * acc_w
         add8(acc[${acc_w - 1}:0], psum[${psum_w / 2 - 1}:0])};

//% end
//% if int16
    // ---------------------------------------------------------------- int16${saturate16 ? ", saturates" : ""}
    wire [${raw_w - 1}:0] psum16 = {{${raw_w - psum_w}{psum[${psum_w - 1}]}}, psum};
    wire [48:0] all16 = {acc[47], ${acc48}} + {psum16[47], psum16};  //% if saturate16
    wire [${state_w - 1}:0] sum16 = {${state_w - raw_w}'d0, all16[47:0]};  //% if saturate16 && state_w > raw_w
    wire [${state_w - 1}:0] sum16 = {all16[47:0]};  //% if saturate16 && state_w == raw_w
    wire [${state_w - 1}:0] sum16 = {${state_w - raw_w}'d0, acc[${raw_w - 1}:0] + psum16};  //% if !saturate16 && state_w > raw_w
    wire [${state_w - 1}:0] sum16 = {acc[${raw_w - 1}:0] + psum16};  //% if !saturate16 && state_w == raw_w

//% end
//% if integers
    // Integers are there after a cycle and wait.
    wire [${add_stages - 1}:0] step = enable${mixed ? " & ~fp[8:1]" : ""};
    (* mem2reg *) reg  [${state_w - 1}:0] integer_q [1:${add_stages}];
    reg  [1:0]  over_q;             // above, below the range  //% if saturate16
    integer     s;  //% if add_stages > 2

    always @(posedge clk) begin
        if (step[0]) begin
            integer_q[1] <= ${!int16 ? "sum8" : int8 ? "pair[1] ? sum8 : sum16" : "sum16"};
            over_q       <= {all16[48] && !all16[47], !all16[48] && all16[47]}${int8 ? " & {2{!pair[1]}}" : ""};  //% if saturate16
        end
//% if saturate16
        if (step[1]) begin
            integer_q[2] <= integer_q[1];
            if (over_q[0]) integer_q[2][47:0] <= 48'h7FFFFFFFFFFF;
            if (over_q[1]) integer_q[2][47:0] <= 48'h800000000000;
        end
//% end
        if (step[1]) integer_q[2] <= integer_q[1];  //% if add_stages > 1 && !saturate16
        for (s = 3; s <= ${add_stages}; s = s + 1) begin  //% if add_stages > 2
            if (step[s-1]) integer_q[s] <= integer_q[s-1];  //% if add_stages > 2
        end  //% if add_stages > 2
    end

//% end
    assign sum = fp[9] ? {${state_w - 48}'d0, fp_sum} : integer_q[${add_stages}];  //% if mixed && state_w > 48
    assign sum = fp[9] ? {fp_sum} : integer_q[${add_stages}];  //% if mixed && state_w <= 48
    assign sum = fp_sum;  //% if !integers
    assign sum = integer_q[${add_stages}];  //% if !fp16

endmodule

`default_nettype wire
