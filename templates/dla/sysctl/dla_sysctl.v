// Register page of the system top (SYSCTL), on the way from the control bus to the core.
//
// Contract: accesses to page 0x${own_page_hex} end here, all others go on to the core. Answers
// come in the order of the requests: an access to the own page waits until the core has answered
// all before it. One access per cycle to the core; 1 cycle to it and 1 back.
// core_rst_n falls with rst_n or by a write to S_RESET, for 16 cycles, and accesses wait until
//% if bus_clock == "own"
// 48 cycles later; both last until core_up has followed. Until then the core has no interrupt.
//% else
// 48 cycles later.
//% end
// Reset: no access, registers as documented.
`default_nettype none

module dla_sysctl (
    input  wire        clk,
    input  wire        rst_n,

    // from the control bus
    input  wire        ctl_valid,
    output wire        ctl_ready,
    input  wire [15:0] ctl_addr,             // word address
    input  wire [31:0] ctl_wdat,
    input  wire        ctl_write,
    input  wire        ctl_nposted,
    output wire        ctl_rd_valid,
    output wire [31:0] ctl_rd_data,
    output wire        ctl_wr_complete,

    // to the core
    output wire        core_valid,
    input  wire        core_ready,
    output wire [15:0] core_addr,
    output wire [31:0] core_wdat,
    output wire        core_write,
    output wire        core_nposted,
    input  wire        core_rd_valid,        // from the cycle after the request on
    input  wire [31:0] core_rd_data,
    input  wire        core_wr_complete,
    output wire        core_rst_n,
    input  wire        core_up,              // follows core_rst_n: the core has seen it  //% if bus_clock == "own"
//% if error_sources > 0

    // error answers of memory, pulses: reads and writes of the first port, of the second one
    input  wire [${error_sources - 1}:0]  error,
    input  wire [${error_sources - 1}:0]  error_decode,         // DECERR
    input  wire [${4 * error_sources - 1}:0] error_client,
    input  wire [${error_sources * addr_w - 1}:0] error_addr,
//% end

    input  wire        core_intr,
    output wire        dla_intr              // level
);

    localparam [5:0] OWN = 6'd${own_page};

    // ------------------------------------------------------------------ whose access
    wire        valid;
    wire        ready;
    wire        write;
    wire        nposted;
    wire [31:0] wdat;
    wire [15:0] addr;

    fifo_sync #(.W(50), .DEPTH(2)) u_request (
        .clk(clk), .rst_n(rst_n),
        .in_valid(ctl_valid), .in_ready(ctl_ready),
        .in_data({ctl_nposted, ctl_write, ctl_wdat, ctl_addr}),
        .out_valid(valid), .out_ready(ready),
        .out_data({nposted, write, wdat, addr})
    );

    reg  [3:0]  flight_q;             // accesses that the core has to answer
    reg         open_q;               // the core takes accesses
    wire        own_q;                // an access to the own page in the cycle before
    wire        own      = addr[15:10] == OWN;
    wire        answers  = nposted || !write;
    wire        own_go   = valid && own && flight_q == 4'd0 && open_q;
    wire        core_go  = core_valid && core_ready;
    wire        answered = core_rd_valid || core_wr_complete;

    assign core_valid   = valid && !own && flight_q != 4'hf && open_q && !own_q;
    assign core_addr    = addr;
    assign core_wdat    = wdat;
    assign core_write   = write;
    assign core_nposted = nposted;
    assign ready        = own_go || core_go;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) flight_q <= 4'd0;
        else        flight_q <= flight_q + {3'd0, core_go && answers} - {3'd0, answered};
    end

    // ------------------------------------------------------------------ answers
    wire [31:0] own_rdata;            // two cycles after the request
    reg  [1:0]  own_rd_q;             // requests: of the cycle before, of the one before that
    reg  [1:0]  own_wr_q;
    reg         rd_valid_q;
    reg         wr_complete_q;
    reg  [31:0] rd_data_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            own_rd_q      <= 2'b00;
            own_wr_q      <= 2'b00;
            rd_valid_q    <= 1'b0;
            wr_complete_q <= 1'b0;
        end else begin
            own_rd_q      <= {own_rd_q[0], own_go && !write};
            own_wr_q      <= {own_wr_q[0], own_go && write && nposted};
            rd_valid_q    <= own_rd_q[1] || core_rd_valid;
            wr_complete_q <= own_wr_q[1] || core_wr_complete;
        end
    end

    always @(posedge clk) rd_data_q <= own_rd_q[1] ? own_rdata : core_rd_data;

    assign own_q           = own_rd_q[0] || own_wr_q[0];
    assign ctl_rd_valid    = rd_valid_q;
    assign ctl_rd_data     = rd_data_q;
    assign ctl_wr_complete = wr_complete_q;

    // ------------------------------------------------------------------ reset of the core
    reg  [5:0]  age_q;                // cycles since a reset has begun
    reg         core_rst_q;
    wire        reset_wr;
//% if bus_clock == "own"
    // The core has a clock of its own: here its answer is waited for, be it as slow as it may.
    wire        waits = (age_q == 6'h0f && core_up) || (age_q == 6'h3e && !core_up);
//% end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            age_q      <= 6'd0;
            core_rst_q <= 1'b0;
            open_q     <= 1'b0;
        end else begin
            if (reset_wr)             age_q <= 6'd0;
            else if (age_q != 6'h3f${bus_clock == "own" ? " && !waits" : ""}) age_q <= age_q + 6'd1;
            core_rst_q <= age_q[5] || age_q[4];
            open_q     <= age_q == 6'h3f && !reset_wr && !(own_go && write);
        end
    end

    assign core_rst_n = core_rst_q;

    // ------------------------------------------------------------------ registers, interrupt
    reg  interrupt_q;
//% if error_sources > 0
    wire failed;
    wire failed_mask;
    wire clear_wr;
    wire failed_write;
    wire failed_decode;
    wire failed_port;
    wire [3:0]  failed_client;
    wire [15:0] failed_count;
    wire [63:0] failed_addr;

    dla_sysctl_error u_error (
        .clk          (clk),
        .rst_n        (rst_n),
        .error        (error),
        .error_decode (error_decode),
        .error_client (error_client),
        .error_addr   (error_addr),
        .clear        (clear_wr),
        .first_valid  (failed),
        .first_write  (failed_write),
        .first_decode (failed_decode),
        .first_port   (failed_port),
        .first_client (failed_client),
        .first_addr   (failed_addr),
        .count        (failed_count)
    );
//% end

    dla_sysctl_regs u_regs (
        .clk        (clk),
        .rst_n      (rst_n),
        .csb_valid  (own_go),
        .csb_addr   (addr[9:0]),
        .csb_wdata  (wdat),
        .csb_write  (write),
        .csb_rdata  (own_rdata),
//% if error_sources > 0
        .s_error_status_error  (failed),
        .s_error_status_write  (failed_write),
        .s_error_status_decode (failed_decode),
        .s_error_status_port   (failed_port),
        .s_error_status_client (failed_client),
        .s_error_status_count  (failed_count),
        .s_error_addr_low      (failed_addr[31:0]),
        .s_error_addr_high     (failed_addr[63:32]),
        .s_error_clear_wr      (clear_wr),
        .s_intr_mask_error     (failed_mask),
//% end
        .s_identity (32'h${identity_hex}),
        .s_reset_wr (reset_wr)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) interrupt_q <= 1'b0;
        else        interrupt_q <= ${bus_clock == "own" ? "(core_intr && age_q == 6'h3f)" : "core_intr"} || (failed && !failed_mask);  //% if error_sources > 0
        else        interrupt_q <= ${bus_clock == "own" ? "(core_intr && age_q == 6'h3f)" : "core_intr"};  //% if error_sources <= 0
    end

    assign dla_intr = interrupt_q;

endmodule

`default_nettype wire
