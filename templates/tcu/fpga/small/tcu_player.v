// Plays an instruction stream from a small memory and lets a host see the state. Registers, byte
// addresses:
//
//   0x00  ADDRESS   of the stream in memory, a multiple of 4
//   0x04  BEATS     of 4 bytes, up to 8191; a write starts the stream; read: those not yet taken
//   0x08  STATE     bit 0 at rest: all is done; since reset: 1 timeout, 2 tracepoint, 3 error
//   0x0c  COUNTER   program counter
//   0x10  CYCLES    from the last start until rest, or until now
//
// An access is answered in the next cycle. At rest: the stream is taken, and the accelerator has
// been idle for REST cycles, which CYCLES counts, too. A word is read when stream_ready is high,
// which has to stay high until it is there. Reset: at rest, no stream.
`default_nettype none

module tcu_player (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        bus_valid,
    output wire        bus_ready,
    input  wire        bus_write,
    input  wire [2:0]  bus_addr,      // words
    input  wire [31:0] bus_wdata,
    output reg         bus_done,
    output reg  [31:0] bus_rdata,

    output wire        mem_valid,
    input  wire        mem_ready,
    output wire [31:0] mem_addr,

    output reg         stream_valid,  // the word that memory gives
    input  wire        stream_ready,

    input  wire        idle,
    input  wire [2:0]  flags,         // error, tracepoint, timeout
    input  wire [31:0] program_counter
);

    localparam [2:0] ADDRESS = 3'd0;
    localparam [2:0] BEATS   = 3'd1;
    localparam [2:0] STATE   = 3'd2;
    localparam [2:0] COUNTER = 3'd3;
    localparam [3:0] REST    = 4'd15;

    reg  [29:0] next_q;               // word to ask for
    reg  [12:0] left_q;               // words not yet asked for
    reg  [3:0]  rest_q;
    reg  [2:0]  flags_q;
    reg  [31:0] cycles_q;
    reg         open_q;

    wire access  = bus_valid && bus_ready && !bus_done;
    wire start   = access && bus_write && bus_addr == BEATS;
    wire asked   = mem_valid && mem_ready;
    wire at_rest = rest_q == REST;
    wire unused  = &{1'b0, bus_wdata[1:0]};

    assign bus_ready = open_q;        // not in reset
    assign mem_valid = left_q != 13'd0 && stream_ready && !stream_valid;
    assign mem_addr  = {next_q, 2'd0};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            bus_done     <= 1'b0;
            stream_valid <= 1'b0;
            left_q       <= 13'd0;
            rest_q       <= REST;
            flags_q      <= 3'd0;
            cycles_q     <= 32'd0;
            open_q       <= 1'b0;
        end else begin
            open_q       <= 1'b1;
            bus_done     <= access;
            stream_valid <= asked;
            if (start)      left_q <= bus_wdata[12:0];
            else if (asked) left_q <= left_q - 13'd1;
            flags_q      <= flags_q | flags;
            if (start || left_q != 13'd0 || stream_valid || !idle) rest_q <= 4'd0;
            else if (!at_rest)                                     rest_q <= rest_q + 4'd1;
            if (start)         cycles_q <= 32'd0;
            else if (!at_rest) cycles_q <= cycles_q + 32'd1;
        end
    end

    always @(posedge clk) begin
        if (access && bus_write && bus_addr == ADDRESS) next_q <= bus_wdata[31:2];
        else if (asked)                                 next_q <= next_q + 30'd1;
        case (bus_addr)
            BEATS:   bus_rdata <= {19'd0, left_q};
            STATE:   bus_rdata <= {28'd0, flags_q, at_rest};
            COUNTER: bus_rdata <= program_counter;
            default: bus_rdata <= cycles_q;
        endcase
    end

endmodule

`default_nettype wire
