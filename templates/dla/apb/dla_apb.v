// Control bus: APB4 slave of 32 bits in front of the CSB.
//
// Contract: pready comes when the access is done (a write is non-posted on the CSB); an access
// takes 4 cycles and those of the CSB, one with an error 2. pready, prdata and pslverr are
// registers.
// PSLVERR, and nothing reaches the CSB: address not a multiple of 4, a write without all four
// strobes, or a page that the documents reserve: 0x${core_pages_hex} and up but for
// 0x${own_page_hex}.
// Reset: no access.
`default_nettype none

module dla_apb (
    input  wire        clk,
    input  wire        rst_n,

    // APB4
    input  wire        s_apb_psel,
    input  wire        s_apb_penable,
    input  wire [17:0] s_apb_paddr,          // bytes
    input  wire        s_apb_pwrite,
    input  wire [31:0] s_apb_pwdata,
    input  wire [3:0]  s_apb_pstrb,
    input  wire [2:0]  s_apb_pprot,          // not used
    output wire        s_apb_pready,
    output wire [31:0] s_apb_prdata,         // 0 with an error
    output wire        s_apb_pslverr,

    // CSB
    output wire        csb_valid,
    input  wire        csb_ready,
    output wire [15:0] csb_addr,             // word address
    output wire [31:0] csb_wdat,
    output wire        csb_write,
    output wire        csb_nposted,
    input  wire        csb_rd_valid,         // from the cycle after the request on
    input  wire [31:0] csb_rd_data,
    input  wire        csb_wr_complete
);

    localparam [5:0] RESERVED = 6'd${core_pages};       // first page of no unit
    localparam [5:0] OWN      = 6'd${own_page};

    wire unused_prot = &s_apb_pprot;

    reg         check_q;              // the access is looked at
    reg         request_q;            // at the CSB
    reg         wait_q;               // for its answer
    reg         ready_q;
    reg         error_q;
    reg  [17:0] addr_q;
    reg  [31:0] wdata_q;
    reg  [3:0]  strb_q;
    reg         write_q;
    reg  [31:0] rdata_q;

    wire        setup   = s_apb_psel && !s_apb_penable;
    wire        decoded = addr_q[17:12] < RESERVED || addr_q[17:12] == OWN;
    wire        legal   = decoded && addr_q[1:0] == 2'd0 && (!write_q || strb_q == 4'hf);
    wire        answer  = wait_q && (write_q ? csb_wr_complete : csb_rd_valid);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            check_q   <= 1'b0;
            request_q <= 1'b0;
            wait_q    <= 1'b0;
            ready_q   <= 1'b0;
            error_q   <= 1'b0;
        end else begin
            check_q   <= setup;
            request_q <= request_q ? !csb_ready : check_q && legal;
            wait_q    <= wait_q ? !answer : request_q && csb_ready;
            ready_q   <= answer || (check_q && !legal);
            error_q   <= check_q && !legal;
        end
    end

    always @(posedge clk) begin
        if (setup) begin
            addr_q  <= s_apb_paddr;
            wdata_q <= s_apb_pwdata;
            strb_q  <= s_apb_pstrb;
            write_q <= s_apb_pwrite;
        end
        rdata_q <= csb_rd_data & {32{answer && !write_q}};
    end

    assign s_apb_pready  = ready_q;
    assign s_apb_prdata  = rdata_q;
    assign s_apb_pslverr = error_q;
    assign csb_valid     = request_q;
    assign csb_addr      = addr_q[17:2];
    assign csb_wdat      = wdata_q;
    assign csb_write     = write_q;
    assign csb_nposted   = write_q;

endmodule

`default_nettype wire
