// Made by macrame 0.1.0 from templates/tcu/decode/tcu_decode.v
// with acc_addr_w=12 array_size=4 compute_tag_w=15 configure_w=28 decoder_timeout=100
// dram_addr_w=15 dram_block_w=6 flags_at=56 info_w=15 instruction_w=64 local_addr_w=12 local_w=12
// lut_tables=0 op0_addr_w=12 op0_stride_w=3 op1_addr_w=15 op1_at=16 op1_stride_w=3 op1_w=24
// op2_at=40 op2_w=16 opcode_at=60 order_blocks=256 other_w=15 simd_code_w=1 simd_left_at=2
// simd_op_at=3 simd_op_w=4 simd_register_w=1 simd_right_at=1 size_w=12 status_port=0
// stride_code0_w=3 stride_code1_w=3 transfer_tag_w=15 validate_instructions=0

// Decode: instructions become micro-operations of load, store and the compute queue.
//
// Instructions are taken in order. tcu_split divides them into pieces within blocks of memory,
// tcu_scoreboard finds out which older micro-operations each has to wait for. Here are the fields,
// the configuration registers, the program counter and the flags.
// Latency: 10 cycles. Throughput: a micro-operation per cycle; NoOp, Configure and
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
    input  wire [63:0] fetch2decode_data,

    // to load: a tag is the number of a micro-operation to wait for, below a bit that says so
    output wire        decode2load_valid,
    input  wire        decode2load_ready,
    output wire        decode2load_bank,
    output wire [14:0] decode2load_addr,     // vectors
    output wire [2:0] decode2load_stride,   // step 2^stride
    output wire [11:0] decode2load_count,    // vectors - 1
    output wire [11:0] decode2load_local,
    output wire [2:0] decode2load_local_stride,
    output wire [15:0] decode2load_need_moved,
    output wire [15:0] decode2load_need_read,
    output wire [15:0] decode2load_need_feed,
    output wire [15:0] decode2load_need_weights,
    output wire [15:0] decode2load_need_acked,

    // to store
    output wire        decode2store_valid,
    input  wire        decode2store_ready,
    output wire        decode2store_bank,
    output wire [14:0] decode2store_addr,
    output wire [2:0] decode2store_stride,
    output wire [11:0] decode2store_count,
    output wire [11:0] decode2store_local,
    output wire [2:0] decode2store_local_stride,
    output wire [15:0] decode2store_need_load,
    output wire [15:0] decode2store_need_moved,
    output wire [15:0] decode2store_need_loaded_dram,

    // to the compute queue
    output wire        decode2issue_valid,
    input  wire        decode2issue_ready,
    output wire [2:0]  decode2issue_kind,    // WEIGHTS, MATMUL, TO_ACC, TO_LOCAL, SIMD
    output wire        decode2issue_zero,
    output wire        decode2issue_accumulate,
    output wire        decode2issue_swap,    // MATMUL: with the weights loaded before
    output wire [11:0] decode2issue_local,
    output wire [2:0] decode2issue_local_stride,
    output wire [11:0] decode2issue_acc,     // SIMD: that is read
    output wire [2:0] decode2issue_acc_stride,
    output wire [11:0] decode2issue_count,
    output wire [11:0] decode2issue_simd_write,
    output wire [3:0] decode2issue_simd_op,
    output wire [0:0] decode2issue_simd_left,
    output wire [0:0] decode2issue_simd_right,
    output wire [0:0] decode2issue_simd_dest,
    output wire        decode2issue_simd_read,
    output wire        decode2issue_simd_write_en,
    output wire [15:0] decode2issue_need_load,
    output wire [15:0] decode2issue_need_b,  // TO_LOCAL: store has read; others: moved
    output wire [15:0] decode2issue_need_feed, // WEIGHTS: swaps before it
    output wire [15:0] decode2issue_need_weights,

    // numbers of the last finished micro-operations, registers of the units
    input  wire [14:0] load2all_done,
    input  wire [14:0] store2all_read,
    input  wire [14:0] store2all_acked,
    input  wire [14:0] acc2all_moved,
    input  wire [14:0] feed2all_done,
    input  wire [14:0] weights2all_done,

    // state and configuration, registers
    output reg  [31:0] decode2all_offset0,   // bytes, of bank 0
    output reg  [31:0] decode2all_offset1,
    output reg  [3:0]  decode2all_cache0,    // AxCACHE
    output reg  [3:0]  decode2all_cache1,
    output reg  [15:0] sample_interval,      // cycles, 0: none
    output reg  [31:0] program_counter,      // of the instruction that is decoded
    output reg         timeout_flag,         // an instruction waits for as long as register 8 says
    output reg         tracepoint_flag,      // the program counter has the value of register 9
    output wire        decode_busy
);

    localparam [2:0] WEIGHTS = 3'd0, MATMUL = 3'd1, TO_ACC = 3'd2, TO_LOCAL = 3'd3, SIMD = 3'd4,
                     LOAD = 3'd5, STORE = 3'd6;

    // Instructions and what they are.
    localparam IN_W = 64;

    wire            in_valid;
    wire            ready;            // for the next instruction
    wire [IN_W-1:0] in_data;

    fifo_sync #(.W(IN_W), .DEPTH(2)) u_in (
        .clk(clk), .rst_n(rst_n),
        .in_valid(fetch2decode_valid), .in_ready(fetch2decode_ready), .in_data(fetch2decode_data),
        .out_valid(in_valid), .out_ready(ready), .out_data(in_data)
    );

    wire [3:0] in_opcode = in_data[63:60];
    wire [3:0] in_flags  = in_data[59:56];
    wire [3:0] in_op     = in_data[46:43];
    wire       in_left0  = in_data[42:42] == 1'd0;
    wire       in_right0 = in_data[41:41] == 1'd0;
    wire       in_dest0  = in_data[40:40] == 1'd0;
    wire       in_matmul  = in_opcode == 4'h1;
    wire       in_weights = in_opcode == 4'h3;
    wire       in_dram    = in_opcode == 4'h2 && in_flags[3:2] == 2'd0;
    wire       in_moves   = in_opcode == 4'h2 && in_flags[3:2] == 2'd3 && in_flags[1:0] != 2'd2;
    wire       in_simd    = in_opcode == 4'h4 && in_op != 4'd0 && (in_flags[1] || !in_dest0);
    // Zero and NoOp have no operand, And, Or, Add .. Multiply and GreaterThan .. Max have two.
    wire       in_left    = in_op[3:1] != 3'd0;
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
                           in_flags[0] ? TO_ACC : TO_LOCAL;
            works_q     <= in_matmul || in_weights || in_simd || in_dram || in_moves;
            single_q    <= in_simd || in_data[55:40] == 16'd0;
            clamp_q     <= in_data[39:16] > 24'd4;
            simd_read_q <= in_flags[0] && ((in_left && in_left0) || (in_right && in_right0));
            configure_q <= in_opcode == 4'hf;
            bank_q      <= in_opcode == 4'hf && {in_data[3], in_data[1]} == 2'd0;
        end
    end

    // Pieces.
    wire            rest;             // load and store have done everything
    wire            split_busy;
    wire            score_busy;
    wire            clearing;
    reg             rest_q;           // so it is while Configure waits
    wire            weights = first_q || kind_q == WEIGHTS;
    wire [11:0] rows    = first_q || clamp_q ? 12'd4 : data_q[27:16];
    wire [11:0] count   = weights ? rows : single_q ? 12'd0 : data_q[51:40];
    wire            zero    = first_q || (kind_q == MATMUL && data_q[57]) ||
                              (kind_q == WEIGHTS && data_q[56]);
    wire            whole   = zero || kind_q == SIMD;
    wire            dram    = kind_q == LOAD || kind_q == STORE;
    wire [2:0] stride1 = data_q[33:31];
    wire            follow  = !first_q && dram && (single_q || stride1 == 3'd0);
    // kind, bank, zero, accumulate, SIMD: operation and registers, read, write
    wire [14:0] info = {first_q ? WEIGHTS : kind_q, data_q[57], zero,
        kind_q == SIMD ? data_q[58] && data_q[57] :
        kind_q == MATMUL ? data_q[56] : data_q[57],
        data_q[46:43], data_q[42:42], data_q[41:41], data_q[40:40], simd_read_q, data_q[57]};

    assign move = valid_q && (works_q ? split_ready : !bank_q || rest_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rest_q <= 1'b0;
        else        rest_q <= valid_q && bank_q && !move && rest && !split_busy;
    end

    wire            piece_valid;
    wire            piece_ready;
    wire [14:0] piece_info;
    wire            piece_follow;
    wire [11:0] piece_local;
    wire [2:0] piece_stride0;
    wire [14:0] piece_other;
    wire [2:0] piece_stride1;
    wire [11:0] piece_count;
    wire            piece_first;
    wire [8:0] piece_high;

    tcu_split u_split (
        .clk(clk), .rst_n(rst_n),
        .in_valid(first_q || (valid_q && works_q)), .in_ready(split_ready),
        .in_info(info), .in_whole(whole), .in_down(weights), .in_follow(follow),
        .in_local(data_q[11:0]), .in_stride0(data_q[14:12]),
        .in_other(data_q[30:16]), .in_stride1(stride1),
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
        .decode2load_valid(decode2load_valid),
        .decode2load_ready(decode2load_ready),
        .decode2load_bank(decode2load_bank),
        .decode2load_addr(decode2load_addr),
        .decode2load_stride(decode2load_stride),
        .decode2load_count(decode2load_count),
        .decode2load_local(decode2load_local),
        .decode2load_local_stride(decode2load_local_stride),
        .decode2load_need_moved(decode2load_need_moved),
        .decode2load_need_read(decode2load_need_read),
        .decode2load_need_feed(decode2load_need_feed),
        .decode2load_need_weights(decode2load_need_weights),
        .decode2load_need_acked(decode2load_need_acked),
        .decode2store_valid(decode2store_valid),
        .decode2store_ready(decode2store_ready),
        .decode2store_bank(decode2store_bank),
        .decode2store_addr(decode2store_addr),
        .decode2store_stride(decode2store_stride),
        .decode2store_count(decode2store_count),
        .decode2store_local(decode2store_local),
        .decode2store_local_stride(decode2store_local_stride),
        .decode2store_need_load(decode2store_need_load),
        .decode2store_need_moved(decode2store_need_moved),
        .decode2store_need_loaded_dram(decode2store_need_loaded_dram),
        .decode2issue_valid(decode2issue_valid),
        .decode2issue_ready(decode2issue_ready),
        .decode2issue_kind(decode2issue_kind),
        .decode2issue_zero(decode2issue_zero),
        .decode2issue_accumulate(decode2issue_accumulate),
        .decode2issue_swap(decode2issue_swap),
        .decode2issue_local(decode2issue_local),
        .decode2issue_local_stride(decode2issue_local_stride),
        .decode2issue_acc(decode2issue_acc),
        .decode2issue_acc_stride(decode2issue_acc_stride),
        .decode2issue_count(decode2issue_count),
        .decode2issue_simd_write(decode2issue_simd_write),
        .decode2issue_simd_op(decode2issue_simd_op),
        .decode2issue_simd_left(decode2issue_simd_left),
        .decode2issue_simd_right(decode2issue_simd_right),
        .decode2issue_simd_dest(decode2issue_simd_dest),
        .decode2issue_simd_read(decode2issue_simd_read),
        .decode2issue_simd_write_en(decode2issue_simd_write_en),
        .decode2issue_need_load(decode2issue_need_load),
        .decode2issue_need_b(decode2issue_need_b),
        .decode2issue_need_feed(decode2issue_need_feed),
        .decode2issue_need_weights(decode2issue_need_weights),
        .load2all_done(load2all_done),
        .store2all_read(store2all_read),
        .store2all_acked(store2all_acked),
        .acc2all_moved(acc2all_moved),
        .feed2all_done(feed2all_done),
        .weights2all_done(weights2all_done),
        .rest(rest), .clearing(clearing), .score_busy(score_busy)
    );

    assign decode_busy = in_valid || valid_q || first_q || split_busy || score_busy;

    // Configuration.
    wire        set   = move && configure_q;
    wire [3:0]  number = data_q[3:0];
    wire [31:0] value  = {4'd0, data_q[31:4]};
    reg  [15:0] timeout_q;
    reg  [31:0] tracepoint_q;
    reg  [15:0] waited_q;             // cycles of an instruction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            decode2all_offset0 <= 32'd0;
            decode2all_offset1 <= 32'd0;
            decode2all_cache0  <= 4'd0;
            decode2all_cache1  <= 4'd0;
            timeout_q          <= 16'd100;
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
            if (ready || first_q || clearing) waited_q <= 16'd0;
            else if (waited_q != timeout_q)   waited_q <= waited_q + 16'd1;
            timeout_flag    <= waited_q == timeout_q;
            tracepoint_flag <= program_counter == tracepoint_q;
        end
    end

    wire unused_padding = &{1'b0, data_q};

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(126)) a_decode2load (
        .clk(clk), .rst_n(rst_n), .valid(decode2load_valid), .ready(decode2load_ready),
        .payload({decode2load_bank, decode2load_addr, decode2load_stride, decode2load_count,
                  decode2load_local, decode2load_local_stride, decode2load_need_moved,
                  decode2load_need_read, decode2load_need_feed, decode2load_need_weights,
                  decode2load_need_acked})
    );
    assert_link #(.W(94)) a_decode2store (
        .clk(clk), .rst_n(rst_n), .valid(decode2store_valid), .ready(decode2store_ready),
        .payload({decode2store_bank, decode2store_addr, decode2store_stride,
                  decode2store_count, decode2store_local, decode2store_local_stride,
                  decode2store_need_load, decode2store_need_moved,
                  decode2store_need_loaded_dram})
    );
    assert_link #(.W(133)) a_decode2issue (
        .clk(clk), .rst_n(rst_n), .valid(decode2issue_valid), .ready(decode2issue_ready),
        .payload({decode2issue_kind, decode2issue_zero, decode2issue_accumulate,
                  decode2issue_swap, decode2issue_local, decode2issue_local_stride,
                  decode2issue_acc, decode2issue_acc_stride, decode2issue_count,
                  decode2issue_simd_write, decode2issue_simd_op, decode2issue_simd_left,
                  decode2issue_simd_right, decode2issue_simd_dest, decode2issue_simd_read,
                  decode2issue_simd_write_en, decode2issue_need_load, decode2issue_need_b,
                  decode2issue_need_feed, decode2issue_need_weights})
    );
`endif

endmodule

`default_nettype wire
