//% if types.sparsity_masks
// Weight side of CDMA: reads the weights of a layer, or the masks of compressed ones, and writes
// them entry after entry; the data of both go another way.
//% else
// Weight side of CDMA: reads the weight stream of a layer and writes it entry after entry.
//% end
//
// Requests: ${wt_req_atoms} atoms if their ${wt_req_atoms / atoms_per_entry} entries are free, else one entry at a time, so that
// every free entry can be used; the last request of a layer is shorter. A request is made up in
//% if types.sparsity_masks || wt.atoms > 1
// one cycle and offered from the next on; responses never stall.
//% else
// one cycle and offered from the next on; responses never stall. With `rsp_late` they wait as
// long as data spends in the convertor, so that CBUF gets one atom per cycle, too.
//% end
// Responses are pairs of an entry, of which the last one of a layer may be a single atom.  //% if wt.atoms > 1
// `updt_q` follows the last atom of an entry by one cycle, `busy_q` falls in that cycle after the
// last atom of the layer. A layer begins in a new entry.
// CSC starts with all data and the first kernel group: what comes behind that group is requested
// only while the data side has no request (`yield_to`).
//% if image_enable && !secondary_memif_enable
// Pixels need time in CBUF: while they wait, twice as many cycles as a request has atoms pass
// before the next one.
//% end
// First request two cycles after `start`. Reset: idle; the first bank change sets the pointer.
`default_nettype none

module dla_cdma_wt (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       start,          // fetch this layer
    input  wire                       pointer_clear,  // bank change: begin again at first_bank
    output reg                        busy_q,

    // layer, stable while busy
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base,           // in atoms
    input  wire [31:0]                bytes,
    input  wire [17:0]                group,          // first kernel group in atoms - 1
    input  wire                       yield_to,       // the data side has a request
//% if image_enable && !secondary_memif_enable
    input  wire                       pixels,         // wait for their turn in CBUF
    input  wire                       other_sent,     // a request of the other stream  //% if types.sparsity_masks
    output wire                       wr_next,        // a write in the next cycle
//% end
    input  wire [${cbuf_bank_w - 1:2}:0]                first_bank,
    input  wire [${cbuf_bank_w - 1:2}:0]                last_bank,

    // space
    input  wire [${cbuf_addr_w:2}:0]                free,           // entries
    output wire                       take,           // claims take_less_1 + 1 entries
    output wire [${cbuf_addr_w:2}:0]                take_less_1,

    // memory requests and responses
    output wire                       req_valid,
    input  wire                       req_ready,
    output wire [${addr_w - 1:2}:0]                req_addr,
    output wire [14:0]                req_size,       // atoms - 1
    output wire                       outstanding,    // a requested atom is not yet in CBUF
//% if wt.atoms > 1
    input  wire                       rsp_valid,
    input  wire                       rsp_two,        // two atoms
    output reg                        alone_q,        // one more atom is to come
//% elif types.sparsity_masks
    input  wire                       rsp_valid,
//% else
    input  wire                       rsp_late,
    input  wire                       rsp_valid,
    input  wire [${atom_bits - 1:3}:0]               rsp_data,
//% end

    // write into CBUF
    output reg                        wr_valid_q,
    output wire [${cbuf_addr_w - 1:2}:0]                wr_addr,
//% if atoms_per_entry > 1
    output reg  [${atoms_per_entry - 1:2}:0]                wr_sel_q,       // ${wt.atoms > 1 ? "an aligned pair, or its low atom" : "one-hot atom of the entry"}
//% end
    output reg  [${atom_bits - 1:3}:0]               wr_data_q,  //% if !types.sparsity_masks && wt.atoms == 1
    output reg                        updt_q          // an entry is complete
);

    localparam ATOM_LSB = ${atom_lsb};
    localparam ADDR_W   = ${addr_w - atom_lsb};       // atom addresses
    localparam LEFT_W   = 32 - ATOM_LSB;
    localparam REQ_W    = ${clog2(wt_req_atoms)};           // a full request is 2**REQ_W atoms,
    localparam Q_W      = ${clog2(atoms_per_entry)};           // a short one is one entry, 2**Q_W atoms
    localparam ROW_W    = ${cbuf_row_w};
    localparam CBUF_W   = ${cbuf_addr_w};
    localparam OUT_W    = CBUF_W + Q_W + 1;

//% let in_valid = types.sparsity_masks || wt.atoms > 1 ? "rsp_valid" : "in_valid"
    // ------------------------------------------------------------------ requests
    reg  [ADDR_W-1:0]  addr_q;
    reg  [LEFT_W-1:0]  left_q;         // whole atoms not yet requested
    reg                part_q;         // and a last partial one
    reg  [18:0]        group_left_q;   // atoms - 1 of the first group, negative behind it
    reg                ask_q;          // a request is offered:
    reg                short_q;        // one entry, not a full one
    reg                more_q;         // not the last one
    reg  [REQ_W-1:0]   less_1_q;       // its atoms - 1

    wire fire  = ask_q && req_ready;

    // Atoms of the next request: a full or a short one, or what is left if that is not more.
    wire             short_req  = free[CBUF_W:REQ_W-Q_W] == {(CBUF_W+1+Q_W-REQ_W){1'b0}};
    wire [REQ_W:0]   left_low   = {1'b0, left_q[REQ_W-1:0]} + {{REQ_W{1'b0}}, part_q};
    wire [REQ_W-1:0] low_less_1 = left_q[REQ_W-1:0] - {{(REQ_W-1){1'b0}}, !part_q};
    wire             left_high  = |left_q[LEFT_W-1:REQ_W];
    wire             more       = left_high
                                  || (short_req && left_low > {{REQ_W{1'b0}}, 1'b1} << Q_W);
    wire [REQ_W-1:0] step_less_1 = {REQ_W{!short_req}} | ~({REQ_W{1'b1}} << Q_W);

//% if image_enable && !secondary_memif_enable
    localparam GAP_W = REQ_W + 1;
    reg  [GAP_W-1:0]   gap_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)      gap_q <= {GAP_W{1'b0}};
        else if (fire || other_sent) gap_q <= {GAP_W{1'b1}};  //% if types.sparsity_masks
        else if (fire)   gap_q <= {GAP_W{1'b1}};  //% if !types.sparsity_masks
        else if (|gap_q) gap_q <= gap_q - {{(GAP_W-1){1'b0}}, 1'b1};
    end

    wire             may_ask = !(pixels && (|gap_q)) && (!group_left_q[18] || !yield_to);
//% else
    wire             may_ask = !group_left_q[18] || !yield_to;
//% end

    // Atoms that the offered request moves on by.
    wire [REQ_W:0]   step = {{REQ_W{1'b0}}, 1'b1} << (short_q ? Q_W : REQ_W);

    assign req_valid   = ask_q;
    assign req_addr    = {addr_q, {ATOM_LSB{1'b0}}};
    assign req_size    = {{(15-REQ_W){1'b0}}, less_1_q};
    assign take        = fire;
    assign take_less_1 = {{(CBUF_W+1+Q_W-REQ_W){1'b0}}, less_1_q[REQ_W-1:Q_W]};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            left_q <= {LEFT_W{1'b0}};
            part_q <= 1'b0;
            ask_q  <= 1'b0;
        end else if (start) begin
            left_q <= bytes[31:ATOM_LSB];
            part_q <= |bytes[ATOM_LSB-1:0];
        end else begin
            ask_q  <= ask_q ? !req_ready : ((|left_q) || part_q) && (|free) && may_ask;
            if (fire) begin
                left_q <= more_q ? left_q - {{(LEFT_W-REQ_W-1){1'b0}}, step} : {LEFT_W{1'b0}};
                part_q <= more_q && part_q;
            end
        end
    end

    always @(posedge clk) begin
        if (!ask_q) begin
            short_q  <= short_req;
            more_q   <= more;
            less_1_q <= more ? step_less_1 : low_less_1;
        end
    end

    always @(posedge clk) begin
        if (start) begin
            addr_q       <= base;
            group_left_q <= {1'b0, group};
        end else if (fire) begin
            addr_q <= addr_q + {{(ADDR_W-REQ_W-1){1'b0}}, step};
            if (!group_left_q[18]) begin
                group_left_q <= group_left_q - {{(18-REQ_W){1'b0}}, step};
            end
        end
    end

    // ------------------------------------------------------------------ responses
//% if !types.sparsity_masks && wt.atoms == 1
    localparam CVT    = 3;             // cycles more with the convertor than without
    localparam ATOM_W = ${atom_bits};
    reg  [CVT-1:0]        late_valid_q;
    reg  [CVT*ATOM_W-1:0] late_data_q;
    wire                  in_valid = rsp_late ? late_valid_q[CVT-1] : rsp_valid;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) late_valid_q <= {CVT{1'b0}};
        else        late_valid_q <= {late_valid_q[CVT-2:0], rsp_late && rsp_valid};
    end

    always @(posedge clk) begin
        if (rsp_late) late_data_q <= {late_data_q[(CVT-1)*ATOM_W-1:0], rsp_data};
    end

//% end
    reg  [CBUF_W-1:0]  entry_q;
    reg  [OUT_W-1:0]   out_q;          // atoms requested and not yet in CBUF

    reg                two_q;          // two atoms are written  //% if wt.atoms > 1
    wire last_atom = !(|left_q) && !part_q && (out_q == ${wt.atoms > 1 ? "{{(OUT_W-2){1'b0}}, two_q, !two_q}" : "{{(OUT_W-1){1'b0}}, 1'b1}"});
//% if atoms_per_entry == 1
    wire entry_end = 1'b1;
//% else
    localparam Q = ${atoms_per_entry};
    wire entry_end = wr_sel_q[Q-${wt.atoms}] || last_atom;
//% end
    wire bank_end  = &entry_q[ROW_W-1:0];
    wire ring_end  = bank_end && (entry_q[CBUF_W-1:ROW_W] == last_bank);

    assign wr_addr     = entry_q;
    assign outstanding = |out_q;
    assign wr_next     = ${in_valid};  //% if image_enable && !secondary_memif_enable

    always @(posedge clk) begin
        if (pointer_clear) begin
            entry_q <= {first_bank, {ROW_W{1'b0}}};
        end else if (wr_valid_q && entry_end) begin
            entry_q <= ring_end ? {first_bank, {ROW_W{1'b0}}}
                                : entry_q + {{(CBUF_W-1){1'b0}}, 1'b1};
        end
    end

//% if !types.sparsity_masks && wt.atoms == 1
    always @(posedge clk) begin
        if (in_valid) begin
            wr_data_q <= rsp_late ? late_data_q[CVT*ATOM_W-1 -: ATOM_W] : rsp_data;
        end
    end

//% end
//% if wt.atoms > 1
//%   if atoms_per_entry > 2
    reg                high_q;         // the next pair is the upper one of its entry

    always @(posedge clk) begin
        if (start)          high_q <= 1'b0;
        else if (rsp_valid) high_q <= !high_q;
    end

    always @(posedge clk) begin
        if (rsp_valid) begin
            wr_sel_q <= high_q ? {rsp_two, 3'b100} : {2'b00, rsp_two, 1'b1};
            two_q    <= rsp_two;
        end
    end

//%   else
    always @(posedge clk) begin
        if (rsp_valid) begin
            wr_sel_q <= {rsp_two, 1'b1};
            two_q    <= rsp_two;
        end
    end

//%   end
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) alone_q <= 1'b0;
        else        alone_q <= !(|left_q) && !part_q && !wr_valid_q
                               && (out_q == {{(OUT_W-1){1'b0}}, 1'b1});
    end

//% elif atoms_per_entry > 1
    always @(posedge clk) begin
        if (start) begin
            wr_sel_q <= {{(Q-1){1'b0}}, 1'b1};
        end else if (wr_valid_q) begin
            wr_sel_q <= {wr_sel_q[Q-2:0], wr_sel_q[Q-1]};
        end
    end

//% end
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q     <= 1'b0;
            wr_valid_q <= 1'b0;
            updt_q     <= 1'b0;
            out_q      <= {OUT_W{1'b0}};
        end else begin
            wr_valid_q <= ${in_valid};
            updt_q     <= wr_valid_q && entry_end;
            out_q      <= out_q + ({OUT_W{fire}} & {{(OUT_W-REQ_W){1'b0}}, less_1_q})
                                + {{(OUT_W-1){1'b0}}, fire}
                                - {{(OUT_W-2){1'b0}}, wr_valid_q && two_q, wr_valid_q && !two_q};  //% if wt.atoms > 1
                                - {{(OUT_W-1){1'b0}}, wr_valid_q};  //% if wt.atoms == 1
            if (start) begin
                busy_q <= |bytes;
            end else if (wr_valid_q && last_atom) begin
                busy_q <= 1'b0;
            end
        end
    end

endmodule

`default_nettype wire
