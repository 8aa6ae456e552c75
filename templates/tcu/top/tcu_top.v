// The tensor compute unit: all units and the links between them.
//
//   instructions --> fetch --> decode --> load, store <--> memory banks
//                                     --> issue --> weights, feed --> array
//                                               --> acc
//   local: local memory, between all of them       control: bus errors, registers, soft reset
//
// One clock. reset is active low, asynchronous, and ends in step with the clock; memory has to be
// reset with it or to be idle.
`default_nettype none

module tcu_top (
    // clock and reset
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 clock CLK" *)
    (* X_INTERFACE_PARAMETER =
       "ASSOCIATED_BUSIF ${busifs}" *)
    input  wire         clock,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 reset RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         reset,                        // active low

    // instructions back to back, clock
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TDATA" *)
    input  wire [${axi_data_width - 1}:0] instruction_tdata, // first byte in bits 7:0
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TVALID" *)
    input  wire         instruction_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TREADY" *)
    output wire         instruction_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TLAST" *)
    input  wire         instruction_tlast,            // not used

//% for b in bus_ports
    // ${b.title}, clock
//%   for p in b.pins
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 ${p.bus} ${p.signal}" *)
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]     ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire           ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//%   end

//% end
//% if sample_block_size > 0
    // samples, clock; they are dropped while tready is low
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TDATA" *)
    output wire [63:0]  sample_tdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TVALID" *)
    output wire         sample_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TREADY" *)
    input  wire         sample_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TLAST" *)
    output wire         sample_tlast,                 // of ${sample_block_size} samples

//% end
//% if status_port
    // instructions that were taken, clock
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TDATA" *)
    output wire [${instruction_w - 1}:0] status_tdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TVALID" *)
    output wire         status_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TREADY" *)
    input  wire         status_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TLAST" *)
    output wire         status_tlast,                 // 1

//% end
    // state, clock
    output wire [31:0]  program_counter,              // of the next instruction
    output wire         idle,                         // nothing is under way
    output wire         timeout,                      // an instruction waits for too long
    output wire         tracepoint,                   // the program counter is the tracepoint
    output wire         error,                        // the next instruction breaks a rule  //% if validate_instructions
    output wire         bus_error,                    // memory answered with an error
    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire         irq                           // one of these flags was up
);

    wire pins_rst_n;
    wire rst_n;                       // of all but control

    reset_sync u_reset (.clk (clock), .arst_n (reset), .rst_n (pins_rst_n));

    // ---------------------------------------------------------------- links
//% for g in parts.links
//%   include "top/links.vh"

//% end
//% for g in parts.control
//%   include "top/units.vh"
//% end
    assign instruction_tready = fetch_ready || drop;  //% if control_port
    assign instruction_tready = fetch_ready;  //% if !control_port

//% for g in parts.pipeline
//%   include "top/units.vh"
//% end
    // ---------------------------------------------------------------- state
    reg  idle_q;
    reg  irq_q;
    wire flag = timeout_flag || tracepoint_flag || bus_error
                || error_flag  //% if validate_instructions
                ;

    assign timeout    = timeout_flag;
    assign tracepoint = tracepoint_flag;
    assign error      = error_flag;  //% if validate_instructions
    assign idle       = idle_q;
    assign irq        = irq_q;
    assign status_tdata       = decode2status_data;  //% if status_port
    assign status_tvalid      = decode2status_valid;  //% if status_port
    assign decode2status_ready = status_tready;  //% if status_port
    assign status_tlast       = 1'b1;  //% if status_port

    always @(posedge clock or negedge rst_n) begin
        if (!rst_n) begin
            idle_q <= 1'b0;
            irq_q  <= 1'b0;
        end else begin
            idle_q <= !(fetch_busy || decode_busy || issue_busy || load_busy || store_busy ||
                        weights_busy || feed_busy || acc_busy || control2all_stop);
            irq_q  <= irq_q || flag;
        end
    end

    // What this unit does not look at.
    wire unused_pins = &{1'b0, instruction_tlast};  //% if sample_block_size > 0
    wire unused_pins = &{1'b0, instruction_tlast, sample_interval};  //% if sample_block_size <= 0

endmodule

`default_nettype wire
