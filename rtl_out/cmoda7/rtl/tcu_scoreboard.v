// Made by macrame 0.1.0 from templates/tcu/decode/tcu_scoreboard.v
// with acc_addr_w=12 block_w=7 clear_w=7 compute_tag_w=15 dram_addr_w=15 dram_block_w=6 entry_w=6
// info_w=15 issue_w=133 load_w=126 local_addr_w=12 local_block_w=5 local_w=12 lut_tables=0
// other_w=15 simd_code_w=1 simd_op_w=4 size_w=12 store_w=94 stride_code0_w=3 stride_code1_w=3
// transfer_tag_w=15

// Scoreboard: numbers micro-operations and finds those that each has to wait for.
//
// The micro-operations of a unit are numbered in their order, which is the one they are done in.
// For each block of memory the number of the last one of each unit that touched it is kept (blocks
// of DRAM that differ in high bits share an entry). A tag is such a number of another unit whose
// access conflicts, valid unless that micro-operation is finished. All tags name older ones, so
// waiting ends. A number that is so old that it looks like a new one only names another older one.
// Epochs of 4096 micro-operations keep numbers unambiguous: the next one begins when all of the one
// before the last are finished, so that a unit is never 8192 ahead of another that still waits.
// Latency: 3 cycles. Throughput: 1 per cycle. Reset: nothing is unfinished; the tables are cleared
// in the cycles that no micro-operation writes them, who comes to an entry before that waits.
`default_nettype none

module tcu_scoreboard (
    input  wire        clk,
    input  wire        rst_n,

    // from tcu_split
    input  wire        piece_valid,
    output wire        piece_ready,
    input  wire [14:0] piece_info,
    input  wire        piece_follow,
    input  wire [11:0] piece_local,
    input  wire [2:0] piece_stride0,
    input  wire [14:0] piece_other,
    input  wire [2:0] piece_stride1,
    input  wire [11:0] piece_count,
    input  wire        piece_first,
    input  wire [8:0] piece_high,

    // to load
    output wire        decode2load_valid,
    input  wire        decode2load_ready,
    output wire        decode2load_bank,
    output wire [14:0] decode2load_addr,
    output wire [2:0] decode2load_stride,
    output wire [11:0] decode2load_count,
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
    output wire [2:0]  decode2issue_kind,
    output wire        decode2issue_zero,
    output wire        decode2issue_accumulate,
    output wire        decode2issue_swap,
    output wire [11:0] decode2issue_local,
    output wire [2:0] decode2issue_local_stride,
    output wire [11:0] decode2issue_acc,
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
    output wire [15:0] decode2issue_need_b,
    output wire [15:0] decode2issue_need_feed,
    output wire [15:0] decode2issue_need_weights,

    // finished micro-operations
    input  wire [14:0] load2all_done,
    input  wire [14:0] store2all_read,
    input  wire [14:0] store2all_acked,
    input  wire [14:0] acc2all_moved,
    input  wire [14:0] feed2all_done,
    input  wire [14:0] weights2all_done,

    output wire        rest,          // load and store have finished all they were given
    output wire        clearing,
    output wire        score_busy
);

    localparam [2:0] WEIGHTS = 3'd0, MATMUL = 3'd1, TO_ACC = 3'd2, TO_LOCAL = 3'd3, SIMD = 3'd4,
                     LOAD = 3'd5, STORE = 3'd6;
    localparam TAG_W   = 15;
    localparam EPOCH_W = TAG_W - 3;
    localparam BLOCK_W = 7;       // of the number of a block of local memory
    localparam DRAM_W  = 6;       // of an entry for DRAM: block, bank
    localparam CLEAR_W = 7;       // of the wider one
    localparam INFO_W  = 15;
    localparam REACH_W = 9; // of the number of a block of DRAM
    localparam [CLEAR_W:0] BLOCKS  = 1 << BLOCK_W;
    localparam [CLEAR_W:0] ENTRIES = 1 << DRAM_W;
    localparam [TAG_W-1:0] HALF = {1'b1, {(TAG_W-1){1'b0}}};
    localparam [TAG_W-1:0] NONE = {TAG_W{1'b0}};
    localparam [TAG_W-1:0] ONE  = {{(TAG_W-1){1'b0}}, 1'b1};

    // Is number `tag` given out, up to `last`, and not finished?
    function unfinished;
        input [TAG_W-1:0] tag;
        input [TAG_W-1:0] last;
        input [TAG_W-1:0] done;
        unfinished = last - tag < HALF && done - tag >= HALF;
    endfunction

    // The micro-operation whose turn it is.
    reg               t_valid_q;
    reg  [INFO_W-1:0] t_info_q;
    reg               t_follow_q;
    reg  [11:0] t_local_q;
    reg  [2:0] t_stride0_q;
    reg  [14:0] t_other_q;
    reg  [2:0] t_stride1_q;
    reg  [11:0] t_count_q;
    reg               t_first_q;      // of its instruction
    reg  [REACH_W-1:0] t_high_q;      // the last block of DRAM
    reg               t_load_q;
    reg               t_store_q;
    reg               t_move_q;
    reg               t_feed_q;
    reg               t_weights_q;
    reg               t_touch_q;      // touches local memory
    wire [2:0]        piece_kind = piece_info[INFO_W-1:INFO_W-3];
    wire              piece_zero = piece_info[INFO_W-5];
    wire [2:0]        t_kind     = t_info_q[INFO_W-1:INFO_W-3];
    wire              t_bank     = t_info_q[INFO_W-4];
    wire              t_dram     = t_load_q || t_store_q;
    wire              go;

    assign piece_ready = !t_valid_q || go;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)           t_valid_q <= 1'b0;
        else if (piece_ready) t_valid_q <= piece_valid;
    end

    always @(posedge clk) begin
        if (piece_ready) begin
            t_info_q    <= piece_info;
            t_follow_q  <= piece_follow;
            t_local_q   <= piece_local;
            t_stride0_q <= piece_stride0;
            t_other_q   <= piece_other;
            t_stride1_q <= piece_stride1;
            t_count_q   <= piece_count;
            t_first_q   <= piece_first;
            t_high_q    <= piece_high;
            t_load_q    <= piece_kind == LOAD;
            t_store_q   <= piece_kind == STORE;
            t_move_q    <= piece_kind == TO_LOCAL;
            t_feed_q    <= piece_kind == MATMUL || piece_kind == TO_ACC;
            t_weights_q <= piece_kind == WEIGHTS;
            t_touch_q   <= piece_kind != SIMD && !piece_zero;
        end
    end

    // It goes when there is room for it, its entries are cleared and the epoch allows it.
    wire              load_room;
    wire              store_room;
    wire              issue_room;
    wire              t_room   = t_load_q ? load_room : t_store_q ? store_room : issue_room;
    wire              numbered = t_load_q || t_store_q || t_move_q || t_feed_q || t_weights_q;
    wire [BLOCK_W-1:0] t_block = t_local_q[11:5];
    wire [DRAM_W-1:0] t_entry  = {t_other_q[10:6], t_bank};
    reg  [CLEAR_W:0]  clear_q;        // entries that are cleared
    wire              t_clear  = !clearing || ((!t_touch_q || {1'd0, t_block} < clear_q) &&
                                 (!t_dram || {2'd0, t_entry} < clear_q));
    reg  [EPOCH_W-1:0] epoch_q;       // micro-operations of this one
    reg               turned_q;
    reg               settled_q;      // all up to the last mark are finished
    wire              turn    = numbered && (&epoch_q);

    assign clearing = !clear_q[CLEAR_W];
    assign go = t_valid_q && t_room && t_clear && (settled_q || !turn);

    // Numbers, of the last micro-operation of each unit, and those at the beginning of the epoch.
    reg  [TAG_W-1:0]  load_q, store_q, move_q, feed_q, weights_q;
    reg  [TAG_W-1:0]  load_mark_q, store_mark_q, move_mark_q, feed_mark_q, weights_mark_q;
    wire [TAG_W-1:0]  load_number    = load_q + ONE;
    wire [TAG_W-1:0]  store_number   = store_q + ONE;
    wire [TAG_W-1:0]  move_number    = move_q + ONE;
    wire [TAG_W-1:0]  feed_number    = feed_q + ONE;
    wire [TAG_W-1:0]  weights_number = weights_q + ONE;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            load_q         <= NONE;
            store_q        <= NONE;
            move_q         <= NONE;
            feed_q         <= NONE;
            weights_q      <= NONE;
            load_mark_q    <= NONE;
            store_mark_q   <= NONE;
            move_mark_q    <= NONE;
            feed_mark_q    <= NONE;
            weights_mark_q <= NONE;
            epoch_q        <= {EPOCH_W{1'b0}};
            turned_q        <= 1'b0;
            settled_q      <= 1'b0;
        end else begin
            if (go && t_load_q)    load_q    <= load_number;
            if (go && t_store_q)   store_q   <= store_number;
            if (go && t_move_q)    move_q    <= move_number;
            if (go && t_feed_q)    feed_q    <= feed_number;
            if (go && t_weights_q) weights_q <= weights_number;
            if (go && numbered)    epoch_q   <= epoch_q + 1'b1;
            turned_q <= go && turn;
            if (turned_q) begin
                load_mark_q    <= load_q;
                store_mark_q   <= store_q;
                move_mark_q    <= move_q;
                feed_mark_q    <= feed_q;
                weights_mark_q <= weights_q;
            end
            settled_q <= load2all_done - load_mark_q < HALF &&
                         store2all_acked - store_mark_q < HALF &&
                         acc2all_moved - move_mark_q < HALF &&
                         feed2all_done - feed_mark_q < HALF &&
                         weights2all_done - weights_mark_q < HALF;
        end
    end

    assign rest = !t_valid_q && load_q == load2all_done && store_q == store2all_acked;

    // Tables: an entry of all is read, and replaced by the number of this micro-operation.
    wire               touch = go && t_touch_q;
    wire               reach = go && t_dram && t_follow_q;
    wire               clear = clearing && !touch && !reach;
    // The smaller table is clear before the larger one, and not touched again.
    wire               clear_block = clear && clear_q < BLOCKS;
    wire               clear_entry = clear && clear_q < ENTRIES;
    wire [BLOCK_W-1:0] block = clear ? clear_q[BLOCK_W-1:0] : t_block;
    wire [DRAM_W-1:0]  entry = clear ? clear_q[DRAM_W-1:0] : t_entry;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     clear_q <= {(CLEAR_W+1){1'b0}};
        else if (clear) clear_q <= clear_q + 1'b1;
    end

    wire [TAG_W-1:0]  load_last;
    sram_dist_1r1w #(.W(TAG_W), .DEPTH(1 << 7)) u_load (
        .clk(clk), .we(clear_block || (touch && t_load_q)), .waddr(block),
        .wdata(clear ? NONE : load_number), .raddr(t_block), .rdata(load_last)
    );
    wire [TAG_W-1:0]  store_last;
    sram_dist_1r1w #(.W(TAG_W), .DEPTH(1 << 7)) u_store (
        .clk(clk), .we(clear_block || (touch && t_store_q)), .waddr(block),
        .wdata(clear ? NONE : store_number), .raddr(t_block), .rdata(store_last)
    );
    wire [TAG_W-1:0]  move_last;
    sram_dist_1r1w #(.W(TAG_W), .DEPTH(1 << 7)) u_move (
        .clk(clk), .we(clear_block || (touch && t_move_q)), .waddr(block),
        .wdata(clear ? NONE : move_number), .raddr(t_block), .rdata(move_last)
    );
    wire [TAG_W-1:0]  feed_last;
    sram_dist_1r1w #(.W(TAG_W), .DEPTH(1 << 7)) u_feed (
        .clk(clk), .we(clear_block || (touch && t_feed_q)), .waddr(block),
        .wdata(clear ? NONE : feed_number), .raddr(t_block), .rdata(feed_last)
    );
    wire [TAG_W-1:0]  weights_last;
    sram_dist_1r1w #(.W(TAG_W), .DEPTH(1 << 7)) u_weights (
        .clk(clk), .we(clear_block || (touch && t_weights_q)), .waddr(block),
        .wdata(clear ? NONE : weights_number), .raddr(t_block), .rdata(weights_last)
    );
    wire [TAG_W-1:0]  dram_load_last;
    sram_dist_1r1w #(.W(TAG_W), .DEPTH(1 << 6)) u_dram_load (
        .clk(clk), .we(clear_entry || (reach && t_load_q)), .waddr(entry),
        .wdata(clear ? NONE : load_number), .raddr(t_entry), .rdata(dram_load_last)
    );
    wire [TAG_W-1:0]  dram_store_last;
    sram_dist_1r1w #(.W(TAG_W), .DEPTH(1 << 6)) u_dram_store (
        .clk(clk), .we(clear_entry || (reach && t_store_q)), .waddr(entry),
        .wdata(clear ? NONE : store_number), .raddr(t_entry), .rdata(dram_store_last)
    );

    // Of a bank: the last ones, and the last ones with a stride.
    reg  [TAG_W-1:0]  load0_q, store0_q, wide_load0_q, wide_store0_q;
    reg  [TAG_W-1:0]  load1_q, store1_q, wide_load1_q, wide_store1_q;
    wire              go_load  = go && t_load_q;
    wire              go_store = go && t_store_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            load0_q       <= NONE;
            store0_q      <= NONE;
            wide_load0_q  <= NONE;
            wide_store0_q <= NONE;
            load1_q       <= NONE;
            store1_q      <= NONE;
            wide_load1_q  <= NONE;
            wide_store1_q <= NONE;
        end else begin
            if (go_load && t_bank == 1'd0)                 load0_q       <= load_number;
            if (go_store && t_bank == 1'd0)                store0_q      <= store_number;
            if (go_load && t_bank == 1'd0 && !t_follow_q)  wide_load0_q  <= load_number;
            if (go_store && t_bank == 1'd0 && !t_follow_q) wide_store0_q <= store_number;
            if (go_load && t_bank == 1'd1)                 load1_q       <= load_number;
            if (go_store && t_bank == 1'd1)                store1_q      <= store_number;
            if (go_load && t_bank == 1'd1 && !t_follow_q)  wide_load1_q  <= load_number;
            if (go_store && t_bank == 1'd1 && !t_follow_q) wide_store1_q <= store_number;
        end
    end

    // What stores with a stride touch: blocks of DRAM between low and high, of the last instruction
    // (new) and of those before it that are not finished (old). A load apart from both does not
    // wait for them.
    wire [REACH_W-1:0] t_low = t_other_q[14:6];
    reg  [REACH_W-1:0] new_low_q, new_high_q, old_low_q, old_high_q;
    reg                new_bank_q;
    reg  [1:0]         old_banks_q;
    reg  [TAG_W-1:0]   old_q;          // the last store that was older than new
    reg                old_rest_q;     // all of old are finished
    wire               go_wide   = go_store && !t_follow_q;
    wire               go_new    = go_wide && t_first_q;
    wire               new_apart = t_bank != new_bank_q || t_high_q < new_low_q ||
                                   t_low > new_high_q;
    wire               old_apart = !old_banks_q[t_bank] || t_high_q < old_low_q ||
                                   t_low > old_high_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            new_low_q  <= {REACH_W{1'b0}};
            new_high_q <= {REACH_W{1'b0}};
            new_bank_q <= 1'b0;
            old_q      <= NONE;
            old_rest_q <= 1'b1;
        end else begin
            if (go_new)  new_low_q  <= t_low;
            if (go_wide) new_high_q <= t_high_q;
            if (go_wide) new_bank_q <= t_bank;
            if (go_new)  old_q      <= store_q;
            old_rest_q <= !go_new && !unfinished(old_q, store_q, store2all_acked);
        end
    end

    always @(posedge clk) begin
        if (go_new) begin
            old_banks_q <= (old_rest_q ? 2'd0 : old_banks_q) | {new_bank_q, !new_bank_q};
            if (old_rest_q || new_low_q < old_low_q)   old_low_q  <= new_low_q;
            if (old_rest_q || new_high_q > old_high_q) old_high_q <= new_high_q;
        end
    end

    // Tags. No micro-operation is numbered between this one and its tags, as it is the last.
    reg               swap_q;         // the next MATMUL is the first one after weights
    reg  [TAG_W-1:0]  swaps_q;
    reg               c_load_q, c_store_q, c_issue_q;
    reg               c_swap_q;
    reg               c_touch_q;
    reg  [INFO_W-1:0] c_info_q;
    reg  [11:0] c_local_q;
    reg  [2:0] c_stride0_q;
    reg  [14:0] c_other_q;
    reg  [2:0] c_stride1_q;
    reg  [11:0] c_count_q;
    reg  [TAG_W-1:0]  c_load_tag_q, c_store_tag_q, c_move_tag_q, c_feed_tag_q, c_weights_tag_q;
    reg               c_apart_q;      // a load, from the stores with a stride
    reg  [TAG_W-1:0]  c_near_q, c_wide_q;      // of the same bank: this block, or all; with stride

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            swap_q    <= 1'b0;
            swaps_q   <= NONE;
            c_load_q  <= 1'b0;
            c_store_q <= 1'b0;
            c_issue_q <= 1'b0;
        end else begin
            if (go && t_weights_q)                        swap_q  <= 1'b1;
            if (go && t_kind == MATMUL)                   swap_q  <= 1'b0;
            if (go && t_kind == MATMUL && swap_q)         swaps_q <= swaps_q + ONE;
            c_load_q  <= go && t_load_q;
            c_store_q <= go && t_store_q;
            c_issue_q <= go && !t_dram;
        end
    end

    always @(posedge clk) begin
        c_swap_q        <= swap_q && t_kind == MATMUL;
        c_touch_q       <= t_touch_q;
        c_info_q        <= t_info_q;
        c_local_q       <= t_local_q;
        c_stride0_q     <= t_stride0_q;
        c_other_q       <= t_other_q;
        c_stride1_q     <= t_stride1_q;
        c_count_q       <= t_count_q;
        c_load_tag_q    <= load_last;
        c_store_tag_q   <= store_last;
        c_move_tag_q    <= move_last;
        c_feed_tag_q    <= feed_last;
        c_weights_tag_q <= weights_last;
        c_apart_q       <= t_load_q && new_apart && (old_rest_q || old_apart);
        if (t_load_q) begin
            c_near_q <= t_follow_q ? dram_store_last : t_bank ? store1_q : store0_q;
            c_wide_q <= t_bank ? wide_store1_q : wide_store0_q;
        end else begin
            c_near_q <= t_follow_q ? dram_load_last : t_bank ? load1_q : load0_q;
            c_wide_q <= t_bank ? wide_load1_q : wide_load0_q;
        end
    end

    wire [2:0]     c_kind = c_info_q[INFO_W-1:INFO_W-3];
    wire           c_bank = c_info_q[INFO_W-4];
    wire           c_zero = c_info_q[INFO_W-5];
    wire           c_accumulate = c_info_q[INFO_W-6];
    wire [INFO_W-7:0] c_simd = c_info_q[INFO_W-7:0];
    wire [TAG_W:0] need_load    = {c_touch_q && unfinished(c_load_tag_q, load_q, load2all_done),
                                   c_load_tag_q};
    wire [TAG_W:0] need_read    = {c_touch_q && unfinished(c_store_tag_q, store_q, store2all_read),
                                   c_store_tag_q};
    wire [TAG_W:0] need_moved   = {c_touch_q && unfinished(c_move_tag_q, move_q, acc2all_moved),
                                   c_move_tag_q};
    wire [TAG_W:0] need_feed    = {c_touch_q && unfinished(c_feed_tag_q, feed_q, feed2all_done),
                                   c_feed_tag_q};
    wire [TAG_W:0] need_weights = {c_touch_q &&
                                   unfinished(c_weights_tag_q, weights_q, weights2all_done),
                                   c_weights_tag_q};
    wire [TAG_W-1:0] dram_done  = c_load_q ? store2all_acked : load2all_done;
    wire [TAG_W-1:0] dram_last  = c_load_q ? store_q : load_q;
    wire           near         = unfinished(c_near_q, dram_last, dram_done);
    wire           wide         = unfinished(c_wide_q, dram_last, dram_done) && !c_apart_q;
    wire           nearer       = near && (!wide || c_near_q - c_wide_q < HALF);   // the later one
    wire [TAG_W:0] need_dram    = {near || wide, nearer ? c_near_q : c_wide_q};
    wire           c_takes      = c_kind == TO_LOCAL;

    // Outputs; there is room for all that went.
    wire load_in_ready, store_in_ready, issue_in_ready;

    tcu_room #(.DEPTH(2)) u_load_room (
        .clk(clk), .rst_n(rst_n), .take(go && t_load_q),
        .give(decode2load_valid && decode2load_ready), .room(load_room)
    );
    fifo_sync #(.W(126), .DEPTH(2)) u_load_out (
        .clk(clk), .rst_n(rst_n), .in_valid(c_load_q), .in_ready(load_in_ready),
        .in_data({c_bank, c_other_q[14:0], c_stride1_q, c_count_q,
                  c_local_q[11:0], c_stride0_q,
                  need_moved, need_read, need_feed, need_weights, need_dram}),
        .out_valid(decode2load_valid), .out_ready(decode2load_ready),
        .out_data({decode2load_bank, decode2load_addr, decode2load_stride, decode2load_count,
                   decode2load_local, decode2load_local_stride, decode2load_need_moved,
                   decode2load_need_read, decode2load_need_feed, decode2load_need_weights,
                   decode2load_need_acked})
    );

    tcu_room #(.DEPTH(2)) u_store_room (
        .clk(clk), .rst_n(rst_n), .take(go && t_store_q),
        .give(decode2store_valid && decode2store_ready), .room(store_room)
    );
    fifo_sync #(.W(94), .DEPTH(2)) u_store_out (
        .clk(clk), .rst_n(rst_n), .in_valid(c_store_q), .in_ready(store_in_ready),
        .in_data({c_bank, c_other_q[14:0], c_stride1_q, c_count_q,
                  c_local_q[11:0], c_stride0_q,
                  need_load, need_moved, need_dram}),
        .out_valid(decode2store_valid), .out_ready(decode2store_ready),
        .out_data({decode2store_bank, decode2store_addr, decode2store_stride, decode2store_count,
                   decode2store_local, decode2store_local_stride, decode2store_need_load,
                   decode2store_need_moved, decode2store_need_loaded_dram})
    );

    tcu_room #(.DEPTH(4)) u_issue_room (
        .clk(clk), .rst_n(rst_n), .take(go && !t_dram),
        .give(decode2issue_valid && decode2issue_ready), .room(issue_room)
    );
    fifo_sync #(.W(133), .DEPTH(4)) u_issue_out (
        .clk(clk), .rst_n(rst_n), .in_valid(c_issue_q), .in_ready(issue_in_ready),
        .in_data({c_kind, c_zero, c_accumulate, c_swap_q,
                  c_local_q[11:0], c_stride0_q,
                  c_other_q[11:0], c_stride1_q, c_count_q,
                  c_local_q[11:0], c_simd, need_load,
                  c_takes ? need_read : need_moved,
                  c_kind == WEIGHTS ? {1'b0, swaps_q} : need_feed,
                  c_takes ? need_weights : {c_swap_q, weights_q}}),
        .out_valid(decode2issue_valid), .out_ready(decode2issue_ready),
        .out_data({decode2issue_kind, decode2issue_zero, decode2issue_accumulate,
                   decode2issue_swap, decode2issue_local, decode2issue_local_stride,
                   decode2issue_acc, decode2issue_acc_stride, decode2issue_count,
                   decode2issue_simd_write, decode2issue_simd_op, decode2issue_simd_left,
                   decode2issue_simd_right, decode2issue_simd_dest, decode2issue_simd_read,
                   decode2issue_simd_write_en, decode2issue_need_load, decode2issue_need_b,
                   decode2issue_need_feed, decode2issue_need_weights})
    );

    assign score_busy = t_valid_q || c_load_q || c_store_q || c_issue_q ||
                        decode2load_valid || decode2store_valid || decode2issue_valid;

    wire unused = &{1'b0, load_in_ready, store_in_ready, issue_in_ready, c_local_q, c_other_q};

endmodule

`default_nettype wire
