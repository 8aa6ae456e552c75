// Made by macrame 0.1.0 from templates/systolic/resolver/systolic_queue.v
// with queue_depth=8

// Queue of one module: its instructions from the stream to their end.
//
// The head is handed over when all tokens that it pops are there; they are taken with it. The
// oldest one that the module has done leaves when all tokens that it pushes have room. Parameters
// leave at the begin, flags at the end; both count as places.
//
//   in -> pops, parameters -> module -> done -+-> leaves
//      -> pushes ------------------------------/
//
// Contract: up to FLIGHT instructions with the module; 1 cycle from in to out; an instruction per
// cycle. Stalls with the module and for tokens. Without run the module gets none; when it has done
// those that it has, the others are dropped, one per cycle. Reset: empty.
`default_nettype none

module systolic_queue #(
    parameter FLIGHT = 1              // instructions that the module may have
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         run,

    // stream; prev in bit 0, next in bit 1
    input  wire         in_valid,     // only while there is room, and with run
    output wire         in_room,
    input  wire [1:0]   in_pops,
    input  wire [1:0]   in_pushes,
    input  wire [119:0] in_parameters,

    // module
    output wire         out_valid,
    input  wire         out_ready,
    output wire [119:0] out_parameters,
    input  wire         done,         // pulse: the oldest one that it has

    // tokens
    input  wire [1:0]   some,         // there are some
    input  wire [1:0]   room,         // there is room for one more
    output wire [1:0]   pop,
    output wire [1:0]   push,

    // state
    output wire         empty,
    output wire         running,      // the module has an instruction
    output wire         waiting,      // it has none, as tokens are missing
    output wire         ended         // pulse: one has left
);

    localparam PLACES = 8;
    localparam DEPTH  = PLACES <= 3 ? 2 : 1 << $clog2(PLACES - 1);   // FIFOs have room for one more
    localparam COUNT_W = $clog2(DEPTH + 2);
    localparam [31:0] ALL_BUT_ONE = PLACES - 1;
    localparam [31:0] MOST = FLIGHT;
    localparam [COUNT_W-1:0] ONE = 1;
    localparam [COUNT_W-1:0] NONE = 0;

    // ------------------------------------------------------------------ begin
    wire               head_valid;
    wire [1:0]         head_pops;
    wire               begins = out_valid && out_ready;
    wire               leaves;
    wire [COUNT_W-1:0] unused_count;
    reg  [COUNT_W-1:0] flight_q;      // instructions that the module has
    wire               tokens = &(some | ~head_pops);
    wire               drops;         // the head

    fifo_reg #(.W(122), .DEPTH(DEPTH)) u_parameters (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid), .in_data({in_pops, in_parameters}), .count(unused_count),
        .out_valid(head_valid), .out_ready(begins || drops), .out_data({head_pops, out_parameters})
    );

    assign out_valid = head_valid && tokens && run && flight_q != MOST[COUNT_W-1:0];
    assign pop       = {2{begins}} & head_pops;

    // ------------------------------------------------------------------ end
    wire [COUNT_W-1:0] count;
    wire               flags_valid;
    wire [1:0]         flags;
    wire               ends;          // what the module has done
    reg  [COUNT_W-1:0] dones_q;       // done, and waiting for room
    reg                full_q;
    reg                ended_q;

    fifo_reg #(.W(2), .DEPTH(DEPTH)) u_flags (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid), .in_data(in_pushes), .count(count),
        .out_valid(flags_valid), .out_ready(leaves), .out_data(flags)
    );

    // Without run tokens go nowhere: all have room.
    assign ends   = (done || dones_q != NONE) && (!run || &(room | ~flags));
    assign drops  = !run && flags_valid && flight_q == NONE;
    assign leaves = ends || drops;
    assign push   = {2{ends}} & flags;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            flight_q <= NONE;
            dones_q  <= NONE;
            full_q   <= 1'b0;
            ended_q  <= 1'b0;
        end else begin
            flight_q <= flight_q + (begins ? ONE : NONE) - (ends ? ONE : NONE);
            dones_q  <= dones_q + (done ? ONE : NONE) - (ends ? ONE : NONE);
            if (in_valid != leaves) full_q <= in_valid && count == ALL_BUT_ONE[COUNT_W-1:0];
            ended_q  <= ends;
        end
    end

    assign in_room = !full_q;
    assign empty   = !flags_valid;
    assign running = flight_q != NONE;
    assign waiting = head_valid && !tokens && !running;
    assign ended   = ended_q;

    wire unused_bits = &{1'b0, unused_count};

endmodule

`default_nettype wire
