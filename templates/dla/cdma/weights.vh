//# Weights of dla_cdma and their masks: requests, order of the responses.
//% let wt_data = types.fp16 ? "wt_plain" : "mcif2cdma_wt_rd_rsp_data"
//% let plain_data = types.fp16 ? "rsp_wmb ? mcif2cdma_wt_rd_rsp_data : wt_plain" : wt_data
//% let rsp_late = !types.convert ? "1'b0" : types.fp16 ? "cvt_en && !in_fp16" : "cvt_en"
    // ------------------------------------------------------------------ weights
    wire              wt_outstanding;
//% if types.sparsity_masks
    wire              wt_req_valid, wt_req_ready, wt_rsp_valid, wt_wr_valid;
    wire              wmb_req_valid, wmb_req_ready, wmb_rsp_valid, wmb_wr_valid;
    wire              wmb_outstanding;
    wire              rsp_wmb;           // a response has masks, not weights
    wire              rsp_two, wt_alone, wmb_alone;  //% if wt.atoms > 1
    wire [ADDR_W-1:0] wt_req_addr, wmb_req_addr;
    wire [14:0]       wt_req_size, wmb_req_size;
    wire [CBUF_W-1:0] wt_wr_addr, wmb_wr_addr;
    wire [${atoms_per_entry - 1}:0]       wt_wr_sel, wmb_wr_sel;  //% if atoms_per_entry > 1
//%   if image_enable && !secondary_memif_enable
    wire              weights_next, wmb_wr_next;

    assign wt_wr_next = weights_next || wmb_wr_next;
