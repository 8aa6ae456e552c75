// One lane of the accumulators: operands, products, the function of them, SIMD registers.
//
//     stage 1      2 .. ${simd_stages + 1}            ${simd_stages + 2}           ${simd_stages + 3}             ${simd_stages + 4}
//     read --+--> left  --> delay ---+--> left  --\
//     result |                       |             function --> value --> accumulators
//     move --+--> right --> delay ---+--> right --/
//                  |                 |                |
//                  +--> product -----+    registers <-+--> early registers
//
// Stage 2's left is also what goes to local memory. A result is in the registers one stage after
// the function; the operation right behind takes it from the function itself. Operands of products
// are taken in stage 1, so each register is there twice: early registers get what is read in
// stage 1 already, other results only after their function.
//
// Each lane keeps what it has to do in registers of its own: it comes one cycle earlier.
// Reset: registers 0.
`default_nettype none

module tcu_acc_lane (
    input  wire         clk,
    input  wire         rst_n,
    // Vectors in stage 1
    input  wire [${data_w - 1:2}:0]  read,          // from the accumulators
    input  wire [${data_w - 1:2}:0]  result,        // from the array
    input  wire [${data_w - 1:2}:0]  move,          // from local memory
//% if array_vectors == 2
    input  wire [${data_w - 1:2}:0]  read1,         // for the second element of a pair
    input  wire [${data_w - 1:2}:0]  result1,
//% end
    // For stage 1
    input  wire         fetch,
    input  wire         fetch_no_left,  // left is zero
    input  wire         fetch_constant, // right is zero
    input  wire         fetch_one,      // or 1.0
    input  wire [1:0]   fetch_right,    // right is READ, RESULT, MOVE, REGISTER
//% if simd_registers_depth > 0
    input  wire         fetch_reg,      // left is an early register
    input  wire [${simd_registers_depth - 1:2}:0]  fetch_write,    // early register that gets left
//% end
    // For the stages of the product, bit i: stage i + ${simd_stages - product_stages + 2}; not earlier
    input  wire [${product_stages - 1:2}:0]  multiply,
    // For stage ${simd_stages + 2}
    input  wire         select,
    input  wire         select_product, // right is the product, left zero
    input  wire [1:0]   select_left,    // DELAY, LAST, BEFORE, KEPT
    input  wire [1:0]   select_right,   // DELAY, LAST, PRODUCT, KEPT
    // For stage ${simd_stages + 3}
    input  wire         compute,
    input  wire         subtract,
    input  wire [1:0]   func,           // see tcu_acc_decode
    input  wire         other,
    input  wire [1:0]   truth,
//% if simd_registers_depth > 0
    input  wire [${simd_registers_depth - 1:2}:0]  write,          // register that gets the value
    input  wire [${simd_registers_depth - 1:2}:0]  write_late,     // early register that does
//% end
//% if simd_registers_depth > 1
    // Registers, from 0, for stages 1 and ${simd_stages + 2}
    input  wire [${clog2(simd_registers_depth) - 1:2}:0]  fetch_left_index,
    input  wire [${clog2(simd_registers_depth) - 1:2}:0]  fetch_right_index,
    input  wire [${clog2(simd_registers_depth) - 1:2}:0]  select_left_index,
    input  wire [${clog2(simd_registers_depth) - 1:2}:0]  select_right_index,
//% end
//% if lut_tables > 0
    // Destination of a lookup, for stage ${simd_stages + 3}
    input  wire [${simd_code_w - 1}:0]  write_code,
    // In stage 1: move goes to a table
    input  wire         lut_write,
    input  wire [${simd_code_w - 1}:0]  lut_table,
    input  wire [${lut_index_w - 1}:0]  lut_entry,
//% end
    output wire [${data_w - 1:2}:0]  to_local,      // in stage 2
//% if array_vectors == 2
    input  wire         third,          // for stage ${simd_stages + 1}: left is the third value before
    output wire [${data_w - 1:2}:0]  value1,        // in stage ${simd_stages + 4}, of the second element
//% end
    output reg  [${data_w - 1:2}:0]  value_q        // in stage ${simd_stages + 4}
);

    localparam W = ${data_w};
    localparam B = ${binary_point};
    localparam P = ${simd_stages};
    localparam [1:0] RESULT = 2'd1, MOVE = 2'd2;
    localparam [1:0] LAST = 2'd1, BEFORE = 2'd2, PRODUCT = 2'd2;
    localparam [1:0] CLAMP = 2'd0, ABS = 2'd1, CHOOSE = 2'd2;
//% if simd_registers_depth > 0
    localparam [1:0] REGISTER = 2'd3, KEPT = 2'd3;
    localparam R = ${simd_registers_depth};
//% end

    // ---------------------------------------------------------------- what to do
    wire       do_fetch, do_no_left, do_constant, do_one;
    wire [1:0] do_right;
    wire       do_select, do_product;
    wire [1:0] do_left_from, do_right_from;
    wire       do_compute, do_subtract, do_other;
    wire [1:0] do_func, do_truth;

    reg_copy #(.W(19)) u_control (
        .clk (clk), .rst_n (rst_n),
        .d ({fetch, fetch_no_left, fetch_constant, fetch_one, fetch_right,
             select, select_product, select_left, select_right,
             compute, subtract, other, func, truth}),
        .q ({do_fetch, do_no_left, do_constant, do_one, do_right,
             do_select, do_product, do_left_from, do_right_from,
             do_compute, do_subtract, do_other, do_func, do_truth})
    );
//% if simd_registers_depth > 0

    wire         do_left_early;
    wire [R-1:0] do_fetch_write, do_write, do_write_late;

    reg_copy #(.W(1 + 3 * R)) u_registers (
        .clk (clk), .rst_n (rst_n),
        .d ({fetch_reg, fetch_write, write, write_late}),
        .q ({do_left_early, do_fetch_write, do_write, do_write_late})
    );
//% end
//% if simd_registers_depth > 1

    localparam I = ${clog2(simd_registers_depth)};
    wire [I-1:0] early_left_at, early_right_at, left_at, right_at;

    reg_copy #(.W(4 * I)) u_indices (
        .clk (clk), .rst_n (rst_n),
        .d ({fetch_left_index, fetch_right_index, select_left_index, select_right_index}),
        .q ({early_left_at, early_right_at, left_at, right_at})
    );
//% end

    wire [W-1:0] value;               // of the function
//% if lut_tables > 0

    // ---------------------------------------------------------------- tables
    // What a lookup gives registers: values to those behind its destination.
    localparam C = ${simd_code_w};
    localparam T = ${lut_tables};

    wire [W-1:0]   key;               // in stage ${simd_stages + 2}
    wire [W*T-1:0] looked;
    reg  [W*T-1:0] looked_q;
    wire [C-1:0]   do_code;
    wire [W*R-1:0] placed = ${fit("looked_q", lut_tables * data_w, simd_registers_depth * data_w)} << (W * do_code);

    reg_copy #(.W(C)) u_code (
        .clk (clk), .rst_n (rst_n), .d (write_code), .q (do_code)
    );
//% end
//% if simd_registers_depth > 0

    // ---------------------------------------------------------------- registers
    reg  [R*W-1:0] early_q;
    reg  [R*W-1:0] registers_q;
//% if simd_registers_depth > 1
    wire [W-1:0] early_left  = early_q[W*early_left_at +: W];
    wire [W-1:0] early_right = early_q[W*early_right_at +: W];
    wire [W-1:0] reg_left    = registers_q[W*left_at +: W];
    wire [W-1:0] reg_right   = registers_q[W*right_at +: W];
//% else
    wire [W-1:0] early_left  = early_q;
    wire [W-1:0] early_right = early_q;
    wire [W-1:0] reg_left    = registers_q;
    wire [W-1:0] reg_right   = registers_q;
//% end

    genvar r;
    generate
        for (r = 0; r < R; r = r + 1) begin : gen_register
//% if lut_tables > 0
            localparam [31:0] CODE = r + 1;
            wire [W-1:0] result_r = do_code == CODE[C-1:0] ? value : placed[W*r +: W];

//% end
            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) begin
                    early_q[W*r +: W]     <= {W{1'b0}};
                    registers_q[W*r +: W] <= {W{1'b0}};
                end else begin
                    if (do_fetch_write[r]) early_q[W*r +: W] <= read & {W{!do_no_left}};
                    else if (do_write_late[r]) early_q[W*r +: W] <= ${lut_tables > 0 ? "result_r" : "value"};
                    if (do_write[r]) registers_q[W*r +: W] <= ${lut_tables > 0 ? "result_r" : "value"};
                end
            end
        end
    endgenerate
//% end

    // ---------------------------------------------------------------- operands, products
    reg  [W-1:0]     left_q;
    reg  [W-1:0]     right_q;
    reg  [P*W-1:0]   left_delay_q;
    reg  [P*W-1:0]   right_delay_q;
    wire [2*W-1:0]   product;

    assign to_local = left_q;

    always @(posedge clk) begin
        if (do_fetch) begin
            if (do_no_left) left_q <= {W{1'b0}};
            else if (do_left_early) left_q <= early_left;  //% if simd_registers_depth > 0
            else left_q <= read;

            if (do_constant) right_q <= {{(W-1){1'b0}}, do_one} << B;
            else case (do_right)
                RESULT:   right_q <= result;
                MOVE:     right_q <= move;
                REGISTER: right_q <= early_right;  //% if simd_registers_depth > 0
                default:  right_q <= read;
            endcase
        end
    end

    tcu_product u_product (
//% if lut_tables > 0
        .clk (clk), .load (multiply),
//% let wait = simd_stages - product_stages
        .a (left_q), .b (right_q), .p_q (product)  //% if wait == 0
        .a (left_delay_q[W*${wait - 1} +: W]), .b (right_delay_q[W*${wait - 1} +: W]), .p_q (product)  //% if wait > 0
//% else
        .clk (clk), .load (multiply[P-1:0]), .a (left_q), .b (right_q), .p_q (product)
//% end
    );

//% if array_vectors == 2
    wire do_third;                    // delayed value

    reg_copy #(.W(1)) u_third (.clk (clk), .rst_n (rst_n), .d (third), .q (do_third));

//% end
    generate
        if (P == 1) begin : gen_short
            always @(posedge clk) begin
                left_delay_q  <= do_third ? value_q : left_q;  //% if array_vectors == 2
                left_delay_q  <= left_q;  //% if array_vectors != 2
                right_delay_q <= right_q;
            end
        end else begin : gen_long
            always @(posedge clk) begin
                left_delay_q  <= {left_delay_q[(P-1)*W-1:0], left_q};
                right_delay_q <= {right_delay_q[(P-1)*W-1:0], right_q};
                if (do_third) left_delay_q[(P-1)*W +: W] <= value_q;  //% if array_vectors == 2
            end
        end
    endgenerate

//% if lut_tables > 0
    tcu_lut u_lut (
        .clk (clk),
        .write (lut_write), .write_table (lut_table), .write_entry (lut_entry),
//# The look-up takes a cycle more than its index has bits.
//% let wait_x = simd_stages - lut_index_w - 1
        .write_data (move), .x (left_q), .key_q (key), .values (looked)  //% if wait_x == 0
        .write_data (move), .x (left_delay_q[W*${wait_x - 1} +: W]), .key_q (key), .values (looked)  //% if wait_x > 0
    );

    always @(posedge clk) looked_q <= looked;

//% end
    // ---------------------------------------------------------------- operands of the function
    // The product in units of the last bit; what was lost goes into the sum as a carry.
    wire         negative = product[2*W-1];
    wire         huge     = product[2*W-2:B+W-1] != {(W-B){negative}};
    wire         up       = product[B-1] && (product[B] || product[B-2:0] != {(B-1){1'b0}});
    reg  [W-1:0] a_q;
    reg  [W-1:0] b_q;
    reg          huge_q;
    reg          below_q;             // if huge
    reg          up_q;

    always @(posedge clk) begin
        if (do_select) begin
            if (do_product) a_q <= {W{1'b0}};
            else case (do_left_from)
                LAST:    a_q <= value;
                BEFORE:  a_q <= value_q;
                KEPT:    a_q <= reg_left;  //% if simd_registers_depth > 0
                default: a_q <= left_delay_q[(P-1)*W +: W];
            endcase

            case (do_right_from)
                LAST:    b_q <= value;
                PRODUCT: b_q <= do_product ? product[B +: W] : key;  //% if lut_tables > 0
                PRODUCT: b_q <= product[B +: W];  //% if lut_tables <= 0
                KEPT:    b_q <= reg_right;  //% if simd_registers_depth > 0
                default: b_q <= right_delay_q[(P-1)*W +: W];
            endcase

            huge_q  <= do_product && huge;
            below_q <= negative;
            up_q    <= do_product && up;
        end
    end

    // ---------------------------------------------------------------- function
    wire [W-1:0] b     = b_q ^ {W{do_subtract}};
    wire [W:0]   sum   = {a_q[W-1], a_q} + {b[W-1], b} + {{W{1'b0}}, do_subtract || up_q};
    wire         less  = sum[W];
    wire         below = huge_q ? below_q : less;
    wire         clamp = huge_q || sum[W] != sum[W-1];
    wire         no_a  = a_q == {W{1'b0}};
    wire         no_b  = b_q == {W{1'b0}};
    wire         holds = do_truth[1] ? (do_truth[0] ? !(no_a && no_b) : !(no_a || no_b))
                                     : (do_truth[0] ? no_a : less ^ do_other);

    // Each bit of the value: sum, a, b or a constant.
    localparam [1:0] SUM = 2'd0, A = 2'd1, LIMIT = 2'd2;
    wire [1:0]   pick  = do_func == CLAMP  ? {clamp, 1'b0} :
                         do_func == ABS    ? {2{less}} :
                         do_func == CHOOSE ? {less == do_other, 1'b1} : LIMIT;
    wire         ones  = do_func == CLAMP && !below;
    wire [W-1:0] limit = {do_func == CLAMP && below, {(W-1-B-1){ones}},
                          do_func == CLAMP ? !below : holds, {B{ones}}};

    assign value = pick == SUM ? sum[W-1:0] : pick == A ? a_q : pick == LIMIT ? limit : b_q;

    always @(posedge clk) begin
        if (do_compute) value_q <= value;
    end
//% if array_vectors == 2

    // ---------------------------------------------------------------- second element of a pair
    // Its sum waits for the value of the first one.
    reg  [W-1:0]       left1_q;
    reg  [W-1:0]       right1_q;
    reg  [W*(P+2)-1:0] sums1_q;       // stage 3 in the low bits
    wire [W:0]         sum1   = {left1_q[W-1], left1_q} + {right1_q[W-1], right1_q};
    wire               clamp1 = sum1[W] != sum1[W-1];

    assign value1 = sums1_q[W*(P+1) +: W];

    always @(posedge clk) begin
        if (do_fetch) begin
            left1_q  <= read1 & {W{!do_no_left}};
            right1_q <= result1;
        end
        sums1_q <= {sums1_q[W*(P+1)-1:0],
                    clamp1 ? {sum1[W], {(W-1){!sum1[W]}}} : sum1[W-1:0]};
    end
//% end

endmodule

`default_nettype wire
