//# Weight loader of elements of 16 bits, maybe beside int8: dla_csc_kernel makes cells of the bytes.
    // ------------------------------------------------------------------ cycle 0: kernels of a step
    reg               active_q;        // there are kernels to load
    reg               full_q;          // the step before is loaded and not yet in use
    reg               head_q;          // first kernel
    reg  [KERN_W-1:0] left_q;          // after this one
    reg  [BYTE_W-2:0] lanes_q;         // of a kernel, minus one
    reg               tail_q;          // they are those of the last block
    reg               pass_end_q;      // last step of a stripe
    reg               group_end_q;     // its last stripe
    reg               layer_end_q;     // its last group
    wire              kernel_ok;

//% include "csc/wl_rows.vh"
//% if types.mix
    // A cell has two kernels of int8, but the last one of a layer may have one.
    reg               single_q;        // the last cell of the step has
    reg               alone_q;         // this cell has
    wire [KERN_W-1:0] tail_cells = int8 ? kernel[KERN_W:1] : kernel[KERN_W-1:0];   // minus one
    wire              single     = int8 && step_tail_group && !kernel[0];
//%   if image_enable
    // Int8 rows that share the lanes come kernel by kernel.
    reg               half_q;          // second kernel of the cell
    wire              apart   = int8 && rows_code[0];
    wire              cell_ok = kernel_ok && (!apart || half_q || alone_q);
    wire              two     = int8 && !rows_code[0] && !alone_q;     // in this load
    wire              one     = int8 && !two;

    always @(posedge ${gclk}) begin
        if (step_take || kernel_ok) half_q <= !step_take && !cell_ok;
    end
//%   else
    wire              cell_ok = kernel_ok;
    wire              two     = int8 && !alone_q;                      // in this load
    wire              one     = int8 && alone_q;
