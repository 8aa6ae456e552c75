// Made by macrame 0.1.0 from templates/systolic/resolver/systolic_resolver.v
// with queue_depth=8

// Resolver: gives each instruction to its module when the tokens that it waits for are there.
//
// Modules stand in a line - load, gemm, alu, store - with tokens between neighbours, a counter per
// direction. Instructions wait in a queue per module; one whose queue is full holds up the stream.
//
//                 +-> queue -> load     +- load to gemm ->  <- gemm to load -+
//   fetch -> word +-> queue -> gemm     +- gemm to alu  ->  <- alu to gemm  -+
//                 +-> queue -> alu      +- alu to store ->  <- store to alu -+
//                 +-> queue -> store
//
// Latency: 2 cycles from fetch to the module, 1 from a module that is done to the begin of what has
// waited for that. Throughput: an instruction per cycle. Stalls with the modules. Words that are no
// instruction are dropped with an error. Flags of neighbours that a module does not have mean
// nothing. Without control2resolver_run nothing begins: all that waits is dropped, tokens are
// forgotten, instructions that have begun end. Reset: no instructions, no tokens.
`default_nettype none

module systolic_resolver (
    input  wire         clk,
    input  wire         rst_n,

    // instructions
    input  wire         fetch2resolver_valid,
    output wire         fetch2resolver_ready,
    input  wire [127:0] fetch2resolver_word,
    input  wire         control2resolver_run,     // 0: nothing begins

    // modules
    output wire         resolver2load_valid,
    input  wire         resolver2load_ready,
    output wire [119:0] resolver2load_parameters,
    input  wire         load2resolver_done, // cannot stall

    output wire         resolver2gemm_valid,
    input  wire         resolver2gemm_ready,
    output wire [119:0] resolver2gemm_parameters,
    input  wire         gemm2resolver_done, // cannot stall

    output wire         resolver2alu_valid,
    input  wire         resolver2alu_ready,
    output wire [119:0] resolver2alu_parameters,
    input  wire         alu2resolver_done, // cannot stall

    output wire         resolver2store_valid,
    input  wire         resolver2store_ready,
    output wire [119:0] resolver2store_parameters,
    input  wire         store2resolver_done, // cannot stall

    // state; a bit per module, load in bit 0
    output wire         resolver2control_idle,    // queues empty, nothing in flight
    output wire         resolver2control_error,   // pulse: a word that is no instruction
    output wire [3:0]   resolver2control_running, // has an instruction
    output wire [3:0]   resolver2control_waiting, // has none, as tokens are missing
    output wire [3:0]   resolver2control_ended    // pulse: an instruction has ended
);

    // ------------------------------------------------------------------ word
    localparam [3:0] LOAD  = 4'd8;
    localparam [3:0] STORE = 4'd9;
    localparam [3:0] GEMM  = 4'd10;
    localparam [3:0] ALU   = 4'd11;

    wire [3:0]   opcode = fetch2resolver_word[127:124];
    wire         take   = fetch2resolver_valid && fetch2resolver_ready;
    reg          valid_q;
    reg          illegal_q;
    reg          run_q;
    reg  [3:0]   to_q;                // its module
    reg  [123:0] word_q;
    wire [3:0]   room;

    assign fetch2resolver_ready   = !valid_q || illegal_q || !run_q || (to_q & room) != 4'd0;
    assign resolver2control_error = valid_q && illegal_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            run_q   <= 1'b0;
        end else begin
            if (fetch2resolver_ready) valid_q <= fetch2resolver_valid;
            run_q <= control2resolver_run;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            word_q    <= fetch2resolver_word[123:0];
            to_q      <= {opcode == STORE, opcode == ALU, opcode == GEMM, opcode == LOAD};
            illegal_q <= opcode != LOAD && opcode != STORE && opcode != GEMM && opcode != ALU;
        end
    end

    // ------------------------------------------------------------------ queues
    // Two bits per module: prev, next.
    wire [7:0]   some;
    wire [7:0]   space;
    wire [7:0]   pop;
    wire [7:0]   push;
    wire [3:0]   valid;
    wire [3:0]   empty;
    wire [479:0] parameters;
    wire [3:0]   ready = {resolver2store_ready, resolver2alu_ready,
                          resolver2gemm_ready, resolver2load_ready};
    wire [3:0]   done  = {store2resolver_done, alu2resolver_done,
                          gemm2resolver_done, load2resolver_done};

    assign resolver2control_idle = !valid_q && &empty;
    assign {resolver2store_valid, resolver2alu_valid,
            resolver2gemm_valid, resolver2load_valid} = valid;
    assign {resolver2store_parameters, resolver2alu_parameters,
            resolver2gemm_parameters, resolver2load_parameters} = parameters;

    genvar m;
    generate
        for (m = 0; m < 4; m = m + 1) begin : gen_module
            // gemm takes the next instruction while the one before streams.
            systolic_queue #(.FLIGHT(m == 1 ? 8 : 1)) u_queue (
                .clk(clk), .rst_n(rst_n), .run(run_q),
                .in_valid(valid_q && to_q[m] && !illegal_q && run_q && room[m]),
                .in_room(room[m]),
                .in_pops({word_q[121], word_q[123]}), .in_pushes({word_q[120], word_q[122]}),
                .in_parameters(word_q[119:0]),
                .out_valid(valid[m]), .out_ready(ready[m]),
                .out_parameters(parameters[120*m +: 120]), .done(done[m]),
                .some(some[2*m +: 2]), .room(space[2*m +: 2]),
                .pop(pop[2*m +: 2]), .push(push[2*m +: 2]),
                .empty(empty[m]), .running(resolver2control_running[m]),
                .waiting(resolver2control_waiting[m]), .ended(resolver2control_ended[m])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ tokens
    // Load has no one before it, store no one behind it.
    assign {some[7], some[0]}   = 2'b11;
    assign {space[7], space[0]} = 2'b11;

    generate
        for (m = 0; m < 3; m = m + 1) begin : gen_tokens
            systolic_tokens u_to_next (
                .clk(clk), .rst_n(rst_n), .run(run_q), .push(push[2*m+1]), .pop(pop[2*m+2]),
                .some(some[2*m+2]), .room(space[2*m+1])
            );
            systolic_tokens u_to_prev (
                .clk(clk), .rst_n(rst_n), .run(run_q), .push(push[2*m+2]), .pop(pop[2*m+1]),
                .some(some[2*m+1]), .room(space[2*m+2])
            );
        end
    endgenerate

    wire unused_bits = &{1'b0, pop[7], pop[0], push[7], push[0]};

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(120)) a_resolver2load (
        .clk(clk), .rst_n(rst_n), .valid(resolver2load_valid),
        .ready(resolver2load_ready || !control2resolver_run), .payload({resolver2load_parameters})
    );
    assert_link #(.W(120)) a_resolver2gemm (
        .clk(clk), .rst_n(rst_n), .valid(resolver2gemm_valid),
        .ready(resolver2gemm_ready || !control2resolver_run), .payload({resolver2gemm_parameters})
    );
    assert_link #(.W(120)) a_resolver2alu (
        .clk(clk), .rst_n(rst_n), .valid(resolver2alu_valid),
        .ready(resolver2alu_ready || !control2resolver_run), .payload({resolver2alu_parameters})
    );
    assert_link #(.W(120)) a_resolver2store (
        .clk(clk), .rst_n(rst_n), .valid(resolver2store_valid),
        .ready(resolver2store_ready || !control2resolver_run),
        .payload({resolver2store_parameters})
    );
`endif

endmodule

`default_nettype wire
