//% if control_port
// Control: registers for software, the record of bus errors, and the soft reset.
//
// The first answer of memory that is an error is recorded until a reset. From then on nothing more
// is asked of memory and no instruction is taken: what depends on data that did not come is never
// stored, and idle stays low. Soft reset: no new bursts; those on their way end, however long that
// takes; then all units are in reset for as long as the register says, at least for 2 cycles, and
// instructions that come are dropped.
//
//   fault -> record, stop        RESET -> stop -> units quiet for 8 cycles -> core_rst_n, drop
//
// Latency: stop follows a fault in the next cycle. Reset: no record, all units in reset with it.
//% else
// Control: ends all work at a bus error.
//
// Behind the first answer of memory that is an error nothing more is asked of memory and no
// instruction is taken until a reset: what depends on data that did not come is never stored, and
// idle stays low.
//
// Latency: stop follows a fault in the next cycle. Reset: no error, all units in reset with it.
//% end
`default_nettype none

module tcu_control (
    input  wire        clk,
    input  wire        rst_n,

//% if control_port
    // registers
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [${control_addr_w - 1}:0]  s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    output wire [1:0]  s_axi_bresp,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    input  wire [${control_addr_w - 1}:0]  s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,

    // state, for the registers
    input  wire [31:0] program_counter,
    input  wire        idle,
    input  wire        timeout_flag,
    input  wire        tracepoint_flag,
    input  wire        error_flag,  //% if validate_instructions
    input  wire        irq,

//% end
    // errors of the buses: pulses, with the address of the burst
//% for i in range(2)
    input  wire        load2control_fault${i},
    input  wire        load2control_decode${i}, // DECERR
    input  wire [31:0] load2control_addr${i},
//% end
    input  wire        store2control_fault,
    input  wire        store2control_bank,
    input  wire        store2control_decode,
    input  wire [31:0] store2control_addr,

    // no burst is on its way
    input  wire        load2control_quiet,
    input  wire        store2control_quiet,

    output reg         control2all_stop, // no new bursts, no instructions
    output reg         core_rst_n,    // of all other units
    output reg         drop,          // instructions  //% if control_port
    output wire        bus_error
);

//% if control_port
    wire         soft_reset;          // the register

    // ---------------------------------------------------------------- bus errors
    wire         fault = load2control_fault0 || load2control_fault1 || store2control_fault;
    reg          error_q;
    reg          write_q;
    reg          bank_q;
    reg          decode_q;
    reg  [31:0]  addr_q;

    assign bus_error = error_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) error_q <= 1'b0;
        else        error_q <= (error_q || fault) && !drop;
    end

    always @(posedge clk) begin
        if (!error_q) begin
            write_q  <= !load2control_fault0 && !load2control_fault1;
            bank_q   <= load2control_fault0 ? 1'b0 : load2control_fault1 || store2control_bank;
            decode_q <= load2control_fault0 ? load2control_decode0 :
                        load2control_fault1 ? load2control_decode1 : store2control_decode;
            addr_q   <= load2control_fault0 ? load2control_addr0 :
                        load2control_fault1 ? load2control_addr1 : store2control_addr;
        end
    end

    // ---------------------------------------------------------------- soft reset
    //   asked: it was written; quiet: cycles without a burst
    localparam [2:0] LONG = 3'd7;

    reg          asked_q;
    reg  [2:0]   quiet_q;
    wire         want  = soft_reset || asked_q;
    wire         quiet = control2all_stop && load2control_quiet && store2control_quiet;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            asked_q          <= 1'b0;
            quiet_q          <= 3'd0;
            drop             <= 1'b0;
            control2all_stop <= 1'b0;
            core_rst_n       <= 1'b0;
        end else begin
            asked_q          <= want && !drop;
            quiet_q          <= !want || !quiet ? 3'd0 :
                                quiet_q == LONG ? LONG : quiet_q + 3'd1;
            drop             <= want && quiet_q == LONG;
            control2all_stop <= want || fault || error_q;
            core_rst_n       <= !drop;
        end
    end

    // ---------------------------------------------------------------- registers
    tcu_control_regs u_regs (
        .clk(clk), .rst_n(rst_n), .reset_soft(soft_reset),
        .status_idle(idle), .status_timeout(timeout_flag), .status_tracepoint(tracepoint_flag),
        .status_instruction_error(error_flag),  //% if validate_instructions
        .status_instruction_error(1'b0),  //% if !validate_instructions
        .status_bus_error(error_q), .status_in_reset(drop), .status_irq(irq),
        .program_counter_count(program_counter),
        .bus_error_cause_write(write_q && error_q), .bus_error_cause_bank(bank_q && error_q),
        .bus_error_cause_decode(decode_q && error_q),
        .bus_error_address(error_q ? addr_q : 32'd0), .identity(32'h${identity_hex}),
        .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(s_axi_awready), .s_axi_awaddr(s_axi_awaddr),
        .s_axi_awprot(s_axi_awprot), .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready),
        .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb), .s_axi_bvalid(s_axi_bvalid),
        .s_axi_bready(s_axi_bready), .s_axi_bresp(s_axi_bresp), .s_axi_arvalid(s_axi_arvalid),
        .s_axi_arready(s_axi_arready), .s_axi_araddr(s_axi_araddr), .s_axi_arprot(s_axi_arprot),
        .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready), .s_axi_rdata(s_axi_rdata),
        .s_axi_rresp(s_axi_rresp)
    );
//% else
    // Without registers nobody asks where it was.
    wire         unused_record = &{1'b0,
//%   for i in range(2)
                                   load2control_decode${i}, load2control_addr${i},
//%   end
                                   store2control_bank, store2control_decode, store2control_addr,
                                   load2control_quiet, store2control_quiet};

    wire         fault = load2control_fault0 || load2control_fault1 || store2control_fault;

    assign bus_error = control2all_stop;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            control2all_stop <= 1'b0;
            core_rst_n       <= 1'b0;
        end else begin
            control2all_stop <= control2all_stop || fault;
            core_rst_n       <= 1'b1;
        end
    end
//% end

endmodule

`default_nettype wire