//%   end

    always @(posedge ${gclk}) begin
        if (step_take) single_q <= single;
        if (step_take || cell_ok) begin
            alone_q <= step_take ? single && (tail_cells == {KERN_W{1'b0}})
                                 : single_q && (left_q == {{(KERN_W-1){1'b0}}, 1'b1});
        end
    end

//% end
//% let cell_ok = types.mix ? "cell_ok" : "kernel_ok"
    wire last   = ${cell_ok} && (left_q == {KERN_W{1'b0}});
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
            lanes_q     <= step_tail_block ? channel : {(BYTE_W-1){1'b1}};
            tail_q      <= step_tail_block;
            pass_end_q  <= step_last;
            group_end_q <= step_group_end;
            layer_end_q <= step_tail_group;
        end
        if (step_take || ${cell_ok}) begin
            head_q <= step_take;
            left_q <= !step_take ? left_q - {{(KERN_W-1){1'b0}}, 1'b1} :
                      step_tail_group ? ${types.mix ? "tail_cells" : "kernel"} : {KERN_W{1'b1}};
        end
    end

    // ------------------------------------------------------------------ cycle 0: bytes of a kernel
    // Entries have numbers, modulo twice the size of CBUF. The newest entry read is index - 1; it
    // has bytes left unless offset is 0.
    reg  [BYTE_W-1:0] offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // entry in which the group begins
    wire [CBUF_W:0]   have;            // first entry that was not announced
    wire [CBUF_W:0]   oldest;          // entry that was not released

    wire [BYTE_W-1:0] bytes       = ${types.mix ? "one ? {1'b0, lanes_q} : " : ""}{lanes_q, 1'b1};   // minus one
//% include "csc/wl_go.vh"

//% include "csc/wl_stream.vh"

//# Winograd has images and several atoms in an entry.
//% if types.winograd
    // ------------------------------------------------------------------ as late as data
    wire              skew_read, skew_row_ok, skew_rewind;
    wire              skew_group_end_q;
    wire              skew_layer_end_q;
    wire              skew_head_q;
    wire              skew_crossing;
    wire              skew_partial;
    wire              skew_kernel_ok;
    wire              skew_tail_q;
    wire              skew_two;  //% if types.mix
    wire              skew_cell_ok;  //% if types.mix
    wire [BYTE_W-1:0] skew_offset_q;

    dla_csc_skew #(.V(3), .D(${types.mix ? 9 : 7} + BYTE_W)) u_skew (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .late      (winograd),
        .fp        (fp),  //% if types.fp_and_int
        .valid     ({go && read, row_ok, rewind}),
        .data      ({group_end_q, layer_end_q, head_q, crossing, partial,
                     kernel_ok, tail_q, ${types.mix ? "two, cell_ok, " : ""}offset_q}),
        .valid_out ({skew_read, skew_row_ok, skew_rewind}),
        .data_out  ({skew_group_end_q, skew_layer_end_q, skew_head_q,
                     skew_crossing, skew_partial, skew_kernel_ok, skew_tail_q,
                     ${types.mix ? "skew_two, skew_cell_ok, " : ""}skew_offset_q})
    );

//% end
//% include "csc/wl_read.vh"

    // ------------------------------------------------------------------ cycle DATA: whole bytes
    // Bit n - 1: cycle n.
    reg  [DATA:0]             valid_q;
    reg  [DATA:0]             head_dly_q;
    reg  [DATA-2:0]           cross_dly_q;
    reg  [DATA:0]             tail_dly_q;
    reg  [DATA:0]             two_dly_q;  //% if types.mix
    reg  [(DATA+1)*BYTE_W-1:0] offset_dly_q;
    reg  [8*BYTES-1:0]        before_q;    // the entry before the newest
    reg  [8*BYTES-1:0]        turned_q;

//% include "csc/wl_rotate.vh"

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) valid_q <= {(DATA+1){1'b0}};
        else        valid_q <= {valid_q[DATA-1:0], ${late}row_ok};
    end

    always @(posedge ${gclk}) begin
        head_dly_q   <= {head_dly_q[DATA-1:0], ${late}head_q};
        cross_dly_q  <= {cross_dly_q[DATA-3:0], ${late}crossing};
        tail_dly_q   <= {tail_dly_q[DATA-1:0], ${late}tail_q};
        two_dly_q    <= {two_dly_q[DATA-1:0], ${late}two};  //% if types.mix
        offset_dly_q <= {offset_dly_q[DATA*BYTE_W-1:0], ${late}offset_q};
        old_q        <= {BYTES{cross_dly_q[DATA-2]}} << offset_dly_q[(DATA-1)*BYTE_W-1 -: BYTE_W];
        if (rd_rsp_valid)    before_q <= rd_rsp_data;
        if (valid_q[DATA-1]) turned_q <= coarse;
    end

    // ------------------------------------------------------------------ cycle DATA + 1: kernel
//%   if image_enable
    reg  [DATA:0]             end_dly_q;   // last row of a kernel
    reg  [DATA:0]             cell_dly_q;  // and of its cell  //% if types.mix

    always @(posedge ${gclk}) begin
        end_dly_q  <= {end_dly_q[DATA-1:0], ${late}kernel_ok};
        cell_dly_q <= {cell_dly_q[DATA-1:0], ${late}cell_ok};  //% if types.mix
    end

//%   end
    dla_csc_kernel u_kernel (
        .clk           (${gclk}),
        .rst_n         (rst_n),
//%   if types.mix
        .int8          (int8),
        .channel       (channel),
//%   end
//%   if image_enable
        .rows_code     (rows_code),
        .in_kernel_end (end_dly_q[DATA]),
        .in_cell_end   (cell_dly_q[DATA]),  //% if types.mix
//%   end
        .tail_off      (tail_off),
        .in_valid      (valid_q[DATA]),
        .in_head       (head_dly_q[DATA]),
        .in_two        (two_dly_q[DATA]),  //% if types.mix
        .in_tail       (tail_dly_q[DATA]),
        .in_bytes      (turned),
        .mac_a_valid_q (mac_a_valid_q),
        .mac_b_valid_q (mac_b_valid_q),
        .mac_sel_q     (mac_sel_q),
        .mac_data_q    (mac_data_q)
    );

    wire unused_bits = &{1'b0, fine, data_banks[BANK_W]};
