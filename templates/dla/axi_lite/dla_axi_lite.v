// Control bus: AXI4-Lite slave of 32 bits in front of the CSB.
//
// Contract: one access at a time; if a write and a read wait, they take turns. A write is
// answered when it is done (non-posted on the CSB). No ready depends on a valid, and no answer
// but on its own request: no order of the channels can block. An access takes 4 cycles and those
// of the CSB.
// SLVERR, and nothing reaches the CSB: address not a multiple of 4, or a write without all four
// strobes. DECERR: the pages that the documents reserve, 0x${core_pages_hex} and up but for
// 0x${own_page_hex}.
// Reset: no access.
`default_nettype none

module dla_axi_lite (
    input  wire        clk,
    input  wire        rst_n,

    // AXI4-Lite
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [17:0] s_axi_awaddr,         // bytes
    input  wire [2:0]  s_axi_awprot,         // not used
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    output wire [1:0]  s_axi_bresp,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    input  wire [17:0] s_axi_araddr,         // bytes
    input  wire [2:0]  s_axi_arprot,         // not used
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    output wire [31:0] s_axi_rdata,          // 0 with an error
    output wire [1:0]  s_axi_rresp,

    // CSB
    output wire        csb_valid,
    input  wire        csb_ready,
    output wire [15:0] csb_addr,             // word address
    output wire        csb_write,
    output wire        csb_nposted,
    // of a write; while a read waits, the data of the next write may come
    output wire [31:0] csb_wdat,
    input  wire        csb_rd_valid,         // from the cycle after the request on
    input  wire [31:0] csb_rd_data,
    input  wire        csb_wr_complete
);

    localparam [5:0] RESERVED = 6'd${core_pages};       // first page of no unit
    localparam [5:0] OWN      = 6'd${own_page};

    wire unused_prot = &{s_axi_awprot, s_axi_arprot};

    // ------------------------------------------------------------------ what the master wants
    reg         aw_full_q;
    reg         w_full_q;
    reg         ar_full_q;
    reg  [17:0] aw_addr_q;
    reg  [17:0] ar_addr_q;
    reg  [31:0] w_data_q;
    reg  [3:0]  w_strb_q;
    wire        wr_done = s_axi_bvalid && s_axi_bready;
    wire        rd_done = s_axi_rvalid && s_axi_rready;

    assign s_axi_awready = !aw_full_q;
    assign s_axi_wready  = !w_full_q;
    assign s_axi_arready = !ar_full_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            aw_full_q <= 1'b0;
            w_full_q  <= 1'b0;
            ar_full_q <= 1'b0;
        end else begin
            aw_full_q <= aw_full_q ? !wr_done : s_axi_awvalid;
            w_full_q  <= w_full_q  ? !wr_done : s_axi_wvalid;
            ar_full_q <= ar_full_q ? !rd_done : s_axi_arvalid;
        end
    end

    always @(posedge clk) begin
        if (s_axi_awready) aw_addr_q <= s_axi_awaddr;
        if (s_axi_arready) ar_addr_q <= s_axi_araddr;
        if (s_axi_wready) begin
            w_data_q <= s_axi_wdata;
            w_strb_q <= s_axi_wstrb;
        end
    end

    // ------------------------------------------------------------------ one access
    reg         request_q;            // at the CSB
    reg         wait_q;               // for its answer
    reg         b_valid_q;
    reg         r_valid_q;
    reg         write_q;              // kind of this access, or of the last one
    reg  [15:0] word_q;
    reg  [1:0]  resp_q;
    reg  [31:0] rdata_q;

    wire        busy     = request_q || wait_q || b_valid_q || r_valid_q;
    wire        wr_waits = aw_full_q && w_full_q;
    wire        write    = wr_waits && !(ar_full_q && write_q);
    wire        start    = !busy && (wr_waits || ar_full_q);
    wire [17:0] addr     = write ? aw_addr_q : ar_addr_q;
    wire        decoded  = addr[17:12] < RESERVED || addr[17:12] == OWN;
    wire        whole    = addr[1:0] == 2'd0 && (!write || w_strb_q == 4'hf);
    wire        legal    = decoded && whole;
    wire        answer   = wait_q && (write_q ? csb_wr_complete : csb_rd_valid);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            request_q <= 1'b0;
            wait_q    <= 1'b0;
            b_valid_q <= 1'b0;
            r_valid_q <= 1'b0;
            write_q   <= 1'b0;
        end else begin
            request_q <= request_q ? !csb_ready : start && legal;
            wait_q    <= wait_q ? !answer : request_q && csb_ready;
            b_valid_q <= b_valid_q ? !s_axi_bready
                                   : (start && !legal && write) || (answer && write_q);
            r_valid_q <= r_valid_q ? !s_axi_rready
                                   : (start && !legal && !write) || (answer && !write_q);
            if (start) write_q <= write;
        end
    end

    always @(posedge clk) begin
        if (start) begin
            word_q <= addr[17:2];
            resp_q <= legal ? 2'b00 : decoded ? 2'b10 : 2'b11;
        end
        if (start || answer) rdata_q <= start ? 32'd0 : csb_rd_data;
    end

    assign csb_valid    = request_q;
    assign csb_addr     = word_q;
    assign csb_wdat     = w_data_q;
    assign csb_write    = write_q;
    assign csb_nposted  = write_q;
    assign s_axi_bvalid = b_valid_q;
    assign s_axi_bresp  = resp_q;
    assign s_axi_rvalid = r_valid_q;
    assign s_axi_rdata  = rdata_q;
    assign s_axi_rresp  = resp_q;

`ifdef MACRAME_ASSERT
    assert_link #(.W(32)) a_csb_wdat (
        .clk(clk), .rst_n(rst_n), .valid(csb_valid && csb_write), .ready(csb_ready),
        .payload(csb_wdat)
    );
`endif

endmodule

`default_nettype wire
