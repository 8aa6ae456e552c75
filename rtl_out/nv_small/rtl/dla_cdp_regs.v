// Made by macrame 0.1.0 from the register table of CDP

// Register file of CDP, cross-channel unit (local response normalisation).
// A write of a single register is visible in the next cycle, of a D_ register in the one behind
// it. Read data comes two cycles after the request and is 0 in every other cycle. Nothing stalls;
// one access per cycle.
// D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. Writes to a
// group whose OP_EN is 1 are dropped.
// Reset: all fields with a port have their documented values. The read-back copy of all registers
// is written in the 128 cycles after it: no access before that (dla_csb_master waits).
`default_nettype none

module dla_cdp_regs (
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
    // S_LUT_ACCESS_CFG
    output wire        s_lut_access_cfg_lut_table_id, // table selected for access
    output wire        s_lut_access_cfg_lut_access_type, // direction of the following data accesses
    // first table entry of an access burst; writing this register (re)loads the internal entry
    // pointer
    input  wire [9:0]  s_lut_access_cfg_lut_addr_rd,
    // S_LUT_CFG
    output wire        s_lut_cfg_lut_le_function, // LE table index mode
    // table whose result is used when both underflow
    output wire        s_lut_cfg_lut_uflow_priority,
    // table whose result is used when both overflow
    output wire        s_lut_cfg_lut_oflow_priority,
    // table used when both hit, or one underflows and the other overflows
    output wire        s_lut_cfg_lut_hybrid_priority,
    // S_LUT_INFO
    output wire [7:0]  s_lut_info_lut_le_index_offset, // LE exponent-mode start exponent, signed
    output wire [7:0]  s_lut_info_lut_le_index_select, // LE linear-mode index shift, signed
    output wire [7:0]  s_lut_info_lut_lo_index_select, // LO index shift, signed
    // S_LUT_LE_START_LOW
    // lower bound of LE coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / fp32)
    output wire [31:0] s_lut_le_start_low,
    // S_LUT_LE_START_HIGH
    output wire [5:0]  s_lut_le_start_high,      // lower bound of LE coverage, bits 37:32
    // S_LUT_LE_END_LOW
    // upper bound of LE coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / fp32)
    output wire [31:0] s_lut_le_end_low,
    // S_LUT_LE_END_HIGH
    output wire [5:0]  s_lut_le_end_high,        // upper bound of LE coverage, bits 37:32
    // S_LUT_LO_START_LOW
    // lower bound of LO coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / fp32)
    output wire [31:0] s_lut_lo_start_low,
    // S_LUT_LO_START_HIGH
    output wire [5:0]  s_lut_lo_start_high,      // lower bound of LO coverage, bits 37:32
    // S_LUT_LO_END_LOW
    // upper bound of LO coverage, bits 31:0 of a signed value (22b int8 / 38b int16 / fp32)
    output wire [31:0] s_lut_lo_end_low,
    // S_LUT_LO_END_HIGH
    output wire [5:0]  s_lut_lo_end_high,        // upper bound of LO coverage, bits 37:32
    // S_LUT_LE_SLOPE_SCALE
    // slope numerator for extrapolating below LE (int16/fp16)
    output wire [15:0] s_lut_le_slope_scale_lut_le_slope_uflow_scale,
    // slope numerator for extrapolating above LE (int16/fp16)
    output wire [15:0] s_lut_le_slope_scale_lut_le_slope_oflow_scale,
    // S_LUT_LE_SLOPE_SHIFT
    // slope shift, signed 5b: positive = right, negative = left (int only)
    output wire [4:0]  s_lut_le_slope_shift_lut_le_slope_uflow_shift,
    // slope shift, signed 5b: positive = right, negative = left (int only)
    output wire [4:0]  s_lut_le_slope_shift_lut_le_slope_oflow_shift,
    // S_LUT_LO_SLOPE_SCALE
    // slope numerator for extrapolating below LO (int16/fp16)
    output wire [15:0] s_lut_lo_slope_scale_lut_lo_slope_uflow_scale,
    // slope numerator for extrapolating above LO (int16/fp16)
    output wire [15:0] s_lut_lo_slope_scale_lut_lo_slope_oflow_scale,
    // S_LUT_LO_SLOPE_SHIFT
    // slope shift, signed 5b: positive = right, negative = left (int only)
    output wire [4:0]  s_lut_lo_slope_shift_lut_lo_slope_uflow_shift,
    // slope shift, signed 5b: positive = right, negative = left (int only)
    output wire [4:0]  s_lut_lo_slope_shift_lut_lo_slope_oflow_shift,
    // D_FUNC_BYPASS
    // 1 bypasses the square-and-sum (LUT sees the converted sample)
    output wire        d_func_bypass_sqsum_bypass,
    output wire        d_func_bypass_mul_bypass, // 1 bypasses the multiply of sample by LUT result
    // D_DST_BASE_ADDR_LOW
    output wire [31:0] d_dst_base_addr_low,      // destination cube address 31:0
    // D_DST_BASE_ADDR_HIGH
    output wire [31:0] d_dst_base_addr_high,     // destination cube address 63:32
    // D_DST_LINE_STRIDE
    output wire [31:0] d_dst_line_stride,        // destination line pitch in bytes
    // D_DST_SURFACE_STRIDE
    output wire [31:0] d_dst_surface_stride,     // destination surface pitch in bytes
    // D_LRN_CFG
    output wire [1:0]  d_lrn_cfg_normalz_len,    // channel window length: 3/5/7/9
    // D_DATIN_OFFSET
    output wire [15:0] d_datin_offset,           // input converter offset, signed
    // D_DATIN_SCALE
    output wire [15:0] d_datin_scale,            // input converter multiplier, signed
    // D_DATIN_SHIFTER
    output wire [4:0]  d_datin_shifter,          // input converter right shift, unsigned
    // D_DATOUT_OFFSET
    output wire [31:0] d_datout_offset,          // output converter offset, signed
    // D_DATOUT_SCALE
    output wire [15:0] d_datout_scale,           // output converter multiplier, signed
    // D_DATOUT_SHIFTER
    output wire [5:0]  d_datout_shifter,         // output converter right shift, unsigned
    // D_PERF_ENABLE
    // enable the DMA stall (and CDMA latency) counters for this layer
    output wire        d_perf_enable_dma_en,
    // D_PERF_WRITE_STALL
    input  wire [31:0] d_perf_write_stall,       // cycles the write request waited for ready
    // D_PERF_LUT_UFLOW
    input  wire [31:0] d_perf_lut_uflow,         // samples below both tables
    // D_PERF_LUT_OFLOW
    input  wire [31:0] d_perf_lut_oflow,         // samples above both tables
    // D_PERF_LUT_HYBRID
    // samples inside both tables, or below one and above the other
    input  wire [31:0] d_perf_lut_hybrid,
    // D_PERF_LUT_LE_HIT
    input  wire [31:0] d_perf_lut_le_hit,        // samples inside LE only
    // D_PERF_LUT_LO_HIT
    input  wire [31:0] d_perf_lut_lo_hit         // samples inside LO only
);

    // Word offsets of the registers.
    localparam [5:0]  S_STATUS             = 6'h00;
    localparam [5:0]  S_POINTER            = 6'h01;
    localparam [5:0]  S_LUT_ACCESS_CFG     = 6'h02;
    localparam [5:0]  S_LUT_CFG            = 6'h04;
    localparam [5:0]  S_LUT_INFO           = 6'h05;
    localparam [5:0]  S_LUT_LE_START_LOW   = 6'h06;
    localparam [5:0]  S_LUT_LE_START_HIGH  = 6'h07;
    localparam [5:0]  S_LUT_LE_END_LOW     = 6'h08;
    localparam [5:0]  S_LUT_LE_END_HIGH    = 6'h09;
    localparam [5:0]  S_LUT_LO_START_LOW   = 6'h0a;
    localparam [5:0]  S_LUT_LO_START_HIGH  = 6'h0b;
    localparam [5:0]  S_LUT_LO_END_LOW     = 6'h0c;
    localparam [5:0]  S_LUT_LO_END_HIGH    = 6'h0d;
    localparam [5:0]  S_LUT_LE_SLOPE_SCALE = 6'h0e;
    localparam [5:0]  S_LUT_LE_SLOPE_SHIFT = 6'h0f;
    localparam [5:0]  S_LUT_LO_SLOPE_SCALE = 6'h10;
    localparam [5:0]  S_LUT_LO_SLOPE_SHIFT = 6'h11;
    localparam [5:0]  D_OP_ENABLE          = 6'h12;
    localparam [5:0]  D_FUNC_BYPASS        = 6'h13;
    localparam [5:0]  D_DST_BASE_ADDR_LOW  = 6'h14;
    localparam [5:0]  D_DST_BASE_ADDR_HIGH = 6'h15;
    localparam [5:0]  D_DST_LINE_STRIDE    = 6'h16;
    localparam [5:0]  D_DST_SURFACE_STRIDE = 6'h17;
    localparam [5:0]  D_DST_DMA_CFG        = 6'h18;
    localparam [5:0]  D_DATA_FORMAT        = 6'h1a;
    localparam [5:0]  D_NAN_FLUSH_TO_ZERO  = 6'h1b;
    localparam [5:0]  D_LRN_CFG            = 6'h1c;
    localparam [5:0]  D_DATIN_OFFSET       = 6'h1d;
    localparam [5:0]  D_DATIN_SCALE        = 6'h1e;
    localparam [5:0]  D_DATIN_SHIFTER      = 6'h1f;
    localparam [5:0]  D_DATOUT_OFFSET      = 6'h20;
    localparam [5:0]  D_DATOUT_SCALE       = 6'h21;
    localparam [5:0]  D_DATOUT_SHIFTER     = 6'h22;
    localparam [5:0]  D_PERF_ENABLE        = 6'h27;
    localparam [5:0]  D_PERF_WRITE_STALL   = 6'h28;
    localparam [5:0]  D_PERF_LUT_UFLOW     = 6'h29;
    localparam [5:0]  D_PERF_LUT_OFLOW     = 6'h2a;
    localparam [5:0]  D_PERF_LUT_HYBRID    = 6'h2b;
    localparam [5:0]  D_PERF_LUT_LE_HIT    = 6'h2c;
    localparam [5:0]  D_PERF_LUT_LO_HIT    = 6'h2d;
    localparam [5:0]  D_CYA                = 6'h2e;

    wire [5:0]  word    = csb_addr[5:0];
    wire        in_map  = csb_addr[9:6] == 4'd0;
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
    reg  [5:0]  word_q;
    reg  [31:0] data_q;
    wire        is_d    = word >= D_OP_ENABLE;  // exists once per group

    // The fields that the unit uses exist once and hold the values of group CONSUMER. They are
    // written together with the copy below if PRODUCER = CONSUMER. After a layer the 13 words of
    // the other group are loaded from the copy, in cycles without an access; op_en is 0 until that
    // is done.
    reg         loading_q;
    reg         load_q;                      // word_q, data_q are from the copy
    reg  [5:0]  load_word_q;
    wire [31:0] copy;
    wire        load    = loading_q && !csb_valid && !store_q && !rd_q;

    assign op_en = enabled && !loading_q && !load_q;

    function [5:0]  load_next;
        input [5:0]  done;
        case (done)
            D_FUNC_BYPASS: load_next = D_DST_BASE_ADDR_LOW;
            D_DST_BASE_ADDR_LOW: load_next = D_DST_BASE_ADDR_HIGH;
            D_DST_BASE_ADDR_HIGH: load_next = D_DST_LINE_STRIDE;
            D_DST_LINE_STRIDE: load_next = D_DST_SURFACE_STRIDE;
            D_DST_SURFACE_STRIDE: load_next = D_LRN_CFG;
            D_LRN_CFG: load_next = D_DATIN_OFFSET;
            D_DATIN_OFFSET: load_next = D_DATIN_SCALE;
            D_DATIN_SCALE: load_next = D_DATIN_SHIFTER;
            D_DATIN_SHIFTER: load_next = D_DATOUT_OFFSET;
            D_DATOUT_OFFSET: load_next = D_DATOUT_SCALE;
            D_DATOUT_SCALE: load_next = D_DATOUT_SHIFTER;
            D_DATOUT_SHIFTER: load_next = D_PERF_ENABLE;
            default: load_next = D_FUNC_BYPASS;
        endcase
    endfunction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            loading_q   <= 1'b0;
            load_q      <= 1'b0;
            load_word_q <= D_FUNC_BYPASS;
        end else begin
            load_q <= load;
            if (op_done) loading_q <= 1'b1;
            if (load) begin
                loading_q   <= load_word_q != D_PERF_ENABLE;
                load_word_q <= load_next(load_word_q);
            end
        end
    end

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
        word_q <= csb_valid ? word : load_word_q;
        data_q <= csb_valid ? csb_wdata : copy;
    end

    // Single registers.
    reg  [1:0]  s_lut_access_cfg_q;
    reg  [3:0]  s_lut_cfg_q;
    reg  [23:0] s_lut_info_q;
    reg  [31:0] s_lut_le_start_low_q;
    reg  [5:0]  s_lut_le_start_high_q;
    reg  [31:0] s_lut_le_end_low_q;
    reg  [5:0]  s_lut_le_end_high_q;
    reg  [31:0] s_lut_lo_start_low_q;
    reg  [5:0]  s_lut_lo_start_high_q;
    reg  [31:0] s_lut_lo_end_low_q;
    reg  [5:0]  s_lut_lo_end_high_q;
    reg  [31:0] s_lut_le_slope_scale_q;
    reg  [9:0]  s_lut_le_slope_shift_q;
    reg  [31:0] s_lut_lo_slope_scale_q;
    reg  [9:0]  s_lut_lo_slope_shift_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            s_lut_access_cfg_q <= 2'h0;
            s_lut_cfg_q <= 4'h0;
            s_lut_info_q <= 24'h000000;
            s_lut_le_start_low_q <= 32'h00000000;
            s_lut_le_start_high_q <= 6'h00;
            s_lut_le_end_low_q <= 32'h00000000;
            s_lut_le_end_high_q <= 6'h00;
            s_lut_lo_start_low_q <= 32'h00000000;
            s_lut_lo_start_high_q <= 6'h00;
            s_lut_lo_end_low_q <= 32'h00000000;
            s_lut_lo_end_high_q <= 6'h00;
            s_lut_le_slope_scale_q <= 32'h00000000;
            s_lut_le_slope_shift_q <= 10'h000;
            s_lut_lo_slope_scale_q <= 32'h00000000;
            s_lut_lo_slope_shift_q <= 10'h000;
        end else if (csb_wr) begin
            case (word)
                S_LUT_ACCESS_CFG: s_lut_access_cfg_q <= {csb_wdata[17], csb_wdata[16]};
                S_LUT_CFG: s_lut_cfg_q <= {csb_wdata[6], csb_wdata[5], csb_wdata[4], csb_wdata[0]};
                S_LUT_INFO: s_lut_info_q <= {csb_wdata[23:16], csb_wdata[15:8], csb_wdata[7:0]};
                S_LUT_LE_START_LOW: s_lut_le_start_low_q <= csb_wdata;
                S_LUT_LE_START_HIGH: s_lut_le_start_high_q <= csb_wdata[5:0];
                S_LUT_LE_END_LOW: s_lut_le_end_low_q <= csb_wdata;
                S_LUT_LE_END_HIGH: s_lut_le_end_high_q <= csb_wdata[5:0];
                S_LUT_LO_START_LOW: s_lut_lo_start_low_q <= csb_wdata;
                S_LUT_LO_START_HIGH: s_lut_lo_start_high_q <= csb_wdata[5:0];
                S_LUT_LO_END_LOW: s_lut_lo_end_low_q <= csb_wdata;
                S_LUT_LO_END_HIGH: s_lut_lo_end_high_q <= csb_wdata[5:0];
                S_LUT_LE_SLOPE_SCALE: s_lut_le_slope_scale_q <= {csb_wdata[31:16], csb_wdata[15:0]};
                S_LUT_LE_SLOPE_SHIFT: s_lut_le_slope_shift_q <= {csb_wdata[9:5], csb_wdata[4:0]};
                S_LUT_LO_SLOPE_SCALE: s_lut_lo_slope_scale_q <= {csb_wdata[31:16], csb_wdata[15:0]};
                S_LUT_LO_SLOPE_SHIFT: s_lut_lo_slope_shift_q <= {csb_wdata[9:5], csb_wdata[4:0]};
                default: ;
            endcase
        end
    end

    assign s_lut_access_cfg_lut_table_id = s_lut_access_cfg_q[0];
    assign s_lut_access_cfg_lut_access_type = s_lut_access_cfg_q[1];
    assign s_lut_cfg_lut_le_function = s_lut_cfg_q[0];
    assign s_lut_cfg_lut_uflow_priority = s_lut_cfg_q[1];
    assign s_lut_cfg_lut_oflow_priority = s_lut_cfg_q[2];
    assign s_lut_cfg_lut_hybrid_priority = s_lut_cfg_q[3];
    assign s_lut_info_lut_le_index_offset = s_lut_info_q[7:0];
    assign s_lut_info_lut_le_index_select = s_lut_info_q[15:8];
    assign s_lut_info_lut_lo_index_select = s_lut_info_q[23:16];
    assign s_lut_le_start_low = s_lut_le_start_low_q;
    assign s_lut_le_start_high = s_lut_le_start_high_q;
    assign s_lut_le_end_low = s_lut_le_end_low_q;
    assign s_lut_le_end_high = s_lut_le_end_high_q;
    assign s_lut_lo_start_low = s_lut_lo_start_low_q;
    assign s_lut_lo_start_high = s_lut_lo_start_high_q;
    assign s_lut_lo_end_low = s_lut_lo_end_low_q;
    assign s_lut_lo_end_high = s_lut_lo_end_high_q;
    assign s_lut_le_slope_scale_lut_le_slope_uflow_scale = s_lut_le_slope_scale_q[15:0];
    assign s_lut_le_slope_scale_lut_le_slope_oflow_scale = s_lut_le_slope_scale_q[31:16];
    assign s_lut_le_slope_shift_lut_le_slope_uflow_shift = s_lut_le_slope_shift_q[4:0];
    assign s_lut_le_slope_shift_lut_le_slope_oflow_shift = s_lut_le_slope_shift_q[9:5];
    assign s_lut_lo_slope_scale_lut_lo_slope_uflow_scale = s_lut_lo_slope_scale_q[15:0];
    assign s_lut_lo_slope_scale_lut_lo_slope_oflow_scale = s_lut_lo_slope_scale_q[31:16];
    assign s_lut_lo_slope_shift_lut_lo_slope_uflow_shift = s_lut_lo_slope_shift_q[4:0];
    assign s_lut_lo_slope_shift_lut_lo_slope_oflow_shift = s_lut_lo_slope_shift_q[9:5];

    // D_ registers of group CONSUMER: the fields that the unit uses.
    wire        field_wr = load_q || (store_q && bank_q == consumer_q);
    reg  [1:0]  d_func_bypass_q;
    reg  [31:0] d_dst_base_addr_low_q;
    reg  [31:0] d_dst_base_addr_high_q;
    reg  [31:0] d_dst_line_stride_q;
    reg  [31:0] d_dst_surface_stride_q;
    reg  [1:0]  d_lrn_cfg_q;
    reg  [15:0] d_datin_offset_q;
    reg  [15:0] d_datin_scale_q;
    reg  [4:0]  d_datin_shifter_q;
    reg  [31:0] d_datout_offset_q;
    reg  [15:0] d_datout_scale_q;
    reg  [5:0]  d_datout_shifter_q;
    reg         d_perf_enable_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_func_bypass_q <= 2'h0;
            d_dst_base_addr_low_q <= 32'h00000000;
            d_dst_base_addr_high_q <= 32'h00000000;
            d_dst_line_stride_q <= 32'h00000000;
            d_dst_surface_stride_q <= 32'h00000000;
            d_lrn_cfg_q <= 2'h0;
            d_datin_offset_q <= 16'h0000;
            d_datin_scale_q <= 16'h0001;
            d_datin_shifter_q <= 5'h00;
            d_datout_offset_q <= 32'h00000000;
            d_datout_scale_q <= 16'h0001;
            d_datout_shifter_q <= 6'h00;
            d_perf_enable_q <= 1'h0;
        end else if (field_wr) begin
            case (word_q)
                D_FUNC_BYPASS: d_func_bypass_q <= {data_q[1], data_q[0]};
                D_DST_BASE_ADDR_LOW: d_dst_base_addr_low_q <= data_q;
                D_DST_BASE_ADDR_HIGH: d_dst_base_addr_high_q <= data_q;
                D_DST_LINE_STRIDE: d_dst_line_stride_q <= data_q;
                D_DST_SURFACE_STRIDE: d_dst_surface_stride_q <= data_q;
                D_LRN_CFG: d_lrn_cfg_q <= data_q[1:0];
                D_DATIN_OFFSET: d_datin_offset_q <= data_q[15:0];
                D_DATIN_SCALE: d_datin_scale_q <= data_q[15:0];
                D_DATIN_SHIFTER: d_datin_shifter_q <= data_q[4:0];
                D_DATOUT_OFFSET: d_datout_offset_q <= data_q;
                D_DATOUT_SCALE: d_datout_scale_q <= data_q[15:0];
                D_DATOUT_SHIFTER: d_datout_shifter_q <= data_q[5:0];
                D_PERF_ENABLE: d_perf_enable_q <= data_q[0];
                default: ;
            endcase
        end
    end

    assign d_func_bypass_sqsum_bypass = d_func_bypass_q[0];
    assign d_func_bypass_mul_bypass = d_func_bypass_q[1];
    assign d_dst_base_addr_low = d_dst_base_addr_low_q;
    assign d_dst_base_addr_high = d_dst_base_addr_high_q;
    assign d_dst_line_stride = d_dst_line_stride_q;
    assign d_dst_surface_stride = d_dst_surface_stride_q;
    assign d_lrn_cfg_normalz_len = d_lrn_cfg_q;
    assign d_datin_offset = d_datin_offset_q;
    assign d_datin_scale = d_datin_scale_q;
    assign d_datin_shifter = d_datin_shifter_q;
    assign d_datout_offset = d_datout_offset_q;
    assign d_datout_scale = d_datout_scale_q;
    assign d_datout_shifter = d_datout_shifter_q;
    assign d_perf_enable_dma_en = d_perf_enable_q;

    // Counts of the last finished layer of each group. They read 0 from the start of a group's
    // layer to its end.
    reg         counted_g0_q;
    reg         counted_g1_q;
    reg  [31:0] d_perf_write_stall_g0_q;
    reg  [31:0] d_perf_write_stall_g1_q;
    reg  [31:0] d_perf_lut_uflow_g0_q;
    reg  [31:0] d_perf_lut_uflow_g1_q;
    reg  [31:0] d_perf_lut_oflow_g0_q;
    reg  [31:0] d_perf_lut_oflow_g1_q;
    reg  [31:0] d_perf_lut_hybrid_g0_q;
    reg  [31:0] d_perf_lut_hybrid_g1_q;
    reg  [31:0] d_perf_lut_le_hit_g0_q;
    reg  [31:0] d_perf_lut_le_hit_g1_q;
    reg  [31:0] d_perf_lut_lo_hit_g0_q;
    reg  [31:0] d_perf_lut_lo_hit_g1_q;
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
            d_perf_write_stall_g0_q <= d_perf_write_stall;
            d_perf_lut_uflow_g0_q <= d_perf_lut_uflow;
            d_perf_lut_oflow_g0_q <= d_perf_lut_oflow;
            d_perf_lut_hybrid_g0_q <= d_perf_lut_hybrid;
            d_perf_lut_le_hit_g0_q <= d_perf_lut_le_hit;
            d_perf_lut_lo_hit_g0_q <= d_perf_lut_lo_hit;
        end
        if (done_g1) begin
            d_perf_write_stall_g1_q <= d_perf_write_stall;
            d_perf_lut_uflow_g1_q <= d_perf_lut_uflow;
            d_perf_lut_oflow_g1_q <= d_perf_lut_oflow;
            d_perf_lut_hybrid_g1_q <= d_perf_lut_hybrid;
            d_perf_lut_le_hit_g1_q <= d_perf_lut_le_hit;
            d_perf_lut_lo_hit_g1_q <= d_perf_lut_lo_hit;
        end
    end

    // What software reads back: a copy of every register of both groups. After reset a sweep
    // writes the reset values; a CSB write pauses it.
    reg  [7:0]  init_q;
    reg  [31:0] init_value;
    reg  [31:0] write_mask;
    wire        init    = !init_q[7];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)               init_q <= 8'd0;
        else if (init && !store_q) init_q <= init_q + 8'd1;
    end

    // Bits that software can write.
    always @* begin
        write_mask = 32'd0;
        if (store_q) case (word_q)
            S_LUT_ACCESS_CFG: write_mask = 32'h00030000;
            S_LUT_CFG: write_mask = 32'h00000071;
            S_LUT_INFO: write_mask = 32'h00ffffff;
            S_LUT_LE_START_LOW: write_mask = 32'hffffffff;
            S_LUT_LE_START_HIGH: write_mask = 32'h0000003f;
            S_LUT_LE_END_LOW: write_mask = 32'hffffffff;
            S_LUT_LE_END_HIGH: write_mask = 32'h0000003f;
            S_LUT_LO_START_LOW: write_mask = 32'hffffffff;
            S_LUT_LO_START_HIGH: write_mask = 32'h0000003f;
            S_LUT_LO_END_LOW: write_mask = 32'hffffffff;
            S_LUT_LO_END_HIGH: write_mask = 32'h0000003f;
            S_LUT_LE_SLOPE_SCALE: write_mask = 32'hffffffff;
            S_LUT_LE_SLOPE_SHIFT: write_mask = 32'h000003ff;
            S_LUT_LO_SLOPE_SCALE: write_mask = 32'hffffffff;
            S_LUT_LO_SLOPE_SHIFT: write_mask = 32'h000003ff;
            D_FUNC_BYPASS: write_mask = 32'h00000003;
            D_DST_BASE_ADDR_LOW: write_mask = 32'hffffffff;
            D_DST_BASE_ADDR_HIGH: write_mask = 32'hffffffff;
            D_DST_LINE_STRIDE: write_mask = 32'hffffffff;
            D_DST_SURFACE_STRIDE: write_mask = 32'hffffffff;
            D_DST_DMA_CFG: write_mask = 32'h00000001;
            D_DATA_FORMAT: write_mask = 32'h00000003;
            D_NAN_FLUSH_TO_ZERO: write_mask = 32'h00000001;
            D_LRN_CFG: write_mask = 32'h00000003;
            D_DATIN_OFFSET: write_mask = 32'h0000ffff;
            D_DATIN_SCALE: write_mask = 32'h0000ffff;
            D_DATIN_SHIFTER: write_mask = 32'h0000001f;
            D_DATOUT_OFFSET: write_mask = 32'hffffffff;
            D_DATOUT_SCALE: write_mask = 32'h0000ffff;
            D_DATOUT_SHIFTER: write_mask = 32'h0000003f;
            D_PERF_ENABLE: write_mask = 32'h00000003;
            D_CYA: write_mask = 32'hffffffff;
            default: ;
        endcase
    end

    // Reset values other than 0.
    always @* begin
        init_value = 32'd0;
        if (init) case (init_q[5:0])
            D_DATA_FORMAT: init_value = 32'h00000001;
            D_DATIN_SCALE: init_value = 32'h00000001;
            D_DATOUT_SCALE: init_value = 32'h00000001;
            default: ;
        endcase
    end

    sram_dist_1r1w #(.W(32), .DEPTH(128)) u_copy (
        .clk(clk), .we(init || store_q),
        .waddr(store_q ? {bank_q, word_q} : init_q[6:0]),
        .wdata(store_q ? (data_q & write_mask) : init_value),
        .raddr(rd_q ? {bank_q, word_q} : {consumer_q, load_word_q}), .rdata(copy)
    );

    // Read: the copy, and what hardware owns (0 in the copy).
    function [31:0] hw_value;
        input [5:0]  number;
    begin
        hw_value = 32'd0;
        case (number)
            S_STATUS: hw_value = {14'd0, status_1, 14'd0, status_0};
            S_POINTER: hw_value = {15'd0, consumer_q, 15'd0, producer_q};
            D_OP_ENABLE: hw_value = {31'd0, producer_q ? op_en_g1_q : op_en_g0_q};
            S_LUT_ACCESS_CFG: hw_value = {22'd0, s_lut_access_cfg_lut_addr_rd};
            D_PERF_WRITE_STALL: begin
                if (counted && producer_q) hw_value = d_perf_write_stall_g1_q;
                if (counted && !producer_q) hw_value = d_perf_write_stall_g0_q;
            end
            D_PERF_LUT_UFLOW: begin
                if (counted && producer_q) hw_value = d_perf_lut_uflow_g1_q;
                if (counted && !producer_q) hw_value = d_perf_lut_uflow_g0_q;
            end
            D_PERF_LUT_OFLOW: begin
                if (counted && producer_q) hw_value = d_perf_lut_oflow_g1_q;
                if (counted && !producer_q) hw_value = d_perf_lut_oflow_g0_q;
            end
            D_PERF_LUT_HYBRID: begin
                if (counted && producer_q) hw_value = d_perf_lut_hybrid_g1_q;
                if (counted && !producer_q) hw_value = d_perf_lut_hybrid_g0_q;
            end
            D_PERF_LUT_LE_HIT: begin
                if (counted && producer_q) hw_value = d_perf_lut_le_hit_g1_q;
                if (counted && !producer_q) hw_value = d_perf_lut_le_hit_g0_q;
            end
            D_PERF_LUT_LO_HIT: begin
                if (counted && producer_q) hw_value = d_perf_lut_lo_hit_g1_q;
                if (counted && !producer_q) hw_value = d_perf_lut_lo_hit_g0_q;
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
