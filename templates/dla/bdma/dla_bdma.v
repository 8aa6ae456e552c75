// BDMA: copies lines of 32 byte units inside and between the memories.
//
//     registers --> queue of 20 copies --> dla_bdma_copy --> memory
//
// CFG_OP pushes the copy that the registers describe; CFG_LAUNCHx makes all that was pushed since
// the launch before group x. Groups run in the order of their launches, copies in that of their
// pushes; the walk of a group may begin while writes of the group before are on their way. The
// interrupt of a group follows the answer to its last write by one cycle. A push into a full
// queue, a launch without copies and one of a group that is busy have no effect.
// Throughput: one atom per cycle. Reset: queue empty, nothing launched.
`default_nettype none

module dla_bdma (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire         csb2bdma_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  bdma2csb_rdata,                // 0 unless a read was requested

    // memory reads
//% for t in ram_types
    output wire         ${t.link}_ram_type,         // 1: primary port
//% end
    output wire         bdma2mcif_rd_req_valid,
    input  wire         bdma2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]  bdma2mcif_rd_req_addr,
    output wire [14:0]  bdma2mcif_rd_req_size,         // atoms - 1
    input  wire         mcif2bdma_rd_rsp_valid,        // cannot stall
    input  wire [${atom_bits - 1:3}:0] mcif2bdma_rd_rsp_data,

    // memory writes
    output wire         bdma2mcif_wr_req_valid,
    input  wire         bdma2mcif_wr_req_ready,
    output wire [${addr_w - 1:2}:0]  bdma2mcif_wr_req_addr,
    output wire [${atom_bits - 1:3}:0] bdma2mcif_wr_req_data,
    output wire         bdma2mcif_wr_req_last,         // of a group
    input  wire         mcif2bdma_wr_rsp_complete,     // pulse

    output wire [1:0]   bdma2glb_done                  // pulse, bit = group
);

    localparam SLOTS  = 20;
    localparam ADDR_W = ${addr_w - 5};                            // of units
    localparam COPY_W = 2 * ADDR_W + ${4 * 27 + 3 * 13 + 2 * secondary_memif_enable};

    // ------------------------------------------------------------------ registers
    wire [26:0] src_low, dst_low, src_line, dst_line, src_surf, dst_surf;
    wire [31:0] src_high, dst_high;
    wire [12:0] size;                                  // less 1, as the next two
    wire [23:0] lines, surfaces;
    wire        src_primary, dst_primary;  //% if secondary_memif_enable
    wire        op_wr, op_en, launch_0_wr, launch_0_en, launch_1_wr, launch_1_en;
    wire        count_stalls;
    reg  [4:0]  free_q;                                // slots
    reg  [1:0]  busy_q;                                // from the launch to the last answer
    reg  [31:0] rd_stall_0_q, wr_stall_0_q, rd_stall_1_q, wr_stall_1_q;

    dla_bdma_regs u_regs (
        .clk                           (clk),
        .rst_n                         (rst_n),
        .csb_valid                     (csb2bdma_valid),
        .csb_addr                      (csb_addr),
        .csb_wdata                     (csb_wdata),
        .csb_write                     (csb_write),
        .csb_rdata                     (bdma2csb_rdata),
        .cfg_src_addr_low_v32          (src_low),
        .cfg_src_addr_high_v8          (src_high),
        .cfg_dst_addr_low_v32          (dst_low),
        .cfg_dst_addr_high_v8          (dst_high),
        .cfg_line_size                 (size),
//% if secondary_memif_enable
        .cfg_cmd_src_ram_type          (src_primary),
        .cfg_cmd_dst_ram_type          (dst_primary),
//% end
        .cfg_line_repeat_number        (lines),
        .cfg_src_line_stride           (src_line),
        .cfg_dst_line_stride           (dst_line),
        .cfg_surf_repeat_number        (surfaces),
        .cfg_src_surf_stride           (src_surf),
        .cfg_dst_surf_stride           (dst_surf),
        .cfg_op_en                     (op_en),
        .cfg_op_wr                     (op_wr),
        .cfg_launch0_grp0_launch       (launch_0_en),
        .cfg_launch0_wr                (launch_0_wr),
        .cfg_launch1_grp1_launch       (launch_1_en),
        .cfg_launch1_wr                (launch_1_wr),
        .cfg_status_stall_count_en     (count_stalls),
        .status_free_slot              ({3'd0, free_q}),
        .status_idle                   (free_q == SLOTS[4:0] && busy_q == 2'd0),
        .status_grp0_busy              (busy_q[0]),
        .status_grp1_busy              (busy_q[1]),
        .status_grp0_read_stall_count  (busy_q[0] ? 32'd0 : rd_stall_0_q),
        .status_grp0_write_stall_count (busy_q[0] ? 32'd0 : wr_stall_0_q),
        .status_grp1_read_stall_count  (busy_q[1] ? 32'd0 : rd_stall_1_q),
        .status_grp1_write_stall_count (busy_q[1] ? 32'd0 : wr_stall_1_q)
    );

    // ------------------------------------------------------------------ queue
    wire [63:5]       src_addr = {src_high, src_low};
    wire [63:5]       dst_addr = {dst_high, dst_low};
    wire              push     = op_wr && op_en;
    wire              ready, queued, take;
    wire [COPY_W-1:0] copy;

    fifo_sync #(.W(COPY_W), .DEPTH(SLOTS)) u_queue (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (push),
        .in_ready  (ready),
        .in_data   ({${secondary_memif_enable ? "src_primary, dst_primary, " : ""}src_addr[5 +: ADDR_W], dst_addr[5 +: ADDR_W],
                     src_line, dst_line, src_surf, dst_surf,
                     size, lines[12:0], surfaces[12:0]}),
        .out_valid (queued),
        .out_ready (take),
        .out_data  (copy)
    );

    wire unused_bits = &{1'b0, src_addr, dst_addr, lines, surfaces};

    // ------------------------------------------------------------------ groups
    reg  [4:0] fresh_q;                // copies that were not launched
    reg  [4:0] left_0_q, left_1_q;     // copies of the group whose reads are not all sent
    reg        run_q;                  // group of the copy in front
    wire       pushed   = push && ready;
    wire       launch_0 = launch_0_wr && launch_0_en && !busy_q[0] && fresh_q != 5'd0;
    wire       launch_1 = launch_1_wr && launch_1_en && !busy_q[1] && fresh_q != 5'd0;
    wire [4:0] left     = run_q ? left_1_q : left_0_q;
    wire [4:0] left_on  = run_q ? left_0_q : left_1_q;  // of the other one
    wire       sent, sent_group;       // a group's last write
    reg  [1:0] waits_q;                // for the answer to it
    reg        oldest_q;               // of those that wait
    reg  [1:0] done_q;
    wire [1:0] ended    = {sent && sent_group, sent && !sent_group};
    wire [1:0] acked    = {mcif2bdma_wr_rsp_complete && oldest_q,
                           mcif2bdma_wr_rsp_complete && !oldest_q};
    wire [1:0] waits    = (waits_q | ended) & ~acked;

    assign bdma2glb_done = done_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            free_q   <= SLOTS[4:0];
            fresh_q  <= 5'd0;
            left_0_q <= 5'd0;
            left_1_q <= 5'd0;
            run_q    <= 1'b0;
            busy_q   <= 2'd0;
            waits_q  <= 2'd0;
            oldest_q <= 1'b0;
            done_q   <= 2'd0;
        end else begin
            if (pushed != take) free_q <= pushed ? free_q - 5'd1 : free_q + 5'd1;
            if (launch_0 || launch_1) fresh_q <= 5'd0;
            else if (pushed)          fresh_q <= fresh_q + 5'd1;
            if (launch_0)             left_0_q <= fresh_q;
            else if (take && !run_q)  left_0_q <= left_0_q - 5'd1;
            if (launch_1)             left_1_q <= fresh_q;
            else if (take && run_q)   left_1_q <= left_1_q - 5'd1;
            if (left == 5'd0 && left_on != 5'd0) run_q <= !run_q;
            busy_q   <= (busy_q | {launch_1, launch_0}) & ~acked;
            waits_q  <= waits;
            oldest_q <= oldest_q ^ !waits[oldest_q];
            done_q   <= acked;
        end
    end

//% if clock_gating
    // ------------------------------------------------------------------ clock
    // Stops while no group is busy, runs during reset.
    wire gclk;

    clkgate u_clkgate (
        .clk(clk), .en(busy_q != 2'd0 || !rst_n), .test_en(clk_ovr_on), .gclk(gclk)
    );

//% end
    // ------------------------------------------------------------------ the copy in front
    wire rd_group, wr_group;           // of the request and the write that are offered

    dla_bdma_copy #(.ADDR_W(ADDR_W), .COPY_W(COPY_W)) u_copy (
        .clk         (${gclk}),
        .rst_n       (rst_n),
        .copy_valid  (queued && left != 5'd0),
        .copy        (copy),
        .copy_group  (run_q),
        .copy_end    (left == 5'd1),
        .copy_take   (take),
//% if secondary_memif_enable
        .rd_primary  (bdma2mcif_rd_ram_type),
        .wr_primary  (bdma2mcif_wr_ram_type),
//% end
        .rd_group    (rd_group),
        .rd_valid    (bdma2mcif_rd_req_valid),
        .rd_ready    (bdma2mcif_rd_req_ready),
        .rd_addr     (bdma2mcif_rd_req_addr),
        .rd_size     (bdma2mcif_rd_req_size),
        .rsp_valid   (mcif2bdma_rd_rsp_valid),
        .rsp_data    (mcif2bdma_rd_rsp_data),
        .wr_group    (wr_group),
        .wr_valid    (bdma2mcif_wr_req_valid),
        .wr_ready    (bdma2mcif_wr_req_ready),
        .wr_addr     (bdma2mcif_wr_req_addr),
        .wr_data     (bdma2mcif_wr_req_data),
        .wr_last     (bdma2mcif_wr_req_last)
    );

    assign sent       = bdma2mcif_wr_req_valid && bdma2mcif_wr_req_ready && bdma2mcif_wr_req_last;
    assign sent_group = wr_group;

    // ------------------------------------------------------------------ stalls
    wire rd_stall = count_stalls && bdma2mcif_rd_req_valid && !bdma2mcif_rd_req_ready;
    wire wr_stall = count_stalls && bdma2mcif_wr_req_valid && !bdma2mcif_wr_req_ready;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            rd_stall_0_q <= 32'd0;
            rd_stall_1_q <= 32'd0;
            wr_stall_0_q <= 32'd0;
            wr_stall_1_q <= 32'd0;
        end else begin
            if (launch_0)                   rd_stall_0_q <= 32'd0;
            else if (rd_stall && !rd_group) rd_stall_0_q <= rd_stall_0_q + 32'd1;
            if (launch_1)                   rd_stall_1_q <= 32'd0;
            else if (rd_stall && rd_group)  rd_stall_1_q <= rd_stall_1_q + 32'd1;
            if (launch_0)                   wr_stall_0_q <= 32'd0;
            else if (wr_stall && !wr_group) wr_stall_0_q <= wr_stall_0_q + 32'd1;
            if (launch_1)                   wr_stall_1_q <= 32'd0;
            else if (wr_stall && wr_group)  wr_stall_1_q <= wr_stall_1_q + 32'd1;
        end
    end

endmodule

`default_nettype wire
