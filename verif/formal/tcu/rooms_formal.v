// What cannot stall: tcu_feed asks only for vectors that have a place in the FIFOs of tcu_acc, and
// tcu_array brings a result for each vector. The accumulators take words whenever they like. By
// induction: places that are free, on their way or taken are as many as there are.
`default_nettype none

module rooms_formal #(
    parameter STEP = 0
) (
    input wire        clk,
    input wire        op_valid,
    input wire        op_matmul,
    input wire        op_zero,
    input wire        op_swap,
    input wire [2:0]  op_local,
    input wire        op_stride,
    input wire [2:0]  op_count,
    input wire [20:0] op_needs,
    input wire [17:0] numbers,        // of finished micro-operations
    input wire [1:0]  willing         // to take a result, a moved vector
);

    localparam RESULTS = 5'd16, MOVES = 5'd8;

    wire        rst_n, op_ready, busy;
    wire        read, to_array, swap, to_acc, from_array;
    wire [2:0]  read_addr;
    wire [5:0]  feed_done, swaps;
    wire [15:0] x, y, moved_x;
    wire [15:0] dut_result_word, dut_move_word;
    wire        some_result, some_move, taken, moved;
    reg  [1:0]  read_q;               // 1 and 2 cycles ago

    reset_once u_reset (.clk(clk), .rst_n(rst_n));

    always @(posedge clk) begin
        read_q <= rst_n ? {read_q[0], read} : 2'd0;
        assume (op_matmul || !op_zero);          // zeros go to the array only
    end

    tcu_feed u_dut (
        .clk(clk), .rst_n(rst_n), .feed_busy(busy),
        .issue2feed_valid(op_valid), .issue2feed_ready(op_ready), .issue2feed_matmul(op_matmul),
        .issue2feed_zero(op_zero), .issue2feed_swap(op_swap), .issue2feed_local(op_local),
        .issue2feed_local_stride(op_stride), .issue2feed_count(op_count),
        .issue2feed_need_load(op_needs[6:0]), .issue2feed_need_moved(op_needs[13:7]),
        .issue2feed_need_weights(op_needs[20:14]),
        .load2all_done(numbers[5:0]), .acc2all_moved(numbers[11:6]),
        .weights2all_done(numbers[17:12]), .feed2all_done(feed_done), .feed2weights_swaps(swaps),
        .feed2local_read(read), .feed2local_addr(read_addr), .local2feed_grant(read),
        .local2feed_valid(read_q[1]), .local2feed_data(16'd0),
        .feed2array_valid(to_array), .feed2array_swap(swap), .feed2array_x(x),
        .feed2acc_valid(to_acc), .feed2acc_data(moved_x),
        .acc2feed_taken(taken), .acc2feed_moved(moved)
    );
    tcu_array u_array (
        .clk(clk), .rst_n(rst_n), .weights2array_shift(1'b0), .weights2array_row(16'd0),
        .feed2array_valid(to_array), .feed2array_swap(swap), .feed2array_x(x),
        .array2acc_valid(from_array), .array2acc_y(y)
    );
    tcu_acc_fifo #(.W(16), .DEPTH(16)) u_results (
        .clk(clk), .rst_n(rst_n), .in_valid(from_array), .in_data(y), .some(some_result),
        .claim(some_result && willing[0]), .taken(taken), .out_data(dut_result_word)
    );
    tcu_acc_fifo #(.W(16), .DEPTH(8)) u_moves (
        .clk(clk), .rst_n(rst_n), .in_valid(to_acc), .in_data(moved_x), .some(some_move),
        .claim(some_move && willing[1]), .taken(moved), .out_data(dut_move_word)
    );

    // Registers, which formal.py connects; the words keep pointers in the circuit until then.
    wire [4:0] dut_results;           //= results_q
    wire [3:0] dut_moves;             //= moves_q
    wire       dut_result_place;      //= result_place_q
    wire       dut_move_place;        //= move_place_q
    wire [1:0] dut_zero_way;          //= zero_way_q
    wire [1:0] dut_matmul_way;        //= matmul_way_q
    wire       dut_run;               //= run_q
    wire       dut_zero;              //= zero_q
    wire       dut_matmul;            //= matmul_q
    wire       dut_head_zero;         //= head_zero_q
    wire       dut_head_matmul;       //= head_matmul_q
    wire       dut_head;              //= head_valid_q
    wire       dut_skid_full;         //= u_skid.full_q
    wire [30:0] dut_skid;             //= u_skid.data_q
    wire [5:0] dut_array;             //= .u_array.valid_q
    wire [4:0] dut_result_words;      //= .u_results.words_q
    wire [3:0] dut_move_words;        //= .u_moves.words_q
    wire [3:0] dut_result_wptr;       //= .u_results.wptr_q
    wire [3:0] dut_result_rptr;       //= .u_results.rptr_q
    wire [2:0] dut_move_wptr;         //= .u_moves.wptr_q
    wire [2:0] dut_move_rptr;         //= .u_moves.rptr_q

    function [4:0] ones;
        input [10:0] bits;
        ones = {4'd0, bits[0]} + {4'd0, bits[1]} + {4'd0, bits[2]} + {4'd0, bits[3]} +
               {4'd0, bits[4]} + {4'd0, bits[5]} + {4'd0, bits[6]} + {4'd0, bits[7]} +
               {4'd0, bits[8]} + {4'd0, bits[9]} + {4'd0, bits[10]};
    endfunction

    wire [4:0] result_held = dut_result_words + {4'd0, taken};      // places that are in use
    wire [3:0] move_held   = dut_move_words + {3'd0, moved};
    wire [4:0] result_way  = ones({dut_array, to_array, read_q & dut_matmul_way, dut_zero_way});
    wire [4:0] move_way    = ones({8'd0, to_acc, read_q & ~dut_matmul_way});

    claim #(.RANK(1), .STEP(STEP), .LAST(2)) u_ways (.clk(clk), .rst_n(rst_n), .holds(&{
        (read_q & dut_zero_way) == 2'd0,
        !dut_run || dut_matmul || !dut_zero,
        !dut_head || dut_head_matmul || !dut_head_zero,
        !dut_skid_full || dut_skid[30] || !dut_skid[29],
        dut_result_place == (dut_results != 5'd0),
        dut_move_place == (dut_moves != 4'd0),
        some_result == (dut_result_words != 5'd0),
        some_move == (dut_move_words != 4'd0)}));
    claim #(.RANK(1), .STEP(STEP), .LAST(2)) u_rooms (.clk(clk), .rst_n(rst_n), .holds(&{
        dut_result_words <= RESULTS,
        dut_move_words <= MOVES[3:0],
        result_held <= RESULTS,
        move_held <= MOVES[3:0],
        dut_results <= RESULTS,
        dut_moves <= MOVES[3:0],
        {1'b0, dut_results} + {1'b0, result_way} + {1'b0, result_held} == {1'b0, RESULTS},
        {1'b0, dut_moves} + move_way + {1'b0, move_held} == MOVES,
        dut_result_wptr - dut_result_rptr == result_held[3:0],
        dut_move_wptr - dut_move_rptr == move_held[2:0]}));

    // What comes has a place.
    claim #(.RANK(2), .STEP(STEP), .LAST(2)) u_fits (.clk(clk), .rst_n(rst_n), .holds(
        (!from_array || result_held < RESULTS) && (!to_acc || move_held < MOVES[3:0])));

    // Both FIFOs hold words, one is full.
    seen #(.STEP(STEP)) u_seen (.clk(clk), .rst_n(rst_n), .happens(
        result_held != 5'd0 && move_held == 4'd8));

endmodule

`default_nettype wire
