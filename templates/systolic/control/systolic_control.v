// Control: starts programs, tells when they are done, counts.
//
// A write of address and count of a program starts it; one while another runs is refused. A program
// is done when fetch has handed on all of it and the resolver has nothing left, so the last STORE
// has its answer. irq is high while an event of STATUS and its bit of INTERRUPT_ENABLE are 1.
// Counters are those of the program that runs, or of the last one. Registers: doc/registers.md.
//
// Latency: 2 cycles from the beat of a write to fetch. Reset: idle, all interrupts enabled.
`default_nettype none

module systolic_control (
    input  wire         clk,
    input  wire         rst_n,

    // software
//% for p in pins
    ${p.port} ${p.name},${p.doc}
//% end
    output wire         irq,

    // programs
    output wire         control2fetch_valid,
    input  wire         control2fetch_ready,
    output wire [${address_width - 1}:0]  control2fetch_address,    // bytes
    output wire [15:0]  control2fetch_count,      // instructions, from 1

    // state; a bit per module, load in bit 0
    input  wire         fetch2control_idle,
    input  wire         fetch2control_error,      // pulse
    input  wire         load2control_error,       // pulse
    input  wire         store2control_error,      // pulse
    input  wire         resolver2control_idle,
    input  wire         resolver2control_error,   // pulse: a word that is no instruction
    input  wire [3:0]   resolver2control_running,
    input  wire [3:0]   resolver2control_waiting,
    input  wire [3:0]   resolver2control_ended    // pulses
);

    localparam WORD_W = ${page_w - 4};                // words of 16 bytes
    localparam [WORD_W-1:0] PROGRAM = ${page_w - 4}'d${words.program};
    localparam [WORD_W-1:0] STATUS  = ${page_w - 4}'d${words.status};
    localparam [WORD_W-1:0] CYCLES  = ${page_w - 4}'d${words.cycles};
    localparam [WORD_W-1:0] RUNNING = ${page_w - 4}'d${words.running};
    localparam [WORD_W-1:0] ENDED   = ${page_w - 4}'d${words.ended};
    localparam [WORD_W-1:0] WAITING = ${page_w - 4}'d${words.waiting};

    wire              write;
    wire [WORD_W-1:0] write_word;
    wire [127:0]      write_data;
    wire [15:0]       write_strobes;
    wire [WORD_W-1:0] read_word;
    reg  [127:0]      read_data;

    systolic_slave u_slave (
        .clk(clk), .rst_n(rst_n),
//% for p in pins
        .${p.name}(${p.name}),
//% end
        .write(write), .write_word(write_word), .write_data(write_data),
        .write_strobes(write_strobes), .read_word(read_word), .read_data(read_data)
    );

    // ------------------------------------------------------------------ programs
    reg               busy_q;
    reg               send_q;         // fetch has not taken it
    reg  [31:0]       address_q;
    reg  [15:0]       count_q;

    wire              asked   = write && write_word == PROGRAM && &write_strobes[7:0];
    wire              start   = asked && !busy_q;
    wire              refused = asked && busy_q;
    wire              done    = busy_q && !send_q && fetch2control_idle && resolver2control_idle;

    assign control2fetch_valid   = send_q;
    assign control2fetch_address = address_q[${address_width - 1}:0];
    assign control2fetch_count   = count_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q    <= 1'b0;
            send_q    <= 1'b0;
            address_q <= 32'd0;
            count_q   <= 16'd0;
        end else begin
            busy_q <= start || (busy_q && !done);
            send_q <= start ? write_data[47:32] != 16'd0 : send_q && !control2fetch_ready;
            if (start) begin
                address_q <= write_data[31:0];
                count_q   <= write_data[47:32];
            end
        end
    end

    // ------------------------------------------------------------------ events
    // As in STATUS: illegal, errors of store, load and fetch, refused, done.
    reg  [6:1]        events_q;
    reg  [6:1]        enable_q;
    reg               irq_q;

    wire [6:1]        happen = {resolver2control_error, store2control_error, load2control_error,
                                fetch2control_error, refused, done};
    wire              status = write && write_word == STATUS;
    wire [6:1]        clear  = (status && write_strobes[0] ? write_data[6:1] : 6'd0)
                               | {5'd0, start};

    assign irq = irq_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            events_q <= 6'd0;
            enable_q <= 6'h3f;
            irq_q    <= 1'b0;
        end else begin
            events_q <= (events_q & ~clear) | happen;
            if (status && write_strobes[4]) enable_q <= write_data[38:33];
            irq_q    <= (events_q & enable_q) != 6'd0;
        end
    end

    // ------------------------------------------------------------------ counters
    reg  [63:0]       cycles_q;
    wire [127:0]      running;
    wire [127:0]      ended;
    wire [127:0]      waiting;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)      cycles_q <= 64'd0;
        else if (start)  cycles_q <= 64'd0;
        else if (busy_q) cycles_q <= cycles_q + 64'd1;
    end

    genvar m;
    generate
        for (m = 0; m < 4; m = m + 1) begin : gen_module
            reg [31:0] running_q;
            reg [31:0] ended_q;
            reg [31:0] waiting_q;

            assign running[32*m +: 32] = running_q;
            assign ended[32*m +: 32]   = ended_q;
            assign waiting[32*m +: 32] = waiting_q;

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) begin
                    running_q <= 32'd0;
                    ended_q   <= 32'd0;
                    waiting_q <= 32'd0;
                end else if (start) begin
                    running_q <= 32'd0;
                    ended_q   <= 32'd0;
                    waiting_q <= 32'd0;
                end else begin
                    if (resolver2control_running[m]) running_q <= running_q + 32'd1;
                    if (resolver2control_ended[m])   ended_q   <= ended_q + 32'd1;
                    if (resolver2control_waiting[m]) waiting_q <= waiting_q + 32'd1;
                end
            end
        end
    endgenerate

    // ------------------------------------------------------------------ read
    always @* begin
        case (read_word)
            PROGRAM: read_data = {80'd0, count_q, address_q};
            STATUS:  read_data = {89'd0, enable_q, 26'd0, events_q, busy_q};
            CYCLES:  read_data = {64'd0, cycles_q};
            RUNNING: read_data = running;
            ENDED:   read_data = ended;
            WAITING: read_data = waiting;
            default: read_data = 128'd0;
        endcase
    end

    wire unused_bits = &{1'b0, write_data, write_strobes};

endmodule

`default_nettype wire
