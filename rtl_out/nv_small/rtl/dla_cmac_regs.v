// Made by macrame 0.1.0 from the register table of CMAC_A

// Register file of CMAC_A and of CMAC_B, the halves of the MAC array.
// A write of a single register is visible in the next cycle, of a D_ register in the one behind
// it. Read data comes two cycles after the request and is 0 in every other cycle. Nothing stalls;
// one access per cycle.
// D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. Writes to a
// group whose OP_EN is 1 are dropped.
// Reset: all registers have their documented values.
`default_nettype none

module dla_cmac_regs (
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
    output wire        consumer                  // group of the running layer
);

    // Word offsets of the registers.
    localparam [1:0]  S_STATUS    = 2'h0;
    localparam [1:0]  S_POINTER   = 2'h1;
    localparam [1:0]  D_OP_ENABLE = 2'h2;
    localparam [1:0]  D_MISC_CFG  = 2'h3;

    wire [1:0]  word    = csb_addr[1:0];
    wire        in_map  = csb_addr[9:2] == 8'd0;
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
    reg  [1:0]  word_q;
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
    reg  [2:0]  d_misc_cfg_g0_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_misc_cfg_g0_q <= 3'h2;
        end else if (store_q && !bank_q) begin
            case (word_q)
                D_MISC_CFG: d_misc_cfg_g0_q <= {data_q[13:12], data_q[0]};
                default: ;
            endcase
        end
    end

    // D_ registers, group 1.
    reg  [2:0]  d_misc_cfg_g1_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_misc_cfg_g1_q <= 3'h2;
        end else if (store_q && bank_q) begin
            case (word_q)
                D_MISC_CFG: d_misc_cfg_g1_q <= {data_q[13:12], data_q[0]};
                default: ;
            endcase
        end
    end

    // Read.
    wire [2:0]  d_misc_cfg_r = producer_q ? d_misc_cfg_g1_q : d_misc_cfg_g0_q;
    function [31:0] hw_value;
        input [1:0]  number;
    begin
        hw_value = 32'd0;
        case (number)
            S_STATUS: hw_value = {14'd0, status_1, 14'd0, status_0};
            S_POINTER: hw_value = {15'd0, consumer_q, 15'd0, producer_q};
            D_OP_ENABLE: hw_value = {31'd0, producer_q ? op_en_g1_q : op_en_g0_q};
            D_MISC_CFG: hw_value = {18'd0, d_misc_cfg_r[2:1], 11'd0, d_misc_cfg_r[0]};
            default: ;
        endcase
    end
    endfunction

    always @(posedge clk) begin
        if (rd_q) csb_rdata <= hw_value(word_q);
        else      csb_rdata <= 32'd0;
    end

    wire unused = &{1'b0, data_q[31:14], data_q[11:1]};

endmodule

`default_nettype wire
