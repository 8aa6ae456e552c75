// Control: starts programs, tells when they are done, counts.
//
// A write of address and count of a program in one beat starts it, or one of GO; while another runs
// it is refused. A program is done when fetch has handed on all of it and the resolver has nothing
// left, so the last STORE has its answer. irq is high while an event of STATUS and its bit of
// INTERRUPT_ENABLE are 1. Counters are those of the program that runs, or of the last one.
// Registers: doc/registers.md.
//
//     idle -- start --> runs ------------------------- all has ended --> idle, DONE
//                        +-- error, reset --> stops -- all has ended --> idle, STOPPED
//
// What stops begins nothing: fetch asks for no more, the resolver drops what waits, instructions
// that have begun come to their end. So every burst ends as the bus wants it.
//
// Latency: 2 cycles from the beat of a write to fetch. Reset: idle, all interrupts enabled.
`default_nettype none

module systolic_control (
    input  wire         clk,
    input  wire         rst_n,

    // software
//% for p in pins
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]    ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire          ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//% end
    output wire         irq,

    // programs
    output wire         control2fetch_valid,
    input  wire         control2fetch_ready,
    output wire [${address_width - 1}:0]  control2fetch_address,    // bytes
    output wire [15:0]  control2fetch_count,      // instructions, from 1
    // beside the link
    output wire         control2fetch_run,        // 0: no further ones
    output wire         control2resolver_run,     // 0: nothing begins

    // state; a bit per module, load in bit 0
    input  wire         fetch2control_idle,
    input  wire         fetch2control_error,      // pulse
    input  wire [${address_width - 1}:0]  fetch2control_address,    // with it: of the beat
    input  wire         load2control_error,       // pulse
    input  wire [${address_width - 1}:0]  load2control_address,     // with it: where its transfer begins
    input  wire         store2control_error,      // pulse
    input  wire [${address_width - 1}:0]  store2control_address,    // the same
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
    localparam [WORD_W-1:0] COMMAND = ${page_w - 4}'d${words.command};
    localparam [WORD_W-1:0] IDENT   = ${page_w - 4}'d${words.identity};

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
    // Address and count are written byte by byte, before GO or together.
    reg               busy_q;         // a program runs or is being stopped
    reg               run_q;          // it runs
    reg               send_q;         // fetch has not taken it
    reg  [47:0]       program_q;      // count, address
    wire [47:0]       written = {{8{write_strobes[5]}}, {8{write_strobes[4]}},
                                 {8{write_strobes[3]}}, {8{write_strobes[2]}},
                                 {8{write_strobes[1]}}, {8{write_strobes[0]}}};
    wire [47:0]       program_d = (write_data[47:0] & written) | (program_q & ~written);

    wire              named   = write && write_word == PROGRAM;
    wire              change  = named && write_strobes[7:0] != 8'd0;
    wire              command = write && write_word == COMMAND;
    wire              go      = command && write_strobes[0] && write_data[0];
    wire              reset   = command && write_strobes[4] && write_data[32];
    wire              asked   = (named && &write_strobes[7:0]) || go;
    wire              start   = asked && !busy_q && !reset;
    wire              refused = (asked && !start) || (change && busy_q);
    wire              fail    = fetch2control_error || load2control_error || store2control_error
                                || resolver2control_error;
    wire              ends    = busy_q && !send_q && fetch2control_idle && resolver2control_idle;

    assign control2fetch_valid   = send_q;
    assign control2fetch_address = program_q[${address_width - 1}:0];
    assign control2fetch_count   = program_q[47:32];
    assign control2fetch_run     = run_q;
    assign control2resolver_run  = run_q;

    // What starts has instructions.
    wire              some    = (go ? program_q[47:32] : program_d[47:32]) != 16'd0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q    <= 1'b0;
            run_q     <= 1'b0;
            send_q    <= 1'b0;
            program_q <= 48'd0;
        end else begin
            busy_q <= start || reset || (busy_q && !ends);
            run_q  <= start || (run_q && !ends && !fail && !reset);
            send_q <= start ? some : send_q && !control2fetch_ready;
            if (change && !busy_q) program_q <= program_d;
        end
    end

    // ------------------------------------------------------------------ events
    // As in STATUS: stopped, illegal, errors of store, load and fetch, refused, done.
    reg  [7:1]        events_q;
    reg  [7:1]        enable_q;
    reg               irq_q;

    wire [7:1]        happen = {ends && !run_q, resolver2control_error, store2control_error,
                                load2control_error, fetch2control_error, refused, ends && run_q};
    wire              status = write && write_word == STATUS;
    wire [7:1]        clear  = (status && write_strobes[0] ? write_data[7:1] : 7'd0)
                               | {start, 5'd0, start};

    assign irq = irq_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            events_q <= 7'd0;
            enable_q <= 7'h7f;
            irq_q    <= 1'b0;
        end else begin
            events_q <= (events_q & ~clear) | happen;
            if (status && write_strobes[4]) enable_q <= write_data[39:33];
            irq_q    <= (events_q & enable_q) != 7'd0;
        end
    end

    // The first answer that is not OKAY since software has cleared those before.
    localparam [1:0] FETCH = 2'd1;
    localparam [1:0] LOAD  = 2'd2;
    localparam [1:0] STORE = 2'd3;

    reg  [1:0]        source_q;
    reg  [${address_width - 1}:0]       error_address_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            source_q        <= 2'd0;
            error_address_q <= ${address_width}'d0;
        end else if (events_q[5:3] == 3'd0) begin
            if (fetch2control_error) begin
                source_q        <= FETCH;
                error_address_q <= fetch2control_address;
            end else if (load2control_error) begin
                source_q        <= LOAD;
                error_address_q <= load2control_address;
            end else if (store2control_error) begin
                source_q        <= STORE;
                error_address_q <= store2control_address;
            end
        end
    end

    // ------------------------------------------------------------------ counters
    reg  [63:0]       cycles_q;
    wire [127:0]      running;
    wire [127:0]      ended;
    wire [127:0]      waiting;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     cycles_q <= 64'd0;
        else if (start) cycles_q <= 64'd0;
        else if (run_q) cycles_q <= cycles_q + 64'd1;
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
            PROGRAM: read_data = {80'd0, program_q};
            STATUS:  read_data = {88'd0, enable_q, 25'd0, events_q, busy_q};
            CYCLES:  read_data = {64'd0, cycles_q};
            RUNNING: read_data = running;
            ENDED:   read_data = ended;
            WAITING: read_data = waiting;
//% if address_width < 32
            COMMAND: read_data = {${32 - address_width}'d0, error_address_q, 30'd0, source_q,
                                  31'd0, busy_q && !run_q, 32'd0};
//% else
            COMMAND: read_data = {error_address_q, 30'd0, source_q, 31'd0, busy_q && !run_q, 32'd0};
//% end
            IDENT:   read_data = {96'd0, 32'h${identity_hex}};
            default: read_data = 128'd0;
        endcase
    end

    wire unused_bits = &{1'b0, write_data, write_strobes};

endmodule

`default_nettype wire
