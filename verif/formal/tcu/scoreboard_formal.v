// tcu_scoreboard: micro-operations that conflict keep their order, no wait is for ever.
//
// The solver picks a block of local memory and one of DRAM, an older micro-operation X and a
// younger one Y. The units are abstract: they finish micro-operations in order, whenever they like,
// count with any delay, and start Y when they have seen each of its tags met. By induction, in
// steps: outputs, epochs, X in the tables, where Y is, its tags, what follows. X and Y are in
// scoreboard_order.vh.
`default_nettype none

module scoreboard_formal #(
    parameter STEP = 0
) (
    input wire        clk,
    input wire        piece_valid,
    input wire [14:0] piece_info,
    input wire        piece_follow,
    input wire [6:0]  piece_local,
    input wire        piece_stride0,
    input wire [7:0]  piece_other,
    input wire        piece_stride1,
    input wire [6:0]  piece_count,
    input wire        piece_first,
    input wire [1:0]  piece_high,
    input wire        load_ready,
    input wire        store_ready,
    input wire        issue_ready
);

    localparam W = 6;                 // bits of a number
    localparam N = 5;                 // units: load, store, moves of acc, feed, weights
    localparam [W-1:0] HALF = 6'd32, EPOCH = 6'd8, NONE = 6'd0;
    localparam [2:0] LOAD = 3'd0, STORE = 3'd1, MOVE = 3'd2, FEED = 3'd3, WEIGHTS = 3'd4,
                     NO_UNIT = 3'd5;
    localparam [2:0] K_WEIGHTS = 3'd0, K_MATMUL = 3'd1, K_TO_ACC = 3'd2, K_TO_LOCAL = 3'd3,
                     K_LOAD = 3'd5, K_STORE = 3'd6;
    localparam [W:0] NO_TAG = 7'd0;
    localparam LOAD_TAGS = 5 * (W + 1), STORE_TAGS = 3 * (W + 1), ISSUE_TAGS = 4 * (W + 1);
    localparam LOAD_W = 60, STORE_W = 46, ISSUE_W = 63;

    wire          rst_n;
    reg  [W-1:0]  load_done, store_read, store_acked, moved, feed_done, weights_done;
    wire          piece_ready, rest, clearing, busy;
    wire          load_valid, store_valid, issue_valid;
    wire          load_bank, store_bank;
    wire [7:0]    load_addr, store_addr;
    wire          load_stride, store_stride, issue_stride, load_step, store_step, issue_step;
    wire [6:0]    load_count, store_count, issue_count, load_local, store_local, issue_local;
    wire [2:0]    issue_kind;
    wire          issue_zero, issue_accumulate, issue_swap;
    wire [1:0]    issue_acc, issue_simd_write;
    wire [8:0]    issue_simd;
    wire [LOAD_TAGS-1:0]  load_tags;
    wire [STORE_TAGS-1:0] store_tags;
    wire [ISSUE_TAGS-1:0] issue_tags;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    tcu_scoreboard u_dut (
        .clk(clk), .rst_n(rst_n), .piece_valid(piece_valid), .piece_ready(piece_ready),
        .piece_info(piece_info), .piece_follow(piece_follow), .piece_local(piece_local),
        .piece_stride0(piece_stride0), .piece_other(piece_other), .piece_stride1(piece_stride1),
        .piece_count(piece_count), .piece_first(piece_first), .piece_high(piece_high),
        .decode2load_valid(load_valid), .decode2load_ready(load_ready),
        .decode2load_bank(load_bank), .decode2load_addr(load_addr),
        .decode2load_stride(load_stride), .decode2load_count(load_count),
        .decode2load_local(load_local), .decode2load_local_stride(load_step),
        .decode2load_need_moved(load_tags[4*W+4 +: W+1]),
        .decode2load_need_read(load_tags[3*W+3 +: W+1]),
        .decode2load_need_feed(load_tags[2*W+2 +: W+1]),
        .decode2load_need_weights(load_tags[W+1 +: W+1]),
        .decode2load_need_acked(load_tags[0 +: W+1]),
        .decode2store_valid(store_valid), .decode2store_ready(store_ready),
        .decode2store_bank(store_bank), .decode2store_addr(store_addr),
        .decode2store_stride(store_stride), .decode2store_count(store_count),
        .decode2store_local(store_local), .decode2store_local_stride(store_step),
        .decode2store_need_load(store_tags[2*W+2 +: W+1]),
        .decode2store_need_moved(store_tags[W+1 +: W+1]),
        .decode2store_need_loaded_dram(store_tags[0 +: W+1]),
        .decode2issue_valid(issue_valid), .decode2issue_ready(issue_ready),
        .decode2issue_kind(issue_kind), .decode2issue_zero(issue_zero),
        .decode2issue_accumulate(issue_accumulate), .decode2issue_swap(issue_swap),
        .decode2issue_local(issue_local), .decode2issue_local_stride(issue_step),
        .decode2issue_acc(issue_acc), .decode2issue_acc_stride(issue_stride),
        .decode2issue_count(issue_count), .decode2issue_simd_write(issue_simd_write),
        .decode2issue_simd_op(issue_simd[8:5]), .decode2issue_simd_left(issue_simd[4]),
        .decode2issue_simd_right(issue_simd[3]), .decode2issue_simd_dest(issue_simd[2]),
        .decode2issue_simd_read(issue_simd[1]), .decode2issue_simd_write_en(issue_simd[0]),
        .decode2issue_need_load(issue_tags[3*W+3 +: W+1]),
        .decode2issue_need_b(issue_tags[2*W+2 +: W+1]),
        .decode2issue_need_feed(issue_tags[W+1 +: W+1]),
        .decode2issue_need_weights(issue_tags[0 +: W+1]),
        .load2all_done(load_done), .store2all_read(store_read), .store2all_acked(store_acked),
        .acc2all_moved(moved), .feed2all_done(feed_done), .weights2all_done(weights_done),
        .rest(rest), .clearing(clearing), .score_busy(busy)
    );

    // Registers and wires of the scoreboard, which formal.py connects.
    wire         dut_go;              //= go
    wire         dut_turn;            //= turn
    wire         dut_t_valid;         //= t_valid_q
    wire [14:0]  dut_t_info;          //= t_info_q
    wire         dut_t_follow;        //= t_follow_q
    wire [6:0]   dut_t_local;         //= t_local_q
    wire         dut_t_stride0;       //= t_stride0_q
    wire [7:0]   dut_t_other;         //= t_other_q
    wire         dut_t_stride1;       //= t_stride1_q
    wire [6:0]   dut_t_count;         //= t_count_q
    wire         dut_t_load;          //= t_load_q
    wire         dut_t_store;         //= t_store_q
    wire         dut_t_move;          //= t_move_q
    wire         dut_t_feed;          //= t_feed_q
    wire         dut_t_weights;       //= t_weights_q
    wire         dut_t_touch;         //= t_touch_q
    wire [W-1:0] dut_load;            //= load_q
    wire [W-1:0] dut_store;           //= store_q
    wire [W-1:0] dut_move;            //= move_q
    wire [W-1:0] dut_feed;            //= feed_q
    wire [W-1:0] dut_weights;         //= weights_q
    wire [W-1:0] dut_load_mark;       //= load_mark_q
    wire [W-1:0] dut_store_mark;      //= store_mark_q
    wire [W-1:0] dut_move_mark;       //= move_mark_q
    wire [W-1:0] dut_feed_mark;       //= feed_mark_q
    wire [W-1:0] dut_weights_mark;    //= weights_mark_q
    wire [2:0]   dut_epoch;           //= epoch_q
    wire         dut_turned;          //= turned_q
    wire         dut_settled;         //= settled_q
    wire [2:0]   dut_cleared;         //= clear_q
    wire [W-1:0] dut_load_at0;        //= u_load.mem[0]
    wire [W-1:0] dut_load_at1;        //= u_load.mem[1]
    wire [W-1:0] dut_load_at2;        //= u_load.mem[2]
    wire [W-1:0] dut_load_at3;        //= u_load.mem[3]
    wire [W-1:0] dut_store_at0;       //= u_store.mem[0]
    wire [W-1:0] dut_store_at1;       //= u_store.mem[1]
    wire [W-1:0] dut_store_at2;       //= u_store.mem[2]
    wire [W-1:0] dut_store_at3;       //= u_store.mem[3]
    wire [W-1:0] dut_move_at0;        //= u_move.mem[0]
    wire [W-1:0] dut_move_at1;        //= u_move.mem[1]
    wire [W-1:0] dut_move_at2;        //= u_move.mem[2]
    wire [W-1:0] dut_move_at3;        //= u_move.mem[3]
    wire [W-1:0] dut_feed_at0;        //= u_feed.mem[0]
    wire [W-1:0] dut_feed_at1;        //= u_feed.mem[1]
    wire [W-1:0] dut_feed_at2;        //= u_feed.mem[2]
    wire [W-1:0] dut_feed_at3;        //= u_feed.mem[3]
    wire [W-1:0] dut_weights_at0;     //= u_weights.mem[0]
    wire [W-1:0] dut_weights_at1;     //= u_weights.mem[1]
    wire [W-1:0] dut_weights_at2;     //= u_weights.mem[2]
    wire [W-1:0] dut_weights_at3;     //= u_weights.mem[3]
    wire [W-1:0] dut_dram_load0;      //= u_dram_load.mem[0]
    wire [W-1:0] dut_dram_load1;      //= u_dram_load.mem[1]
    wire [W-1:0] dut_dram_load2;      //= u_dram_load.mem[2]
    wire [W-1:0] dut_dram_load3;      //= u_dram_load.mem[3]
    wire [W-1:0] dut_dram_store0;     //= u_dram_store.mem[0]
    wire [W-1:0] dut_dram_store1;     //= u_dram_store.mem[1]
    wire [W-1:0] dut_dram_store2;     //= u_dram_store.mem[2]
    wire [W-1:0] dut_dram_store3;     //= u_dram_store.mem[3]
    wire [W-1:0] dut_load0;           //= load0_q
    wire [W-1:0] dut_load1;           //= load1_q
    wire [W-1:0] dut_store0;          //= store0_q
    wire [W-1:0] dut_store1;          //= store1_q
    wire [W-1:0] dut_wide_load0;      //= wide_load0_q
    wire [W-1:0] dut_wide_load1;      //= wide_load1_q
    wire [W-1:0] dut_wide_store0;     //= wide_store0_q
    wire [W-1:0] dut_wide_store1;     //= wide_store1_q
    wire         dut_t_first;         //= t_first_q
    wire [1:0]   dut_t_high;          //= t_high_q
    wire [1:0]   dut_new_low;         //= new_low_q
    wire [1:0]   dut_new_high;        //= new_high_q
    wire         dut_new_bank;        //= new_bank_q
    wire [1:0]   dut_old_low;         //= old_low_q
    wire [1:0]   dut_old_high;        //= old_high_q
    wire [1:0]   dut_old_banks;       //= old_banks_q
    wire [W-1:0] dut_old;             //= old_q
    wire         dut_old_rest;        //= old_rest_q
    wire         dut_c_load;          //= c_load_q
    wire         dut_c_store;         //= c_store_q
    wire         dut_c_issue;         //= c_issue_q
    wire [LOAD_W-1:0]  dut_load_in;   //= u_load_out.in_data
    wire [STORE_W-1:0] dut_store_in;  //= u_store_out.in_data
    wire [ISSUE_W-1:0] dut_issue_in;  //= u_issue_out.in_data
    wire [LOAD_W-1:0]  dut_load_out0;    //= u_load_out.u_mem.mem[0]
    wire [LOAD_W-1:0]  dut_load_out1;    //= u_load_out.u_mem.mem[1]
    wire [STORE_W-1:0] dut_store_out0;   //= u_store_out.u_mem.mem[0]
    wire [STORE_W-1:0] dut_store_out1;   //= u_store_out.u_mem.mem[1]
    wire [ISSUE_W-1:0] dut_issue_out0;   //= u_issue_out.u_mem.mem[0]
    wire [ISSUE_W-1:0] dut_issue_out1;   //= u_issue_out.u_mem.mem[1]
    wire [ISSUE_W-1:0] dut_issue_out2;   //= u_issue_out.u_mem.mem[2]
    wire [ISSUE_W-1:0] dut_issue_out3;   //= u_issue_out.u_mem.mem[3]
    wire         dut_load_wptr;       //= u_load_out.wptr_q
    wire         dut_load_rptr;       //= u_load_out.rptr_q
    wire         dut_load_in_ready;   //= u_load_out.in_ready
    wire [1:0]   dut_load_places;     //= u_load_room.count_q
    wire         dut_load_room;       //= load_room
    wire         dut_store_wptr;      //= u_store_out.wptr_q
    wire         dut_store_rptr;      //= u_store_out.rptr_q
    wire         dut_store_in_ready;  //= u_store_out.in_ready
    wire [1:0]   dut_store_places;    //= u_store_room.count_q
    wire         dut_store_room;      //= store_room
    wire [1:0]   dut_issue_wptr;      //= u_issue_out.wptr_q
    wire [1:0]   dut_issue_rptr;      //= u_issue_out.rptr_q
    wire         dut_issue_in_ready;  //= u_issue_out.in_ready
    wire [2:0]   dut_issue_places;    //= u_issue_room.count_q
    wire         dut_issue_room;      //= issue_room

    // Numbers of all units, load in the low bits.
    wire [N*W-1:0] last = {dut_weights, dut_feed, dut_move, dut_store, dut_load};
    wire [N*W-1:0] done = {weights_done, feed_done, moved, store_acked, load_done};
    wire [N*W-1:0] mark = {dut_weights_mark, dut_feed_mark, dut_move_mark, dut_store_mark,
                           dut_load_mark};

    // Sides of the links: pieces and outputs hold while they wait.
    held #(.W(43), .ASSUME(1)) u_in (
        .clk(clk), .rst_n(rst_n), .valid(piece_valid), .ready(piece_ready),
        .data({piece_info, piece_follow, piece_local, piece_stride0, piece_other, piece_stride1,
               piece_count, piece_first, piece_high}));
    held #(.W(LOAD_W)) u_load_held (
        .clk(clk), .rst_n(rst_n), .valid(load_valid), .ready(load_ready),
        .data({load_bank, load_addr, load_stride, load_count, load_local, load_step, load_tags}));
    held #(.W(STORE_W)) u_store_held (
        .clk(clk), .rst_n(rst_n), .valid(store_valid), .ready(store_ready),
        .data({store_bank, store_addr, store_stride, store_count, store_local, store_step,
               store_tags}));
    held #(.W(ISSUE_W)) u_issue_held (
        .clk(clk), .rst_n(rst_n), .valid(issue_valid), .ready(issue_ready),
        .data({issue_kind, issue_zero, issue_accumulate, issue_swap, issue_local, issue_step,
               issue_acc, issue_stride, issue_count, issue_simd_write, issue_simd, issue_tags}));

    // ------------------------------------------------------------------ FIFOs at the outputs
    wire [1:0] load_level  = load_valid ? {!dut_load_in_ready, dut_load_in_ready} : 2'd0;
    wire [1:0] store_level = store_valid ? {!dut_store_in_ready, dut_store_in_ready} : 2'd0;
    wire [1:0] issue_some  = dut_issue_wptr - dut_issue_rptr;
    wire [2:0] issue_level = dut_issue_in_ready ? {1'b0, issue_some} : 3'd4;
    wire       load_pop    = load_valid && load_ready;
    wire       store_pop   = store_valid && store_ready;
    wire       issue_pop   = issue_valid && issue_ready;

    claim #(.RANK(1), .STEP(STEP), .LAST(7)) u_outputs (.clk(clk), .rst_n(rst_n), .holds(&{
        !dut_c_load || dut_load_in_ready,
        !dut_c_store || dut_store_in_ready,
        !dut_c_issue || dut_issue_in_ready,
        dut_load_in_ready || load_valid,
        dut_store_in_ready || store_valid,
        dut_issue_in_ready || issue_some == 2'd0,
        (dut_load_wptr != dut_load_rptr) == (load_level == 2'd1),
        (dut_store_wptr != dut_store_rptr) == (store_level == 2'd1),
        issue_valid == (issue_level != 3'd0),
        dut_load_places == load_level + {1'b0, dut_c_load},
        dut_store_places == store_level + {1'b0, dut_c_store},
        dut_issue_places == issue_level + {2'b0, dut_c_issue},
        dut_load_room == (dut_load_places != 2'd2),
        dut_store_room == (dut_store_places != 2'd2),
        dut_issue_room == (dut_issue_places != 3'd4),
        {1'b0, dut_c_load} + {1'b0, dut_c_store} + {1'b0, dut_c_issue} <= 2'd1}));

    // ------------------------------------------------------------------ turn
    wire [2:0] t_kind = dut_t_info[14:12];
    wire       t_bank = dut_t_info[11];
    wire [2:0] t_unit = t_kind == K_LOAD ? LOAD : t_kind == K_STORE ? STORE :
                        t_kind == K_TO_LOCAL ? MOVE : t_kind == K_WEIGHTS ? WEIGHTS :
                        t_kind == K_MATMUL || t_kind == K_TO_ACC ? FEED : NO_UNIT;
    wire       t_zero = dut_t_info[10];
    wire       t_touch = t_unit != NO_UNIT && !t_zero;
    wire       t_dram  = t_unit == LOAD || t_unit == STORE;
    reg  [42:0] piece_q;
    reg         piece_taken_q;

    always @(posedge clk) begin
        piece_taken_q <= rst_n && piece_valid && piece_ready;
        piece_q       <= {piece_info, piece_follow, piece_local, piece_stride0, piece_other,
                          piece_stride1, piece_count, piece_first, piece_high};
    end

    always @(posedge clk) begin
        // What tcu_decode makes: a kind that exists; only MATMUL and WEIGHTS have zeros.
        if (piece_valid) begin
            assume (piece_info[14:12] != 3'd7);
            assume (!piece_info[10] || piece_info[14:12] <= 3'd1);
        end
    end

    claim #(.RANK(1), .STEP(STEP), .LAST(7)) u_turn (.clk(clk), .rst_n(rst_n), .holds(
        (!piece_taken_q || (dut_t_valid && piece_q ==
            {dut_t_info, dut_t_follow, dut_t_local, dut_t_stride0, dut_t_other, dut_t_stride1,
             dut_t_count, dut_t_first, dut_t_high})) &&
        (!dut_t_valid || &{
            t_kind != 3'd7 && (!t_zero || t_kind <= 3'd1),
            dut_t_load == (t_unit == LOAD),
            dut_t_store == (t_unit == STORE),
            dut_t_move == (t_unit == MOVE),
            dut_t_feed == (t_unit == FEED),
            dut_t_weights == (t_unit == WEIGHTS),
            dut_t_touch == t_touch,
            !t_dram || dut_t_other[7:6] <= dut_t_high})));

    // The last store with a stride up to the last piece that came: its first and last block so far,
    // and what the scoreboard has noted of it when its turn is over.
    wire       piece_wide = piece_info[14:12] == K_STORE && !piece_follow;
    wire       t_wide     = dut_t_valid && t_unit == STORE && !dut_t_follow;
    reg  [1:0] wide_low_q, wide_high_q;
    reg        wide_bank_q;

    always @(posedge clk) begin
        if (!rst_n) begin
            wide_low_q  <= 2'd0;
            wide_high_q <= 2'd0;
            wide_bank_q <= 1'b0;
        end else if (piece_valid && piece_ready && piece_wide) begin
            if (piece_first) wide_low_q <= piece_other[7:6];
            wide_high_q <= piece_high;
            wide_bank_q <= piece_info[11];
        end
        // What tcu_split makes: blocks of an instruction go up.
        if (piece_valid && (piece_info[14:12] == K_STORE || piece_info[14:12] == K_LOAD))
            assume (piece_other[7:6] <= piece_high);
        if (piece_valid && piece_wide && !piece_first)
            assume (piece_info[11] == wide_bank_q && piece_other[7:6] >= wide_low_q &&
                    piece_high >= wide_high_q);
    end

    claim #(.RANK(1), .STEP(STEP), .LAST(7)) u_wide (.clk(clk), .rst_n(rst_n), .holds(
        !t_wide ? {dut_new_low, dut_new_high, dut_new_bank} ==
                  {wide_low_q, wide_high_q, wide_bank_q} :
        {dut_t_high, t_bank} == {wide_high_q, wide_bank_q} && wide_low_q <= dut_t_other[7:6] &&
        (dut_t_first ? wide_low_q == dut_t_other[7:6]
                     : wide_low_q == dut_new_low && dut_new_high <= dut_t_high &&
                       dut_new_bank == t_bank)));

    // ------------------------------------------------------------------ units
    // Each counter goes on by any number of those that are given out; writes are acknowledged
    // after their reads. Y is finished after it is started, see below.
    (* anyseq *) reg [6*W-1:0] steps;
    wire [W-1:0] load_next    = load_done + steps[0*W +: W];
    wire [W-1:0] acked_next   = store_acked + steps[1*W +: W];
    wire [W-1:0] moved_next   = moved + steps[2*W +: W];
    wire [W-1:0] feed_next    = feed_done + steps[3*W +: W];
    wire [W-1:0] weights_next = weights_done + steps[4*W +: W];
    wire [W-1:0] read_next    = store_read + steps[5*W +: W];
    wire [N*W-1:0] next = {weights_next, feed_next, moved_next, acked_next, load_next};

    always @(posedge clk) begin
        assume (steps[0*W +: W] <= dut_load - load_done);
        assume (steps[1*W +: W] <= store_read - store_acked);
        assume (steps[2*W +: W] <= dut_move - moved);
        assume (steps[3*W +: W] <= dut_feed - feed_done);
        assume (steps[4*W +: W] <= dut_weights - weights_done);
        assume (steps[5*W +: W] <= dut_store - store_read);
        if (!rst_n) begin
            load_done    <= NONE;
            store_acked  <= NONE;
            moved        <= NONE;
            feed_done    <= NONE;
            weights_done <= NONE;
            store_read   <= NONE;
        end else begin
            load_done    <= load_next;
            store_acked  <= acked_next;
            moved        <= moved_next;
            feed_done    <= feed_next;
            weights_done <= weights_next;
            store_read   <= read_next;
        end
    end

    // ------------------------------------------------------------------ epochs
    // Numbers at the beginning of this epoch, of the one before and of that before it.
    reg  [N*W-1:0] before_q, first_q;
    reg            turned2_q;
    wire [N*W-1:0] begins = dut_turned ? last : mark;
    wire [N*W-1:0] before = dut_turned ? mark : before_q;
    wire [N*W-1:0] first  = dut_turned ? before_q : first_q;
    wire [N-1:0]   epochs_hold;
    wire [N-1:0]   all_settled;
    wire [N*W-1:0] in_this, in_before, in_first;

    always @(posedge clk) begin
        if (!rst_n) begin
            before_q  <= {N*W{1'b0}};
            first_q   <= {N*W{1'b0}};
            turned2_q <= 1'b0;
        end else begin
            before_q  <= before;
            first_q   <= first;
            turned2_q <= dut_turned;
        end
    end

    genvar u;
    generate
        for (u = 0; u < N; u = u + 1) begin : gen_unit
            wire [W-1:0] l = last[u*W +: W];
            wire [W-1:0] b = before[u*W +: W];

            assign in_this[u*W +: W]   = l - begins[u*W +: W];
            assign in_before[u*W +: W] = begins[u*W +: W] - b;
            assign in_first[u*W +: W]  = b - first[u*W +: W];
            assign epochs_hold[u] = in_this[u*W +: W] <= {3'd0, dut_epoch} &&
                                    in_before[u*W +: W] <= EPOCH &&
                                    in_first[u*W +: W] <= EPOCH && done[u*W +: W] - b <= l - b;
            assign all_settled[u] = done[u*W +: W] - begins[u*W +: W] <= in_this[u*W +: W];
        end
    endgenerate

    claim #(.RANK(2), .STEP(STEP), .LAST(7)) u_epochs (.clk(clk), .rst_n(rst_n), .holds(&{
        epochs_hold,
        store_read - store_acked <= dut_store - store_acked,
        !dut_turned || dut_epoch == 3'd0,
        !turned2_q || dut_epoch <= 3'd1,
        !dut_settled || dut_turned || turned2_q || (&all_settled)}));

    `include "scoreboard_order.vh"

endmodule

`default_nettype wire
