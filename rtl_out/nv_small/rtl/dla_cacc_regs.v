// Made by macrame 0.1.0 from the register table of CACC

// Register file of CACC, convolution accumulator.
// A write of a single register is visible in the next cycle, of a D_ register in the one behind
// it. Read data comes two cycles after the request and is 0 in every other cycle. Nothing stalls;
// one access per cycle.
// D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. Writes to a
// group whose OP_EN is 1 are dropped.
// Reset: all fields with a port have their documented values. The read-back copy of all registers
// is written in the 32 cycles after it: no access before that (dla_csb_master waits).
`default_nettype none

module dla_cacc_regs (
    input  wire        clk,
    input  wire        rst_n,
    // CSB
    input  wire        csb_valid,
    input  wire [9:0]  csb_addr,                 // word offset in the page
    input  wire [31:0] csb_wdata,
    input  wire        csb_write,
    output reg  [31:0] csb_rdata,                // 0 when there is no answer
    // Layer hand-over
    output wire        op_en,                    // OP_EN of the CONSUMER group
    input  wire        op_done,                  // pulse in the last cycle of a layer
    output wire        consumer,                 // group of the running layer
    // D_CLIP_CFG
    // right shift before saturating the sum to 32 bits (0..16), unsigned
    output wire [4:0]  d_clip_cfg_clip_truncate,
    // D_OUT_SATURATION
    // accumulator outputs that saturated in this layer
    input  wire [31:0] d_out_saturation_sat_count
);

    // Word offsets of the registers.
    localparam [3:0]  S_STATUS         = 4'h0;
    localparam [3:0]  S_POINTER        = 4'h1;
    localparam [3:0]  D_OP_ENABLE      = 4'h2;
    localparam [3:0]  D_MISC_CFG       = 4'h3;
    localparam [3:0]  D_DATAOUT_SIZE_0 = 4'h4;
    localparam [3:0]  D_DATAOUT_SIZE_1 = 4'h5;
    localparam [3:0]  D_DATAOUT_ADDR   = 4'h6;
    localparam [3:0]  D_BATCH_NUMBER   = 4'h7;
    localparam [3:0]  D_LINE_STRIDE    = 4'h8;
    localparam [3:0]  D_SURF_STRIDE    = 4'h9;
    localparam [3:0]  D_DATAOUT_MAP    = 4'ha;
    localparam [3:0]  D_CLIP_CFG       = 4'hb;
    localparam [3:0]  D_OUT_SATURATION = 4'hc;
    localparam [3:0]  D_CYA            = 4'hd;

    wire [3:0]  word    = csb_addr[3:0];
    wire        in_map  = csb_addr[9:4] == 6'd0;
    wire        csb_wr  = csb_valid && csb_write && in_map;
    wire        csb_rd  = csb_valid && !csb_write && in_map;

    // Register groups: S_STATUS, S_POINTER, D_OP_ENABLE.
    reg         producer_q;
    reg         consumer_q;
    reg         op_en_g0_q;
    reg         op_en_g1_q;
    wire        wr_g0    = csb_wr && !producer_q && !op_en_g0_q;
    wire        wr_g1    = csb_wr && producer_q && !op_en_g1_q;
    wire        set_en   = word == D_OP_ENABLE && csb_wdata[0];
    wire        start_g0 = wr_g0 && set_en;
    wire        start_g1 = wr_g1 && set_en;
    wire        done_g0  = op_done && !consumer_q;
    wire        done_g1  = op_done && consumer_q;
    wire [1:0]  status_0 = {op_en_g0_q && consumer_q, op_en_g0_q && !consumer_q};
    wire [1:0]  status_1 = {op_en_g1_q && !consumer_q, op_en_g1_q && consumer_q};
    wire        enabled  = consumer_q ? op_en_g1_q : op_en_g0_q;

    assign consumer = consumer_q;
    assign op_en    = enabled;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            producer_q <= 1'b0;
            consumer_q <= 1'b0;
            op_en_g0_q <= 1'b0;
            op_en_g1_q <= 1'b0;
        end else begin
            if (csb_wr && word == S_POINTER) producer_q <= csb_wdata[0];
            if (op_done) consumer_q <= !consumer_q;
            if (start_g0 || done_g0) op_en_g0_q <= start_g0;
            if (start_g1 || done_g1) op_en_g1_q <= start_g1;
        end
    end

    // The access as D_ fields, copy and read back see it, a cycle later.
    reg         store_q;                     // write that is not dropped
    reg         rd_q;
    reg         bank_q;                      // group
    reg  [3:0]  word_q;
    reg  [31:0] data_q;
    wire        is_d    = word >= D_OP_ENABLE;  // exists once per group

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            store_q <= 1'b0;
            rd_q    <= 1'b0;
        end else begin
            store_q <= is_d ? wr_g0 || wr_g1 : csb_wr;
            rd_q    <= csb_rd;
        end
    end

    always @(posedge clk) begin
        bank_q <= is_d && producer_q;
        word_q <= word;
        data_q <= csb_wdata;
    end

    // D_ registers, group 0: the fields that the unit uses.
    reg  [4:0]  d_clip_cfg_g0_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_clip_cfg_g0_q <= 5'h00;
        end else if (store_q && !bank_q) begin
            case (word_q)
                D_CLIP_CFG: d_clip_cfg_g0_q <= data_q[4:0];
                default: ;
            endcase
        end
    end

    // D_ registers, group 1.
    reg  [4:0]  d_clip_cfg_g1_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_clip_cfg_g1_q <= 5'h00;
        end else if (store_q && bank_q) begin
            case (word_q)
                D_CLIP_CFG: d_clip_cfg_g1_q <= data_q[4:0];
                default: ;
            endcase
        end
    end

    // The unit sees the group CONSUMER.
    assign d_clip_cfg_clip_truncate = consumer_q ? d_clip_cfg_g1_q : d_clip_cfg_g0_q;

    // Counts of the last finished layer of each group. They read 0 from the start of a group's
    // layer to its end.
    reg         counted_g0_q;
    reg         counted_g1_q;
    reg  [31:0] d_out_saturation_g0_q;
    reg  [31:0] d_out_saturation_g1_q;
    wire        counted = producer_q ? counted_g1_q : counted_g0_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            counted_g0_q <= 1'b0;
            counted_g1_q <= 1'b0;
        end else begin
            if (start_g0 || done_g0) counted_g0_q <= done_g0;
            if (start_g1 || done_g1) counted_g1_q <= done_g1;
        end
    end

    always @(posedge clk) begin
        if (done_g0) begin
            d_out_saturation_g0_q <= d_out_saturation_sat_count;
        end
        if (done_g1) begin
            d_out_saturation_g1_q <= d_out_saturation_sat_count;
        end
    end

    // What software reads back: a copy of every register of both groups. After reset a sweep
    // writes the reset values; a CSB write pauses it.
    reg  [5:0]  init_q;
    reg  [31:0] init_value;
    reg  [31:0] write_mask;
    wire [31:0] copy;
    wire        init    = !init_q[5];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)               init_q <= 6'd0;
        else if (init && !store_q) init_q <= init_q + 6'd1;
    end

    // Bits that software can write.
    always @* begin
        write_mask = 32'd0;
        if (store_q) case (word_q)
            D_MISC_CFG: write_mask = 32'h00003001;
            D_DATAOUT_SIZE_0: write_mask = 32'h1fff1fff;
            D_DATAOUT_SIZE_1: write_mask = 32'h00001fff;
            D_DATAOUT_ADDR: write_mask = 32'hffffffff;
            D_BATCH_NUMBER: write_mask = 32'h0000001f;
            D_LINE_STRIDE: write_mask = 32'h00ffffff;
            D_SURF_STRIDE: write_mask = 32'h00ffffff;
            D_DATAOUT_MAP: write_mask = 32'h00010001;
            D_CLIP_CFG: write_mask = 32'h0000001f;
            D_CYA: write_mask = 32'hffffffff;
            default: ;
        endcase
    end

    // Reset values other than 0.
    always @* begin
        init_value = 32'd0;
        if (init) case (init_q[3:0])
            D_MISC_CFG: init_value = 32'h00001000;
            default: ;
        endcase
    end

    sram_dist_1r1w #(.W(32), .DEPTH(32)) u_copy (
        .clk(clk), .we(init || store_q),
        .waddr(store_q ? {bank_q, word_q} : init_q[4:0]),
        .wdata(store_q ? (data_q & write_mask) : init_value),
        .raddr({bank_q, word_q}), .rdata(copy)
    );

    // Read: the copy, and what hardware owns (0 in the copy).
    function [31:0] hw_value;
        input [3:0]  number;
    begin
        hw_value = 32'd0;
        case (number)
            S_STATUS: hw_value = {14'd0, status_1, 14'd0, status_0};
            S_POINTER: hw_value = {15'd0, consumer_q, 15'd0, producer_q};
            D_OP_ENABLE: hw_value = {31'd0, producer_q ? op_en_g1_q : op_en_g0_q};
            D_OUT_SATURATION: begin
                if (counted && producer_q) hw_value = d_out_saturation_g1_q;
                if (counted && !producer_q) hw_value = d_out_saturation_g0_q;
            end
            default: ;
        endcase
    end
    endfunction

    always @(posedge clk) begin
        if (rd_q) csb_rdata <= copy | hw_value(word_q);
        else      csb_rdata <= 32'd0;
    end

endmodule

`default_nettype wire
