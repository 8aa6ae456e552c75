// Made by macrame 0.1.0 from the register table of MCIF

// Register file of MCIF, primary memory interface.
// A write is visible in the next cycle. Read data comes two cycles after the request and is 0 in
// every other cycle. Nothing stalls; one access per cycle.
// Reset: all fields with a port have their documented values. The read-back copy of all registers
// is written in the 8 cycles after it: no access before that (dla_csb_master waits).
`default_nettype none

module dla_mcif_regs (
    input  wire        clk,
    input  wire        rst_n,
    // CSB
    input  wire        csb_valid,
    input  wire [9:0]  csb_addr,                 // word offset in the page
    input  wire [31:0] csb_wdata,
    input  wire        csb_write,
    output reg  [31:0] csb_rdata,                // 0 when there is no answer
    // CFG_RD_WEIGHT_0
    // read-arbiter weight of the SDP main client; 0 = least service
    output wire [7:0]  cfg_rd_weight_0_rd_weight_sdp,
    // read-arbiter weight of the PDP client; 0 = least service
    output wire [7:0]  cfg_rd_weight_0_rd_weight_pdp,
    // read-arbiter weight of the CDP client; 0 = least service
    output wire [7:0]  cfg_rd_weight_0_rd_weight_cdp,
    // CFG_RD_WEIGHT_1
    // read-arbiter weight of the SDP X1 (BS) operand client; 0 = least service
    output wire [7:0]  cfg_rd_weight_1_rd_weight_sdp_b,
    // read-arbiter weight of the SDP X2 (BN) operand client; 0 = least service
    output wire [7:0]  cfg_rd_weight_1_rd_weight_sdp_n,
    // read-arbiter weight of the SDP Y (EW) operand client; 0 = least service
    output wire [7:0]  cfg_rd_weight_1_rd_weight_sdp_e,
    // read-arbiter weight of the CDMA feature/pixel client; 0 = least service
    output wire [7:0]  cfg_rd_weight_1_rd_weight_cdma_dat,
    // CFG_RD_WEIGHT_2
    // read-arbiter weight of the CDMA weight client; 0 = least service
    output wire [7:0]  cfg_rd_weight_2_rd_weight_cdma_wt,
    // CFG_WR_WEIGHT_0
    // write-arbiter weight of the SDP main client; 0 = least service
    output wire [7:0]  cfg_wr_weight_0_wr_weight_sdp,
    // write-arbiter weight of the PDP client; 0 = least service
    output wire [7:0]  cfg_wr_weight_0_wr_weight_pdp,
    // write-arbiter weight of the CDP client; 0 = least service
    output wire [7:0]  cfg_wr_weight_0_wr_weight_cdp,
    // CFG_OUTSTANDING_CNT
    // limit on outstanding read data beats; request held while count would exceed value+1, unless
    // nothing is outstanding (a burst may be longer)
    output wire [7:0]  cfg_outstanding_cnt_rd_os_cnt,
    // limit on outstanding write data beats; request held while count would exceed value+1
    output wire [7:0]  cfg_outstanding_cnt_wr_os_cnt,
    // STATUS
    input  wire        status_idle               // 1 = no outstanding transaction on the port
);

    // Word offsets of the registers.
    localparam [2:0]  CFG_RD_WEIGHT_0     = 3'h0;
    localparam [2:0]  CFG_RD_WEIGHT_1     = 3'h1;
    localparam [2:0]  CFG_RD_WEIGHT_2     = 3'h2;
    localparam [2:0]  CFG_WR_WEIGHT_0     = 3'h3;
    localparam [2:0]  CFG_WR_WEIGHT_1     = 3'h4;
    localparam [2:0]  CFG_OUTSTANDING_CNT = 3'h5;
    localparam [2:0]  STATUS              = 3'h6;

    wire [2:0]  word    = csb_addr[2:0];
    wire        in_map  = csb_addr[9:3] == 7'd0;
    wire        csb_wr  = csb_valid && csb_write && in_map;
    wire        csb_rd  = csb_valid && !csb_write && in_map;

    // The access as copy and read back see it, a cycle later.
    reg         store_q;                     // write that is not dropped
    reg         rd_q;
    reg  [2:0]  word_q;
    reg  [31:0] data_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            store_q <= 1'b0;
            rd_q    <= 1'b0;
        end else begin
            store_q <= csb_wr;
            rd_q    <= csb_rd;
        end
    end

    always @(posedge clk) begin
        word_q <= word;
        data_q <= csb_wdata;
    end

    // Single registers.
    reg  [23:0] cfg_rd_weight_0_q;
    reg  [31:0] cfg_rd_weight_1_q;
    reg  [7:0]  cfg_rd_weight_2_q;
    reg  [23:0] cfg_wr_weight_0_q;
    reg  [15:0] cfg_outstanding_cnt_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            cfg_rd_weight_0_q <= 24'h010101;
            cfg_rd_weight_1_q <= 32'h01010101;
            cfg_rd_weight_2_q <= 8'h01;
            cfg_wr_weight_0_q <= 24'h010101;
            cfg_outstanding_cnt_q <= 16'hffff;
        end else if (csb_wr) begin
            case (word)
                CFG_RD_WEIGHT_0: cfg_rd_weight_0_q <= {csb_wdata[31:24], csb_wdata[23:16],
                        csb_wdata[15:8]};
                CFG_RD_WEIGHT_1: cfg_rd_weight_1_q <= {csb_wdata[31:24], csb_wdata[23:16],
                        csb_wdata[15:8], csb_wdata[7:0]};
                CFG_RD_WEIGHT_2: cfg_rd_weight_2_q <= csb_wdata[7:0];
                CFG_WR_WEIGHT_0: cfg_wr_weight_0_q <= {csb_wdata[31:24], csb_wdata[23:16],
                        csb_wdata[15:8]};
                CFG_OUTSTANDING_CNT: cfg_outstanding_cnt_q <= {csb_wdata[15:8], csb_wdata[7:0]};
                default: ;
            endcase
        end
    end

    assign cfg_rd_weight_0_rd_weight_sdp = cfg_rd_weight_0_q[7:0];
    assign cfg_rd_weight_0_rd_weight_pdp = cfg_rd_weight_0_q[15:8];
    assign cfg_rd_weight_0_rd_weight_cdp = cfg_rd_weight_0_q[23:16];
    assign cfg_rd_weight_1_rd_weight_sdp_b = cfg_rd_weight_1_q[7:0];
    assign cfg_rd_weight_1_rd_weight_sdp_n = cfg_rd_weight_1_q[15:8];
    assign cfg_rd_weight_1_rd_weight_sdp_e = cfg_rd_weight_1_q[23:16];
    assign cfg_rd_weight_1_rd_weight_cdma_dat = cfg_rd_weight_1_q[31:24];
    assign cfg_rd_weight_2_rd_weight_cdma_wt = cfg_rd_weight_2_q;
    assign cfg_wr_weight_0_wr_weight_sdp = cfg_wr_weight_0_q[7:0];
    assign cfg_wr_weight_0_wr_weight_pdp = cfg_wr_weight_0_q[15:8];
    assign cfg_wr_weight_0_wr_weight_cdp = cfg_wr_weight_0_q[23:16];
    assign cfg_outstanding_cnt_rd_os_cnt = cfg_outstanding_cnt_q[7:0];
    assign cfg_outstanding_cnt_wr_os_cnt = cfg_outstanding_cnt_q[15:8];

    // What software reads back: a copy of every register. After reset a sweep writes the reset
    // values; a CSB write pauses it.
    reg  [3:0]  init_q;
    reg  [31:0] init_value;
    reg  [31:0] write_mask;
    wire [31:0] copy;
    wire        init    = !init_q[3];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)               init_q <= 4'd0;
        else if (init && !store_q) init_q <= init_q + 4'd1;
    end

    // Bits that software can write.
    always @* begin
        write_mask = 32'd0;
        if (store_q) case (word_q)
            CFG_RD_WEIGHT_0: write_mask = 32'hffffffff;
            CFG_RD_WEIGHT_1: write_mask = 32'hffffffff;
            CFG_RD_WEIGHT_2: write_mask = 32'hffffffff;
            CFG_WR_WEIGHT_0: write_mask = 32'hffffffff;
            CFG_WR_WEIGHT_1: write_mask = 32'hffffffff;
            CFG_OUTSTANDING_CNT: write_mask = 32'h0000ffff;
            default: ;
        endcase
    end

    // Reset values other than 0.
    always @* begin
        init_value = 32'd0;
        if (init) case (init_q[2:0])
            CFG_RD_WEIGHT_0: init_value = 32'h01010101;
            CFG_RD_WEIGHT_1: init_value = 32'h01010101;
            CFG_RD_WEIGHT_2: init_value = 32'h01010101;
            CFG_WR_WEIGHT_0: init_value = 32'h01010101;
            CFG_WR_WEIGHT_1: init_value = 32'h01010101;
            CFG_OUTSTANDING_CNT: init_value = 32'h0000ffff;
            default: ;
        endcase
    end

    sram_dist_1r1w #(.W(32), .DEPTH(8)) u_copy (
        .clk(clk), .we(init || store_q),
        .waddr(store_q ? word_q : init_q[2:0]),
        .wdata(store_q ? (data_q & write_mask) : init_value),
        .raddr(word_q), .rdata(copy)
    );

    // Read: the copy, and what hardware owns (0 in the copy).
    function [31:0] hw_value;
        input [2:0]  number;
    begin
        hw_value = 32'd0;
        case (number)
            STATUS: hw_value = {23'd0, status_idle, 8'd0};
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
