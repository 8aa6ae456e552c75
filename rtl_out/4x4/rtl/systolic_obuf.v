// Made by macrame 0.1.0 from templates/systolic/obuf/systolic_obuf.v
// with cols=4 columns_w=3 obuf_entries=128 obuf_entry_w=7 out_width=32 output_row_w=128 sum_w=18

// OBUF: 128 entries of 4 accumulators, 32 bits each.
//
// Sums of the array are added to what is there, or written in its place. The lower and the upper
// half of the entries have a read and a write port each. A half belongs to the steps of gemm from
// the first to the last write, else to ALU, then to store and load.
//
//     step --> column 0 --> column 1 --> ...      reads
//       +--> 3 cycles --> column 0 --> ...        writes
//
// A step reads 2 cycles after it has come (column j: and j); the sum of the array is added in the
// second and written in the third cycle after that. An element for ALU is read in the cycle after
// the request or later and comes a cycle after that; its result, if it ends a window, comes 3
// cycles after the element. Elements that ALU has still to write wait. Throughput: one step,
// element and read of store per cycle, a load every other one. Reset: no steps, no requests.
`default_nettype none

module systolic_obuf (
    input  wire         clk,
    input  wire         rst_n,
    // Steps, cannot stall
    input  wire         gemm2obuf_step,
    input  wire         gemm2obuf_last,             // an instruction ends, with a step or without
    input  wire         gemm2obuf_preload,          // goes on from what is there
    input  wire [6:0] gemm2obuf_entry,
    input  wire [2:0] gemm2obuf_columns,          // that are active
    output wire         obuf2gemm_done,             // the last one is written, cannot stall
    input  wire [71:0] array2obuf_sums,            // column j: 4 + j cycles after the step
    // Loads
    input  wire         load2obuf_valid,
    output wire         load2obuf_ready,
    input  wire [6:0] load2obuf_entry,
    input  wire [3:0] load2obuf_enable,
    input  wire [127:0] load2obuf_data,
    // Stores
    input  wire         store2obuf_valid,
    output wire         store2obuf_ready,
    input  wire [6:0] store2obuf_entry,
    output wire         obuf2store_valid,           // cannot stall, in order
    output wire [127:0] obuf2store_data,
    // Elements for ALU
    input  wire         alu2obuf_valid,
    output wire         alu2obuf_ready,
    input  wire [6:0] alu2obuf_read_entry,
    input  wire         alu2obuf_write,             // the last element of a window
    input  wire [6:0] alu2obuf_write_entry,       // of its result
    input  wire         alu2obuf_last,              // of an operation
    output wire         obuf2alu_valid,             // cannot stall, in order
    output wire         obuf2alu_write,
    output wire         obuf2alu_last,
    output wire [127:0] obuf2alu_data,
    // Results of ALU, 3 cycles after an element with obuf2alu_write
    input  wire [3:0] alu2obuf_enable,
    input  wire [127:0] alu2obuf_data
);

    localparam COLS = 4;
    localparam EW   = 7;
    localparam HW   = 6;               // entries of a half
    localparam CW   = 3;
    localparam W    = 32;
    localparam S_W  = 18;
    localparam TW   = 3;
    localparam [TW-1:0] TO_LAST_WRITE = 3'd7;

    // ---------------------------------------------------------------- halves of gemm
    // A bit per half: from the cycle before the first read to the last write in the last column.
    wire [1:0] busy;
    wire [1:0] step = {gemm2obuf_step && gemm2obuf_entry[HW],
                       gemm2obuf_step && !gemm2obuf_entry[HW]};

    genvar h;
    generate
        for (h = 0; h < 2; h = h + 1) begin : gen_half
            reg          busy_q;
            reg [TW-1:0] left_q;

            assign busy[h] = busy_q;

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) busy_q <= 1'b0;
                else if (step[h]) busy_q <= 1'b1;
                else if (left_q == {TW{1'b0}}) busy_q <= 1'b0;
            end

            always @(posedge clk) begin
                if (step[h])     left_q <= TO_LAST_WRITE;
                else if (busy_q) left_q <= left_q - 1'b1;
            end
        end
    endgenerate

    // ---------------------------------------------------------------- steps
    reg           read_q;
    reg           last_q;
    reg  [EW-1:0] entry_q;
    reg  [CW-1:0] columns_q;
    reg  [2:0]    lasts_q;
    reg  [3*EW-1:0] entries_q;
    reg  [3*CW-1:0] counts_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            read_q    <= 1'b0;
            last_q    <= 1'b0;
            columns_q <= {CW{1'b0}};
            lasts_q   <= 3'd0;
            counts_q  <= {3{{CW{1'b0}}}};
        end else begin
            read_q    <= gemm2obuf_step && gemm2obuf_preload;
            last_q    <= gemm2obuf_last;
            columns_q <= gemm2obuf_step ? gemm2obuf_columns : {CW{1'b0}};
            lasts_q   <= {lasts_q[1:0], last_q};
            counts_q  <= {counts_q[2*CW-1:0], columns_q};
        end
    end

    always @(posedge clk) begin
        entry_q   <= gemm2obuf_entry;
        entries_q <= {entries_q[2*EW-1:0], entry_q};
    end

    // ---------------------------------------------------------------- ALU
    // Granted elements, by age; one of age 4 is being written.
    reg             request_q;
    reg  [EW-1:0]   request_read_q;
    reg             request_write_q;
    reg  [EW-1:0]   request_to_q;
    reg             request_last_q;
    reg             element_q;
    reg             element_last_q;
    reg             element_half_q;
    reg  [4:1]      pending_q;
    reg  [EW-1:0]   to1_q;
    reg  [EW-1:0]   to2_q;
    reg  [EW-1:0]   to3_q;
    reg  [EW-1:0]   to4_q;

    wire            from_half = request_read_q[HW];
    wire            to_half   = request_to_q[HW];
    wire            unwritten = (pending_q[1] && to1_q == request_read_q) ||
                                (pending_q[2] && to2_q == request_read_q) ||
                                (pending_q[3] && to3_q == request_read_q) ||
                                (pending_q[4] && to4_q == request_read_q);
    wire            element   = request_q && !unwritten && !busy[from_half] &&
                                !(request_write_q && busy[to_half]);
    wire [1:0]      alu_read  = {element && from_half, element && !from_half};
    reg  [1:0]      alu_write_q;          // of age 4, by its half

    assign alu2obuf_ready = !request_q || element;
    assign obuf2alu_valid = element_q;
    assign obuf2alu_write = pending_q[1];
    assign obuf2alu_last  = element_last_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            request_q      <= 1'b0;
            element_q      <= 1'b0;
            element_last_q <= 1'b0;
            pending_q      <= 4'd0;
            alu_write_q    <= 2'd0;
        end else begin
            request_q      <= alu2obuf_valid || !alu2obuf_ready;
            element_q      <= element;
            element_last_q <= element && request_last_q;
            pending_q      <= {pending_q[3:1], element && request_write_q};
            alu_write_q    <= {pending_q[3] && to3_q[HW], pending_q[3] && !to3_q[HW]};
        end
    end

    always @(posedge clk) begin
        if (alu2obuf_ready) begin
            request_read_q  <= alu2obuf_read_entry;
            request_write_q <= alu2obuf_write;
            request_to_q    <= alu2obuf_write_entry;
            request_last_q  <= alu2obuf_last;
        end
        element_half_q <= from_half;
        to1_q <= request_to_q;
        to2_q <= to1_q;
        to3_q <= to2_q;
        to4_q <= to3_q;
    end

    // ---------------------------------------------------------------- store
    reg             store_q;
    reg  [EW-1:0]   store_entry_q;
    reg             stored_q;
    reg             stored_half_q;

    wire            store_half = store_entry_q[HW];
    wire            store_go   = store_q && !busy[store_half] && !alu_read[store_half];
    wire [1:0]      store_read = {store_go && store_half, store_go && !store_half};

    assign store2obuf_ready = !store_q || store_go;
    assign obuf2store_valid = stored_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            store_q  <= 1'b0;
            stored_q <= 1'b0;
        end else begin
            store_q  <= store2obuf_valid || !store2obuf_ready;
            stored_q <= store_go;
        end
    end

    always @(posedge clk) begin
        if (store2obuf_ready) store_entry_q <= store2obuf_entry;
        stored_half_q <= store_half;
    end

    // ---------------------------------------------------------------- load
    // A load is written in the cycle in which it is taken: its half has been seen before.
    reg        load_seen_q;
    reg        load_half_q;
    wire       load_go    = load2obuf_valid && load2obuf_ready;
    wire [1:0] load_write = {load_go && load_half_q, load_go && !load_half_q};

    assign load2obuf_ready = load_seen_q && !busy[load_half_q] && !alu_write_q[load_half_q];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) load_seen_q <= 1'b0;
        else        load_seen_q <= load2obuf_valid && !load2obuf_ready;
    end

    always @(posedge clk) load_half_q <= load2obuf_entry[HW];

    // ---------------------------------------------------------------- columns
    wire [1:0]    all_read         = alu_read | store_read;
    wire [HW-1:0] all_read_entry0  = alu_read[0] ? request_read_q[HW-1:0] : store_entry_q[HW-1:0];
    wire [HW-1:0] all_read_entry1  = alu_read[1] ? request_read_q[HW-1:0] : store_entry_q[HW-1:0];
    wire [HW-1:0] all_write_entry0 = alu_write_q[0] ? to4_q[HW-1:0] : load2obuf_entry[HW-1:0];
    wire [HW-1:0] all_write_entry1 = alu_write_q[1] ? to4_q[HW-1:0] : load2obuf_entry[HW-1:0];

    wire [COLS:0] reads;
    wire [COLS:0] lasts;
    wire [EW-1:0] read_entries  [0:COLS];
    wire [EW-1:0] write_entries [0:COLS];
    wire [CW-1:0] columns       [0:COLS];

    assign reads[0]         = read_q;
    assign read_entries[0]  = entry_q;
    assign lasts[0]         = lasts_q[2];
    assign write_entries[0] = entries_q[2*EW +: EW];
    assign columns[0]       = counts_q[2*CW +: CW];
    assign obuf2gemm_done   = lasts[COLS];

    // Who would be next.
    wire unused_ends = &{1'b0, reads[COLS], read_entries[COLS], write_entries[COLS],
                         columns[COLS]};

    genvar j;
    generate
        for (j = 0; j < COLS; j = j + 1) begin : gen_column
            wire [W-1:0] half0;
            wire [W-1:0] half1;

            assign obuf2alu_data[W*j +: W]   = element_half_q ? half1 : half0;
            assign obuf2store_data[W*j +: W] = stored_half_q ? half1 : half0;

            systolic_obuf_column u_column (
                .clk (clk), .rst_n (rst_n),
                .read (reads[j]), .read_entry (read_entries[j]),
                .columns (columns[j]), .write_entry (write_entries[j]), .last (lasts[j]),
                .read_q (reads[j+1]), .read_entry_q (read_entries[j+1]),
                .columns_left (columns[j+1]), .write_entry_q (write_entries[j+1]),
                .last_q (lasts[j+1]),
                .sum (array2obuf_sums[S_W*j +: S_W]),
                .all_read (all_read),
                .all_read_entry0 (all_read_entry0), .all_read_entry1 (all_read_entry1),
                .alu_write (alu_write_q & {2{alu2obuf_enable[j]}}),
                .load_write (load_write & {2{load2obuf_enable[j]}}),
                .all_write_entry0 (all_write_entry0), .all_write_entry1 (all_write_entry1),
                .alu_data (alu2obuf_data[W*j +: W]), .load_data (load2obuf_data[W*j +: W]),
                .half0 (half0), .half1 (half1)
            );
        end
    endgenerate

endmodule

`default_nettype wire
