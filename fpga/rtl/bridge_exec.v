// Executes one request of a host: register accesses and memory transfers (fpga/README.md).
//
// start: op, count and addr are valid and the payload lies in the buffer. done comes when all is
// over, answers of memory included; then error and out_count hold until the next start, and the
// answer lies in the buffer. A register access that nobody answers within 2^WAIT_W cycles is an
// error; memory has to answer. It has at most 2^MEMORY_W bytes: a transfer has fewer beats, and its
// addresses do not differ in higher bits. Reset: idle.
`default_nettype none

module bridge_exec #(
    parameter WAIT_W   = 12,
    parameter MEMORY_W = 32
) (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        start,
    input  wire        again,         // the last WRITE_REG once more: answered, not executed
    input  wire [7:0]  op,
    input  wire [7:0]  count,         // beats of payload
    input  wire [31:0] addr,          // of memory, a multiple of 8
    output wire        done,
    output reg  [7:0]  error,
    output reg  [5:0]  out_count,     // beats of the answer

    // buffer of 32 beats
    output wire [4:0]  buf_raddr,
    input  wire [63:0] buf_rdata,     // in the same cycle
    output wire        buf_we,
    output wire [4:0]  buf_waddr,
    output wire [63:0] buf_wdata,

    // registers, one access at a time
    output reg         bus_valid,
    input  wire        bus_ready,
    output reg         bus_write,
    output reg  [31:0] bus_addr,
    output reg  [31:0] bus_wdata,
    input  wire        bus_done,      // of reads and writes, cannot stall
    input  wire [31:0] bus_rdata,

    // memory
    output wire        mem_valid,
    input  wire        mem_ready,
    output wire        mem_write,
    output wire [31:0] mem_addr,
    output wire [63:0] mem_wdata,
    input  wire        mem_done,      // of reads and writes, in order, cannot stall
    input  wire [63:0] mem_rdata
);

    localparam [7:0] HELLO     = 8'd1;
    localparam [7:0] READ_REG  = 8'd2;
    localparam [7:0] WRITE_REG = 8'd3;
    localparam [7:0] READ_MEM  = 8'd4;
    localparam [7:0] WRITE_MEM = 8'd5;
    localparam [7:0] FILL_MEM  = 8'd6;

    localparam [7:0] NO_ERROR    = 8'd0;
    localparam [7:0] BAD_REQUEST = 8'd1;
    localparam [7:0] NO_ANSWER   = 8'd2;

    localparam [7:0] BEATS = 8'd32;
    localparam [MEMORY_W-1:0] NONE = {MEMORY_W{1'b0}};
    localparam [MEMORY_W-1:0] ONE  = {{(MEMORY_W-1){1'b0}}, 1'b1};
    localparam [MEMORY_W-1:0] MOST = {{(MEMORY_W-8){1'b0}}, BEATS};

    localparam [2:0] IDLE  = 3'd0;
    localparam [2:0] FETCH = 3'd1;    // next register access out of the buffer
    localparam [2:0] ASK   = 3'd2;
    localparam [2:0] WAIT  = 3'd3;
    localparam [2:0] LOAD  = 3'd4;    // how many beats, out of the buffer
    localparam [2:0] FITS  = 3'd5;    // are they too many?
    localparam [2:0] MOVE  = 3'd6;
    localparam [2:0] DONE  = 3'd7;

    reg  [2:0]  state_q;
    reg         is_read_q;            // READ_REG or READ_MEM
    reg         is_fill_q;
    reg  [4:0]  idx_q;                // beat of the buffer that is read
    reg  [MEMORY_W-1:0] left_q;       // beats or accesses to go
    reg         long_q;               // they are more than left_q can say
    reg  [31:0] addr_q;
    reg  [4:0]  rsp_idx_q;            // beat that the next answer of memory goes to
    reg  [6:0]  pending_q;            // requests that memory has not answered
    reg  [WAIT_W-1:0] wait_q;

    wire some   = count != 8'd0 && count <= BEATS;
    wire is_reg = (op == READ_REG || op == WRITE_REG) && some;
    wire is_mem = op == WRITE_MEM && some;
    wire is_load = (op == READ_MEM && count == 8'd1) || (op == FILL_MEM && count == 8'd2);
    wire is_hello = op == HELLO && count == 8'd0;

    wire asked    = bus_valid && bus_ready;
    wire no_answer = wait_q == {WAIT_W{1'b1}};
    wire answered = (state_q == WAIT || asked) && bus_done;
    wire last     = left_q == ONE;
    wire moved    = mem_valid && mem_ready;
    wire all_done = state_q == MOVE && left_q == NONE && pending_q == 7'd0;
    // A read has to fit the buffer.
    wire too_many = long_q || (is_read_q && (left_q == NONE || left_q > MOST));

    assign done      = state_q == DONE;
    assign buf_raddr = idx_q;
    assign buf_we    = answered || (mem_done && is_read_q);
    assign buf_waddr = state_q == MOVE ? rsp_idx_q : idx_q;
    assign buf_wdata = state_q == MOVE ? mem_rdata : {bus_rdata, bus_addr};
    assign mem_valid = state_q == MOVE && left_q != NONE && !pending_q[6];
    assign mem_write = !is_read_q;
    assign mem_addr  = addr_q;
    assign mem_wdata = buf_rdata;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q   <= IDLE;
            bus_valid <= 1'b0;
            pending_q <= 7'd0;
        end else begin
            pending_q <= pending_q + {6'd0, moved} - {6'd0, mem_done};
            case (state_q)
                IDLE:  if (start) state_q <= again   ? DONE
                                           : is_reg  ? FETCH
                                           : is_mem  ? MOVE
                                           : is_load ? LOAD : DONE;
                FETCH: begin
                    state_q   <= ASK;
                    bus_valid <= 1'b1;
                end
                ASK, WAIT: begin
                    if (asked) bus_valid <= 1'b0;
                    if (answered)       state_q <= last ? DONE : FETCH;
                    else if (no_answer) state_q <= DONE;
                    else if (asked)     state_q <= WAIT;
                    if (no_answer) bus_valid <= 1'b0;
                end
                LOAD:  state_q <= FITS;
                FITS:  state_q <= too_many ? DONE : MOVE;
                MOVE:  if (all_done) state_q <= DONE;
                default: state_q <= IDLE;
            endcase
        end
    end

    always @(posedge clk) begin
        wait_q <= (state_q == ASK || state_q == WAIT) ? wait_q + 1'b1 : {WAIT_W{1'b0}};
        case (state_q)
            IDLE: begin
                is_read_q <= op == READ_REG || op == READ_MEM;
                is_fill_q <= op == FILL_MEM;
                idx_q     <= (op == FILL_MEM) ? 5'd1 : 5'd0;
                left_q    <= {{(MEMORY_W-8){1'b0}}, count};
                addr_q    <= addr;
                rsp_idx_q <= 5'd0;
                if (start) begin
                    error     <= (again || is_reg || is_mem || is_load || is_hello) ? NO_ERROR
                                                                                  : BAD_REQUEST;
                    out_count <= (op == READ_REG && is_reg) ? count[5:0] : 6'd0;
                end
            end
            FETCH: begin
                bus_write <= !is_read_q;
                bus_addr  <= buf_rdata[31:0];
                bus_wdata <= buf_rdata[63:32];
            end
            ASK, WAIT: begin
                if (answered) begin
                    idx_q  <= idx_q + 5'd1;
                    left_q <= left_q - ONE;
                end else if (no_answer) begin
                    error     <= NO_ANSWER;
                    out_count <= 6'd0;
                end
            end
            LOAD: begin
                idx_q  <= 5'd0;
                left_q <= buf_rdata[MEMORY_W-1:0];
                long_q <= (buf_rdata[31:0] >> MEMORY_W) != 32'd0;
            end
            FITS: begin
                if (too_many)       error     <= BAD_REQUEST;
                else if (is_read_q) out_count <= left_q[5:0];
            end
            MOVE: begin
                if (moved) begin
                    left_q <= left_q - ONE;
                    addr_q[MEMORY_W-1:3] <= addr_q[MEMORY_W-1:3] + 1'b1;
                    if (!is_read_q && !is_fill_q) idx_q <= idx_q + 5'd1;
                end
                if (mem_done) rsp_idx_q <= rsp_idx_q + 5'd1;
            end
            default: ;
        endcase
    end

endmodule

`default_nettype wire