//%   end
//% end
//% if types.fp16
    wire [${wt.atoms * atom_bits - 1:3}:0]      wt_plain;          // without NaN

    dla_cdma_nan #(.LANES(${atom_bytes})) u_wt_nan (  //% if wt.atoms > 1
    dla_cdma_nan u_wt_nan (  //% if wt.atoms <= 1
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .clear     (start),
        .active    (out_fp16),
        .flush     (nan_to_zero),
//% if wt.atoms > 1
        .in_valid  ((|mcif2cdma_wt_rd_rsp_valid)${types.sparsity_masks ? " && !rsp_wmb" : ""}),
        .in_lanes  ({{${atom_bytes / 2}{mcif2cdma_wt_rd_rsp_valid[1]}},
                     {${atom_bytes / 2}{mcif2cdma_wt_rd_rsp_valid[0]}}}),
//% else
        .in_valid  (mcif2cdma_wt_rd_rsp_valid && !rsp_wmb),  //% if types.sparsity_masks
        .in_valid  (mcif2cdma_wt_rd_rsp_valid),  //% if !types.sparsity_masks
        .in_lanes  ({${atom_bytes / 2}{1'b1}}),
//% end
        .in_data   (mcif2cdma_wt_rd_rsp_data),
        .out_data  (wt_plain),
        .busy      (wt_counts),
        .nan_q     (nan_weights),
        .inf_q     (inf_weights)
    );
//% end
    // Banks stand one cycle before op_en.
    reg  [BANK_W-1:0] first_wt_bank_q, last_wt_bank_q;

    always @(posedge clk) begin
        first_wt_bank_q <= data_bank + {{(BANK_W-1){1'b0}}, 1'b1};
        last_wt_bank_q  <= data_bank + weight_bank + {{(BANK_W-1){1'b0}}, 1'b1};
    end

//% if secondary_memif_enable
    // Weights give way only to data from the same memory.
    wire same_memory = cdma_dat2mcif_rd_ram_type == cdma_wt2mcif_rd_ram_type;

//% end
//% if types.sparsity_masks
    dla_cdma_wt_order u_wt_order (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .wt_valid      (wt_req_valid),
        .wt_ready      (wt_req_ready),
        .wt_addr       (wt_req_addr),
        .wt_size       (wt_req_size),
        .wmb_valid     (wmb_req_valid),
        .wmb_ready     (wmb_req_ready),
        .wmb_addr      (wmb_req_addr),
        .wmb_size      (wmb_req_size),
        .req_valid     (cdma_wt2mcif_rd_req_valid),
        .req_ready     (cdma_wt2mcif_rd_req_ready),
        .req_addr      (cdma_wt2mcif_rd_req_addr),
        .req_size      (cdma_wt2mcif_rd_req_size),
//%   if wt.atoms > 1
        .rsp_valid     (mcif2cdma_wt_rd_rsp_valid),
        .rsp_wmb       (rsp_wmb)
    );

    dla_cdma_pairs u_pairs (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .in_valid      (mcif2cdma_wt_rd_rsp_valid),
        .in_hit        ({rsp_wmb, !rsp_wmb}),
        .in_data       (${plain_data}),
        .alone         ({wmb_alone, wt_alone}),
        .out_valid     ({wmb_rsp_valid, wt_rsp_valid}),
        .out_two       (rsp_two),
        .wr_data_q     (cdma2cbuf_wt_wr_data)
    );
//%   else
        .rsp_late      (${rsp_late}),
        .rsp_valid     (mcif2cdma_wt_rd_rsp_valid),
        .rsp_wmb       (rsp_wmb),
        .rsp_data      (${plain_data}),
        .wt_rsp_valid  (wt_rsp_valid),
        .wmb_rsp_valid (wmb_rsp_valid),
        .wr_data_q     (cdma2cbuf_wt_wr_data)
    );
//%   end

    // The first group has as many masks as weights: a bit for one or two bytes.
    dla_cdma_wt u_wmb (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (wt_start),
        .pointer_clear (agreed),
        .busy_q        (wmb_busy),
        .base          (wmb_addr[ADDR_W-1:LSB]),
        .bytes         (compressed ? {4'd0, wmb_bytes} : 32'd0),
        .group         (${types16 ? "group_atoms" : "byte_per_kernel"} >> 3),
//% include "cdma/wt_yield.vh"
        .other_sent    (wt_req_valid && wt_req_ready),  //% if pixels_wait
        .wr_next       (wmb_wr_next),  //% if pixels_wait
        .first_bank    ({BANK_W{1'b1}}),
        .last_bank     ({BANK_W{1'b1}}),
        .free          (wmb_free),
        .take          (wmb_take),
        .take_less_1   (wmb_take_less_1),
        .req_valid     (wmb_req_valid),
        .req_ready     (wmb_req_ready),
        .req_addr      (wmb_req_addr),
        .req_size      (wmb_req_size),
        .outstanding   (wmb_outstanding),
        .rsp_valid     (wmb_rsp_valid),
//%   if wt.atoms > 1
        .rsp_two       (rsp_two),
        .alone_q       (wmb_alone),
//%   end
        .wr_valid_q    (wmb_wr_valid),
        .wr_addr       (wmb_wr_addr),
        .wr_sel_q      (wmb_wr_sel),  //% if atoms_per_entry > 1
        .updt_q        (cdma2csc_wmb_updt)
    );

    assign cdma2cbuf_wt_wr_valid = wmb_wr_valid || wt_wr_valid;
    assign cdma2cbuf_wt_wr_addr  = wmb_wr_valid ? wmb_wr_addr : wt_wr_addr;
    assign cdma2cbuf_wt_wr_sel   = wmb_wr_valid ? wmb_wr_sel : wt_wr_sel;  //% if atoms_per_entry > 1

//% elif wt.atoms > 1
    wire              wt_rsp_valid, rsp_two, wt_alone;

    dla_cdma_pairs u_pairs (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .in_valid      (mcif2cdma_wt_rd_rsp_valid),
        .in_data       (${wt_data}),
        .alone         (wt_alone),
        .out_valid     (wt_rsp_valid),
        .out_two       (rsp_two),
        .wr_data_q     (cdma2cbuf_wt_wr_data)
    );

//% end
    dla_cdma_wt u_wt (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (wt_start),
        .pointer_clear (agreed),
        .busy_q        (wt_busy),
        .base          (weight_addr[ADDR_W-1:LSB]),
        .bytes         (weight_bytes),
        .group         (${types16 ? "group_atoms" : "byte_per_kernel"}),   // as many kernels as an atom has ${types16 ? "elements" : "bytes"}
//% include "cdma/wt_yield.vh"
        .other_sent    (wmb_req_valid && wmb_req_ready),  //% if pixels_wait && types.sparsity_masks
        .wr_next       (${types.sparsity_masks ? "weights_next" : "wt_wr_next"}),  //% if pixels_wait
        .first_bank    (first_wt_bank_q),
        .last_bank     (last_wt_bank_q),
        .free          (wt_free),
        .take          (wt_take),
        .take_less_1   (wt_take_less_1),
//% if types.sparsity_masks
        .req_valid     (wt_req_valid),
        .req_ready     (wt_req_ready),
        .req_addr      (wt_req_addr),
        .req_size      (wt_req_size),
        .outstanding   (wt_outstanding),
        .rsp_valid     (wt_rsp_valid),
//%   if wt.atoms > 1
        .rsp_two       (rsp_two),
        .alone_q       (wt_alone),
//%   end
        .wr_valid_q    (wt_wr_valid),
        .wr_addr       (wt_wr_addr),
        .wr_sel_q      (wt_wr_sel),  //% if atoms_per_entry > 1
//% else
        .req_valid     (cdma_wt2mcif_rd_req_valid),
        .req_ready     (cdma_wt2mcif_rd_req_ready),
        .req_addr      (cdma_wt2mcif_rd_req_addr),
        .req_size      (cdma_wt2mcif_rd_req_size),
        .outstanding   (wt_outstanding),
//%   if wt.atoms > 1
        .rsp_valid     (wt_rsp_valid),
        .rsp_two       (rsp_two),
        .alone_q       (wt_alone),
//%   else
        .rsp_late      (${rsp_late}),
        .rsp_valid     (mcif2cdma_wt_rd_rsp_valid),
        .rsp_data      (${wt_data}),
//%   end
        .wr_valid_q    (cdma2cbuf_wt_wr_valid),
        .wr_addr       (cdma2cbuf_wt_wr_addr),
        .wr_sel_q      (cdma2cbuf_wt_wr_sel),  //% if atoms_per_entry > 1
        .wr_data_q     (cdma2cbuf_wt_wr_data),  //% if wt.atoms == 1
//% end
        .updt_q        (cdma2csc_wt_updt)
    );
