// Validate: does the instruction break one of the documented rules? Nothing stops for it.
// error_flag follows the instruction 2 cycles later. Reset: no error.
`default_nettype none

module tcu_validate (
    input  wire clk,
    input  wire rst_n,
    input  wire valid,
    input  wire [${instruction_w - 1}:0] instruction,
    output reg  error_flag
);

    localparam END_W = ${end_w};         // of the last address, strides do not count

    wire [3:0] opcode = instruction[${opcode_at + 3}:${opcode_at}];
    wire [3:0] flags  = instruction[${flags_at + 3}:${flags_at}];
    wire       simd   = opcode == 4'h4;
    wire       moves  = opcode == 4'h2;
    wire [END_W-1:0] address0 = simd ? ${field("instruction", 0, op0_w, end_w)} :
                                ${field("instruction", 0, op0_addr_w, end_w)};
    wire [END_W-1:0] address1 = simd ? ${field("instruction", op1_at, op1_w, end_w)} :
                                ${field("instruction", op1_at, op1_addr_w, end_w)};
    wire [END_W-1:0] size     = simd ? ${end_w}'d0 : opcode == 4'h3 ? ${field("instruction", op1_at, op1_w, end_w)} :
                                opcode == 4'h5 ? ${end_w}'d${lut_depth - 1} : ${field("instruction", op2_at, op2_w, end_w)};  //% if lut_tables > 0
                                ${field("instruction", op2_at, op2_w, end_w)};  //% if lut_tables == 0
//% if simd_register_w > 0
    wire [${simd_register_w - 1}:0] left  = instruction[${op2_at + simd_left_at + simd_register_w - 1}:${op2_at + simd_left_at}];
    wire [${simd_register_w - 1}:0] right = instruction[${op2_at + simd_right_at + simd_register_w - 1}:${op2_at + simd_right_at}];
    wire [${simd_register_w - 1}:0] dest  = instruction[${op2_at + simd_register_w - 1}:${op2_at}];
//%   if lut_tables > 0
    wire [4:0] op         = instruction[${op2_at + simd_op_at + 4}:${op2_at + simd_op_at}];
    // The destination of a lookup leaves registers for the tables.
    wire       no_room    = op > 5'd16 ||
                            (op == 5'd16 && dest > ${simd_register_w}'d${simd_registers_depth - lut_tables});
//%   end
    wire       input_used = left == ${simd_register_w}'d0 || right == ${simd_register_w}'d0;
//% if simd_registers_depth + 1 < 1 << simd_register_w
    wire       no_register = left > ${simd_register_w}'d${simd_registers_depth} ||
                             right > ${simd_register_w}'d${simd_registers_depth} ||
                             dest > ${simd_register_w}'d${simd_registers_depth};
//% else
    wire       no_register = 1'b0;    // all codes are registers
    wire       unused_dest = &{1'b0, dest};
//% end
//% else
    wire       input_used  = 1'b1;
    wire       no_register = 1'b0;
//% end

    // What shows at once; last addresses.
    reg              valid_q;
    reg              wrong_q;
    reg              simd_q;
    reg              local_q;         // operand 0 is an address of local memory
    reg              acc_q;           // operand 1 is one of accumulators
    reg              weights_q;
    reg  [END_W-1:0] size_q;
    reg  [END_W-1:0] end0_q;
    reg  [END_W-1:0] end1_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q    <= 1'b0;
            error_flag <= 1'b0;
        end else begin
            valid_q    <= valid;
            error_flag <= valid_q && (wrong_q ||
                          (local_q && end0_q >= ${end_w}'d${local_depth}) ||
                          (simd_q && end0_q >= ${end_w}'d${accumulator_depth}) ||
                          (acc_q && end1_q >= ${end_w}'d${accumulator_depth}) ||
                          (weights_q && size_q > ${end_w}'d${array_size + 1}));
        end
    end

    always @(posedge clk) begin
        case (opcode)
            4'h0, 4'hf: wrong_q <= 1'b0;
            4'h1:       wrong_q <= flags[3:2] != 2'd0;
            4'h2:       wrong_q <= flags[3] != flags[2] || flags == 4'he;
            4'h3:       wrong_q <= flags[3:1] != 3'd0;
            4'h4:       wrong_q <= flags[3] || no_register || input_used != flags[0]${lut_tables > 0 ? " || no_room" : ""};
            4'h5:       wrong_q <= flags != 4'd0 || ${field("instruction", op1_at, op1_w, end_w)} > ${end_w}'d${lut_tables};  //% if lut_tables > 0
            default:    wrong_q <= 1'b1;
        endcase
        simd_q    <= simd;
        local_q   <= opcode == 4'h1 || moves || opcode == 4'h3${lut_tables > 0 ? " || opcode == 4'h5" : ""};
        acc_q     <= opcode == 4'h1 || (moves && flags[3]) || simd;
        weights_q <= opcode == 4'h3;
        size_q    <= size;
        end0_q    <= address0 + size;
        end1_q    <= address1 + size;
    end

    wire unused_padding = &{1'b0, instruction};

endmodule

`default_nettype wire
