// Serial: orders instructions by letting them wait, in place of tcu_split and tcu_scoreboard.
//
// An instruction is one micro-operation. It leaves when all older ones of the units that it can
// conflict with are finished, whatever their addresses, so no tag behind decode is valid. Units
// that read local memory, and SIMD, do not wait for each other.
// Latency: 1 cycle. Throughput: 1 per cycle. Reset: nothing is unfinished.
`default_nettype none

module tcu_serial (
    input  wire        clk,
    input  wire        rst_n,

    // instructions
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [${info_w - 1}:0] in_info,
    input  wire        in_whole,     // does not touch local memory
    input  wire        in_down,      // from the last address down
    input  wire [${local_w - 1}:0] in_local,     // the lowest address
    input  wire [${stride_code0_w - 1}:0] in_stride0,
    input  wire [${other_w - 1}:0] in_other,     // of accumulators or DRAM
    input  wire [${stride_code1_w - 1}:0] in_stride1,
    input  wire [${size_w - 1}:0] in_count,     // vectors - 1

    // to load
    output reg         decode2load_valid,
    input  wire        decode2load_ready,
    output wire        decode2load_bank,
    output wire [${dram_addr_w - 1}:0] decode2load_addr,
    output wire [${stride_code1_w - 1}:0] decode2load_stride,
    output wire [${size_w - 1}:0] decode2load_count,
    output wire [${local_addr_w - 1}:0] decode2load_local,
    output wire [${stride_code0_w - 1}:0] decode2load_local_stride,
    output wire [${transfer_tag_w}:0] decode2load_need_moved,
    output wire [${transfer_tag_w}:0] decode2load_need_read,
    output wire [${compute_tag_w}:0] decode2load_need_feed,
    output wire [${compute_tag_w}:0] decode2load_need_weights,
    output wire [${transfer_tag_w}:0] decode2load_need_acked,

    // to store
    output reg         decode2store_valid,
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
    output reg         decode2issue_valid,
    input  wire        decode2issue_ready,
    output wire [2:0]  decode2issue_kind,
    output wire        decode2issue_zero,
    output wire        decode2issue_accumulate,
    output wire        decode2issue_swap,
    output wire [${local_addr_w - 1}:0] decode2issue_local,
    output wire [${stride_code0_w - 1}:0] decode2issue_local_stride,
    output wire [${acc_addr_w - 1}:0] decode2issue_acc,
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
    output wire [${transfer_tag_w}:0] decode2issue_need_b,
    output wire [${compute_tag_w}:0] decode2issue_need_feed,
    output wire [${compute_tag_w}:0] decode2issue_need_weights,

    // finished micro-operations
    input  wire [${transfer_tag_w - 1}:0] load2all_done,
    input  wire [${transfer_tag_w - 1}:0] store2all_acked,
    input  wire [${transfer_tag_w - 1}:0] acc2all_moved,
    input  wire [${compute_tag_w - 1}:0] feed2all_done,
    input  wire [${compute_tag_w - 1}:0] weights2all_done,

    output wire        rest,          // load and store have finished all they were given
    output wire        serial_busy
);

    localparam [2:0] WEIGHTS = 3'd0, MATMUL = 3'd1, TO_ACC = 3'd2, TO_LOCAL = 3'd3,
                     LOAD = 3'd5, STORE = 3'd6;
    localparam [2:0] TO_LUT = 3'd7;  //% if lut_tables > 0
    localparam TAG_W  = ${transfer_tag_w};
    localparam INFO_W = ${info_w};
    localparam [TAG_W-1:0] NONE = {TAG_W{1'b0}};
    localparam [TAG_W-1:0] ONE  = {{(TAG_W-1){1'b0}}, 1'b1};
    localparam [TAG_W:0]   FREE = {(TAG_W+1){1'b0}};   // waits for nothing

    // Micro-operations given out, of each unit: never 2^TAG_W more than are finished.
    reg  [TAG_W-1:0] load_q, store_q, move_q, feed_q, weights_q;
    reg              swap_q;          // the next MATMUL is the first one after weights
    reg  [TAG_W-1:0] swaps_q;
    wire             load_rest    = load_q == load2all_done;
    wire             store_rest   = store_q == store2all_acked;
    wire             move_rest    = move_q == acc2all_moved;
    wire             feed_rest    = feed_q == feed2all_done;
    wire             weights_rest = weights_q == weights2all_done;

    // May it go?
    wire [2:0]       kind     = in_info[INFO_W-1:INFO_W-3];
    wire             is_load  = kind == LOAD;
    wire             is_store = kind == STORE;
    wire             is_move  = kind == TO_LOCAL;
    wire             is_feed  = kind == MATMUL || kind == TO_ACC${lut_tables > 0 ? " || kind == TO_LUT" : ""};
    wire             is_weights = kind == WEIGHTS;
    wire             swap     = kind == MATMUL && swap_q;
    wire             written  = load_rest && move_rest;
    wire             unread   = store_rest && feed_rest && weights_rest;
    wire             may      = is_load ? unread && move_rest : is_move ? unread && load_rest :
                                (in_whole || written) && (!swap || weights_rest);
    wire             free     = !(decode2load_valid && !decode2load_ready) &&
                                !(decode2store_valid && !decode2store_ready) &&
                                !(decode2issue_valid && !decode2issue_ready);
    wire             go       = in_valid && may && free;

    assign in_ready    = may && free;
    assign rest        = load_rest && store_rest;
    assign serial_busy = decode2load_valid || decode2store_valid || decode2issue_valid;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            load_q             <= NONE;
            store_q            <= NONE;
            move_q             <= NONE;
            feed_q             <= NONE;
            weights_q          <= NONE;
            swap_q             <= 1'b0;
            swaps_q            <= NONE;
            decode2load_valid  <= 1'b0;
            decode2store_valid <= 1'b0;
            decode2issue_valid <= 1'b0;
        end else begin
            if (go && is_load)    load_q    <= load_q + ONE;
            if (go && is_store)   store_q   <= store_q + ONE;
            if (go && is_move)    move_q    <= move_q + ONE;
            if (go && is_feed)    feed_q    <= feed_q + ONE;
            if (go && is_weights) weights_q <= weights_q + ONE;
            if (go && is_weights)  swap_q <= 1'b1;
            else if (go && swap)   swap_q <= 1'b0;
            if (go && swap) swaps_q <= swaps_q + ONE;
            if (free) begin
                decode2load_valid  <= go && is_load;
                decode2store_valid <= go && is_store;
                decode2issue_valid <= go && !is_load && !is_store;
            end
        end
    end

    // What leaves. The others need no copies of their own: one leaves at a time.
    reg  [INFO_W-1:0] info_q;
    reg               out_swap_q;
    reg  [TAG_W-1:0]  out_swaps_q;    // before this one
    reg  [${local_w - 1}:0] local_q;
    reg  [${stride_code0_w - 1}:0] stride0_q;
    reg  [${other_w - 1}:0] other_q;
    reg  [${stride_code1_w - 1}:0] stride1_q;
    reg  [${size_w - 1}:0] count_q;

    always @(posedge clk) begin
        if (free) begin
            info_q      <= in_info;
            out_swap_q  <= swap;
            out_swaps_q <= swaps_q;
            local_q     <= in_down ? in_local + (${fit("in_count", size_w, local_w)} << in_stride0) : in_local;
            stride0_q   <= in_stride0;
            other_q     <= in_other;
            stride1_q   <= in_stride1;
            count_q     <= in_count;
        end
    end

    assign decode2load_bank             = info_q[INFO_W-4];
    assign decode2load_addr             = other_q[${dram_addr_w - 1}:0];
    assign decode2load_stride           = stride1_q;
    assign decode2load_count            = count_q;
    assign decode2load_local            = local_q[${local_addr_w - 1}:0];
    assign decode2load_local_stride     = stride0_q;
    assign decode2load_need_moved       = FREE;
    assign decode2load_need_read        = FREE;
    assign decode2load_need_feed        = FREE;
    assign decode2load_need_weights     = FREE;
    assign decode2load_need_acked       = FREE;

    assign decode2store_bank            = info_q[INFO_W-4];
    assign decode2store_addr            = other_q[${dram_addr_w - 1}:0];
    assign decode2store_stride          = stride1_q;
    assign decode2store_count           = count_q;
    assign decode2store_local           = local_q[${local_addr_w - 1}:0];
    assign decode2store_local_stride    = stride0_q;
    assign decode2store_need_load       = FREE;
    assign decode2store_need_moved      = FREE;
    assign decode2store_need_loaded_dram = FREE;

    assign decode2issue_kind            = info_q[INFO_W-1:INFO_W-3];
    assign decode2issue_zero            = info_q[INFO_W-5];
    assign decode2issue_accumulate      = info_q[INFO_W-6];
    assign decode2issue_swap            = out_swap_q;
    assign decode2issue_local           = local_q[${local_addr_w - 1}:0];
    assign decode2issue_local_stride    = stride0_q;
    assign decode2issue_acc             = other_q[${acc_addr_w - 1}:0];
    assign decode2issue_acc_stride      = stride1_q;
    assign decode2issue_count           = count_q;
    assign decode2issue_simd_write      = local_q[${acc_addr_w - 1}:0];
    assign {decode2issue_simd_op, decode2issue_simd_left, decode2issue_simd_right,
            decode2issue_simd_dest, decode2issue_simd_read, decode2issue_simd_write_en} =
        info_q[INFO_W-7:0];
    assign decode2issue_need_load       = FREE;
    assign decode2issue_need_b          = FREE;
    assign decode2issue_need_feed       = {1'b0, out_swaps_q};
    assign decode2issue_need_weights    = FREE;

    wire unused = &{1'b0, local_q, other_q};

endmodule

`default_nettype wire
