// Plays an instruction stream from memory and lets a host see the state. Registers, byte addresses:
//
//   0x00  ADDRESS   of the stream in memory, a multiple of 8
//   0x04  BEATS     of 8 bytes; a write starts the stream; read: those not yet taken
//   0x08  STATE     bit 0 at rest: all is done; since reset: 1 timeout, 2 tracepoint, 3 error
//   0x0c  COUNTER   program counter
//   0x10  CYCLES    from the last start until rest, or until now
//
// An access is answered in the next cycle. At rest: the stream is taken, and the accelerator has
// been idle for REST cycles, which CYCLES counts, too. Memory answers in order and cannot stall;
// room for an answer is reserved before its request. Reset: at rest, no stream; it has to last
// until memory has answered.
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
    input  wire        mem_done,
    input  wire [63:0] mem_rdata,

    output wire        stream_valid,
    input  wire        stream_ready,
    output wire [63:0] stream_data,

    input  wire        idle,
    input  wire [2:0]  flags,         // error, tracepoint, timeout
    input  wire [31:0] program_counter
);

    localparam ROOM = 16;             // beats asked for and not taken
    localparam [2:0] ADDRESS = 3'd0;
    localparam [2:0] BEATS   = 3'd1;
    localparam [2:0] STATE   = 3'd2;
    localparam [2:0] COUNTER = 3'd3;
    localparam [3:0] REST    = 4'd15;

    reg  [28:0] next_q;               // beat to ask for
    reg  [28:0] ask_q;                // beats not yet asked for
    reg  [28:0] left_q;               // beats not yet taken
    reg  [4:0]  room_q;
    reg  [3:0]  rest_q;
    reg  [2:0]  flags_q;
    reg  [31:0] cycles_q;
    reg         open_q;

    wire access  = bus_valid && bus_ready && !bus_done;
    wire start   = access && bus_write && bus_addr == BEATS;
    wire asked   = mem_valid && mem_ready;
    wire taken   = stream_valid && stream_ready;
    wire at_rest = rest_q == REST;
    wire fifo_ready;

    wire unused_ready = fifo_ready;   // there is always room

    assign bus_ready = open_q;        // not in reset
    assign mem_valid = ask_q != 29'd0 && room_q != 5'd0;
    assign mem_addr  = {next_q, 3'd0};

    fifo_sync #(.W(64), .DEPTH(ROOM)) u_stream (
        .clk(clk), .rst_n(rst_n), .in_valid(mem_done), .in_ready(fifo_ready), .in_data(mem_rdata),
        .out_valid(stream_valid), .out_ready(stream_ready), .out_data(stream_data)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            bus_done <= 1'b0;
            ask_q    <= 29'd0;
            left_q   <= 29'd0;
            room_q   <= ROOM[4:0];
            rest_q   <= REST;
            flags_q  <= 3'd0;
            cycles_q <= 32'd0;
            open_q   <= 1'b0;
        end else begin
            open_q   <= 1'b1;
            bus_done <= access;
            ask_q    <= start ? bus_wdata[28:0] : ask_q - {28'd0, asked};
            left_q   <= start ? bus_wdata[28:0] : left_q - {28'd0, taken};
            room_q   <= room_q - {4'd0, asked} + {4'd0, taken};
            flags_q  <= flags_q | flags;
            if (start || left_q != 29'd0 || !idle) rest_q <= 4'd0;
            else if (!at_rest)                     rest_q <= rest_q + 4'd1;
            if (start)         cycles_q <= 32'd0;
            else if (!at_rest) cycles_q <= cycles_q + 32'd1;
        end
    end

    always @(posedge clk) begin
        if (access && bus_write && bus_addr == ADDRESS) next_q <= bus_wdata[31:3];
        else if (asked)                                 next_q <= next_q + 29'd1;
        case (bus_addr)
            ADDRESS: bus_rdata <= {next_q, 3'd0};
            BEATS:   bus_rdata <= {3'd0, left_q};
            STATE:   bus_rdata <= {28'd0, flags_q, at_rest};
            COUNTER: bus_rdata <= program_counter;
            default: bus_rdata <= cycles_q;
        endcase
    end

endmodule

`default_nettype wire
