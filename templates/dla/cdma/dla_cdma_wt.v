// Weight side of CDMA: reads the weight stream of a layer and writes it entry after entry.
//
// Requests: ${wt_req_atoms} atoms if their ${wt_req_atoms / atoms_per_entry} entries are free, else one entry at a time, so that
// every free entry can be used; the last request of a layer is shorter. One request per cycle,
// responses never stall. `updt_q` follows the last atom of an entry by one cycle, `busy_q`
// falls in that cycle after the last atom of the layer. A layer begins in a new entry.
// CSC starts with all data and the first kernel group: what comes behind that group is requested
// only while the data side has no request (`yield_to`).
// First request one cycle after `start`. Reset: idle; the first bank change sets the pointer.
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
    input  wire                       pause,          // no request now
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
    input  wire                       rsp_valid,
    input  wire [${atom_bits - 1:3}:0]               rsp_data,

    // write into CBUF
    output reg                        wr_valid_q,
    output wire [${cbuf_addr_w - 1:2}:0]                wr_addr,
//% if atoms_per_entry > 1
    output reg  [${atoms_per_entry - 1:2}:0]                wr_sel_q,       // one-hot atom of the entry
//% end
    output reg  [${atom_bits - 1:3}:0]               wr_data_q,
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

    // ------------------------------------------------------------------ requests
    reg  [ADDR_W-1:0]  addr_q;
    reg  [LEFT_W-1:0]  left_q;         // whole atoms not yet requested
    reg                part_q;         // and a last partial one
    reg                hold_q;         // a request is waiting: it stays,
    reg                hold_short_q;   // and if it is short it stays short
    reg  [18:0]        group_left_q;   // atoms - 1 of the first group, negative behind it

    wire fire  = req_valid && req_ready;
    wire short_req = hold_short_q || (free[CBUF_W:REQ_W-Q_W] == {(CBUF_W+1+Q_W-REQ_W){1'b0}});

    // Atoms of this request: the step, or what is left if that is not more.
    wire [REQ_W:0]     step      = {{REQ_W{1'b0}}, 1'b1} << (short_req ? Q_W : REQ_W);
    wire [REQ_W:0]     left_low  = {1'b0, left_q[REQ_W-1:0]} + {{REQ_W{1'b0}}, part_q};
    wire               more      = (|left_q[LEFT_W-1:REQ_W]) || (left_low > step);
    wire [REQ_W:0]     atoms     = more ? step : left_low;
    wire [REQ_W:0]     less_1    = atoms - {{REQ_W{1'b0}}, 1'b1};

//% if image_enable && !secondary_memif_enable
    wire               may_ask    = !pause && (!group_left_q[18] || !yield_to);
//% else
    wire               may_ask    = !group_left_q[18] || !yield_to;
//% end

    assign req_valid   = ((|left_q) || part_q) && (|free) && (may_ask || hold_q);
    assign req_addr    = {addr_q, {ATOM_LSB{1'b0}}};
    assign req_size    = {{(14-REQ_W){1'b0}}, less_1};
    assign take        = fire;
    assign take_less_1 = {{(CBUF_W+Q_W-REQ_W){1'b0}}, less_1[REQ_W:Q_W]};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            left_q       <= {LEFT_W{1'b0}};
            part_q       <= 1'b0;
            hold_q       <= 1'b0;
            hold_short_q <= 1'b0;
        end else if (start) begin
            left_q       <= bytes[31:ATOM_LSB];
            part_q       <= |bytes[ATOM_LSB-1:0];
        end else begin
            hold_q       <= req_valid && !req_ready;
            hold_short_q <= req_valid && !req_ready && short_req;
            if (fire) begin
                left_q <= more ? left_q - {{(LEFT_W-REQ_W-1){1'b0}}, step} : {LEFT_W{1'b0}};
                part_q <= more && part_q;
            end
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
    reg  [CBUF_W-1:0]  entry_q;
    reg  [OUT_W-1:0]   out_q;          // atoms requested and not yet in CBUF

    wire last_atom = !(|left_q) && !part_q && (out_q == {{(OUT_W-1){1'b0}}, 1'b1});
//% if atoms_per_entry == 1
    wire entry_end = 1'b1;
//% else
    localparam Q = ${atoms_per_entry};
    wire entry_end = wr_sel_q[Q-1] || last_atom;
//% end
    wire bank_end  = &entry_q[ROW_W-1:0];
    wire ring_end  = bank_end && (entry_q[CBUF_W-1:ROW_W] == last_bank);

    assign wr_addr     = entry_q;
    assign outstanding = |out_q;

    always @(posedge clk) begin
        if (pointer_clear) begin
            entry_q <= {first_bank, {ROW_W{1'b0}}};
        end else if (wr_valid_q && entry_end) begin
            entry_q <= ring_end ? {first_bank, {ROW_W{1'b0}}}
                                : entry_q + {{(CBUF_W-1){1'b0}}, 1'b1};
        end
    end

    always @(posedge clk) begin
        if (rsp_valid) begin
            wr_data_q <= rsp_data;
        end
    end

//% if atoms_per_entry > 1
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
            wr_valid_q <= rsp_valid;
            updt_q     <= wr_valid_q && entry_end;
            out_q      <= out_q + (fire ? {{(OUT_W-REQ_W-1){1'b0}}, atoms} : {OUT_W{1'b0}})
                                - {{(OUT_W-1){1'b0}}, wr_valid_q};
            if (start) begin
                busy_q <= |bytes;
            end else if (wr_valid_q && last_atom) begin
                busy_q <= 1'b0;
            end
        end
    end

endmodule

`default_nettype wire
