// Host access over a serial line: frames in, register accesses and memory transfers, frames out.
// fpga/README.md has the layout of frames.
//
// One request at a time: the host waits for the answer. A frame with a wrong checksum is dropped
// without an answer. Whatever arrives, 2^GAP_W cycles of silence bring the receiver back to the
// start of a frame. Bytes that arrive while a request is executed or answered are lost.
// Reset: waits for a frame; no tag is known.
`default_nettype none

module uart_bridge #(
    parameter DIV   = 60,             // cycles of clk per bit of the line, at least 4
    parameter GAP_W = 20,
    parameter MEMORY_W = 32           // see bridge_exec
) (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        rx,
    output wire        tx,
    input  wire        irq,           // shown in every answer

    // registers, one access at a time
    output wire        bus_valid,
    input  wire        bus_ready,
    output wire        bus_write,
    output wire [31:0] bus_addr,
    output wire [31:0] bus_wdata,
    input  wire        bus_done,      // of reads and writes, cannot stall
    input  wire [31:0] bus_rdata,

    // memory, in beats of 8 bytes
    output wire        mem_valid,
    input  wire        mem_ready,
    output wire        mem_write,
    output wire [31:0] mem_addr,
    output wire [63:0] mem_wdata,
    input  wire        mem_done,      // of reads and writes, in order, cannot stall
    input  wire [63:0] mem_rdata
);

    localparam [7:0]  REQUEST = 8'ha5;
    localparam [7:0]  ANSWER  = 8'h5a;
    localparam [7:0]  HELLO     = 8'd1;
    localparam [7:0]  WRITE_REG = 8'd3;
    localparam [31:0] RESIDUE = 32'hdebb_20e3;

    // Position in a frame: its mark, the head, the payload, the checksum.
    localparam [2:0] MARK    = 3'd0;
    localparam [2:0] HEAD    = 3'd1;
    localparam [2:0] PAYLOAD = 3'd2;
    localparam [2:0] SUM     = 3'd3;
    localparam [2:0] CHECK   = 3'd4;  // is the frame whole?
    localparam [2:0] EXEC    = 3'd5;
    localparam [2:0] NEXT    = 3'd6;  // answer: the next beat out of the buffer
    reg  [2:0]  state_q;
    reg         answer_q;             // the frame goes out
    reg  [2:0]  byte_q;               // of head, beat or checksum
    reg  [5:0]  beat_q;

    // Head: op, tag, beats, four bytes of address or status. It rotates when an answer is sent.
    reg  [55:0] head_q;
    wire [7:0]  op    = head_q[7:0];
    wire [7:0]  tag   = head_q[15:8];
    wire [7:0]  beats = head_q[23:16];
    wire [31:0] addr  = head_q[55:24];
    reg  [63:0] word_q;               // beat on its way in or out, next byte low
    reg  [8:0]  last_tag_q;           // of the last WRITE_REG, with a valid bit

    wire        in_valid;
    wire [7:0]  in_data;
    wire        out_ready;
    wire        crc_busy;
    wire [31:0] crc;
    wire        exec_done;
    wire [7:0]  exec_error;
    wire [5:0]  exec_count;
    wire [4:0]  exec_raddr;
    wire        exec_we;
    wire [4:0]  exec_waddr;
    wire [63:0] exec_wdata;
    wire [63:0] buf_rdata;

    // ------------------------------------------------------------------ bytes
    wire in_frame = state_q == HEAD || state_q == PAYLOAD || state_q == SUM;
    wire sending  = answer_q && !crc_busy && (in_frame || state_q == MARK);
    wire step     = answer_q ? sending && out_ready : in_valid;   // a byte passes
    wire [7:0] sum_byte  = ~(byte_q[1:0] == 2'd0 ? crc[7:0]   : byte_q[1:0] == 2'd1 ? crc[15:8] :
                             byte_q[1:0] == 2'd2 ? crc[23:16] : crc[31:24]);
    wire [7:0] out_data  = state_q == MARK ? ANSWER : state_q == HEAD ? head_q[7:0] :
                           state_q == PAYLOAD ? word_q[7:0] : sum_byte;
    wire [7:0] this_byte = answer_q ? out_data : in_data;
    wire       head_end  = byte_q == 3'd6;
    wire       beat_end  = byte_q == 3'd7;
    wire       sum_end   = byte_q == 3'd3;

    // A request head that was just completed: its beats are one byte before the end.
    wire [7:0] in_beats  = head_q[31:24];
    wire       none_left = answer_q ? exec_count == 6'd0 : in_beats == 8'd0;
    wire       last_beat = answer_q ? beat_q + 6'd1 == exec_count
                                    : {2'd0, beat_q} + 8'd1 == beats;

    uart_rx #(.DIV(DIV)) u_rx (.clk(clk), .rst_n(rst_n), .rx(rx),
                               .out_valid(in_valid), .out_data(in_data));
    uart_tx #(.DIV(DIV)) u_tx (.clk(clk), .rst_n(rst_n), .in_valid(sending), .in_ready(out_ready),
                               .in_data(out_data), .tx(tx));

    // The checksum of a request is part of what is checked, that of an answer is not summed.
    crc32_serial u_crc (
        .clk(clk), .rst_n(rst_n), .clear(state_q == MARK && step),
        .valid(step && in_frame && !(answer_q && state_q == SUM)), .data(this_byte),
        .busy(crc_busy), .crc(crc)
    );

    reg [GAP_W-1:0] gap_q;
    wire gap = gap_q == {GAP_W{1'b1}};

    always @(posedge clk) gap_q <= in_valid || !in_frame ? {GAP_W{1'b0}} : gap_q + 1'b1;

    // ------------------------------------------------------------------ frames
    wire whole = crc == RESIDUE;
    wire too_long = state_q == HEAD && head_end && step && !answer_q && in_beats > 8'd32;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q    <= MARK;
            answer_q   <= 1'b0;
            last_tag_q <= 9'd0;
        end else begin
            case (state_q)
                MARK:    if (step && (answer_q || in_data == REQUEST)) state_q <= HEAD;
                HEAD:    if (step && head_end) state_q <= too_long  ? MARK
                                                        : none_left ? SUM
                                                        : answer_q  ? NEXT : PAYLOAD;
                PAYLOAD: if (step && beat_end) state_q <= last_beat ? SUM
                                                        : answer_q  ? NEXT : PAYLOAD;
                SUM:     if (step && sum_end) begin
                    state_q  <= answer_q ? MARK : CHECK;
                    answer_q <= 1'b0;
                end
                CHECK:   if (!crc_busy) state_q <= whole ? EXEC : MARK;
                EXEC:    if (exec_done) begin
                    state_q  <= MARK;
                    answer_q <= 1'b1;
                    if (op == HELLO)     last_tag_q <= 9'd0;
                    if (op == WRITE_REG) last_tag_q <= {exec_error == 8'd0, tag};
                end
                default: state_q <= PAYLOAD;
            endcase
            if (!answer_q && in_frame && gap && !in_valid) state_q <= MARK;
        end
    end

    always @(posedge clk) begin
        if (state_q == MARK || state_q == CHECK || state_q == NEXT) byte_q <= 3'd0;
        else if (step) byte_q <= (state_q == HEAD && head_end) ? 3'd0 : byte_q + 3'd1;
        if (state_q == MARK)                               beat_q <= 6'd0;
        else if (state_q == PAYLOAD && step && beat_end)   beat_q <= beat_q + 6'd1;

        if (state_q == EXEC && exec_done) begin
            head_q <= {16'd0, exec_error, 7'd0, irq, 2'd0, exec_count, tag,
                       exec_error != 8'd0, op[6:0]};
        end else if (state_q == HEAD && step) begin
            head_q <= {this_byte, head_q[55:8]};
        end

        if (state_q == NEXT)                 word_q <= buf_rdata;
        else if (state_q == PAYLOAD && step) word_q <= {this_byte, word_q[63:8]};
    end

    // ------------------------------------------------------------------ execution
    reg started_q;                    // EXEC lasts: start is its first cycle

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) started_q <= 1'b0;
        else        started_q <= state_q == EXEC;
    end

    bridge_exec #(.MEMORY_W(MEMORY_W)) u_exec (
        .clk(clk), .rst_n(rst_n),
        .start(state_q == EXEC && !started_q),
        .again(op == WRITE_REG && last_tag_q == {1'b1, tag}),
        .op(op), .count(beats), .addr(addr),
        .done(exec_done), .error(exec_error), .out_count(exec_count),
        .buf_raddr(exec_raddr), .buf_rdata(buf_rdata),
        .buf_we(exec_we), .buf_waddr(exec_waddr), .buf_wdata(exec_wdata),
        .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_write(bus_write), .bus_addr(bus_addr),
        .bus_wdata(bus_wdata), .bus_done(bus_done), .bus_rdata(bus_rdata),
        .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_write(mem_write), .mem_addr(mem_addr),
        .mem_wdata(mem_wdata), .mem_done(mem_done), .mem_rdata(mem_rdata)
    );

    // The buffer belongs to the execution while that lasts, else to the frame.
    wire in_beat = state_q == PAYLOAD && !answer_q && step && beat_end;

    sram_dist_1r1w #(.W(64), .DEPTH(32)) u_buffer (
        .clk(clk),
        .we(state_q == EXEC ? exec_we : in_beat),
        .waddr(state_q == EXEC ? exec_waddr : beat_q[4:0]),
        .wdata(state_q == EXEC ? exec_wdata : {in_data, word_q[63:8]}),
        .raddr(state_q == EXEC ? exec_raddr : beat_q[4:0]),
        .rdata(buf_rdata)
    );

endmodule

`default_nettype wire
