//# Weight loader of int8 alone: the rows of a kernel go into its lanes here.
    // ------------------------------------------------------------------ cycle 0: kernels of a step
    reg               active_q;        // there are kernels to load
    reg               full_q;          // the step before is loaded and not yet in use
    reg               head_q;          // first kernel
    reg  [KERN_W-1:0] left_q;          // after this one
    reg               last_q;          // none
    reg  [LANE_W-1:0] bytes_q;         // of a kernel, minus one
    reg               pass_end_q;      // last step of a stripe
    reg               group_end_q;     // its last stripe
    reg               layer_end_q;     // its last group
    wire              kernel_ok;
    wire [LANE_W-1:0] bytes_new = step_tail_block ? channel : {LANE_W{1'b1}};

//% include "csc/wl_rows.vh"
    wire last   = kernel_ok && last_q;
    wire turn   = ${image_enable ? "row_last_q && " : ""}last_q && pass_end_q;       // rewind, if this load goes  //% if atoms_per_entry == 1
    wire rewind = last && pass_end_q;

    assign step_take = step_valid && (!active_q || last);
    assign ready     = full_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            active_q <= 1'b0;
            full_q   <= 1'b0;
        end else begin
            active_q <= step_take || (active_q && !last);
            full_q   <= last || (full_q && !swap);
        end
    end

    always @(posedge ${gclk}) begin
        if (step_take) begin
            bytes_q     <= bytes_new;
            pass_end_q  <= step_last;
            group_end_q <= step_group_end;
            layer_end_q <= step_tail_group;
        end
        if (step_take || kernel_ok) begin
            head_q <= step_take;
            left_q <= !step_take ? left_q - {{(KERN_W-1){1'b0}}, 1'b1} :
                      step_tail_group ? kernel : {KERN_W{1'b1}};
            last_q <= !step_take ? left_q == {{(KERN_W-1){1'b0}}, 1'b1}
                                 : step_tail_group && kernel == {KERN_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------ cycle 0: bytes of a kernel
    // Entries have numbers, modulo twice the size of CBUF. The newest entry read is index - 1; it
    // has bytes left unless offset is 0.
    reg  [LANE_W-1:0] offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // entry in which the group begins
    wire [CBUF_W:0]   have;            // first entry that was not announced
    wire [CBUF_W:0]   oldest;          // entry that was not released

//% include "csc/wl_go.vh"

//% include "csc/wl_stream.vh"

//% if atoms_per_entry == 1
    // Whether the next load ends in the entry behind that in which it begins: of this step, of one
    // that begins now.
    wire [LANE_W-1:0] offset_new = row_ok ? offset_next : offset_q;
    wire [LANE_W:0]   end_same   = {1'b0, offset_next} + {1'b0, bytes_q};
    wire [LANE_W:0]   end_new    = {1'b0, offset_new} + {1'b0, bytes_new};

    always @(posedge ${gclk}) begin
        if (start || rewind) cross_q <= 1'b0;          // from byte 0 on
        else if (step_take)  cross_q <= end_new[LANE_W];
        else if (row_ok)     cross_q <= end_same[LANE_W];
    end

//% end
//% include "csc/wl_read.vh"

    // ------------------------------------------------------------------ cycle DATA: whole bytes
    // Bit n - 1: cycle n.
    reg  [DATA:0]             valid_q;
    reg  [DATA:0]             head_dly_q;
    reg  [DATA-2:0]           cross_dly_q;
    reg  [(DATA+1)*LANE_W-1:0] offset_dly_q;
    reg  [8*LANES-1:0]        before_q;    // the entry before the newest
    reg  [8*LANES-1:0]        turned_q;

//% include "csc/wl_rotate.vh"

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) valid_q <= {(DATA+1){1'b0}};
        else        valid_q <= {valid_q[DATA-1:0], row_ok};
    end

    always @(posedge ${gclk}) begin
        head_dly_q   <= {head_dly_q[DATA-1:0], head_q};
        cross_dly_q  <= {cross_dly_q[DATA-3:0], crossing};
        offset_dly_q <= {offset_dly_q[DATA*LANE_W-1:0], offset_q};
        old_q        <= {LANES{cross_dly_q[DATA-2]}} << offset_dly_q[(DATA-1)*LANE_W-1 -: LANE_W];
        if (rd_rsp_valid)    before_q <= rd_rsp_data;
        if (valid_q[DATA-1]) turned_q <= coarse;
    end

    // ------------------------------------------------------------------ cycle DATA + 1: kernel
    wire               head = head_dly_q[DATA];
    wire [KERNELS-1:0] sel  = head ? {{(KERNELS-1){1'b0}}, 1'b1} : {mac_sel_q[KERNELS-2:0], 1'b0};
//% if image_enable
    // Rows share the lanes: 4 groups, of which a row fills 4, 2 or 1. The first row of a kernel
    // clears the others: a kernel may have fewer rows, and what nobody wrote must not meet the data
    // of their lanes, which is 0, as X.
    localparam GROUP = 2*LANES;                    // bits
    reg  [DATA:0]      end_dly_q;                  // last row of a kernel
    reg  [1:0]         row_q;                      // of the kernel
    wire               fill     = valid_q[DATA];
    wire               fill_end = fill && end_dly_q[DATA];

    always @(posedge ${gclk}) begin
        end_dly_q <= {end_dly_q[DATA-1:0], kernel_ok};
    end

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n)    row_q <= 2'd0;
        else if (fill) row_q <= end_dly_q[DATA] ? 2'd0 : row_q + 2'd1;
    end

    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_group
            localparam [1:0] ROW_OF_4 = i, ROW_OF_2 = i / 2;

            wire here = rows_code[1] ? row_q == ROW_OF_4 :
                                       !rows_code[0] || (row_q == ROW_OF_2);

            always @(posedge ${gclk}) begin
                if (fill && here) begin
                    mac_data_q[i*GROUP +: GROUP] <= rows_code[1] ? turned[0 +: GROUP] :
                                                    rows_code[0] ? turned[i%2*GROUP +: GROUP] :
                                                                   turned[i*GROUP +: GROUP];
                end else if (fill && (row_q == 2'd0)) begin
                    mac_data_q[i*GROUP +: GROUP] <= {GROUP{1'b0}};
                end
            end
        end
    endgenerate
//% else
    wire               fill_end = valid_q[DATA];

    always @(posedge ${gclk}) begin
        if (fill_end) mac_data_q <= turned;
    end
//% end

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            mac_a_valid_q <= 1'b0;
            mac_b_valid_q <= 1'b0;
        end else begin
            mac_a_valid_q <= fill_end && (|sel[KERNELS/2-1:0]);
            mac_b_valid_q <= fill_end && (|sel[KERNELS-1:KERNELS/2]);
        end
    end

    always @(posedge ${gclk}) begin
        if (fill_end) mac_sel_q <= sel;
    end

    wire unused_bits = &{1'b0, fine, data_banks[BANK_W]${atoms_per_entry == 1 ? ", end_less_1, end_same, end_new" : ""}};
