// Reads a layer of ROW: its operand records, then the cube, pixel by pixel.
//
// Contract: one atom per request, as long as the FIFO has room for it. Records are taken at once,
// one per cycle; then ${row_lanes} element${row_lanes == 1 ? "" : "s"} per cycle. `start`: one cycle after the registers are
// there; they stand still until the layer has ended. Reset: no request, FIFO empty.
`default_nettype none

module dla_row_read #(
    parameter ADDR_W = 29,                             // of atoms
    parameter DEPTH  = 16                              // atoms in flight and in the FIFO
) (
    input  wire              clk,
    input  wire              rst_n,

    // layer; sizes are less 1
    input  wire              start,
    input  wire              softmax,
    input  wire              keep,                     // the records of the layer before
    input  wire [12:0]       width,
    input  wire [12:0]       height,
    input  wire [12:0]       channel,
    input  wire [ADDR_W-1:0] src_addr,
    input  wire [ADDR_W-1:0] src_line,
    input  wire [ADDR_W-1:0] src_surf,
    input  wire [ADDR_W-1:0] operand_addr,

    // memory reads
    output wire              rd_valid,
    input  wire              rd_ready,
    output wire [ADDR_W-1:0] rd_addr,
    input  wire              rsp_valid,                // cannot stall
    input  wire [${atom_bits - 1:3}:0]      rsp_data,

    // operand records
    output wire              record_valid,
    output wire [12:0]       record_index,
    output wire [63:0]       record,

    // beats of a row
    output wire              out_valid,
    input  wire              out_ready,
    output wire [${8 * row_lanes - 1:3}:0]      out_data,
    output wire [${row_lanes - 1:3}:0]      out_mask,                 // channels of the cube, not padding
    output wire              out_last                  // of a row
);

    localparam LSB    = ${atom_lsb};                             // address bits inside an atom
    localparam BITS   = ${atom_bits};
    localparam LANES  = ${row_lanes};
    localparam CNT_W  = $clog2(DEPTH + 1);
    localparam SURF_W = 13 - LSB;

    // ------------------------------------------------------------------ requests
    // The records are walked over as one pixel.
    reg              asking_q;                         // requests are to be sent
    reg              operand_q;                        // of records
    reg              req_valid_q;
    reg  [CNT_W-1:0] room_q;                           // atoms neither asked for nor stored
    reg              freed_q;
    wire             freed;                            // an atom leaves the FIFO
    wire             last;
    wire [12:0]      records  = softmax ? 13'd255 : channel;   // less 1
    wire             operands = start && !keep;
    wire             sent     = req_valid_q && rd_ready;
    wire             turn     = sent && last && operand_q;     // from the records to the cube
    wire             asking   = start || (asking_q && !(sent && last && !operand_q));
    wire [CNT_W-1:0] room     = room_q - {{(CNT_W-1){1'b0}}, sent} + {{(CNT_W-1){1'b0}}, freed_q};
    wire [12:0]      cube_surfaces   = {{LSB{1'b0}}, channel[12:LSB]};
    wire [12:0]      record_surfaces = records;  //% if row_record_w == 0
    wire [12:0]      record_surfaces = {${row_record_w}'d0, records[12:${row_record_w}]};  //% if row_record_w > 0

    assign rd_valid = req_valid_q;

    dla_row_walk #(.ADDR_W(ADDR_W), .SURF_W(13)) u_walk (
        .clk       (clk),
        .start     (start || turn),
        .step      (sent),
        .base      (operands ? operand_addr : src_addr),
        .line_step (src_line),
        .surf_step (operand_q ? {{(ADDR_W-1){1'b0}}, 1'b1} : src_surf),
        .width     (operands ? 13'd0 : width),
        .height    (operands ? 13'd0 : height),
        .surfaces  (operands ? record_surfaces : cube_surfaces),
        .addr      (rd_addr),
        .last      (last)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            asking_q    <= 1'b0;
            operand_q   <= 1'b0;
            req_valid_q <= 1'b0;
            freed_q     <= 1'b0;
            room_q      <= DEPTH[CNT_W-1:0];
        end else begin
            asking_q    <= asking;
            operand_q   <= operands || (operand_q && !turn);
            req_valid_q <= asking && room != {CNT_W{1'b0}};
            freed_q     <= freed;
            room_q      <= room;
        end
    end

    wire            atom_valid;
    wire [BITS-1:0] atom;
    wire            unused_stored;  //% if clock_gating

    dla_sdp_rdma_fifo #(.W(BITS), .DEPTH(DEPTH)) u_data (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (rsp_valid),
        .in_data   (rsp_data),
        .out_valid (atom_valid),
        .out_ready (freed),
        .stored    (unused_stored),  //% if clock_gating
        .out_data  (atom)
    );

    // ------------------------------------------------------------------ records
    reg        loading_q;
    reg [12:0] index_q;
    wire       loaded = record_valid && index_q == records;
    wire       atom_end = loaded || (&index_q[${row_record_w - 1}:0]);  //% if row_record_w > 0

    assign record_valid = loading_q && atom_valid;
    assign record_index = index_q;
    assign record       = atom;  //% if row_record_w == 0
    assign record       = atom[64*index_q[${row_record_w - 1}:0] +: 64];  //% if row_record_w > 0

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            loading_q <= 1'b0;
            index_q   <= 13'd0;
        end else begin
            loading_q <= operands || (loading_q && !loaded);
            if (record_valid) index_q <= loaded ? 13'd0 : index_q + 13'd1;
        end
    end

    // ------------------------------------------------------------------ beats
    reg               out_valid_q, out_last_q;
    reg [8*LANES-1:0] out_data_q;
    reg [LANES-1:0]   out_mask_q;
    reg [SURF_W-1:0]  surf_q;                          // of this atom
    wire              last_surf = surf_q == channel[12:LSB];
    wire [LSB-1:0]    end_lane  = channel[LSB-1:0] | {LSB{!last_surf}};  // last one of the atom
    wire              load      = atom_valid && !loading_q && (!out_valid_q || out_ready);
    wire              beat_end;                        // of the atom
    wire [LSB-1:0]    base;                            // element of lane 0
    wire [8*LANES-1:0] beat;
    wire [LANES-1:0]  mask;

    assign freed     = loading_q ? record_valid : load && beat_end;              //% if row_record_w == 0
    assign freed     = loading_q ? record_valid && atom_end : load && beat_end;  //% if row_record_w > 0
    assign out_valid = out_valid_q;
    assign out_data  = out_data_q;
    assign out_mask  = out_mask_q;
    assign out_last  = out_last_q;

//% if row_beats > 1
    reg [${clog2(row_beats) - 1}:0]         beat_q;

    assign beat_end = &beat_q;
    assign base     = {beat_q, ${clog2(row_lanes)}'d0};  //% if row_lanes > 1
    assign base     = beat_q;  //% if row_lanes == 1
    assign beat     = atom[8*LANES*beat_q +: 8*LANES];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    beat_q <= ${clog2(row_beats)}'d0;
        else if (load) beat_q <= beat_q + ${clog2(row_beats)}'d1;
    end
//% else
    assign beat_end = 1'b1;
    assign base     = {LSB{1'b0}};
    assign beat     = atom;
    assign mask[0]  = 1'b1;                            // never a padding channel
//% end

    genvar i;

    generate
        for (i = ${row_beats > 1 ? 0 : 1}; i < LANES; i = i + 1) begin : gen_mask
            localparam [LSB-1:0] LANE = i;
            assign mask[i] = (base | LANE) <= end_lane;
        end
    endgenerate

    always @(posedge clk) begin
        if (load) begin
            out_data_q <= beat;
            out_mask_q <= mask;
            out_last_q <= last_surf && beat_end;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            out_valid_q <= 1'b0;
            surf_q      <= {SURF_W{1'b0}};
        end else begin
            out_valid_q <= load || (out_valid_q && !out_ready);
            if (load && beat_end)
                surf_q <= last_surf ? {SURF_W{1'b0}} : surf_q + {{(SURF_W-1){1'b0}}, 1'b1};
        end
    end

endmodule

`default_nettype wire
