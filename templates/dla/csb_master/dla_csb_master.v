// CSB master: brings register accesses from the CSB clock to the core clock and to their unit.
//
// Requests cross in a FIFO, are decoded into registers and reach the unit one cycle behind that;
// all units answer two cycles later, 0 if they were not asked, so the answers are ORed. Answers
// (reads and non-posted writes, in one order) cross back in a second FIFO and are registered in
// front of the pins.
// Throughput: one posted write per cycle; an access with an answer every fifth core cycle, when
// the answer FIFO has room. Pages without a unit read 0 and swallow writes.
// Reset: FIFOs empty. The first ${reset_sweep} core cycles after it nothing reaches the units, because the
// register files write their reset values.
`default_nettype none

module dla_csb_master (
    input  wire        dla_csb_clk,
    input  wire        csb_rst_n,            // of dla_csb_clk
    input  wire        clk,
    input  wire        rst_n,                // of clk

    // pins, dla_csb_clk
    input  wire        csb2nvdla_valid,
    output wire        csb2nvdla_ready,
    input  wire [15:0] csb2nvdla_addr,       // word address
    input  wire [31:0] csb2nvdla_wdat,
    input  wire        csb2nvdla_write,
    input  wire        csb2nvdla_nposted,    // the write wants an answer
    output reg         nvdla2csb_valid,      // read data, cannot stall
    output reg  [31:0] nvdla2csb_data,
    output reg         nvdla2csb_wr_complete, // non-posted write done, cannot stall

    // units, clk; an access cannot stall
//% for u in csb_units
    output reg         csb2${u.name}_valid,
//% end
    output reg  [9:0]  csb_addr,             // word offset in the page
    output reg  [31:0] csb_wdata,
    output reg         csb_write,
//% for u in csb_units
    input  wire [31:0] ${u.name}2csb_rdata${u.comma}
//% end
);

    // Requests.
    wire        req_valid;
    wire        req_ready;
    wire        req_nposted;
    wire        req_write;
    wire [31:0] req_wdata;
    wire [5:0]  req_page;
    wire [9:0]  req_addr;

    fifo_async #(.W(50), .DEPTH(8)) u_request (
        .wr_clk(dla_csb_clk), .wr_rst_n(csb_rst_n),
        .in_valid(csb2nvdla_valid), .in_ready(csb2nvdla_ready),
        .in_data({csb2nvdla_nposted, csb2nvdla_write, csb2nvdla_wdat, csb2nvdla_addr}),
        .rd_clk(clk), .rd_rst_n(rst_n),
        .out_valid(req_valid), .out_ready(req_ready),
        .out_data({req_nposted, req_write, req_wdata, req_page, req_addr})
    );

    // An answer needs room in its FIFO; one may be on its way: bit 0 of asked_q while the access is
    // at the unit, bit 3 when the answer is in rdata_q.
    localparam WAIT_W = ${reset_sweep_w};
    reg  [WAIT_W:0] wait_q;
    reg  [3:0]  asked_q;
    reg         rsp_write_q;
    wire        rsp_ready;
    wire        posted = req_write && !req_nposted;
    wire        access = req_valid && req_ready;

    assign req_ready = wait_q[WAIT_W] && (posted || (rsp_ready && asked_q == 4'd0));

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wait_q      <= {(WAIT_W+1){1'b0}};
            asked_q     <= 4'd0;
//% for u in csb_units
            csb2${u.name}_valid <= 1'b0;
//% end
        end else begin
            if (!wait_q[WAIT_W]) wait_q <= wait_q + 1'b1;
            asked_q     <= {asked_q[2:0], access && !posted};
//% for u in csb_units
            csb2${u.name}_valid <= access && req_page == 6'd${u.page};
//% end
        end
    end

    always @(posedge clk) begin
        csb_addr    <= req_addr;
        csb_wdata   <= req_wdata;
        csb_write   <= req_write;
        if (asked_q[0]) rsp_write_q <= csb_write;
    end

    // Answers.
    wire        out_valid;
    wire        out_write;
    wire [31:0] out_rdata;
    reg  [31:0] rdata_q;

    always @(posedge clk) begin
//% for row in rdata_rows
        ${row.first ? "rdata_q <=" : "                "} ${join(row.units, "2csb_rdata | ")}2csb_rdata${row.last ? ";" : " |"}
//% end
    end

    fifo_async #(.W(33), .DEPTH(4)) u_answer (
        .wr_clk(clk), .wr_rst_n(rst_n),
        .in_valid(asked_q[3]), .in_ready(rsp_ready), .in_data({rsp_write_q, rdata_q}),
        .rd_clk(dla_csb_clk), .rd_rst_n(csb_rst_n),
        .out_valid(out_valid), .out_ready(1'b1), .out_data({out_write, out_rdata})
    );

    always @(posedge dla_csb_clk or negedge csb_rst_n) begin
        if (!csb_rst_n) begin
            nvdla2csb_valid       <= 1'b0;
            nvdla2csb_wr_complete <= 1'b0;
        end else begin
            nvdla2csb_valid       <= out_valid && !out_write;
            nvdla2csb_wr_complete <= out_valid && out_write;
        end
    end

    always @(posedge dla_csb_clk) begin
        if (out_valid && !out_write) nvdla2csb_data <= out_rdata;
    end

endmodule

`default_nettype wire
