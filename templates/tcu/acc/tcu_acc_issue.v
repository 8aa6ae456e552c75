// Micro-operations of the accumulators as elements, one per cycle: with `go` one starts.
//
//     issue --> skid --> micro-operation --> element --> stages 1 .. ${simd_stages + 4}
//                             wait              |  ^            |
//                                               v  +-- match ---+
//
// A micro-operation waits for the numbers of others that it needs. While an element comes out of
// it, its address is compared with those of the writes under way, a stage on in the next cycle: the
// element waits until no stage matches, for its vector, and for registers. What only adds to what
//% if array_vectors == 2
// it reads may follow right behind the write, one or two behind: it takes the value out of the
// stages. Two elements of a MatMul whose accumulators are in different banks go together.
//% else
// it reads may follow right behind the write, or one behind: it takes the value out of the stages.
//% end
// Reset: empty.
`default_nettype none

module tcu_acc_issue (
    input  wire         clk,
    input  wire         rst_n,
    output wire         busy,

    // micro-operations
    input  wire         issue2acc_valid,
    output wire         issue2acc_ready,
    input  wire [2:0]   issue2acc_kind,
    input  wire         issue2acc_accumulate,
    input  wire [${local_addr_w - 1:2}:0]  issue2acc_local,
    input  wire [${stride_code0_w - 1:2}:0]  issue2acc_local_stride, // steps of 2^stride vectors
    input  wire [${acc_addr_w - 1:2}:0]  issue2acc_acc,          // SIMD: read
    input  wire [${stride_code1_w - 1:2}:0]  issue2acc_acc_stride,
    input  wire [${size_w - 1:2}:0]  issue2acc_count,        // vectors - 1
    input  wire [${acc_addr_w - 1:2}:0]  issue2acc_simd_write,
    input  wire [${simd_op_w - 1:2}:0]  issue2acc_simd_op,
    input  wire [${simd_code_w - 1:2}:0]  issue2acc_simd_left,
    input  wire [${simd_code_w - 1:2}:0]  issue2acc_simd_right,
    input  wire [${simd_code_w - 1:2}:0]  issue2acc_simd_dest,
    input  wire         issue2acc_simd_read,
    input  wire         issue2acc_simd_write_en,
    input  wire [${transfer_tag_w:2}:0]  issue2acc_need_load,    // {valid, number of the other one}
    input  wire [${transfer_tag_w:2}:0]  issue2acc_need_read,
    input  wire [${compute_tag_w:2}:0]  issue2acc_need_feed,
    input  wire [${compute_tag_w:2}:0]  issue2acc_need_weights,

    // numbers of micro-operations that are done
    input  wire [${transfer_tag_w - 1:2}:0]  load2all_done,
    input  wire [${transfer_tag_w - 1:2}:0]  store2all_read,
    input  wire [${compute_tag_w - 1:2}:0]  feed2all_done,
    input  wire [${compute_tag_w - 1:2}:0]  weights2all_done,

    // What elements wait for
    input  wire         some_result,
    input  wire         some_move,
    input  wire         full,                   // no place on the way to local memory
//% if simd_registers_depth > 0
    input  wire [${simd_registers_depth - 1:2}:0]  unknown,                // registers that are not yet known to products
//% end

    // Element
    output wire         go,
    output reg          is_result,
//% if array_vectors == 2
    output reg          pair,                   // two results, the second one for row1
    output wire [${acc_row_w - 1:2}:0]  row1,                   // in the other bank
    input  wire         two_results,
//% end
    output reg          is_move,
    output reg          is_local,
    output reg          last,                   // of its micro-operation
    output wire         read,
    output reg  [${acc_addr_w - 1:2}:0]  read_addr,
    output reg  [${local_addr_w - 1:2}:0]  local_addr,
    output reg          no_left,                // see tcu_acc_lane: fetch
    output reg          constant,
    output reg          one,
    output reg  [1:0]   right,
    output wire         of_last,                // left is the value of the element before
    output wire         of_before,              // of the one before that
    output wire         of_third,               // of the one before these  //% if array_vectors == 2
    output reg  [7:0]   element_function,       // product, of the value before, subtract, func, ...
//% if simd_registers_depth > 0
    output reg          left_early,
    output reg          left_reg,
    output reg          right_reg,
    output reg  [${max(1, clog2(simd_registers_depth)) - 1:2}:0]  left_at,
    output reg  [${max(1, clog2(simd_registers_depth)) - 1:2}:0]  right_at,
    output reg  [${simd_registers_depth - 1:2}:0]  dest,                   // registers that get the value
    output reg          early,                  // it is what is read, or zero
//% end
//% if lut_tables > 0
    input  wire         hold,                   // nothing goes
    output reg          lookup,
    output reg          is_lut,                 // a move that goes to a table
    output reg  [${simd_code_w - 1:2}:0]  code,                   // destination, or number of the table
//% end

    // In stage ${simd_stages + 4}
    output wire         write,
    output wire [${acc_addr_w - 1:2}:0]  write_addr
//% if array_vectors == 2
    ,
    output wire         write1,
    output reg  [${acc_row_w - 1:2}:0]  write_row1
//% end
);

    localparam A         = ${acc_addr_w};
    localparam L         = ${local_addr_w};
    localparam STRIDE0_W = ${stride_code0_w};
    localparam STRIDE1_W = ${stride_code1_w};
    localparam SIZE_W    = ${size_w};
    localparam OP_W      = ${simd_op_w};
    localparam CODE_W    = ${simd_code_w};
    localparam T         = ${transfer_tag_w};
    localparam C         = ${compute_tag_w};
    localparam STORE     = ${simd_stages + 4};                // stage that writes accumulators
//% if simd_registers_depth > 0
    localparam R         = ${simd_registers_depth};
    localparam I         = ${max(1, clog2(simd_registers_depth))};
//% end
    localparam [2:0] MATMUL = 3'd1, TO_ACC = 3'd2, TO_LOCAL = 3'd3, SIMD = 3'd4;
//% if lut_tables > 0
    localparam [2:0] TO_LUT = 3'd7;
    localparam [31:0] TABLES = ${lut_tables};
//% end

    // ---------------------------------------------------------------- next micro-operation
    localparam NEEDS_W = 2 * (T + 1) + 2 * (C + 1);
    localparam FIELDS_W = 3 + 1 + L + STRIDE0_W + 2 * A + STRIDE1_W + SIZE_W + OP_W + 3 * CODE_W
                        + 2;

    wire                 next_valid;
    wire [NEEDS_W-1:0]   next_needs;
    wire [FIELDS_W-1:0]  next_fields;
    wire                 take;

    skid_buffer #(.W(NEEDS_W + FIELDS_W)) u_skid (
        .clk (clk), .rst_n (rst_n),
        .in_valid (issue2acc_valid), .in_ready (issue2acc_ready),
        .in_data ({issue2acc_need_load, issue2acc_need_read, issue2acc_need_feed,
                   issue2acc_need_weights, issue2acc_kind, issue2acc_accumulate, issue2acc_local,
                   issue2acc_local_stride, issue2acc_acc, issue2acc_acc_stride, issue2acc_count,
                   issue2acc_simd_write, issue2acc_simd_op, issue2acc_simd_left,
                   issue2acc_simd_right, issue2acc_simd_dest, issue2acc_simd_read,
                   issue2acc_simd_write_en}),
        .out_valid (next_valid), .out_ready (take), .out_data ({next_needs, next_fields})
    );

    wire [2:0]           next_kind;
    wire                 next_accumulate;
    wire [L-1:0]         next_local;
    wire [STRIDE0_W-1:0] next_local_stride;
    wire [A-1:0]         next_acc;
    wire [STRIDE1_W-1:0] next_acc_stride;
    wire [SIZE_W-1:0]    next_count;
    wire [A-1:0]         next_simd_write;
    wire [OP_W-1:0]      next_op;
    wire [CODE_W-1:0]    next_left;
    wire [CODE_W-1:0]    next_right;
    wire [CODE_W-1:0]    next_dest;
    wire                 next_read;
    wire                 next_write_en;

    assign {next_kind, next_accumulate, next_local, next_local_stride, next_acc, next_acc_stride,
            next_count, next_simd_write, next_op, next_left, next_right, next_dest, next_read,
            next_write_en} = next_fields;

    wire       next_is_simd = next_kind == SIMD;
    wire       next_left_read, next_right_read, next_right_one, next_multiply, next_subtract;
    wire [1:0] next_func, next_truth;
    wire       next_other;
//% if simd_registers_depth > 0
    wire       next_left_reg, next_right_reg, next_early;
    wire [I-1:0] next_left_at, next_right_at;
//%   if lut_tables > 0
    wire       next_lookup = next_op == ${simd_op_w}'d16;
    wire       next_is_lut = next_kind == TO_LUT;
//%   end
//% else
    wire unused_dest = &{1'b0, next_dest};
//% end

    tcu_acc_decode u_decode (
        .op         (next_op),
        .left       (next_left),
        .right      (next_right),
        .read       (next_read),
        .left_read  (next_left_read),
//% if simd_registers_depth > 0
        .left_reg   (next_left_reg),
        .left_at    (next_left_at),
        .right_reg  (next_right_reg),
        .right_at   (next_right_at),
        .early      (next_early),
//% end
        .right_read (next_right_read),
        .right_one  (next_right_one),
        .multiply   (next_multiply),
        .subtract   (next_subtract),
        .func       (next_func),
        .other      (next_other),
        .truth      (next_truth)
    );

    // ---------------------------------------------------------------- micro-operation
    // The function of an element, as it goes through the stages: a product, right operand is the
    // value before, subtract, func, other, truth.
    localparam F = 8;
    localparam [F-1:0] ADD_LAST = 8'b01_0_00_0_00;

    reg               valid_q;
    reg  [NEEDS_W-1:0] needs_q;
    reg  [3:0]        wait_q;                 // for load, store, feed, weights
    reg               is_result_q;
    reg               is_move_q;
    reg               is_local_q;
    reg               is_simd_q;
    reg               read_q;
    reg               write_q;
    reg               both_q;                 // the first of two elements of SIMD
    reg               more_q;                 // vectors follow
    reg  [A-1:0]      addr_q;
//% if array_vectors == 2
    reg               one_more_q;             // just one
    reg  [A-1:0]      addr1_q;                // the next address
    wire              pair_up = is_result_q && more_q && (^addr_q) != (^addr1_q);
    wire              all     = !both_q && (!more_q || (pair_up && one_more_q));
//% else
    wire              all     = !both_q && !more_q;
//% end
    reg  [SIZE_W-1:0] count_q;
    reg  [A-1:0]      step_q;
    reg  [A-1:0]      simd_write_q;
    reg  [L-1:0]      local_q;
    reg  [L-1:0]      local_step_q;
    reg               left_read_q;
    reg               right_read_q;
    reg               right_one_q;
    reg  [F-1:0]      function_q;
//% if simd_registers_depth > 0
    reg               left_reg_q;
    reg               right_reg_q;
    reg  [I-1:0]      left_at_q;
    reg  [I-1:0]      right_at_q;
    reg  [R-1:0]      dest_q;                 // registers that get the value
    reg               early_q;
//% end
//% if lut_tables > 0
    reg               lookup_q;
    reg               is_lut_q;
    reg  [CODE_W-1:0] code_q;
//% end

    wire       advance;                       // its element becomes the one that goes next
    wire       two_parts = next_is_simd && next_accumulate && next_write_en;
    wire       adds      = !next_is_simd && next_accumulate;
    wire       to_local  = next_kind == TO_LOCAL;

    assign take = !valid_q || (advance && all);

    // Numbers that others have reached, less those that are waited for: below 0 not yet.
    wire [T-1:0] past_load    = load2all_done - needs_q[2*C+T+3 +: T];
    wire [T-1:0] past_read    = store2all_read - needs_q[2*C+2 +: T];
    wire [C-1:0] past_feed    = feed2all_done - needs_q[C+1 +: C];
    wire [C-1:0] past_weights = weights2all_done - needs_q[C-1:0];
    wire [3:0]   unmet = {past_load[T-1], past_read[T-1], past_feed[C-1], past_weights[C-1]};
    wire         unused_past = &{1'b0, past_load[T-2:0], past_read[T-2:0], past_feed[C-2:0],
                                 past_weights[C-2:0], needs_q[NEEDS_W-1], needs_q[2*C+T+2],
                                 needs_q[2*C+1], needs_q[C]};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    valid_q <= 1'b0;
        else if (take) valid_q <= next_valid;
    end

    always @(posedge clk) begin
        if (take) begin
            needs_q      <= next_needs;
            wait_q       <= {4{to_local}} & {next_needs[NEEDS_W-1], next_needs[2*C+T+2],
                                             next_needs[2*C+1], next_needs[C]};
            is_result_q  <= next_kind == MATMUL;
            is_move_q    <= next_kind == TO_ACC;
            is_local_q   <= to_local;
            is_simd_q    <= next_is_simd;
            read_q       <= next_is_simd ? next_read : to_local || next_accumulate;
            write_q      <= next_is_simd ? next_write_en : !to_local;
            both_q       <= two_parts;
            more_q       <= !next_is_simd && next_count != {SIZE_W{1'b0}};
            count_q      <= next_count;
            addr_q       <= next_acc;
//% if array_vectors == 2
            addr1_q      <= next_acc + ({{(A-1){1'b0}}, 1'b1} << next_acc_stride);
            one_more_q   <= next_count == {{(SIZE_W-1){1'b0}}, 1'b1};
//% end
            step_q       <= {{(A-1){1'b0}}, 1'b1} << next_acc_stride;
            simd_write_q <= next_simd_write;
            local_q      <= next_local;
            local_step_q <= {{(L-1){1'b0}}, 1'b1} << next_local_stride;
            left_read_q  <= next_is_simd ? next_left_read : adds || to_local;
            right_read_q <= next_is_simd && next_right_read;
            right_one_q  <= next_is_simd && next_right_one;
            function_q   <= {F{next_is_simd}} & {next_multiply, 1'b0, next_subtract, next_func,
                                                 next_other, next_truth};
//% if simd_registers_depth > 0
            left_reg_q   <= next_is_simd && next_left_reg;
            right_reg_q  <= next_is_simd && next_right_reg;
            left_at_q    <= next_left_at;
            right_at_q   <= next_right_at;
            early_q      <= next_is_simd && next_early && next_dest != {CODE_W{1'b0}};
//% end
//% if lut_tables > 0
            lookup_q     <= next_is_simd && next_lookup;
            is_lut_q     <= next_is_lut;
            code_q       <= next_dest;
            if (next_is_lut) begin
                is_move_q <= 1'b1;
                write_q   <= 1'b0;
            end
//% end
        end else begin
            wait_q <= wait_q & unmet;
            if (advance) begin
                more_q  <= count_q != {{(SIZE_W-1){1'b0}}, 1'b1};
                count_q <= count_q - 1'b1;
                addr_q  <= both_q ? simd_write_q : addr_q + step_q;
                local_q <= local_q + local_step_q;
//% if array_vectors == 2
                addr1_q    <= addr1_q + (pair_up ? step_q << 1 : step_q);
                one_more_q <= count_q == {{(SIZE_W-2){1'b0}}, 1'b1, pair_up};   // 3, 2
                if (pair_up) begin
                    more_q  <= count_q != {{(SIZE_W-2){1'b0}}, 2'd2};
                    count_q <= count_q - {{(SIZE_W-2){1'b0}}, 2'd2};
                    addr_q  <= addr1_q + step_q;
                end
//% end
                if (both_q) begin             // then the value is added
                    both_q       <= 1'b0;
                    more_q       <= 1'b0;
                    read_q       <= 1'b1;
                    left_read_q  <= 1'b1;
                    right_read_q <= 1'b0;
                    right_one_q  <= 1'b0;
                    function_q   <= ADD_LAST;
//% if simd_registers_depth > 0
                    early_q      <= 1'b0;
                    left_reg_q   <= 1'b0;
                    right_reg_q  <= 1'b0;
//% end
                    lookup_q     <= 1'b0;  //% if lut_tables > 0
                end
            end
        end
    end
//% if simd_registers_depth > 0

    genvar r;
    generate
        for (r = 0; r < R; r = r + 1) begin : gen_dest
            localparam [31:0] CODE = r + 1;

//% if lut_tables > 0
            // A lookup writes the difference, and behind it the value of each table.
            wire [31:0]       table_at = CODE - {{(32-CODE_W){1'b0}}, next_dest};

            always @(posedge clk) begin
                if (take) dest_q[r] <= next_is_simd && (table_at == 32'd0 ||
                                                        (next_lookup && table_at <= TABLES));
//% else
            always @(posedge clk) begin
                if (take) dest_q[r] <= next_is_simd && next_dest == CODE[CODE_W-1:0];
//% end
                else if (advance && both_q) dest_q[r] <= 1'b0;
            end
        end
    endgenerate
//% end

//% include "acc/element.vh"

endmodule

`default_nettype wire
