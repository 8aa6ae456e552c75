// Made by macrame 0.1.0 from the register table of CONTROL

// Register file of CONTROL, state, bus errors and soft reset.
// AXI4-Lite slave of 32 bits. One write and one read at a time, a write takes at least 3 cycles
// and a read too; no ready depends on a valid. Byte strobes are honoured. An address without a
// register is answered with SLVERR: nothing is written, 0 is read. Writes to registers that are
// only read do nothing.
// Reset: all registers have their documented values.
`default_nettype none

module tcu_control_regs (
    input  wire        clk,
    input  wire        rst_n,
    // AXI4-Lite
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [4:0]  s_axi_awaddr,             // byte offset; bits 1:0 do not matter
    input  wire [2:0]  s_axi_awprot,             // not used
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,
    output wire [1:0]  s_axi_bresp,              // OKAY, or SLVERR: no such register
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    input  wire [4:0]  s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,             // not used
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    // STATUS
    input  wire        status_idle,              // nothing is under way; stays 0 behind a bus error
    input  wire        status_timeout,           // an instruction waits for too long
    input  wire        status_tracepoint,        // the program counter is the tracepoint
    // the next instruction breaks a rule; 0 without validate-instructions
    input  wire        status_instruction_error,
    // memory answered with an error, until a reset: nothing more is asked of memory, no
    // instruction is taken, and what memory holds is no result
    input  wire        status_bus_error,
    // the soft reset has drained the buses: all units are in reset, instructions that come are
    // dropped
    input  wire        status_in_reset,
    input  wire        status_irq,               // the interrupt pin
    // PROGRAM_COUNTER
    input  wire [31:0] program_counter_count,    // of the next instruction
    // BUS_ERROR_CAUSE
    input  wire        bus_error_cause_write,    // of the first error: 1 BRESP, 0 RRESP
    input  wire        bus_error_cause_bank,     // of the first error: the memory bank
    input  wire        bus_error_cause_decode,   // of the first error: 1 DECERR, 0 SLVERR
    // BUS_ERROR_ADDRESS
    // of the first error: the burst, in bytes, as the port has it
    input  wire [31:0] bus_error_address,
    // RESET
    // 1: no new bursts, those under way end, then all units are in reset (IN_RESET) until 0 is
    // written
    output wire        reset_soft
);

    // Word offsets of the registers.
    localparam [2:0]  STATUS            = 3'h0;
    localparam [2:0]  PROGRAM_COUNTER   = 3'h1;
    localparam [2:0]  BUS_ERROR_CAUSE   = 3'h2;
    localparam [2:0]  BUS_ERROR_ADDRESS = 3'h3;
    localparam [2:0]  RESET             = 3'h4;

    // One write and one read at a time: what is taken is held until its answer has gone.
    reg         aw_full_q;
    reg         w_full_q;
    reg         b_valid_q;
    reg         b_error_q;
    reg         ar_full_q;
    reg         r_valid_q;
    reg         r_error_q;
    reg  [31:0] w_data_q;
    reg  [3:0]  w_strb_q;
    reg  [31:0] r_data_q;
    localparam  TOP = 4;  // bit of the address
    reg  [2:0]  aw_word_q;
    reg  [2:0]  ar_word_q;

    assign s_axi_awready = !aw_full_q;
    assign s_axi_wready  = !w_full_q;
    assign s_axi_bvalid  = b_valid_q;
    assign s_axi_bresp   = {b_error_q, 1'b0};
    assign s_axi_arready = !ar_full_q;
    assign s_axi_rvalid  = r_valid_q;
    assign s_axi_rresp   = {r_error_q, 1'b0};
    assign s_axi_rdata   = r_data_q;

    // A write goes before a read in the same cycle.
    wire        wr    = aw_full_q && w_full_q && !b_valid_q;
    wire        rd    = ar_full_q && !r_valid_q && !wr;
    wire [2:0]  word  = wr ? aw_word_q : ar_word_q;

    // What the register at `word` reads as, and what is written to it.
    reg  [31:0] value;
    reg         mapped;
    wire [31:0] bytes = {{8{w_strb_q[3]}}, {8{w_strb_q[2]}}, {8{w_strb_q[1]}}, {8{w_strb_q[0]}}};
    wire [31:0] wdata = (w_data_q & bytes) | (value & ~bytes);

    // Fields that software writes.
    reg         reset_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            reset_q <= 1'h0;
        end else if (wr) begin
            case (word)
                RESET: reset_q <= wdata[0];
                default: ;
            endcase
        end
    end

    assign reset_soft = reset_q;

    always @* begin
        value = 32'd0;
        mapped = 1'b1;
        case (word)
            STATUS: value = {25'd0, status_irq, status_in_reset, status_bus_error,
                    status_instruction_error, status_tracepoint, status_timeout, status_idle};
            PROGRAM_COUNTER: value = program_counter_count;
            BUS_ERROR_CAUSE: value = {29'd0, bus_error_cause_decode, bus_error_cause_bank,
                    bus_error_cause_write};
            BUS_ERROR_ADDRESS: value = bus_error_address;
            RESET: value = {31'd0, reset_q};
            default: mapped = 1'b0;
        endcase
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            aw_full_q <= 1'b0;
            w_full_q  <= 1'b0;
            b_valid_q <= 1'b0;
            ar_full_q <= 1'b0;
            r_valid_q <= 1'b0;
        end else begin
            if (s_axi_awvalid && s_axi_awready) aw_full_q <= 1'b1;
            if (s_axi_wvalid && s_axi_wready)   w_full_q  <= 1'b1;
            if (wr)                             b_valid_q <= 1'b1;
            if (s_axi_bvalid && s_axi_bready) begin
                aw_full_q <= 1'b0;
                w_full_q  <= 1'b0;
                b_valid_q <= 1'b0;
            end
            if (s_axi_arvalid && s_axi_arready) ar_full_q <= 1'b1;
            if (rd)                             r_valid_q <= 1'b1;
            if (s_axi_rvalid && s_axi_rready) begin
                ar_full_q <= 1'b0;
                r_valid_q <= 1'b0;
            end
        end
    end

    always @(posedge clk) begin
        if (s_axi_awvalid && s_axi_awready) aw_word_q <= s_axi_awaddr[TOP:2];
        if (s_axi_arvalid && s_axi_arready) ar_word_q <= s_axi_araddr[TOP:2];
        if (s_axi_wvalid && s_axi_wready) begin
            w_data_q <= s_axi_wdata;
            w_strb_q <= s_axi_wstrb;
        end
        if (wr) b_error_q <= !mapped;
        if (rd) begin
            r_error_q <= !mapped;
            r_data_q  <= value;
        end
    end

    wire unused = &{1'b0, s_axi_awaddr[1:0], s_axi_awprot, s_axi_araddr[1:0], s_axi_arprot,
            wdata[31:1]};

endmodule

`default_nettype wire
