// CACC cell: adds a partial sum of a MAC cell to an accumulator, ${cell_doc}.
// ${add_stages} cycles${types_doc}. Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cacc_cell (
    input  wire         clk,
    input  wire [${add_stages - 1}:0]   enable,     // bit n: of what came n cycles ago
    ${kind_ports}
    input  wire [${state_w - 1}:0]  acc,
    input  wire [${psum_w - 1}:0]  psum,
    output wire [${state_w - 1}:0]  sum
);

//% if fp16
    wire [47:0] fp_sum;

    dla_cacc_fadd u_fadd (
        .clk    (clk),
        .enable (enable${fp_gate}),
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
        {${pad8}add8(acc[${2 * acc_w - 1}:${acc_w}], psum[${psum_w / 2 * 2 - 1}:${psum_w / 2}]),
         add8(acc[${acc_w - 1}:0], psum[${psum_w / 2 - 1}:0])};

//% end
//% if int16
    // ---------------------------------------------------------------- int16${saturates16}
    wire [${acc16_w - 1}:0] psum16 = {{${acc16_w - psum_w}{psum[${psum_w - 1}]}}, psum};
    ${all16}
    wire [${state_w - 1}:0] sum16 = {${pad16}${sum16}};

//% end
//% if integers
    // Integers are there after a cycle and wait.
    wire [${add_stages - 1}:0] step = enable${integer_gate};
    (* mem2reg *) reg  [${state_w - 1}:0] integer_q [1:${add_stages}];
    ${over_reg}
    ${stage_index}

    always @(posedge clk) begin
        if (step[0]) begin
            integer_q[1] <= ${integer_sum};
            ${over_load}
        end
//% if saturate16
        if (step[1]) begin
            integer_q[2] <= integer_q[1];
            if (over_q[0]) integer_q[2][47:0] <= 48'h7FFFFFFFFFFF;
            if (over_q[1]) integer_q[2][47:0] <= 48'h800000000000;
        end
//% end
        ${later_stages}
    end

//% end
    assign sum = ${sum_of};

endmodule

`default_nettype wire
