// Made by macrame 0.1.0 from templates/tcu/control/tcu_control.v
// with control_port=0

// Control: ends all work at a bus error.
//
// Behind the first answer of memory that is an error nothing more is asked of memory and no
// instruction is taken until a reset: what depends on data that did not come is never stored, and
// idle stays low.
//
// Latency: stop follows a fault in the next cycle. Reset: no error, all units in reset with it.
`default_nettype none

module tcu_control (
    input  wire        clk,
    input  wire        rst_n,

    // errors of the buses: pulses, with the address of the burst
    input  wire        load2control_fault0,
    input  wire        load2control_decode0, // DECERR
    input  wire [31:0] load2control_addr0,
    input  wire        load2control_fault1,
    input  wire        load2control_decode1, // DECERR
    input  wire [31:0] load2control_addr1,
    input  wire        store2control_fault,
    input  wire        store2control_bank,
    input  wire        store2control_decode,
    input  wire [31:0] store2control_addr,

    // no burst is on its way
    input  wire        load2control_quiet,
    input  wire        store2control_quiet,

    output reg         control2all_stop, // no new bursts, no instructions
    output reg         core_rst_n,    // of all other units
    output wire        bus_error
);

    // Without registers nobody asks where it was.
    wire         unused_record = &{1'b0,
                                   load2control_decode0, load2control_addr0,
                                   load2control_decode1, load2control_addr1,
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

endmodule

`default_nettype wire
