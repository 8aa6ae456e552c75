// Part of scoreboard_formal: an older micro-operation X, and a younger one Y from its turn to its
// unit. Y waits for X where they conflict, and what it waits for will be finished.

    // ------------------------------------------------------------------ X, the older one
    (* anyconst *) reg [1:0] block;   // of local memory
    (* anyconst *) reg       bank;    // of DRAM
    (* anyconst *) reg [1:0] dram;    // block of the bank
    (* anyseq *)   reg       pick_x;
    (* anyseq *)   reg       pick_y;

    function [W-1:0] of;              // the number of a unit
        input [2:0]     unit;
        input [N*W-1:0] all;
        of = unit == LOAD ? all[0 +: W] : unit == STORE ? all[W +: W] :
             unit == MOVE ? all[2*W +: W] : unit == FEED ? all[3*W +: W] : all[4*W +: W];
    endfunction

    function within;                  // low < number <= high
        input [W-1:0] low;
        input [W-1:0] number;
        input [W-1:0] high;
        within = high - number < high - low;
    endfunction

    reg          x_q;                 // it is not finished
    reg          x_read_q;            // a store: it has read local memory
    reg  [2:0]   x_unit_q;
    reg  [W-1:0] x_number_q;
    reg          x_block_q;           // touches the block of local memory
    reg          x_dram_q;            // touches the block of DRAM
    reg          x_follow_q;
    reg          x_new_q;             // no store with a stride has begun after it
    wire         go      = dut_go && t_unit != NO_UNIT;
    wire         take_x  = go && pick_x;
    wire         t_block = t_touch && dut_t_local[6:5] == block;
    wire         t_at    = t_dram && t_bank == bank &&
                           (dut_t_follow ? dut_t_other[7:6] == dram
                                         : dut_t_other[7:6] <= dram && dram <= dut_t_high);
    wire         begins_wide = go && t_wide && dut_t_first;
    wire [W-1:0] t_number = of(t_unit, last) + 6'd1;

    always @(posedge clk) begin
        if (!rst_n) begin
            x_q <= 1'b0;
        end else if (take_x) begin
            x_q        <= 1'b1;
            x_read_q   <= 1'b0;
            x_unit_q   <= t_unit;
            x_number_q <= t_number;
            x_block_q  <= t_block;
            x_dram_q   <= t_at;
            x_follow_q <= dut_t_follow;
            x_new_q    <= 1'b1;
        end else begin
            x_q      <= x_q && within(of(x_unit_q, next), x_number_q, of(x_unit_q, last));
            x_new_q  <= x_new_q && !begins_wide;
            x_read_q <= x_read_q || (x_unit_q == STORE &&
                                     !within(read_next, x_number_q, dut_store));
        end
    end

    // What the tables say of its unit, for the blocks.
    wire [4*W-1:0] load_table    = {dut_load_at3, dut_load_at2, dut_load_at1, dut_load_at0};
    wire [4*W-1:0] store_table   = {dut_store_at3, dut_store_at2, dut_store_at1, dut_store_at0};
    wire [4*W-1:0] move_table    = {dut_move_at3, dut_move_at2, dut_move_at1, dut_move_at0};
    wire [4*W-1:0] feed_table    = {dut_feed_at3, dut_feed_at2, dut_feed_at1, dut_feed_at0};
    wire [4*W-1:0] weights_table = {dut_weights_at3, dut_weights_at2, dut_weights_at1,
                                    dut_weights_at0};
    wire [4*W-1:0] dram_loads    = {dut_dram_load3, dut_dram_load2, dut_dram_load1,
                                    dut_dram_load0};
    wire [4*W-1:0] dram_stores   = {dut_dram_store3, dut_dram_store2, dut_dram_store1,
                                    dut_dram_store0};
    wire [N*W-1:0] tables = {weights_table[block*W +: W], feed_table[block*W +: W],
                             move_table[block*W +: W], store_table[block*W +: W],
                             load_table[block*W +: W]};
    wire [1:0]   entry    = {dram[0], bank};
    wire [W-1:0] x_table  = of(x_unit_q, tables);
    wire [W-1:0] x_last   = of(x_unit_q, last);
    wire [W-1:0] x_done   = of(x_unit_q, done);
    wire [W-1:0] x_before = x_number_q - 6'd1;
    wire [W-1:0] x_entry  = x_unit_q == LOAD ? dram_loads[entry*W +: W] : dram_stores[entry*W +: W];
    wire [W-1:0] x_bank   = x_unit_q == LOAD ? (bank ? dut_load1 : dut_load0)
                                             : (bank ? dut_store1 : dut_store0);
    wire         x_ranges = x_dram_q && !x_follow_q && x_unit_q == STORE;
    wire [W-1:0] x_wide   = x_unit_q == LOAD ? (bank ? dut_wide_load1 : dut_wide_load0)
                                             : (bank ? dut_wide_store1 : dut_wide_store0);

    claim #(.RANK(3), .STEP(STEP), .LAST(7)) u_x (.clk(clk), .rst_n(rst_n), .holds(
        dut_cleared <= 3'd4 && (!x_q || &{
            x_unit_q <= WEIGHTS,
            !x_dram_q || x_unit_q <= STORE,
            within(x_done, x_number_q, x_last),
            !x_read_q || x_unit_q == STORE,
            x_unit_q != STORE || x_read_q != within(store_read, x_number_q, dut_store),
            !x_block_q || (dut_cleared > {1'b0, block} && within(x_before, x_table, x_last)),
            !x_dram_q || within(x_before, x_bank, x_last),
            !(x_dram_q && x_follow_q) ||
                (dut_cleared > {1'b0, entry} && within(x_before, x_entry, x_last)),
            !(x_dram_q && !x_follow_q) || within(x_before, x_wide, x_last),
            !x_ranges || !x_new_q ||
                (dut_new_bank == bank && dut_new_low <= dram && dram <= dut_new_high),
            !x_ranges || x_new_q || (!dut_old_rest && within(x_before, dut_old, x_last) &&
                dut_old_banks[bank] && dut_old_low <= dram && dram <= dut_old_high)})));

    // ------------------------------------------------------------------ Y, the younger one
    // Places: behind its turn (C), in the FIFO, at its unit.
    localparam [1:0] C = 2'd0, QUEUE = 2'd1, UNIT = 2'd2;

    reg          y_q;                 // it is not finished
    reg  [1:0]   y_at_q;
    reg  [1:0]   y_ahead_q;           // in front of it in the FIFO
    reg          y_started_q;
    reg  [2:0]   y_kind_q;
    reg  [2:0]   y_unit_q;
    reg  [W-1:0] y_number_q;
    reg          y_turned_q;          // the epoch is over
    reg  [N*W-1:0] y_last_q;          // numbers given out before it
    reg          y_block_q;           // conflicts with X in local memory
    reg          y_dram_q;            // in DRAM
    reg  [ISSUE_W-1:0] y_word_q;      // in the FIFO
    reg  [6*W+5:0] y_tags_q;          // at its unit
    reg  [5:0]   y_met_q;             // its unit has seen them met
    wire         take_y  = go && pick_y && !y_q;
    wire         y_load  = y_unit_q == LOAD;
    wire         y_store = y_unit_q == STORE;
    wire         y_goes  = y_load ? load_pop : y_store ? store_pop : issue_pop;
    wire [1:0]   y_level = y_load ? load_level : y_store ? store_level : issue_level[1:0];
    wire         y_leaves = y_q && y_at_q == QUEUE && y_ahead_q == 2'd0 && y_goes;
    wire         conflict_block = x_q && x_block_q && !x_read_q && t_block && x_unit_q != t_unit &&
                                  (x_unit_q == LOAD || x_unit_q == MOVE || t_unit == LOAD ||
                                   t_unit == MOVE);
    wire         conflict_dram  = x_q && x_dram_q && t_at && x_unit_q != t_unit;

    // Its tags, all of the form {DRAM, weights, feed, moves, store, load}, each {valid, number}:
    // in a word of an output, and at the ports. A swap and its number are no matter here.
    function [6*W+5:0] tags;
        input [2:0] kind;
        input [ISSUE_W-1:0] word;
        reg [W:0] a, b, c, d, e;
        begin
            {a, b, c, d, e} = word[5*W+4:0];
            case (kind)
                K_LOAD:     tags = {e, d, c, a, b, NO_TAG};
                K_STORE:    tags = {e, NO_TAG, NO_TAG, d, NO_TAG, c};
                K_TO_LOCAL: tags = {NO_TAG, e, d, NO_TAG, c, b};
                default:    tags = {NO_TAG, NO_TAG, NO_TAG, c, NO_TAG, b};
            endcase
        end
    endfunction

    wire [ISSUE_W-1:0] in_word   = y_load ? {{ISSUE_W-LOAD_W{1'b0}}, dut_load_in} :
                                   y_store ? {{ISSUE_W-STORE_W{1'b0}}, dut_store_in}
                                           : dut_issue_in;
    wire [ISSUE_W-1:0] port_word = y_load ? {{ISSUE_W-LOAD_TAGS{1'b0}}, load_tags} :
                                   y_store ? {{ISSUE_W-STORE_TAGS{1'b0}}, store_tags}
                                           : {{ISSUE_W-ISSUE_TAGS{1'b0}}, issue_tags};
    wire [6*W+5:0] y_tags = y_at_q == C ? tags(y_kind_q, in_word) :
                            y_at_q == QUEUE ? tags(y_kind_q, y_word_q) : y_tags_q;

    // Numbers that each tag is compared with, and those given out.
    wire [6*W-1:0] reached = {y_load ? store_acked : load_done, weights_done, feed_done, moved,
                              store_read, load_done};
    wire [6*W-1:0] given   = {y_load ? dut_store : dut_load, last};
    wire [6*W-1:0] given_y = {y_load ? y_last_q[W +: W] : y_last_q[0 +: W], y_last_q};
    wire [6*W-1:0] from    = y_turned_q ? {y_load ? first[W +: W] : first[0 +: W], first}
                                        : {y_load ? before[W +: W] : before[0 +: W], before};
    wire [5:0]     y_need;            // tags that are valid
    wire [5:0]     y_meets;           // those that look met
    wire [5:0]     y_older;           // those that name an older one that is not finished
    wire [5:0]     y_sound;           // those that the epochs allow
    (* anyseq *) reg [5:0] look;
    (* anyseq *) reg       start;
    wire         starts = y_q && y_at_q == UNIT && !y_started_q && start && (&y_met_q);

    genvar t;
    wire [N-1:0] y_given;             // y_last_q is of the epoch of Y

    generate
        for (t = 0; t < N; t = t + 1) begin : gen_given
            wire [W-1:0] low  = y_turned_q ? before[t*W +: W] : begins[t*W +: W];
            wire [W-1:0] high = y_turned_q ? begins[t*W +: W] : last[t*W +: W];

            assign y_given[t] = y_last_q[t*W +: W] - low <= high - low;
        end
        for (t = 0; t < 6; t = t + 1) begin : gen_tag
            wire [W-1:0] number = y_tags[t*(W+1) +: W];

            assign y_need[t]  = y_tags[t*(W+1) + W];
            assign y_meets[t] = !y_need[t] || reached[t*W +: W] - number < HALF;
            assign y_older[t] = within(reached[t*W +: W], number, given[t*W +: W]) &&
                                given_y[t*W +: W] - number < HALF;
            assign y_sound[t] = !y_need[t] ||
                                within(from[t*W +: W], number, given_y[t*W +: W]);
        end
    endgenerate

    always @(posedge clk) begin
        if (!rst_n) begin
            y_q <= 1'b0;
        end else if (take_y) begin
            y_q         <= 1'b1;
            y_at_q      <= C;
            y_started_q <= 1'b0;
            y_met_q     <= 6'd0;
            y_kind_q    <= t_kind;
            y_unit_q    <= t_unit;
            y_number_q  <= t_number;
            y_turned_q  <= dut_turn;
            y_last_q    <= last;
            y_block_q   <= conflict_block && !take_x;
            y_dram_q    <= conflict_dram && !take_x;
        end else begin
            y_q <= y_q && within(of(y_unit_q, next), y_number_q, of(y_unit_q, last));
            if (y_at_q == C) begin
                y_at_q    <= QUEUE;
                y_ahead_q <= y_level - {1'b0, y_goes};
                y_word_q  <= in_word;
            end
            if (y_at_q == QUEUE && y_goes) begin
                if (y_ahead_q == 2'd0) y_at_q <= UNIT;
                y_ahead_q <= y_ahead_q - 2'd1;
            end
            if (y_leaves) y_tags_q <= tags(y_kind_q, port_word);
            if (y_at_q == UNIT) y_met_q <= y_met_q | (look & y_meets);
            y_started_q <= y_started_q || starts;
            y_turned_q  <= y_turned_q || (go && dut_turn);
            if (take_x || !x_q || x_read_q) y_block_q <= 1'b0;
            if (take_x || !x_q) y_dram_q <= 1'b0;
        end
        // Y is finished after it is started.
        if (rst_n && y_q && !y_started_q)
            assume (within(of(y_unit_q, next), y_number_q, of(y_unit_q, last)));
    end

    // The word of the FIFO that Y is.
    wire         l_at = dut_load_rptr + y_ahead_q[0];
    wire         s_at = dut_store_rptr + y_ahead_q[0];
    wire [1:0]   i_at = dut_issue_rptr + y_ahead_q;
    wire [LOAD_W-1:0]  l_word = l_at ? dut_load_out1 : dut_load_out0;
    wire [STORE_W-1:0] s_word = s_at ? dut_store_out1 : dut_store_out0;
    wire [ISSUE_W-1:0] i_word = i_at[1] ? (i_at[0] ? dut_issue_out3 : dut_issue_out2)
                                        : (i_at[0] ? dut_issue_out1 : dut_issue_out0);
    wire [2:0]   y_inside = y_load ? {1'b0, load_level} : y_store ? {1'b0, store_level}
                                                                  : issue_level;
    // The tag that is about X.
    wire [2:0]   x_tag  = x_unit_q;
    wire [W-1:0] x_seen = y_tags[x_tag*(W+1) +: W];
    wire [W-1:0] x_seen_dram = y_tags[5*(W+1) +: W];
    wire         x_waits = x_q && y_q && y_block_q && !x_read_q;
    wire         x_waits_dram = x_q && y_q && y_dram_q;
    wire [5:0]   y_has = y_load ? 6'b111110 : y_store ? 6'b100101 :
                         y_unit_q == MOVE ? 6'b011011 : 6'b000101;

    claim #(.RANK(4), .STEP(STEP), .LAST(7)) u_y (.clk(clk), .rst_n(rst_n), .holds(!y_q || &{
        y_at_q <= UNIT,
        y_unit_q == (y_kind_q == K_LOAD ? LOAD : y_kind_q == K_STORE ? STORE :
                     y_kind_q == K_TO_LOCAL ? MOVE : y_kind_q == K_WEIGHTS ? WEIGHTS : FEED),
        y_kind_q <= K_STORE && y_kind_q != 3'd4,
        within(of(y_unit_q, done), y_number_q, of(y_unit_q, last)),
        y_turned_q ? within(of(y_unit_q, before), y_number_q, of(y_unit_q, begins))
                   : within(of(y_unit_q, begins), y_number_q, of(y_unit_q, last)),
        y_given,
        !y_started_q || (y_at_q == UNIT && (&y_met_q)),
        y_at_q == UNIT || y_met_q == 6'd0,
        y_at_q != C || (y_load ? dut_c_load : y_store ? dut_c_store : dut_c_issue),
        y_at_q != QUEUE || {1'b0, y_ahead_q} < y_inside,
        y_at_q != QUEUE ||
            y_word_q == (y_load ? {{ISSUE_W-LOAD_W{1'b0}}, l_word} :
                         y_store ? {{ISSUE_W-STORE_W{1'b0}}, s_word} : i_word),
        !(y_block_q && x_q) || (x_unit_q != y_unit_q && x_block_q),
        !(y_dram_q && x_q) || (x_unit_q != y_unit_q && x_dram_q && y_unit_q <= STORE)}));
    claim #(.RANK(5), .STEP(STEP), .LAST(7)) u_tags (.clk(clk), .rst_n(rst_n), .holds(!y_q || &{
        y_sound,
        (y_need & ~y_has) == 6'd0}));
    claim #(.RANK(6), .STEP(STEP), .LAST(7)) u_waits (.clk(clk), .rst_n(rst_n), .holds(!y_q || &{
        !x_waits || (y_need[x_tag] && !y_met_q[x_tag] && within(x_before, x_seen, x_last)),
        !x_waits_dram || (y_need[5] && !y_met_q[5] && within(x_before, x_seen_dram, x_last))}));
    // Order: the tag about X is not met, and Y does not start. Progress: what Y waits for is older
    // and will be finished.
    claim #(.RANK(7), .STEP(STEP), .LAST(7)) u_order (.clk(clk), .rst_n(rst_n), .holds(!y_q || &{
        !x_waits || !y_meets[x_tag],
        !x_waits_dram || !y_meets[5],
        !x_waits || !starts,
        !x_waits_dram || !starts,
        y_meets | y_older}));

    // A store that waits in local memory and in DRAM.
    seen #(.STEP(STEP)) u_seen (.clk(clk), .rst_n(rst_n), .happens(
        y_q && y_started_q && y_kind_q == K_STORE && y_need[5] && y_need[0]));
