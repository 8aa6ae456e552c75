// GLB: version register and interrupt status of all units.
//
// An event or a write of S_INTR_SET sets a status bit, writing 1 to S_INTR_STATUS clears it;
// setting wins. The pin follows status & ~mask; it is a level and belongs to the CSB clock.
// Register reads are answered two cycles later, 0 in every other cycle. Nothing stalls.
// Latency: event to status and to the core side of the pin 1 cycle, then 2 cycles of dla_csb_clk.
// Reset: status and mask 0, pin low.
`default_nettype none

module dla_glb (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        dla_csb_clk,
    input  wire        csb_rst_n,            // of dla_csb_clk

    // register access
    input  wire        csb2glb_valid,
    input  wire [9:0]  csb_addr,             // word offset
    input  wire [31:0] csb_wdata,
    input  wire        csb_write,
    output reg  [31:0] glb2csb_rdata,        // 0 unless a read was requested

    // events: pulse, bit = register group
    input  wire [1:0]  cdma_dat2glb_done,
    input  wire [1:0]  cdma_wt2glb_done,
    input  wire [1:0]  cacc2glb_done,
    input  wire [1:0]  sdp2glb_done,
    input  wire [1:0]  pdp2glb_done,  //% if pdp_enable
    input  wire [1:0]  cdp2glb_done,  //% if cdp_enable
//% for u in movers
    input  wire [1:0]  ${u}2glb_done,
//% end

    output wire        dla_intr              // dla_csb_clk
);

    localparam [9:0] S_NVDLA_HW_VERSION = 10'd0;
    localparam [9:0] S_INTR_MASK        = 10'd1;
    localparam [9:0] S_INTR_SET         = 10'd2;
    localparam [9:0] S_INTR_STATUS      = 10'd3;

    localparam [31:0] HW_VERSION = ${hw_version};

//% if row_enable
    // Bits, group 0 and 1: SDP 0 1, CDP 2 3, PDP 4 5, BDMA 6 7, RUBIK 8 9, ROW 10 11, CDMA data
    // 16 17, CDMA weights 18 19, CACC 20 21. The mask has all of them, status only those of units
//% else
    // Bits, group 0 and 1: SDP 0 1, CDP 2 3, PDP 4 5, BDMA 6 7, RUBIK 8 9, CDMA data 16 17,
    // CDMA weights 18 19, CACC 20 21. The mask has all of them, status only those of units
//% end
    // that this configuration names.
    localparam [21:0] MASK_BITS   = ${mask_bits};
    localparam [21:0] STATUS_BITS = ${status_bits};

    reg  [21:0] mask_q;
    reg  [21:0] status_q;
    reg         intr_q;

    wire        write  = csb2glb_valid && csb_write;
    wire [21:0] events = {cacc2glb_done, cdma_wt2glb_done, cdma_dat2glb_done, ${row_enable ? "4'd0, row2glb_done" : rubik_enable ? "6'd0" : bdma_enable ? "8'd0" : "10'd0"},
                          ${rubik_enable ? "rubik2glb_done, " : row_enable ? "2'd0, " : ""}${bdma_enable ? "bdma2glb_done, " : rubik_enable || row_enable ? "2'd0, " : ""}${pdp_enable ? "pdp2glb_done" : "2'd0"}, ${cdp_enable ? "cdp2glb_done" : "2'd0"}, sdp2glb_done};
    wire [21:0] set    = write && csb_addr == S_INTR_SET ? csb_wdata[21:0] : 22'd0;
    wire [21:0] clear  = write && csb_addr == S_INTR_STATUS ? csb_wdata[21:0] : 22'd0;

    wire [21:0] status = ((status_q & ~clear) | set | events) & STATUS_BITS;  // after this cycle

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            mask_q   <= 22'd0;
            status_q <= 22'd0;
            intr_q   <= 1'b0;
        end else begin
            if (write && csb_addr == S_INTR_MASK) mask_q <= csb_wdata[21:0] & MASK_BITS;
            status_q <= status;
            intr_q   <= |(status & ~mask_q);
        end
    end

    sync_bit #(.STAGES(2)) u_intr (
        .clk(dla_csb_clk), .rst_n(csb_rst_n), .d(intr_q), .q(dla_intr)
    );

    reg         rd_q;
    reg  [9:0]  word_q;

    always @(posedge clk) begin
        rd_q          <= csb2glb_valid && !csb_write;
        word_q        <= csb_addr;
        glb2csb_rdata <= 32'd0;
        if (rd_q) begin
            case (word_q)
                S_NVDLA_HW_VERSION: glb2csb_rdata <= HW_VERSION;
                S_INTR_MASK:        glb2csb_rdata <= {10'd0, mask_q};
                S_INTR_STATUS:      glb2csb_rdata <= {10'd0, status_q};
                default: ;
            endcase
        end
    end

    wire unused = &{1'b0, csb_wdata[31:22]};

endmodule

`default_nettype wire
