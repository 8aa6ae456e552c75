// Made by macrame 0.1.0 from templates/dla/pdp_rdma/dla_pdp_rdma.v
// with addr_w=32 atom_bits=64 atom_lsb=3 clock_gating=0 groups=8 pdp_fifo_depth=16
// pdp_throughput=1 rdma_chunk=1

// PDP_RDMA: reads the input cube of an offline PDP layer, strip by strip.
//
// Throughput: 1 element(s) per cycle while the FIFO covers the memory latency. op_en to first
// request: 2 cycles. Order: strip -> surface -> line -> column; a strip but the first one begins
// kernel width - stride columns early.
// A layer ends (op_done) when all its data has arrived; what PDP has not taken yet stays in the
// FIFO, and the reads of the next layer start. Nothing but room and the memory stalls it.
`default_nettype none

module dla_pdp_rdma (
    input  wire         clk,
    input  wire         rst_n,

    // register access
    input  wire         csb2pdp_rdma_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  pdp_rdma2csb_rdata,            // 0 unless a read was requested

    // memory reads
    output wire         pdp2mcif_rd_req_valid,
    input  wire         pdp2mcif_rd_req_ready,
    output wire [31:0]  pdp2mcif_rd_req_addr,
    output wire [14:0]  pdp2mcif_rd_req_size,          // atoms - 1
    input  wire         mcif2pdp_rd_rsp_valid,         // cannot stall
    input  wire [ 63:0] mcif2pdp_rd_rsp_data,

    // elements
    output wire         pdp_rdma2pdp_valid,
    input  wire         pdp_rdma2pdp_ready,
    output wire [  7:0] pdp_rdma2pdp_data
);

    localparam BITS   = 64;
    localparam LSB    = 3;                // address bits inside an atom
    localparam ADDR_W = 29;               // of atoms
    localparam SURF_W = 10;
    localparam DEPTH  = 16;               // atoms in flight and in the FIFO
    localparam CNT_W  = 5;

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, unused_consumer;
    wire [12:0] width, height, channel;
    wire [31:0] src_low, src_high, src_line, src_surf;
    wire [7:0]  split_num;
    wire [3:0]  kernel, stride;                // less 1
    wire [9:0]  in_first, in_mid, in_last;     // less 1
    wire        perf_dma_en;
    reg  [31:0] stall_q;

    dla_pdp_rdma_regs u_regs (
        .clk                                      (clk),
        .rst_n                                    (rst_n),
        .csb_valid                                (csb2pdp_rdma_valid),
        .csb_addr                                 (csb_addr),
        .csb_wdata                                (csb_wdata),
        .csb_write                                (csb_write),
        .csb_rdata                                (pdp_rdma2csb_rdata),
        .op_en                                    (op_en),
        .op_done                                  (op_done),
        .consumer                                 (unused_consumer),
        .d_data_cube_in_width                     (width),
        .d_data_cube_in_height                    (height),
        .d_data_cube_in_channel                   (channel),
        .d_src_base_addr_low                      (src_low),
        .d_src_base_addr_high                     (src_high),
        .d_src_line_stride                        (src_line),
        .d_src_surface_stride                     (src_surf),
        .d_operation_mode_cfg_split_num           (split_num),
        .d_pooling_kernel_cfg_kernel_width        (kernel),
        .d_pooling_kernel_cfg_kernel_stride_width (stride),
        .d_partial_width_in_first                 (in_first),
        .d_partial_width_in_last                  (in_last),
        .d_partial_width_in_mid                   (in_mid),
        .d_perf_enable_dma_en                     (perf_dma_en),
        .d_perf_read_stall                        (stall_q)
    );

    // Zero extension first, then the slice that this configuration has.
    wire [63:0] src_addr  = {src_high, src_low};
    wire [63:0] line_step = {32'd0, src_line};
    wire [63:0] surf_step = {32'd0, src_surf};

    wire fifo_valid;

    // ------------------------------------------------------------------ walk
    reg              running_q;
    reg              run_q;                   // requests are to be sent
    reg              load_q;                  // a strip begins: its width is taken over
    reg [ADDR_W-1:0] addr_q;                  // next atom
    reg [ADDR_W-1:0] line_addr_q;             // first atom of this line
    reg [ADDR_W-1:0] surf_addr_q;             // first atom of this surface
    reg [ADDR_W-1:0] strip_addr_q;            // first atom of this strip
    reg [12:0]       left_q;                  // atoms of the line still to ask for, less 1
    reg [12:0]       line_q;
    reg [SURF_W-1:0] surf_q;
    reg [7:0]        strip_q;
    reg [CNT_W-1:0]  room_q;                  // atoms neither asked for nor stored
    reg [CNT_W-1:0]  flight_q;                // atoms asked for, not yet here

    wire start = op_en && !running_q;
    wire pop;

    // Strip: columns less 1, and how far the next one is.
    wire        first_strip = strip_q == 8'd0;
    wire        last_strip  = strip_q == split_num;
    wire [12:0] overlap     = {9'd0, kernel} - {9'd0, stride};
    wire [12:0] later_width = {3'd0, last_strip ? in_last : in_mid} + overlap;
    wire [12:0] strip_width = split_num == 8'd0 ? width
                            : first_strip       ? {3'd0, in_first} : later_width;
    wire [12:0] strip_step  = first_strip ? {3'd0, in_first} - overlap + 13'd1
                                          : {3'd0, in_mid} + 13'd1;

    localparam CHUNK_W = 0;
    wire [CHUNK_W:0]   count     = 1'b1;
    wire               chunk_end = left_q == 13'd0;
    wire               has_room  = room_q != {CNT_W{1'b0}};

    assign pdp2mcif_rd_req_size = 15'd0;

    assign pdp2mcif_rd_req_valid = run_q && !load_q && has_room;
    assign pdp2mcif_rd_req_addr  = {addr_q, {LSB{1'b0}}};
    assign op_done               = running_q && !run_q && (flight_q == {CNT_W{1'b0}});

    wire sent      = pdp2mcif_rd_req_valid && pdp2mcif_rd_req_ready;
    wire last_line = line_q == height;
    wire last_surf = surf_q == channel[12:LSB];
    wire line_end  = sent && chunk_end;
    wire surf_end  = line_end && last_line;
    wire strip_end = surf_end && last_surf;

    // ---- one adder for the four kinds of step
    wire [ADDR_W-1:0] from = !chunk_end ? addr_q
                           : !last_line ? line_addr_q
                           : !last_surf ? surf_addr_q : strip_addr_q;
    wire [ADDR_W-1:0] step = !chunk_end ? {{(ADDR_W-1-CHUNK_W){1'b0}}, count}
                           : !last_line ? line_step[LSB +: ADDR_W]
                           : !last_surf ? surf_step[LSB +: ADDR_W]
                                        : {{(ADDR_W-13){1'b0}}, strip_step};
    wire [ADDR_W-1:0] next = start ? src_addr[LSB +: ADDR_W] : from + step;

    always @(posedge clk) begin
        if (start) stall_q <= 32'd0;
        else if (perf_dma_en && pdp2mcif_rd_req_valid && !pdp2mcif_rd_req_ready) begin
            stall_q <= stall_q + 32'd1;
        end
        if (start || sent)      addr_q       <= next;
        if (start || line_end)  line_addr_q  <= next;
        if (start || surf_end)  surf_addr_q  <= next;
        if (start || strip_end) strip_addr_q <= next;
        if (load_q || line_end) left_q       <= strip_width;
        else if (sent)          left_q       <= left_q - {{(12-CHUNK_W){1'b0}}, count};
        if (start || surf_end)  line_q       <= 13'd0;
        else if (line_end)      line_q       <= line_q + 13'd1;
        if (start || strip_end) surf_q       <= {SURF_W{1'b0}};
        else if (surf_end)      surf_q       <= surf_q + {{(SURF_W-1){1'b0}}, 1'b1};
        if (start)              strip_q      <= 8'd0;
        else if (strip_end)     strip_q      <= strip_q + 8'd1;
    end

    wire [CNT_W-1:0] asked = sent ? {{(CNT_W-1-CHUNK_W){1'b0}}, count} : {CNT_W{1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            run_q     <= 1'b0;
            load_q    <= 1'b0;
            room_q    <= DEPTH[CNT_W-1:0];
            flight_q  <= {CNT_W{1'b0}};
        end else begin
            running_q <= (running_q || op_en) && !op_done;
            run_q     <= start || (run_q && !(strip_end && last_strip));
            load_q    <= start || (strip_end && !last_strip);
            room_q    <= room_q - asked + {{(CNT_W-1){1'b0}}, pop};
            flight_q  <= flight_q + asked - {{(CNT_W-1){1'b0}}, mcif2pdp_rd_rsp_valid};
        end
    end

    // ------------------------------------------------------------------ elements
    wire [BITS-1:0] atom;
    wire            unused_ready;

    fifo_sync #(.W(BITS), .DEPTH(DEPTH)) u_fifo (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (mcif2pdp_rd_rsp_valid),
        .in_ready  (unused_ready),
        .in_data   (mcif2pdp_rd_rsp_data),
        .out_valid (fifo_valid),
        .out_ready (pop),
        .out_data  (atom)
    );

    assign pdp_rdma2pdp_valid = fifo_valid;

    // ---- lowest elements first
    localparam BEAT   = 8;
    localparam BEAT_W = 3;
    reg [BEAT_W-1:0] beat_q;
    wire             take = fifo_valid && pdp_rdma2pdp_ready;

    assign pdp_rdma2pdp_data = atom[BEAT*beat_q +: BEAT];
    assign pop               = take && (&beat_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    beat_q <= {BEAT_W{1'b0}};
        else if (take) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0, src_addr, line_step, surf_step, channel};

endmodule

`default_nettype wire
