// Accumulators and SIMD unit: everything that touches accumulators, in program order.
//
//     issue --> micro-operation --> element --> 1: read --> lanes --> ${simd_stages + 4}: write
//                                     |                       |
//     array --> results --------------+-----------------------+--> 2: FIFO --> local memory
//     feed  --> moves ----------------+
//
// A micro-operation is made of elements, one per vector; a SIMD operation that accumulates has two:
// the second adds the value of the first. An element goes when the vector that it takes is there
// and what it reads is written; behind that it cannot stall. One element per cycle. A product waits
// for a register until it is known, ${simd_stages + 2} cycles longer than other operations, but not for what
// was just read from accumulators.
//% if lut_tables > 0
// A lookup is a subtraction of the closest key, which takes as long as a product. Behind it no
// operation on registers follows at once: the values of the tables come a cycle later. A table is
// written by vectors that feed sends, when no lookup is under way.
//% end
// Results and moves cannot stall: feed knows how many places are free.
// Reset: nothing under way, SIMD registers 0; accumulators are undefined.
`default_nettype none

module tcu_acc (
    input  wire         clk,
    input  wire         rst_n,
    output wire         acc_busy,

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
    output reg  [${transfer_tag_w - 1:2}:0]  acc2all_moved,

    // vectors, cannot stall
    input  wire         array2acc_valid,
    input  wire [${vector_w - 1:3}:0] array2acc_y,
//% if array_vectors == 2
    input  wire         array2acc_valid1,       // with array2acc_valid: the result after it
    input  wire [${vector_w - 1:3}:0] array2acc_y1,
//% end
    input  wire         feed2acc_valid,
    input  wire [${vector_w - 1:3}:0] feed2acc_data,
    output wire         acc2feed_taken,         // a result
    output wire         acc2feed_taken1,        // with acc2feed_taken: another one  //% if array_vectors == 2
    output wire         acc2feed_moved,         // a move

    // local memory
    output wire         acc2local_write,
    output wire [${local_addr_w - 1:2}:0]  acc2local_addr,
    output wire [${vector_w - 1:3}:0] acc2local_data,
    input  wire         local2acc_wgrant
);

    localparam VECTOR_W = ${vector_w};
    localparam LANES    = ${array_size};
    localparam W        = ${data_w};
    localparam A        = ${acc_addr_w};      // bits of an accumulator's address
    localparam L        = ${local_addr_w};    // bits of a local address
    localparam T        = ${transfer_tag_w};  // bits of a tag
    localparam P        = ${simd_stages};  // stages of a product
    localparam SELECT   = P + 2;              // stage with the operands of the function
    localparam STORE    = P + 4;              // stage that writes accumulators
    localparam F        = 10;                 // bits of a function: left operand, tcu_acc_issue
//% if simd_registers_depth > 0
    localparam R        = ${simd_registers_depth}; // registers of a lane
    localparam I        = ${max(1, clog2(simd_registers_depth))}; // bits of the number of a register
    genvar r;
//% end
//% if lut_tables > 0
    localparam C        = ${simd_code_w};    // bits of the code of a register, number of a table
    localparam E        = ${lut_index_w};    // bits of an entry of a table
    localparam [E-1:0] LAST_ENTRY = ${lut_depth - 1};
//% end

    // ---------------------------------------------------------------- elements
    wire         issue_busy;
    wire         go;
    wire         el_result, el_move, el_local, el_last, el_read;
    wire [A-1:0] el_read_addr;
    wire [L-1:0] el_local_addr;
    wire         el_no_left, el_constant, el_one;
    wire [1:0]   el_right;
    wire [F-1:0] el_function;
//% if array_vectors == 2
    wire         el_third;
    wire         el_pair;
    wire [A-2:0] el_row1;
    wire         two_results;
    wire         write1;
    wire [A-2:0] write_row1;
//% end
//% if simd_registers_depth > 0
    wire         el_left_early, el_left_reg, el_right_reg, el_early;
    wire [I-1:0] el_left_at, el_right_at;
    wire [R-1:0] el_dest;
    wire [R-1:0] unknown;
//% end
//% if lut_tables > 0
    wire         el_lookup, el_lut;
    wire [C-1:0] el_code;
    reg  [SELECT-1:1] lookups_q;              // bit s: there is a lookup in stage s
    wire         hold = (el_lut && lookups_q != {(SELECT-1){1'b0}}) ||
                        (lookups_q[1] && (el_left_reg || el_right_reg));
//% end
    wire         some_result, some_move;
    wire         write;
    wire [A-1:0] write_addr;
    reg  [3:0]   out_q;                       // vectors on their way to local memory, at most 8
    wire         out_pop = acc2local_write && local2acc_wgrant;

    tcu_acc_issue u_issue (
        .clk (clk), .rst_n (rst_n), .busy (issue_busy),
        .issue2acc_valid (issue2acc_valid), .issue2acc_ready (issue2acc_ready),
        .issue2acc_kind (issue2acc_kind), .issue2acc_accumulate (issue2acc_accumulate),
        .issue2acc_local (issue2acc_local), .issue2acc_local_stride (issue2acc_local_stride),
        .issue2acc_acc (issue2acc_acc), .issue2acc_acc_stride (issue2acc_acc_stride),
        .issue2acc_count (issue2acc_count), .issue2acc_simd_write (issue2acc_simd_write),
        .issue2acc_simd_op (issue2acc_simd_op), .issue2acc_simd_left (issue2acc_simd_left),
        .issue2acc_simd_right (issue2acc_simd_right), .issue2acc_simd_dest (issue2acc_simd_dest),
        .issue2acc_simd_read (issue2acc_simd_read),
        .issue2acc_simd_write_en (issue2acc_simd_write_en),
        .issue2acc_need_load (issue2acc_need_load), .issue2acc_need_read (issue2acc_need_read),
        .issue2acc_need_feed (issue2acc_need_feed),
        .issue2acc_need_weights (issue2acc_need_weights), .load2all_done (load2all_done),
        .store2all_read (store2all_read), .feed2all_done (feed2all_done),
        .weights2all_done (weights2all_done),
        .some_result (some_result), .some_move (some_move), .full (out_q[3]),
        .go (go), .is_result (el_result), .is_move (el_move), .is_local (el_local),
        .last (el_last), .read (el_read), .read_addr (el_read_addr),
        .local_addr (el_local_addr), .no_left (el_no_left), .constant (el_constant),
        .one (el_one), .right (el_right), .of_last (el_function[9]),
        .of_before (el_function[8]), .element_function (el_function[7:0]),
//% if array_vectors == 2
        .of_third (el_third), .pair (el_pair), .row1 (el_row1), .two_results (two_results),
        .write1 (write1), .write_row1 (write_row1),
//% end
//% if simd_registers_depth > 0
        .unknown (unknown), .left_early (el_left_early), .left_reg (el_left_reg),
        .right_reg (el_right_reg), .left_at (el_left_at), .right_at (el_right_at),
        .dest (el_dest), .early (el_early),
//% end
        .hold (hold), .lookup (el_lookup), .is_lut (el_lut), .code (el_code),  //% if lut_tables > 0
        .write (write), .write_addr (write_addr)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) out_q <= 4'd0;
        else        out_q <= out_q + {3'd0, go && el_local} - {3'd0, out_pop};
    end

    // ---------------------------------------------------------------- stages
    reg  [STORE:1]  stage_q;                  // bit s: there is an element in stage s
    reg  [P+1:1]    product_q;
    reg  [2:1]      local_valid_q;
    reg  [2:1]      local_last_q;
    reg  [2*L-1:0]  local_addr_q;
    reg  [F*(SELECT-1)-1:0] functions_q;      // stage 1 in the low bits
    reg  [5:0]      chosen_q;                 // of SELECT
    reg  [P:1]      third_q;                  // left is the value of the third one before  //% if array_vectors == 2
    wire [F-1:0]    coming = functions_q[F*(SELECT-2) +: F];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            stage_q       <= {STORE{1'b0}};
            product_q     <= {(P+1){1'b0}};
            local_valid_q <= 2'b00;
        end else begin
            stage_q       <= {stage_q[STORE-1:1], go};
            product_q     <= {product_q[P:1], go && el_function[7]};
            local_valid_q <= {local_valid_q[1], go && el_local};
        end
    end

    always @(posedge clk) begin
        local_last_q <= {local_last_q[1], el_last};
        local_addr_q <= {local_addr_q[L-1:0], el_local_addr};
        functions_q  <= {functions_q[F*(SELECT-2)-1:0], el_function};
        chosen_q     <= coming[5:0];
        third_q      <= (third_q << 1) | {{(P-1){1'b0}}, el_third};  //% if array_vectors == 2
    end
//% if simd_registers_depth > 0

    // Registers: what SELECT takes, what the function before it writes.
    localparam U = 2 + 2 * I;                 // where operands come from: two flags, two numbers

    reg  [U*(SELECT-1)-1:0] uses_q;           // stage 1 in the low bits
    reg  [R*SELECT-1:0]     dests_q;
    wire [R-1:0]            chosen_dest = dests_q[R*(SELECT-1) +: R];
    wire [R-1:0]            chosen_late;
    wire                    left_reg, right_reg;
    wire [I-1:0]            left_at, right_at;

    assign {left_reg, right_reg, left_at, right_at} = uses_q[U*(SELECT-2) +: U];

    always @(posedge clk) begin
        uses_q  <= {uses_q[U*(SELECT-2)-1:0], el_left_reg, el_right_reg, el_left_at,
                    el_right_at};
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) dests_q <= {(R*SELECT){1'b0}};
        else        dests_q <= {dests_q[R*(SELECT-1)-1:0], el_dest & {R{go}}};
    end

//% if lut_tables > 0
    // Lookups, vectors for tables.
    reg  [C*SELECT-1:0] codes_q;              // destinations, stage 1 in the low bits
    reg                 lut_q;                // stage 1: for a table, what codes_q says
    reg  [E-1:0]        entry_q;              // of the next one: all tables are loaded as a whole
    wire [C-1:0]        chosen_code = codes_q[C*(SELECT-1) +: C];

    always @(posedge clk) codes_q <= {codes_q[C*(SELECT-1)-1:0], el_code};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            lookups_q <= {(SELECT-1){1'b0}};
            lut_q     <= 1'b0;
            entry_q   <= {E{1'b0}};
        end else begin
            lookups_q <= {lookups_q[SELECT-2:1], go && el_lookup};
            lut_q     <= go && el_lut;
            if (lut_q) entry_q <= entry_q == LAST_ENTRY ? {E{1'b0}} : entry_q + 1'b1;
        end
    end

//% end
    // Early registers get a value late, unless a later operation has written them early.
    generate
        for (r = 0; r < R; r = r + 1) begin : gen_late
            reg  [SELECT:1] late_q;
            wire            dest = go && el_dest[r];

            assign unknown[r]     = late_q != {SELECT{1'b0}};
            assign chosen_late[r] = late_q[SELECT];

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) late_q <= {SELECT{1'b0}};
                else        late_q <= dest && el_early ? {SELECT{1'b0}}
                                                        : {late_q[SELECT-1:1], dest};
            end
        end
    endgenerate
//% end

    // Operands of the function, see tcu_acc_lane.
    localparam [1:0] DELAY = 2'd0, LAST = 2'd1, BEFORE = 2'd2, PRODUCT = 2'd2;
//% if simd_registers_depth > 0
    localparam [1:0] KEPT = 2'd3;
    wire       left_last  = coming[9] || (left_reg && chosen_dest[left_at]);
    wire       right_last = coming[6] || (right_reg && chosen_dest[right_at]);
    wire [1:0] left_from  = left_last ? LAST : coming[8] ? BEFORE : left_reg ? KEPT : DELAY;
//% if lut_tables > 0
    wire [1:0] right_from = coming[7] || lookups_q[SELECT-1] ? PRODUCT :
                            right_last ? LAST : right_reg ? KEPT : DELAY;
//% else
    wire [1:0] right_from = coming[7] ? PRODUCT : right_last ? LAST : right_reg ? KEPT : DELAY;
//% end
//% else
    wire [1:0] left_from  = coming[9] ? LAST : coming[8] ? BEFORE : DELAY;
    wire [1:0] right_from = coming[7] ? PRODUCT : coming[6] ? LAST : DELAY;
//% end

    // ---------------------------------------------------------------- vectors
    wire [VECTOR_W-1:0] read;
    wire [VECTOR_W-1:0] result;
    wire [VECTOR_W-1:0] move;
    wire [VECTOR_W-1:0] value;                // in stage STORE
    wire [VECTOR_W-1:0] moved;                // in stage 2

//% if array_vectors == 2
    // Two banks: first and second elements are in different ones.
    wire [VECTOR_W-1:0] read1;
    wire [VECTOR_W-1:0] value1;
    wire [VECTOR_W-1:0] bank_read [0:1];
    wire                read_bank  = ^el_read_addr;
    wire                write_bank = ^write_addr;
    reg                 bank_q;               // of read, in stage 1

    always @(posedge clk) bank_q <= read_bank;

    assign read  = bank_q ? bank_read[1] : bank_read[0];
    assign read1 = bank_q ? bank_read[0] : bank_read[1];

    genvar b;
    generate
        for (b = 0; b < 2; b = b + 1) begin : gen_bank
            wire read_first  = {31'd0, read_bank} == b;
            wire write_first = {31'd0, write_bank} == b;

            sram_1r1w #(.W(VECTOR_W), .DEPTH(${acc_rows})) u_accumulators (
                .clk   (clk),
                .we    (write_first ? write : write1),
                .waddr (write_first ? write_addr[A-1:1] : write_row1),
                .wdata (write_first ? value : value1),
                .re    (el_read),
                .raddr (read_first ? el_read_addr[A-1:1] : el_row1),
                .rdata (bank_read[b])
            );
        end
    endgenerate

    // Results lie in turn in two FIFOs.
    wire [VECTOR_W-1:0] result1;
    wire [VECTOR_W-1:0] heads [0:1];
    wire [1:0]          some;
    wire [1:0]          taken;
    reg                 put_q;                // FIFO of the next result that comes
    reg                 get_q;                // of the next one that goes
    reg                 got_q;                // of the one that is taken

    assign some_result     = some[get_q];
    assign two_results     = &some;
    assign result          = heads[got_q];
    assign result1         = heads[!got_q];
    assign acc2feed_taken  = |taken;
    assign acc2feed_taken1 = &taken;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            put_q <= 1'b0;
            get_q <= 1'b0;
        end else begin
            put_q <= put_q ^ (array2acc_valid && !array2acc_valid1);
            get_q <= get_q ^ (go && el_result && !el_pair);
        end
    end

    always @(posedge clk) got_q <= get_q;

    generate
        for (b = 0; b < 2; b = b + 1) begin : gen_results
            wire put_first = {31'd0, put_q} == b;
            wire get_first = {31'd0, get_q} == b;

            tcu_acc_fifo #(.W(VECTOR_W), .DEPTH(${result_depth / 2})) u_fifo (
                .clk      (clk),
                .rst_n    (rst_n),
                .in_valid (put_first ? array2acc_valid : array2acc_valid1),
                .in_data  (put_first ? array2acc_y : array2acc_y1),
                .some     (some[b]),
                .claim    (go && (get_first ? el_result : el_pair)),
                .taken    (taken[b]),
                .out_data (heads[b])
            );
        end
    endgenerate
//% else
    sram_1r1w #(.W(VECTOR_W), .DEPTH(${accumulator_depth})) u_accumulators (
        .clk (clk),
        .we (write), .waddr (write_addr), .wdata (value),
        .re (el_read), .raddr (el_read_addr), .rdata (read)
    );

    tcu_acc_fifo #(.W(VECTOR_W), .DEPTH(${result_depth})) u_results (
        .clk (clk), .rst_n (rst_n), .in_valid (array2acc_valid), .in_data (array2acc_y),
        .some (some_result), .claim (go && el_result), .taken (acc2feed_taken), .out_data (result)
    );
//% end

    tcu_acc_fifo #(.W(VECTOR_W), .DEPTH(${move_depth})) u_moves (
        .clk (clk), .rst_n (rst_n), .in_valid (feed2acc_valid), .in_data (feed2acc_data),
        .some (some_move), .claim (go && el_move), .taken (acc2feed_moved), .out_data (move)
    );

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            tcu_acc_lane u_lane (
                .clk               (clk),
                .rst_n             (rst_n),
                .read              (read[W*i +: W]),
                .result            (result[W*i +: W]),
                .move              (move[W*i +: W]),
//% if array_vectors == 2
                .read1             (read1[W*i +: W]),
                .result1           (result1[W*i +: W]),
                .value1            (value1[W*i +: W]),
                .third             (third_q[P]),
//% end
                .fetch             (go),
                .fetch_no_left     (el_no_left),
                .fetch_constant    (el_constant),
                .fetch_one         (el_one),
                .fetch_right       (el_right),
//% if simd_registers_depth > 0
                .fetch_reg         (el_left_early),
                .fetch_write       (el_dest & {R{go && el_early}}),
//% end
                .multiply          (product_q[P+1:${simd_stages - product_stages + 2}]),
                .select            (stage_q[SELECT-1]),
                .select_product    (coming[7]),
                .select_left       (left_from),
                .select_right      (right_from),
                .compute           (stage_q[SELECT]),
                .subtract          (chosen_q[5]),
                .func              (chosen_q[4:3]),
                .other             (chosen_q[2]),
                .truth             (chosen_q[1:0]),
//% if simd_registers_depth > 0
                .write             (chosen_dest),
                .write_late        (chosen_late),
//% end
//% if simd_registers_depth > 1
                .fetch_left_index   (el_left_at),
                .fetch_right_index  (el_right_at),
                .select_left_index  (left_at),
                .select_right_index (right_at),
//% end
//% if lut_tables > 0
                .write_code         (chosen_code),
                .lut_write          (lut_q),
                .lut_table          (codes_q[C-1:0]),
                .lut_entry          (entry_q),
//% end
                .to_local          (moved[W*i +: W]),
                .value_q           (value[W*i +: W])
            );
        end
    endgenerate

    // ---------------------------------------------------------------- to local memory
    wire       out_last;
    wire [3:0] unused_count;                  // out_q has kept a place

    fifo_reg #(.W(1 + L + VECTOR_W), .DEPTH(8)) u_out (
        .clk (clk), .rst_n (rst_n),
        .in_valid (local_valid_q[2]), .in_data ({local_last_q[2], local_addr_q[L +: L], moved}),
        .count (unused_count),
        .out_valid (acc2local_write), .out_ready (local2acc_wgrant),
        .out_data ({out_last, acc2local_addr, acc2local_data})
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)                   acc2all_moved <= {T{1'b0}};
        else if (out_pop && out_last) acc2all_moved <= acc2all_moved + 1'b1;
    end

    assign acc_busy = issue_busy || stage_q != {STORE{1'b0}} || acc2local_write;

endmodule

`default_nettype wire
