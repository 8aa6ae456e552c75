// Decode: instructions become micro-operations of load, store and the compute queue.
//
// Instructions are taken in order. tcu_split divides them into pieces within blocks of memory,
// tcu_scoreboard finds out which older micro-operations each has to wait for. Here are the fields,
// the configuration registers, the program counter and the flags.
// Latency: ${order_blocks == 0 ? 3 : 10} cycles. Throughput: a micro-operation per cycle; NoOp, Configure and
// instructions that do not exist take a cycle. Configure of an offset or a cache register waits
// until load and store are at rest, so that these registers hold still while they are used.
// Stalls while an output is full. Reset: registers as documented; the first micro-operation is
// LoadWeights.zeroes for the whole array.
`default_nettype none

module tcu_decode (
    input  wire        clk,
    input  wire        rst_n,

    // instructions
    input  wire        fetch2decode_valid,
    output wire        fetch2decode_ready,
    input  wire [${instruction_w - 1}:0] fetch2decode_data,

    // to load: a tag is the number of a micro-operation to wait for, below a bit that says so
    output wire        decode2load_valid,
    input  wire        decode2load_ready,
    output wire        decode2load_bank,
    output wire [${dram_addr_w - 1}:0] decode2load_addr,     // vectors
    output wire [${stride_code1_w - 1}:0] decode2load_stride,   // step 2^stride
    output wire [${size_w - 1}:0] decode2load_count,    // vectors - 1
    output wire [${local_addr_w - 1}:0] decode2load_local,
    output wire [${stride_code0_w - 1}:0] decode2load_local_stride,
    output wire [${transfer_tag_w}:0] decode2load_need_moved,
    output wire [${transfer_tag_w}:0] decode2load_need_read,
    output wire [${compute_tag_w}:0] decode2load_need_feed,
    output wire [${compute_tag_w}:0] decode2load_need_weights,
    output wire [${transfer_tag_w}:0] decode2load_need_acked,

    // to store
    output wire        decode2store_valid,
    input  wire        decode2store_ready,
    output wire        decode2store_bank,
    output wire [${dram_addr_w - 1}:0] decode2store_addr,
    output wire [${stride_code1_w - 1}:0] decode2store_stride,
    output wire [${size_w - 1}:0] decode2store_count,
    output wire [${local_addr_w - 1}:0] decode2store_local,
    output wire [${stride_code0_w - 1}:0] decode2store_local_stride,
    output wire [${transfer_tag_w}:0] decode2store_need_load,
    output wire [${transfer_tag_w}:0] decode2store_need_moved,
    output wire [${transfer_tag_w}:0] decode2store_need_loaded_dram,

    // to the compute queue
    output wire        decode2issue_valid,
    input  wire        decode2issue_ready,
    output wire [2:0]  decode2issue_kind,    // WEIGHTS, MATMUL, TO_ACC, TO_LOCAL, SIMD${lut_tables > 0 ? ", TO_LUT" : ""}
    output wire        decode2issue_zero,
    output wire        decode2issue_accumulate,
    output wire        decode2issue_swap,    // MATMUL: with the weights loaded before
    output wire [${local_addr_w - 1}:0] decode2issue_local,
    output wire [${stride_code0_w - 1}:0] decode2issue_local_stride,
    output wire [${acc_addr_w - 1}:0] decode2issue_acc,     // SIMD: that is read
    output wire [${stride_code1_w - 1}:0] decode2issue_acc_stride,
    output wire [${size_w - 1}:0] decode2issue_count,
    output wire [${acc_addr_w - 1}:0] decode2issue_simd_write,
    output wire [${simd_op_w - 1}:0] decode2issue_simd_op,
    output wire [${simd_code_w - 1}:0] decode2issue_simd_left,
    output wire [${simd_code_w - 1}:0] decode2issue_simd_right,
    output wire [${simd_code_w - 1}:0] decode2issue_simd_dest,
    output wire        decode2issue_simd_read,
    output wire        decode2issue_simd_write_en,
    output wire [${transfer_tag_w}:0] decode2issue_need_load,
    output wire [${transfer_tag_w}:0] decode2issue_need_b,  // TO_LOCAL: store has read; others: moved
    output wire [${compute_tag_w}:0] decode2issue_need_feed, // WEIGHTS: swaps before it
    output wire [${compute_tag_w}:0] decode2issue_need_weights,

    // numbers of the last finished micro-operations, registers of the units
    input  wire [${transfer_tag_w - 1}:0] load2all_done,
    input  wire [${transfer_tag_w - 1}:0] store2all_read,
    input  wire [${transfer_tag_w - 1}:0] store2all_acked,
    input  wire [${transfer_tag_w - 1}:0] acc2all_moved,
    input  wire [${compute_tag_w - 1}:0] feed2all_done,
    input  wire [${compute_tag_w - 1}:0] weights2all_done,

//% if status_port
    // instructions that were taken
    output wire        decode2status_valid,
    input  wire        decode2status_ready,
    output wire [${instruction_w - 1}:0] decode2status_data,

//% end
    // state and configuration, registers
    output reg  [31:0] decode2all_offset0,   // bytes, of bank 0
    output reg  [31:0] decode2all_offset1,
    output reg  [3:0]  decode2all_cache0,    // AxCACHE
    output reg  [3:0]  decode2all_cache1,
    output reg  [15:0] sample_interval,      // cycles, 0: none
    output reg  [31:0] program_counter,      // of the instruction that is decoded
    output reg         timeout_flag,         // an instruction waits for as long as register 8 says
    output reg         tracepoint_flag,      // the program counter has the value of register 9
    output wire        error_flag,           // the instruction breaks a rule  //% if validate_instructions
    output wire        decode_busy
);

    localparam [2:0] WEIGHTS = 3'd0, MATMUL = 3'd1, TO_ACC = 3'd2, TO_LOCAL = 3'd3, SIMD = 3'd4,
                     LOAD = 3'd5, STORE = 3'd6;
    localparam [2:0] TO_LUT = 3'd7;  //% if lut_tables > 0

    // Instructions and what they are.
    localparam IN_W = ${instruction_w};

    wire            in_valid;
    wire            ready;            // for the next instruction
    wire [IN_W-1:0] in_data;

    fifo_sync #(.W(IN_W), .DEPTH(2)) u_in (
        .clk(clk), .rst_n(rst_n),
        .in_valid(fetch2decode_valid), .in_ready(fetch2decode_ready), .in_data(fetch2decode_data),
        .out_valid(in_valid), .out_ready(ready), .out_data(in_data)
    );

    wire [3:0] in_opcode = in_data[${opcode_at + 3}:${opcode_at}];
    wire [3:0] in_flags  = in_data[${flags_at + 3}:${flags_at}];
    wire [3:0] in_op     = in_data[${op2_at + simd_op_at + 3}:${op2_at + simd_op_at}];
//% if simd_register_w > 0
    wire       in_left0  = in_data[${op2_at + simd_left_at + simd_register_w - 1}:${op2_at + simd_left_at}] == ${simd_register_w}'d0;
    wire       in_right0 = in_data[${op2_at + simd_right_at + simd_register_w - 1}:${op2_at + simd_right_at}] == ${simd_register_w}'d0;
    wire       in_dest0  = in_data[${op2_at + simd_register_w - 1}:${op2_at}] == ${simd_register_w}'d0;
//% else
    wire       in_left0  = 1'b1;
    wire       in_right0 = 1'b1;
    wire       in_dest0  = 1'b1;
//% end
    wire       in_matmul  = in_opcode == 4'h1;
    wire       in_weights = in_opcode == 4'h3;
    wire       in_dram    = in_opcode == 4'h2 && in_flags[3:2] == 2'd0;
    wire       in_moves   = in_opcode == 4'h2 && in_flags[3:2] == 2'd3 && in_flags[1:0] != 2'd2;
//% if lut_tables > 0
    wire       in_higher  = in_data[${op2_at + simd_op_at + 4}];     // Lookup, or does not exist
    wire       in_lookup  = in_higher && in_op == 4'd0;
    wire       in_simd    = in_opcode == 4'h4 && (in_lookup || (!in_higher && in_op != 4'd0 &&
                                                                (in_flags[1] || !in_dest0)));
    wire       in_lut     = in_opcode == 4'h5 && in_data[${op1_at + op1_w - 1}:${op1_at}] <= ${op1_w}'d${lut_tables};
    // Zero and NoOp have no operand, And, Or, Add .. Multiply and GreaterThan .. Max have two.
    wire       in_left    = in_op[3:1] != 3'd0 || in_lookup;
//% else
    wire       in_simd    = in_opcode == 4'h4 && in_op != 4'd0 && (in_flags[1] || !in_dest0);
    // Zero and NoOp have no operand, And, Or, Add .. Multiply and GreaterThan .. Max have two.
    wire       in_left    = in_op[3:1] != 3'd0;
//% end
    wire       in_right   = in_op[3:1] == 3'd2 || in_op[3:2] == 2'd3 ||
                            (in_op[3:2] == 2'd2 && in_op[1:0] != 2'd3);

    reg             valid_q;
    reg             first_q;          // the operation after reset is still to come
    reg  [IN_W-1:0] data_q;
    reg  [2:0]      kind_q;
    reg             works_q;          // there is something to do for other units
    reg             single_q;         // one vector
    reg             clamp_q;          // more rows than the array has
    reg             simd_read_q;
    reg             configure_q;
    reg             bank_q;           // Configure of a bank of memory
    wire            move;             // it leaves
    wire            split_ready;
    wire            status_ready;  //% if status_port

    assign ready = !first_q && (!valid_q || move);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            first_q <= 1'b1;
        end else begin
            if (ready) valid_q <= in_valid;
            if (split_ready) first_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (ready) begin
            data_q      <= in_data;
            kind_q      <= in_matmul ? MATMUL : in_weights ? WEIGHTS : in_simd ? SIMD :
                           in_dram ? (in_flags[0] ? STORE : LOAD) :
                           in_lut ? TO_LUT :  //% if lut_tables > 0
                           in_flags[0] ? TO_ACC : TO_LOCAL;
            works_q     <= in_matmul || in_weights || in_simd || in_dram || in_moves${lut_tables > 0 ? " || in_lut" : ""};
            single_q    <= in_simd || in_data[${op2_at + op2_w - 1}:${op2_at}] == ${op2_w}'d0;
            clamp_q     <= 1'b0;  //% if op1_w < clog2(array_size + 1)
            clamp_q     <= in_data[${op1_at + op1_w - 1}:${op1_at}] > ${op1_w}'d${array_size};  //% if op1_w >= clog2(array_size + 1)
            simd_read_q <= in_flags[0] && ((in_left && in_left0) || (in_right && in_right0));
            configure_q <= in_opcode == 4'hf;
            bank_q      <= in_opcode == 4'hf && {in_data[3], in_data[1]} == 2'd0;
        end
    end

    // Pieces.  //% if order_blocks > 0
    // Micro-operations.  //% if order_blocks <= 0
    wire            rest;             // load and store have done everything
//% if order_blocks > 0
    wire            split_busy;
    wire            score_busy;
    wire            clearing;
//% else
    wire            serial_busy;
//% end
    reg             rest_q;           // so it is while Configure waits
    wire            weights = first_q || kind_q == WEIGHTS;
    wire [${size_w - 1}:0] rows    = first_q || clamp_q ? ${size_w}'d${array_size} : ${field("data_q", op1_at, op1_w, size_w)};
//% if lut_tables > 0
    wire            lut     = !first_q && kind_q == TO_LUT;
    wire [${size_w - 1}:0] count   = weights ? rows : lut ? ${size_w}'d${lut_depth - 1} :
                              single_q ? ${size_w}'d0 : ${field("data_q", op2_at, op2_w, size_w)};
//% else
    wire [${size_w - 1}:0] count   = weights ? rows : single_q ? ${size_w}'d0 : ${field("data_q", op2_at, op2_w, size_w)};
//% end
    wire            zero    = first_q || (kind_q == MATMUL && data_q[${flags_at + 1}]) ||
                              (kind_q == WEIGHTS && data_q[${flags_at}]);
    wire            whole   = zero || kind_q == SIMD;
    wire            dram    = kind_q == LOAD || kind_q == STORE;  //% if order_blocks > 0
//% if op1_stride_w > 0
    wire [${stride_code1_w - 1}:0] stride1 = data_q[${op1_at + op1_addr_w + op1_stride_w - 1}:${op1_at + op1_addr_w}];
//%   if order_blocks > 0
    wire            follow  = !first_q && dram && (single_q || stride1 == ${stride_code1_w}'d0);
//%   end
//% else
    wire [0:0]      stride1 = 1'd0;
    wire            follow  = !first_q && dram;  //% if order_blocks > 0
//% end
//# Registers of a SIMD instruction; without any there is no field.
//% let code = simd_register_w
//% let simd_left = code == 0 ? "1'd0" : field("data_q", op2_at + simd_left_at, code, code)
//% let simd_right = code == 0 ? "1'd0" : field("data_q", op2_at + simd_right_at, code, code)
//% let simd_dest = code == 0 ? "1'd0" : field("data_q", op2_at, code, code)
    wire [${simd_code_w - 1}:0] dest = lut ? ${field("data_q", op1_at, code, code)} : ${simd_dest};    // number of the table  //% if lut_tables > 0
    // kind, bank, zero, accumulate, SIMD: operation and registers, read, write
    wire [${info_w - 1}:0] info = {first_q ? WEIGHTS : kind_q, data_q[${flags_at + 1}], zero,
        kind_q == SIMD ? data_q[${flags_at + 2}] && data_q[${flags_at + 1}] :
        kind_q == MATMUL ? data_q[${flags_at}] : data_q[${flags_at + 1}]${lut_tables > 0 ? " && !lut" : ""},
        ${field("data_q", op2_at + simd_op_at, simd_op_w, simd_op_w)}, ${simd_left}, ${simd_right}, ${lut_tables > 0 ? "dest" : simd_dest}, simd_read_q, data_q[${flags_at + 1}]};

    assign move = valid_q && (works_q ? split_ready : !bank_q || rest_q)${status_port ? " && status_ready" : ""};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rest_q <= 1'b0;
        else        rest_q <= valid_q && bank_q && !move && rest${order_blocks > 0 ? " && !split_busy" : ""};
    end

//% if order_blocks > 0
    wire            piece_valid;
    wire            piece_ready;
    wire [${info_w - 1}:0] piece_info;
    wire            piece_follow;
    wire [${local_w - 1}:0] piece_local;
    wire [${stride_code0_w - 1}:0] piece_stride0;
    wire [${other_w - 1}:0] piece_other;
    wire [${stride_code1_w - 1}:0] piece_stride1;
    wire [${size_w - 1}:0] piece_count;
    wire            piece_first;
    wire [${other_w - dram_block_w - 1}:0] piece_high;

    tcu_split u_split (
        .clk(clk), .rst_n(rst_n),
        .in_valid(first_q || (valid_q && works_q${status_port ? " && status_ready" : ""})), .in_ready(split_ready),
        .in_info(info), .in_whole(whole), .in_down(weights), .in_follow(follow),
        .in_local(${field("data_q", 0, op0_addr_w, local_w)}), .in_stride0(${op0_stride_w == 0 ? "1'd0" : field("data_q", op0_addr_w, op0_stride_w, op0_stride_w)}),
        .in_other(${field("data_q", op1_at, op1_addr_w, other_w)}), .in_stride1(stride1),
        .in_count(count),
        .piece_valid(piece_valid), .piece_ready(piece_ready), .piece_info(piece_info),
        .piece_follow(piece_follow), .piece_local(piece_local), .piece_stride0(piece_stride0),
        .piece_other(piece_other), .piece_stride1(piece_stride1), .piece_count(piece_count),
        .piece_first(piece_first), .piece_high(piece_high), .split_busy(split_busy)
    );

    tcu_scoreboard u_scoreboard (
        .clk(clk), .rst_n(rst_n),
        .piece_valid(piece_valid), .piece_ready(piece_ready), .piece_info(piece_info),
        .piece_follow(piece_follow), .piece_local(piece_local), .piece_stride0(piece_stride0),
        .piece_other(piece_other), .piece_stride1(piece_stride1), .piece_count(piece_count),
        .piece_first(piece_first), .piece_high(piece_high),
//% for p in links
        .${p}(${p}),
//% end
        .rest(rest), .clearing(clearing), .score_busy(score_busy)
    );

    assign decode_busy = in_valid || valid_q || first_q || split_busy || score_busy;
//% else
    tcu_serial u_serial (
        .clk(clk), .rst_n(rst_n),
        .in_valid(first_q || (valid_q && works_q${status_port ? " && status_ready" : ""})), .in_ready(split_ready),
        .in_info(info), .in_whole(whole), .in_down(weights),
        .in_local(${field("data_q", 0, op0_addr_w, local_w)}), .in_stride0(${op0_stride_w == 0 ? "1'd0" : field("data_q", op0_addr_w, op0_stride_w, op0_stride_w)}),
        .in_other(${field("data_q", op1_at, op1_addr_w, other_w)}), .in_stride1(stride1),
        .in_count(count),
//%   for p in links
        .${p}(${p}),
//%   end
        .rest(rest), .serial_busy(serial_busy)
    );

    wire unused_read = &{1'b0, store2all_read};

    assign decode_busy = in_valid || valid_q || first_q || serial_busy;
//% end

    // Configuration.
    wire        set   = move && configure_q;
    wire [3:0]  number = data_q[3:0];
    wire [31:0] value  = {${32 - configure_w}'d0, data_q[${configure_w + 3}:4]};
    reg  [15:0] timeout_q;
    reg  [31:0] tracepoint_q;
    reg  [15:0] waited_q;             // cycles of an instruction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            decode2all_offset0 <= 32'd0;
            decode2all_offset1 <= 32'd0;
            decode2all_cache0  <= 4'd0;
            decode2all_cache1  <= 4'd0;
            timeout_q          <= 16'd${decoder_timeout};
            tracepoint_q       <= 32'hffffffff;
            sample_interval    <= 16'd0;
            program_counter    <= 32'd0;
            waited_q           <= 16'd0;
            timeout_flag       <= 1'b0;
            tracepoint_flag    <= 1'b0;
        end else begin
            if (move) program_counter <= program_counter + 32'd1;
            if (set) begin
                case (number)
                    4'h0: decode2all_offset0 <= {value[15:0], 16'd0};
                    4'h1: decode2all_cache0  <= value[3:0];
                    4'h4: decode2all_offset1 <= {value[15:0], 16'd0};
                    4'h5: decode2all_cache1  <= value[3:0];
                    4'h8: timeout_q          <= value[15:0];
                    4'h9: tracepoint_q       <= value;
                    4'ha: program_counter    <= value;
                    4'hb: sample_interval    <= value[15:0];
                    default: ;
                endcase
            end
            if (ready || first_q${order_blocks > 0 ? " || clearing" : ""}) waited_q <= 16'd0;
            else if (waited_q != timeout_q)   waited_q <= waited_q + 16'd1;
            timeout_flag    <= waited_q == timeout_q;
            tracepoint_flag <= program_counter == tracepoint_q;
        end
    end
//% if status_port

    // Each instruction that was taken.
    fifo_sync #(.W(IN_W), .DEPTH(4)) u_status (
        .clk(clk), .rst_n(rst_n),
        .in_valid(move), .in_ready(status_ready), .in_data(data_q),
        .out_valid(decode2status_valid), .out_ready(decode2status_ready),
        .out_data(decode2status_data)
    );
//% end
//% if validate_instructions

    tcu_validate u_validate (
        .clk(clk), .rst_n(rst_n),
        .valid(valid_q), .instruction(data_q), .error_flag(error_flag)
    );
//% end

    wire unused_padding = &{1'b0, data_q};

endmodule

`default_nettype wire
