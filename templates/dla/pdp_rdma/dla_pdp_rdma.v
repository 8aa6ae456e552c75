// PDP_RDMA: reads the input cube of an offline PDP layer, strip by strip.
//
//% if types16
// Throughput: ${pdp_throughput} bytes per cycle while the FIFO covers the memory latency. op_en to first
//% else
// Throughput: ${pdp_throughput} element(s) per cycle while the FIFO covers the memory latency. op_en to first
//% end
// request: 2 cycles. Order: strip -> surface -> line -> column; a strip but the first one begins
// kernel width - stride columns early.
// A layer ends (op_done) when all its data has arrived; what PDP has not taken yet stays in the
// FIFO, and the reads of the next layer start. Nothing but room and the memory stalls it.
`default_nettype none

module dla_pdp_rdma (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire         csb2pdp_rdma_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  pdp_rdma2csb_rdata,            // 0 unless a read was requested

    // memory reads
//% for t in ram_types
    output wire         ${t.link}_ram_type,     // 1: primary port
//% end
    output wire         pdp2mcif_rd_req_valid,
    input  wire         pdp2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]  pdp2mcif_rd_req_addr,
    output wire [14:0]  pdp2mcif_rd_req_size,          // atoms - 1
    input  wire         mcif2pdp_rd_rsp_valid,         // cannot stall
    input  wire [${atom_bits - 1:3}:0] mcif2pdp_rd_rsp_data,

    // elements
    output wire         pdp_rdma2pdp_valid,
    input  wire         pdp_rdma2pdp_ready,
    output wire [${8 * pdp_throughput - 1:3}:0] pdp_rdma2pdp_data
);

//% let surfs = types16 == 0 ? "channel[12:LSB]" : int8 ? "surfaces" : "channel[12:LSB-1]"
    localparam BITS   = ${atom_bits};
    localparam LSB    = ${atom_lsb};                // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};               // of atoms
    localparam SURF_W = ${surf_w};
    localparam DEPTH  = ${pdp_fifo_depth};               // atoms in flight and in the FIFO
    localparam CNT_W  = ${clog2(pdp_fifo_depth) + 1};

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, unused_consumer;
    wire [12:0] width, height, channel;
    wire [1:0]  element_type;                 // 0 int8, 1 int16, 2 fp16  //% if types16 && int8
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
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
        .op_en                                    (op_en),
        .op_done                                  (op_done),
        .consumer                                 (unused_consumer),
        .d_data_cube_in_width                     (width),
        .d_data_cube_in_height                    (height),
        .d_data_cube_in_channel                   (channel),
        .d_data_format_input_data                 (element_type),  //% if types16 && int8
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
//% if types16 && int8
    wire [SURF_W-1:0] surfaces = element_type == 2'd0 ? {1'b0, channel[12:LSB]} : channel[12:LSB-1];
//% end

//% if clock_gating
    // ------------------------------------------------------------------ clock of the channel
    // Stops when no layer runs and PDP has taken everything, runs during reset.
//% end
    wire fifo_valid;
    reg  out_valid_q;
//% if clock_gating
    wire gclk;
    wire stored;                              // the FIFO holds an atom

    clkgate u_clkgate (
        .clk     (clk),
        .en      (op_en || stored || out_valid_q || !rst_n),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );
//% end

    // ------------------------------------------------------------------ strips
    // Columns less 1, and how far the next strip is. The fields stand still while a layer runs; the
    // first strip begins while the others are decoded.
    reg  [12:0] width_mid_q, width_last_q;
    reg  [12:0] step_first_q, step_mid_q;
    reg         one_line_q, one_surf_q;

    wire        one_strip   = split_num == 8'd0;
    wire [12:0] width_first = one_strip ? width : {3'd0, in_first};
    wire [12:0] overlap     = {9'd0, kernel} - {9'd0, stride};

    always @(posedge ${gclk}) begin
        width_mid_q  <= {3'd0, in_mid} + overlap;
        width_last_q <= {3'd0, in_last} + overlap;
        step_first_q <= {3'd0, in_first} - overlap + 13'd1;
        step_mid_q   <= {3'd0, in_mid} + 13'd1;
        one_line_q   <= height == 13'd0;
        one_surf_q   <= ${surfs} == {SURF_W{1'b0}};
    end

    // ------------------------------------------------------------------ walk
    // Counters count down beside flags for their last values.
    reg              running_q;
    reg              run_q;                   // requests are to be made
    reg [ADDR_W-1:0] addr_q;                  // next atom
    reg [ADDR_W-1:0] line_addr_q;             // first atom of this line
    reg [ADDR_W-1:0] surf_addr_q;             // first atom of this surface
    reg [ADDR_W-1:0] strip_addr_q;            // first atom of this strip
    reg [12:0]       width_q;                 // of this strip
    reg [12:0]       left_q;                  // atoms of the line still to ask for, less 1
    reg [12:0]       line_left_q;
    reg              line_last_q;
    reg [SURF_W-1:0] surf_left_q;
    reg              surf_last_q;
    reg [7:0]        strip_left_q;
    reg              strip_first_q, strip_last_q, next_last_q;
    reg [CNT_W-1:0]  room_q;                  // atoms neither asked for nor stored
    reg              has_room_q;              // for the longest request
    reg              popped_q;                // an atom left the FIFO, which makes room
    reg [CNT_W-1:0]  flight_q;                // atoms asked for, not yet here
    reg              req_valid_q;
    reg [ADDR_W-1:0] req_addr_q;

    wire start = op_en && !running_q;
    wire ask   = run_q && has_room_q && (!req_valid_q || pdp2mcif_rd_req_ready);
    wire pop;

//% if rdma_chunk > 1
    // Up to the next multiple of the longest transaction.
    localparam CHUNK   = ${rdma_chunk};
    localparam CHUNK_W = ${clog2(rdma_chunk)};
    reg  [CHUNK_W-1:0] req_size_q;
    wire [CHUNK_W-1:0] to_edge   = ~addr_q[CHUNK_W-1:0];
    wire               chunk_end = left_q <= {{(13-CHUNK_W){1'b0}}, to_edge};
    wire [CHUNK_W-1:0] size      = chunk_end ? left_q[CHUNK_W-1:0] : to_edge;
    wire [CHUNK_W:0]   count     = {1'b0, size} + {{CHUNK_W{1'b0}}, 1'b1};

    assign pdp2mcif_rd_req_size = {{(15-CHUNK_W){1'b0}}, req_size_q};

    always @(posedge ${gclk}) begin
        if (ask) req_size_q <= size;
    end
//% else
    localparam CHUNK   = 1;
    localparam CHUNK_W = 0;
    wire [CHUNK_W:0]   count     = 1'b1;
    wire               chunk_end = left_q == 13'd0;

    assign pdp2mcif_rd_req_size = 15'd0;
//% end

    assign pdp2mcif_rd_req_valid = req_valid_q;
    assign pdp2mcif_rd_req_addr  = {req_addr_q, {LSB{1'b0}}};
    assign op_done               = running_q && !run_q && (flight_q == {CNT_W{1'b0}});

    wire line_end  = ask && chunk_end;
    wire surf_end  = line_end && line_last_q;
    wire strip_end = surf_end && surf_last_q;
    wire fresh     = start || strip_end;      // a strip begins

    wire [12:0] next_width = start ? width_first : next_last_q ? width_last_q : width_mid_q;

    wire [12:0] strip_step = strip_first_q ? step_first_q : step_mid_q;

    // ---- one adder for the four kinds of step
    wire [ADDR_W-1:0] from = !chunk_end   ? addr_q
                           : !line_last_q ? line_addr_q
                           : !surf_last_q ? surf_addr_q : strip_addr_q;
    wire [ADDR_W-1:0] step = !chunk_end   ? {{(ADDR_W-1-CHUNK_W){1'b0}}, count}
                           : !line_last_q ? line_step[LSB +: ADDR_W]
                           : !surf_last_q ? surf_step[LSB +: ADDR_W]
                                          : {{(ADDR_W-13){1'b0}}, strip_step};
    wire [ADDR_W-1:0] next = start ? src_addr[LSB +: ADDR_W] : from + step;

    always @(posedge ${gclk}) begin
        if (start) stall_q <= 32'd0;
        else if (perf_dma_en && req_valid_q && !pdp2mcif_rd_req_ready) stall_q <= stall_q + 32'd1;
        if (ask)                req_addr_q   <= addr_q;
        if (start || ask)       addr_q       <= next;
        if (start || line_end)  line_addr_q  <= next;
        if (start || surf_end)  surf_addr_q  <= next;
        if (fresh)              strip_addr_q <= next;
        if (fresh)              left_q       <= next_width;
        else if (line_end)      left_q       <= width_q;
        else if (ask)           left_q       <= left_q - {{(12-CHUNK_W){1'b0}}, count};
        if (start || surf_end) begin
            line_left_q <= height;
            line_last_q <= start ? height == 13'd0 : one_line_q;
        end else if (line_end) begin
            line_left_q <= line_left_q - 13'd1;
            line_last_q <= line_left_q == 13'd1;
        end
        if (fresh) begin
            width_q       <= next_width;
            surf_left_q   <= ${surfs};
            surf_last_q   <= start ? ${surfs} == {SURF_W{1'b0}} : one_surf_q;
            strip_left_q  <= start ? split_num : strip_left_q - 8'd1;
            strip_first_q <= start;
            strip_last_q  <= start ? one_strip : next_last_q;
            next_last_q   <= start ? split_num == 8'd1 : strip_left_q == 8'd2;
        end else if (surf_end) begin
            surf_left_q   <= surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            surf_last_q   <= surf_left_q == {{(SURF_W-1){1'b0}}, 1'b1};
        end
    end

    wire [CNT_W-1:0] asked = ask ? {{(CNT_W-1-CHUNK_W){1'b0}}, count} : {CNT_W{1'b0}};
    wire [CNT_W-1:0] room  = room_q - asked + {{(CNT_W-1){1'b0}}, popped_q};

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            running_q   <= 1'b0;
            run_q       <= 1'b0;
            req_valid_q <= 1'b0;
            popped_q    <= 1'b0;
            room_q      <= DEPTH[CNT_W-1:0];
            has_room_q  <= 1'b0;
            flight_q    <= {CNT_W{1'b0}};
        end else begin
            running_q   <= (running_q || op_en) && !op_done;
            run_q       <= start || (run_q && !(strip_end && strip_last_q));
            req_valid_q <= ask || (req_valid_q && !pdp2mcif_rd_req_ready);
            popped_q    <= pop;
            room_q      <= room;
            has_room_q  <= room >= CHUNK[CNT_W-1:0];
            flight_q    <= flight_q + asked - {{(CNT_W-1){1'b0}}, mcif2pdp_rd_rsp_valid};
        end
    end

    // ------------------------------------------------------------------ elements
    wire [BITS-1:0] atom;
    wire            load = fifo_valid && (!out_valid_q || pdp_rdma2pdp_ready);

    dla_sdp_rdma_fifo #(.W(BITS), .DEPTH(DEPTH)) u_fifo (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .in_valid  (mcif2pdp_rd_rsp_valid),
        .in_data   (mcif2pdp_rd_rsp_data),
        .out_valid (fifo_valid),
        .out_ready (pop),
        .stored    (stored),  //% if clock_gating
        .out_data  (atom)
    );

    localparam BEAT = ${8 * pdp_throughput};
    reg [BEAT-1:0] out_data_q;

    assign pdp_rdma2pdp_valid = out_valid_q;
    assign pdp_rdma2pdp_data  = out_data_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) out_valid_q <= 1'b0;
        else        out_valid_q <= fifo_valid || (out_valid_q && !pdp_rdma2pdp_ready);
    end

//% if groups > 1
    // ---- lowest elements first
    localparam BEAT_W = ${clog2(groups)};
    reg [BEAT_W-1:0] beat_q;

    assign pop = load && (&beat_q);

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n)    beat_q <= {BEAT_W{1'b0}};
        else if (load) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end

    always @(posedge ${gclk}) begin
        if (load) out_data_q <= atom[BEAT*beat_q +: BEAT];
    end
//% else
    assign pop = load;

    always @(posedge ${gclk}) begin
        if (load) out_data_q <= atom;
    end
//% end

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0, src_addr, line_step, surf_step, channel};

endmodule

`default_nettype wire
