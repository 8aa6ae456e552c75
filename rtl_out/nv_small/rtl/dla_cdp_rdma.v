// Made by macrame 0.1.0 from templates/dla/cdp_rdma/dla_cdp_rdma.v
// with addr_w=32 atom_bits=64 atom_lsb=3 cdp_beats=8 cdp_fifo_depth=32 cdp_throughput=1
// clock_gating=0 int8=1 types16=0

// CDP_RDMA: reads the cube of a CDP layer, pixel by pixel: line, column, then all surfaces.
//
// Contract: 1 element(s) per cycle while its FIFO covers the memory latency. op_en to first
// request: 1 cycle. A layer ends (op_done) when all its data has arrived: what CDP has not taken
// yet stays in the FIFO, and the reads of the next layer start. Only room and the memory stall it.
// Reset: idle, FIFO empty.
`default_nettype none

module dla_cdp_rdma (
    input  wire         clk,
    input  wire         rst_n,

    // register access
    input  wire         csb2cdp_rdma_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cdp_rdma2csb_rdata,            // 0 unless a read was requested

    // memory reads
    output wire         cdp2mcif_rd_req_valid,
    input  wire         cdp2mcif_rd_req_ready,
    output wire [31:0]  cdp2mcif_rd_req_addr,
    output wire [14:0]  cdp2mcif_rd_req_size,          // atoms - 1
    input  wire         mcif2cdp_rd_rsp_valid,         // cannot stall
    input  wire [ 63:0] mcif2cdp_rd_rsp_data,

    // elements for CDP, channel after channel
    output wire         cdp_rdma2cdp_valid,
    input  wire         cdp_rdma2cdp_ready,
    output wire [  7:0] cdp_rdma2cdp_data,
    output wire [  0:0] cdp_rdma2cdp_mask,             // channels of the cube, not padding
    output wire         cdp_rdma2cdp_first,            // first beat of a pixel
    output wire         cdp_rdma2cdp_last,             // last beat of a pixel
    output wire         cdp_rdma2cdp_line,             // pixel is the last of its line
    output wire         cdp_rdma2cdp_end               // pixel is the last of the layer
);

    localparam LSB    = 3;                   // address bits inside an atom
    localparam ADDR_W = 29;                  // of atoms
    localparam BITS   = 64;
    localparam LANES  = 1;
    localparam DEPTH  = 32;                  // atoms in flight
    localparam CNT_W  = $clog2(DEPTH + 1);
    localparam SURF_W = 13 - LSB;

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, unused_consumer;
    wire [12:0] width, height, channel;
    wire [31:0] src_low, src_high, src_line, src_surf;
    wire        dma_en;
    reg  [31:0] stall_q;

    dla_cdp_rdma_regs u_regs (
        .clk                                   (clk),
        .rst_n                                 (rst_n),
        .csb_valid                             (csb2cdp_rdma_valid),
        .csb_addr                              (csb_addr),
        .csb_wdata                             (csb_wdata),
        .csb_write                             (csb_write),
        .csb_rdata                             (cdp_rdma2csb_rdata),
        .op_en                                 (op_en),
        .op_done                               (op_done),
        .consumer                              (unused_consumer),
        .d_data_cube_width                     (width),
        .d_data_cube_height                    (height),
        .d_data_cube_channel                   (channel),
        .d_src_base_addr_low                   (src_low),
        .d_src_base_addr_high                  (src_high),
        .d_src_line_stride                     (src_line),
        .d_src_surface_stride                  (src_surf),
        .d_perf_enable_dma_en                  (dma_en),
        .d_perf_read_stall                     (stall_q)
    );

    // Zero extension first, then the slice that this configuration has.
    wire [63:0]       src_addr  = {src_high, src_low};
    wire [63:0]       line_step = {32'd0, src_line};
    wire [63:0]       surf_step = {32'd0, src_surf};
    wire [SURF_W-1:0] surfaces  = channel[12:LSB];
    wire              unused_bits = &{1'b0, src_addr, line_step, surf_step};

    reg out_valid_q;                          // a beat for CDP

    // ------------------------------------------------------------------ requests
    reg               running_q;              // a layer runs
    reg               asking_q;               // requests are to be sent
    reg  [CNT_W-1:0]  room_q;                 // atoms neither asked for nor stored
    reg  [CNT_W-1:0]  flight_q;               // atoms asked for, not yet here
    reg  [ADDR_W-1:0] addr_q;                 // next atom
    reg  [ADDR_W-1:0] pixel_q;                // first atom of this pixel
    reg  [ADDR_W-1:0] line_q;                 // first atom of this line
    reg  [SURF_W-1:0] surf_left_q;            // counters count down beside flags for the last one
    reg  [12:0]       col_left_q;
    reg  [12:0]       row_left_q;
    reg               last_surf_q, last_col_q, last_row_q;
    reg               req_valid_q;
    wire              freed;                  // an atom leaves the FIFO
    reg               freed_q;

    wire start     = op_en && !running_q;
    wire sent      = req_valid_q && cdp2mcif_rd_req_ready;
    wire pixel_end = sent && last_surf_q;
    wire line_end  = pixel_end && last_col_q;
    wire asking    = start || (asking_q && !(line_end && last_row_q));

    assign op_done = running_q && !asking_q && (flight_q == {CNT_W{1'b0}});
    assign cdp2mcif_rd_req_valid = req_valid_q;
    assign cdp2mcif_rd_req_addr  = {addr_q, {LSB{1'b0}}};
    assign cdp2mcif_rd_req_size  = 15'd0;

    // One adder for the three kinds of step.
    wire [ADDR_W-1:0] from = !last_surf_q ? addr_q : !last_col_q ? pixel_q : line_q;
    wire [ADDR_W-1:0] step = !last_surf_q ? surf_step[LSB +: ADDR_W]
                           : !last_col_q  ? {{(ADDR_W-1){1'b0}}, 1'b1} : line_step[LSB +: ADDR_W];
    wire [ADDR_W-1:0] next = start ? src_addr[LSB +: ADDR_W] : from + step;

    always @(posedge clk) begin
        if (start || sent)      addr_q  <= next;
        if (start || pixel_end) pixel_q <= next;
        if (start || line_end)  line_q  <= next;
        if (start || pixel_end) begin
            surf_left_q <= surfaces;
            last_surf_q <= surfaces == {SURF_W{1'b0}};
        end else if (sent) begin
            surf_left_q <= surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            last_surf_q <= surf_left_q == {{(SURF_W-1){1'b0}}, 1'b1};
        end
        if (start || line_end) begin
            col_left_q <= width;
            last_col_q <= width == 13'd0;
        end else if (pixel_end) begin
            col_left_q <= col_left_q - 13'd1;
            last_col_q <= col_left_q == 13'd1;
        end
        if (start) begin
            row_left_q <= height;
            last_row_q <= height == 13'd0;
        end else if (line_end) begin
            row_left_q <= row_left_q - 13'd1;
            last_row_q <= row_left_q == 13'd1;
        end
        if (start) stall_q <= 32'd0;
        else if (dma_en && req_valid_q && !cdp2mcif_rd_req_ready) stall_q <= stall_q + 32'd1;
    end

    wire [CNT_W-1:0] one  = {{(CNT_W-1){1'b0}}, 1'b1};
    wire [CNT_W-1:0] room = room_q - {{(CNT_W-1){1'b0}}, sent} + {{(CNT_W-1){1'b0}}, freed_q};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            running_q   <= 1'b0;
            asking_q    <= 1'b0;
            req_valid_q <= 1'b0;
            freed_q     <= 1'b0;
            room_q      <= DEPTH[CNT_W-1:0];
            flight_q    <= {CNT_W{1'b0}};
        end else begin
            running_q   <= (running_q || op_en) && !op_done;
            asking_q    <= asking;
            req_valid_q <= asking && (room != {CNT_W{1'b0}});
            freed_q     <= freed;
            room_q      <= room;
            if (sent && !mcif2cdp_rd_rsp_valid) flight_q <= flight_q + one;
            if (mcif2cdp_rd_rsp_valid && !sent) flight_q <= flight_q - one;
        end
    end

    // ------------------------------------------------------------------ atoms and what they are
    wire             atom_valid;
    wire [BITS-1:0]  atom;
    wire             unused_ready, unused_valid;
    wire             pixel_last, line_last, layer_last;
    wire [LSB-1:0]   last_element;            // of the atom that is not padding

    dla_sdp_rdma_fifo #(.W(BITS), .DEPTH(DEPTH)) u_data (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (mcif2cdp_rd_rsp_valid),
        .in_data   (mcif2cdp_rd_rsp_data),
        .out_valid (atom_valid),
        .out_ready (freed),
        .out_data  (atom)
    );

    // Written with the request: always there before the atom.
    fifo_sync #(.W(LSB + 3), .DEPTH(DEPTH)) u_notes (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (sent),
        .in_ready  (unused_ready),
        .in_data   ({last_surf_q && last_col_q && last_row_q, last_surf_q && last_col_q,
                     last_surf_q, channel[LSB-1:0] | {LSB{!last_surf_q}}}),
        .out_valid (unused_valid),
        .out_ready (freed),
        .out_data  ({layer_last, line_last, pixel_last, last_element})
    );

    // ------------------------------------------------------------------ beats
    localparam BEAT = 8;
    reg             first_q;                  // next atom is the first of a pixel
    reg [BEAT-1:0]  out_data_q;
    reg [LANES-1:0] out_mask_q;
    reg             out_first_q, out_last_q, out_line_q, out_end_q;
    wire            load = atom_valid && (!out_valid_q || cdp_rdma2cdp_ready);
    wire            beat_first, beat_last;
    wire [BEAT-1:0] beat;
    wire [LSB-1:0]  base;                     // element of lane 0
    wire [LANES-1:0] mask;

    assign freed              = load && beat_last;
    assign cdp_rdma2cdp_valid = out_valid_q;
    assign cdp_rdma2cdp_data  = out_data_q;
    assign cdp_rdma2cdp_mask  = out_mask_q;
    assign cdp_rdma2cdp_first = out_first_q;
    assign cdp_rdma2cdp_last  = out_last_q;
    assign cdp_rdma2cdp_line  = out_line_q;
    assign cdp_rdma2cdp_end   = out_end_q;

    localparam BEAT_W = 3;
    localparam FIRST  = 0;
    reg [BEAT_W-1:0] beat_q;

    assign beat_last  = &beat_q;
    assign beat_first = ~|beat_q;
    assign base       = beat_q;
    assign beat       = atom[BEAT*beat_q +: BEAT];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    beat_q <= {BEAT_W{1'b0}};
        else if (load) beat_q <= beat_q + 1'b1;
    end

    genvar i;

    generate
        for (i = FIRST; i < LANES; i = i + 1) begin : gen_mask
            localparam [LSB-1:0] LANE = i;
            assign mask[i] = (base | LANE) <= last_element;
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            first_q     <= 1'b1;
            out_valid_q <= 1'b0;
        end else begin
            if (freed) first_q <= pixel_last;
            out_valid_q <= atom_valid || (out_valid_q && !cdp_rdma2cdp_ready);
        end
    end

    always @(posedge clk) begin
        if (load) begin
            out_data_q  <= beat;
            out_mask_q  <= mask;
            out_first_q <= first_q && beat_first;
            out_last_q  <= pixel_last && beat_last;
            out_line_q  <= line_last;
            out_end_q   <= layer_last;
        end
    end

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(47)) a_cdp2mcif_rd_req (
        .clk(clk), .rst_n(rst_n), .valid(cdp2mcif_rd_req_valid), .ready(cdp2mcif_rd_req_ready),
        .payload({cdp2mcif_rd_req_addr, cdp2mcif_rd_req_size})
    );
    assert_link #(.W(13)) a_cdp_rdma2cdp (
        .clk(clk), .rst_n(rst_n), .valid(cdp_rdma2cdp_valid), .ready(cdp_rdma2cdp_ready),
        .payload({cdp_rdma2cdp_data, cdp_rdma2cdp_mask, cdp_rdma2cdp_first,
                  cdp_rdma2cdp_last, cdp_rdma2cdp_line, cdp_rdma2cdp_end})
    );
`endif

endmodule

`default_nettype wire
