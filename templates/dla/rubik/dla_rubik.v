// RUBIK: moves the elements of a cube, whole atoms at a time.
//
//     dla_rubik_walk --+--> reads --> memory --> FIFO ----+
//                      +--> notes --------------------> ${rubik_reshape_enable ? "dla_rubik_turn --> " : ""}writes
//
//% if rubik_contract_enable
// Contract: pixel (w, h) of input surface (sy * SX + sx) * So + so becomes pixel
// (w * SX + sx, h * SY + sy) of output surface so.
//% end
//% if rubik_reshape_enable
// Split: element (c, h, w) of a cube goes to line h of plane c; merge: the way back. Lines of
// planes are whole atoms, 0 behind the cube; a block has as many columns as an atom has elements.
//% end
// Throughput: one atom per cycle${rubik_reshape_enable ? " in whole blocks" : ""}.
// A layer ends (op_done) when MCIF has taken its last write, then the next one begins. The
// interrupt follows the answer to that write by one cycle. Only room and the memory stall it.
// Reset: idle.
`default_nettype none

module dla_rubik (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire         csb2rubik_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  rubik2csb_rdata,               // 0 unless a read was requested

    // memory reads
//% for t in ram_types
    output wire         ${t.link}_ram_type,        // 1: primary port
//% end
    output wire         rubik2mcif_rd_req_valid,
    input  wire         rubik2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]  rubik2mcif_rd_req_addr,
    output wire [14:0]  rubik2mcif_rd_req_size,        // atoms - 1
    input  wire         mcif2rubik_rd_rsp_valid,       // cannot stall
    input  wire [${atom_bits - 1:3}:0] mcif2rubik_rd_rsp_data,

    // memory writes
    output wire         rubik2mcif_wr_req_valid,
    input  wire         rubik2mcif_wr_req_ready,
    output wire [${addr_w - 1:2}:0]  rubik2mcif_wr_req_addr,
    output wire [${atom_bits - 1:3}:0] rubik2mcif_wr_req_data,
    output wire         rubik2mcif_wr_req_last,        // of a layer
    input  wire         mcif2rubik_wr_rsp_complete,    // pulse

    output wire [1:0]   rubik2glb_done                 // pulse, bit = register group
);

    localparam BITS   = ${atom_bits};
    localparam LSB    = ${atom_lsb};                             // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};                            // of atoms
    localparam RUN_W  = ${rubik_run_w};                             // a run has up to 2^RUN_W atoms
    localparam DEPTH  = ${rubik_depth};                           // atoms in flight and in the FIFO
    localparam NOTES  = ${rubik_notes};

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
    wire [1:0]  precision;  //% if int8 && types16
    wire [12:0] width, height, channel;                // less 1
    wire [31:0] src_high, dst_high;
    wire [26:0] src_low, src_line, src_surf, dst_low, dst_line, dst_surf;
//% if rubik_contract_enable
    wire [26:0] src_plane;
    wire [4:0]  stride_x, stride_y;                    // less 1
//% end
//% if rubik_reshape_enable
    wire [1:0]  mode;
    wire [26:0] src_planar, dst_planar;
//% end
    wire        perf_en;
    reg  [31:0] rd_stall_q, wr_stall_q;

    dla_rubik_regs u_regs (
        .clk                               (clk),
        .rst_n                             (rst_n),
        .csb_valid                         (csb2rubik_valid),
        .csb_addr                          (csb_addr),
        .csb_wdata                         (csb_wdata),
        .csb_write                         (csb_write),
        .csb_rdata                         (rubik2csb_rdata),
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
        .op_en                             (op_en),
        .op_done                           (op_done),
        .consumer                          (consumer),
        .d_misc_cfg_in_precision           (precision),  //% if int8 && types16
        .d_datain_size_0_datain_width      (width),
        .d_datain_size_0_datain_height     (height),
        .d_dataout_size_1_dataout_channel  (channel),
        .d_dain_addr_high                  (src_high),
        .d_dain_addr_low                   (src_low),
        .d_dain_line_stride                (src_line),
        .d_dain_surf_stride                (src_surf),
        .d_daout_addr_high                 (dst_high),
        .d_daout_addr_low                  (dst_low),
        .d_daout_line_stride               (dst_line),
        .d_daout_surf_stride               (dst_surf),
//% if rubik_contract_enable
        .d_contract_stride_0               (src_plane),
        .d_deconv_stride_deconv_x_stride   (stride_x),
        .d_deconv_stride_deconv_y_stride   (stride_y),
//% end
//% if rubik_reshape_enable
        .d_misc_cfg_rubik_mode             (mode),
        .d_dain_planar_stride              (src_planar),
        .d_daout_planar_stride             (dst_planar),
//% end
        .d_perf_enable_perf_en             (perf_en),
        .d_perf_read_stall_rd_stall_cnt    (rd_stall_q),
        .d_perf_write_stall_wr_stall_cnt   (wr_stall_q)
    );

    // First atoms; an address may have more bits than this configuration.
    wire [63:5]       src_addr    = {src_high, src_low};
    wire [63:5]       dst_addr    = {dst_high, dst_low};
    wire [ADDR_W-1:0] src_first   = src_addr[${addr_w - 1}:5];  //% if rubik_sub_w == 0
    wire [ADDR_W-1:0] src_first   = {src_addr[${addr_w - 1}:5], ${rubik_sub_w}'d0};  //% if rubik_sub_w > 0
    wire [ADDR_W-1:0] dst_first   = dst_addr[${addr_w - 1}:5];  //% if rubik_sub_w == 0
    wire [ADDR_W-1:0] dst_first   = {dst_addr[${addr_w - 1}:5], ${rubik_sub_w}'d0};  //% if rubik_sub_w > 0
    wire              unused_bits = &{1'b0, src_addr, dst_addr${rubik_contract_enable ? "" : ", mode"}};

//% if rubik_reshape_enable
    wire contract = mode == 2'd0;  //% if rubik_contract_enable
    wire merge    = mode[1];
//% end
    wire sixteen  = precision != 2'd0;                 // bits of an element  //% if int8 && types16

    // ------------------------------------------------------------------ layers
    // What follows from the registers is there one cycle after op_en.
    reg  ready_q, running_q;
    wire room;                                         // for one more answer to wait for
    wire start = op_en && ready_q && !running_q && room;

//% if clock_gating
    // Stops when no layer runs, runs during reset.
    wire gclk;

    clkgate u_clkgate (
        .clk(clk), .en(op_en || running_q || !rst_n), .test_en(clk_ovr_on), .gclk(gclk)
    );

//% end
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            ready_q   <= 1'b0;
            running_q <= 1'b0;
        end else begin
            ready_q   <= op_en && !op_done;
            running_q <= start || (running_q && !op_done);
        end
    end

    // ------------------------------------------------------------------ reads
    wire              note_valid, note_ready, note_last;
    wire [ADDR_W-1:0] note_dst;                        // of the first atom
    wire [RUN_W-1:0]  note_out;                        // atoms written, less 1
    wire [RUN_W-1:0]  note_in;                         // atoms read, less 1  //% if rubik_reshape_enable
    wire [ADDR_W-1:0] store_step;                      // between two atoms of a run
    wire              take;                            // an atom leaves the FIFO

    dla_rubik_walk #(.ADDR_W(ADDR_W), .RUN_W(RUN_W), .DEPTH(DEPTH)) u_walk (
        .clk        (${gclk}),
        .rst_n      (rst_n),
        .start      (start),
        .contract   (contract),  //% if rubik_contract_enable && rubik_reshape_enable
//% if rubik_reshape_enable
        .merge      (merge),
        .src_planar (src_planar),
        .dst_planar (dst_planar),
//% end
        .sixteen    (sixteen),  //% if int8 && types16
        .width      (width),
        .height     (height),
        .channel    (channel),
        .src_addr   (src_first),
        .src_line   (src_line),
        .src_surf   (src_surf),
        .dst_addr   (dst_first),
        .dst_line   (dst_line),
        .dst_surf   (dst_surf),
//% if rubik_contract_enable
        .src_plane  (src_plane),
        .stride_x   (stride_x),
        .stride_y   (stride_y),
//% end
        .taken      (take),
        .rd_valid   (rubik2mcif_rd_req_valid),
        .rd_ready   (rubik2mcif_rd_req_ready),
        .rd_addr    (rubik2mcif_rd_req_addr),
        .rd_size    (rubik2mcif_rd_req_size),
        .note_valid (note_valid),
        .note_ready (note_ready),
        .note_dst   (note_dst),
        .note_in    (note_in),  //% if rubik_reshape_enable
        .note_out   (note_out),
        .note_last  (note_last),
        .store_step (store_step)
    );

    // ------------------------------------------------------------------ atoms
    wire              atom_valid;
    wire [BITS-1:0]   atom;
    wire              run_valid, run_last;             // where atoms go
    wire [ADDR_W-1:0] run_dst;
    wire [RUN_W-1:0]  run_size;
    wire              move;                            // an atom goes to the writes
    wire              run_done;                        // the last one of its run
    wire              unused_stored;  //% if clock_gating

    dla_sdp_rdma_fifo #(.W(BITS), .DEPTH(DEPTH)) u_data (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .in_valid  (mcif2rubik_rd_rsp_valid),
        .in_data   (mcif2rubik_rd_rsp_data),
        .out_valid (atom_valid),
        .out_ready (take),
        .stored    (unused_stored),  //% if clock_gating
        .out_data  (atom)
    );

    // A note is written with the first request of its run: always there before the atoms.
//% if rubik_reshape_enable
    wire blocks_ready;
    wire block_valid, block_taken;
    wire [RUN_W-1:0] block_in, block_out;
//% end
    wire runs_ready;

    assign note_ready = runs_ready${rubik_reshape_enable ? " && blocks_ready" : ""};

    fifo_sync #(.W(ADDR_W + RUN_W + 1), .DEPTH(NOTES)) u_runs (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .in_valid  (note_valid),
        .in_ready  (runs_ready),
        .in_data   ({note_last, note_out, note_dst}),
        .out_valid (run_valid),
        .out_ready (run_done),
        .out_data  ({run_last, run_size, run_dst})
    );
//% if rubik_reshape_enable

    fifo_sync #(.W(2 * RUN_W), .DEPTH(NOTES)) u_blocks (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .in_valid  (note_valid${rubik_contract_enable && rubik_reshape_enable ? " && !contract" : ""}),
        .in_ready  (blocks_ready),
        .in_data   ({note_in, note_out}),
        .out_valid (block_valid),
        .out_ready (block_taken),
        .out_data  ({block_in, block_out})
    );

    wire            turn_ready, turned_valid;
    wire [BITS-1:0] turned;

    dla_rubik_turn u_turn (
        .clk         (${gclk}),
        .rst_n       (rst_n),
        .sixteen     (sixteen),  //% if int8 && types16
        .block_valid (block_valid),
        .block_taken (block_taken),
        .block_in    (block_in),
        .block_out   (block_out),
        .in_valid    (atom_valid${rubik_contract_enable && rubik_reshape_enable ? " && !contract" : ""}),
        .in_ready    (turn_ready),
        .in_data     (atom),
        .out_valid   (turned_valid),
        .out_ready   (move),
        .out_data    (turned)
    );
//% end

    wire            store_valid = ${rubik_contract_enable && rubik_reshape_enable ? "contract ? atom_valid : turned_valid" : rubik_contract_enable ? "atom_valid" : "turned_valid"};
    wire [BITS-1:0] store_data  = ${rubik_contract_enable && rubik_reshape_enable ? "contract ? atom : turned" : rubik_contract_enable ? "atom" : "turned"};

    assign take = ${rubik_contract_enable && rubik_reshape_enable ? "contract ? move : atom_valid && turn_ready" : rubik_contract_enable ? "move" : "atom_valid && turn_ready"};

    // ------------------------------------------------------------------ writes
    reg              wr_valid_q, wr_last_q;
    reg [ADDR_W-1:0] wr_addr_q;
    reg [BITS-1:0]   wr_data_q;
    reg [RUN_W-1:0]  pos_q;                            // atom of the run
    wire             wr_free = !wr_valid_q || rubik2mcif_wr_req_ready;

    assign move     = store_valid && run_valid && wr_free;
    assign run_done = move && pos_q == run_size;
    assign op_done  = wr_valid_q && rubik2mcif_wr_req_ready && wr_last_q;
    assign rubik2mcif_wr_req_valid = wr_valid_q;
    assign rubik2mcif_wr_req_addr  = {wr_addr_q, {LSB{1'b0}}};
    assign rubik2mcif_wr_req_data  = wr_data_q;
    assign rubik2mcif_wr_req_last  = wr_last_q;

    always @(posedge ${gclk}) begin
        if (move) begin
            wr_addr_q <= pos_q == {RUN_W{1'b0}} ? run_dst : wr_addr_q + store_step;
            wr_data_q <= store_data;
            wr_last_q <= run_done && run_last;
        end
        if (start) rd_stall_q <= 32'd0;
        else if (perf_en && rubik2mcif_rd_req_valid && !rubik2mcif_rd_req_ready)
            rd_stall_q <= rd_stall_q + 32'd1;
        if (start) wr_stall_q <= 32'd0;
        else if (perf_en && wr_valid_q && !rubik2mcif_wr_req_ready)
            wr_stall_q <= wr_stall_q + 32'd1;
    end

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            wr_valid_q <= 1'b0;
            pos_q      <= {RUN_W{1'b0}};
        end else begin
            wr_valid_q <= move || (wr_valid_q && !rubik2mcif_wr_req_ready);
            if (move) pos_q <= run_done ? {RUN_W{1'b0}} : pos_q + {{(RUN_W-1){1'b0}}, 1'b1};
        end
    end

    dla_sdp_irq u_irq (
        .clk      (clk),
        .rst_n    (rst_n),
        .ended    (op_done),
        .written  (1'b1),
        .group    (consumer),
        .room     (room),
        .complete (mcif2rubik_wr_rsp_complete),
        .done_q   (rubik2glb_done)
    );

endmodule

`default_nettype wire
