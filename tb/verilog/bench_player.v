// Plays <program>/program.hex on a design, by its registers, pins and memories. A command a line:
//
//   letter number number number number name       numbers are hexadecimal, names have no blanks
//
//   m MEMORY PAGES 0 0 NAME        load the files of a memory, of so many pages
//   s STATUS MASK 0 0 NAME         interrupts are served at these registers, between two commands:
//                                  bits of STATUS that MASK does not have are counted and cleared
//   e BIT COUNT 0 0 NAME           that interrupt comes so often so far
//   k MEMORY ADDR SIZE CRC NAME    when the interrupt of the `e` before has come: c
//   w ADDR VALUE 0 0 NAME          write a register
//   r ADDR VALUE MASK 0 NAME       read it: these bits must be VALUE
//   p ADDR VALUE MASK 0 NAME       read it until these bits are VALUE
//   b VALUE MASK 0 0 NAME          these pins must be VALUE
//   v VALUE MASK CYCLES 0 NAME     wait until these pins are VALUE for so many cycles
//   i BIT COUNT 0 0 NAME           wait until that interrupt has come so often
//   n CYCLES 0 0 0 NAME            let time pass
//   t BEATS 0 0 0 NAME             send the next beats of the stream, and wait until they are taken
//   c MEMORY ADDR SIZE CRC NAME    CRC-32 of a region of memory now
//   d MEMORY ADDR VALUE BYTES NAME put up to 8 bytes into memory now
//   x 0 0 0 0 NAME                 reset pulse
//   q 0 0 0 0 NAME                 the end: memories must be as the files say
//
// The last line printed begins with PASS or FAIL. Nothing that moves for +timeout=N cycles is a
// failure that names what was waited for. Simulators with another status for failures than that of
// $finish: +define+BENCH_FAIL=$fatal, or $stop with vvp -N.
`timescale 1ns / 1ps
`default_nettype none
`ifndef BENCH_FAIL
`define BENCH_FAIL $finish
`endif

module bench_player #(
    parameter MEMORIES = 1
) (
    input  wire                   clk,
    output reg                    rst_n,

    // registers: a request holds until done
    output reg                    reg_valid,
    output reg                    reg_write,
    output reg  [31:0]            reg_addr,
    output reg  [31:0]            reg_wdata,
    input  wire                   reg_done,
    input  wire [31:0]            reg_rdata,
    input  wire                   reg_error,

    input  wire [63:0]            pins,          // bit 0: interrupt

    // stream: the same
    output reg                    stream_valid,
    output reg  [63:0]            stream_beats,
    input  wire                   stream_done,
    input  wire [31:0]            stream_errors,

    // memories, see bench_memory.v
    output reg  [MEMORIES-1:0]    memory_go,
    output reg  [1:0]             memory_order,
    output reg  [63:0]            memory_addr,
    output reg  [63:0]            memory_size,
    output reg  [63:0]            memory_value,
    input  wire [MEMORIES-1:0]    memory_done,
    input  wire [MEMORIES*32-1:0] memory_errors,
    input  wire [MEMORIES*32-1:0] memory_moved
);

    localparam RESET_CYCLES = 16;
    localparam REST_CYCLES  = 64;      // behind the last command
    localparam CHECKS       = 1024;    // that wait for interrupts, at most

    localparam ORDER_LOAD = 2'd0;
    localparam ORDER_CRC  = 2'd1;
    localparam ORDER_PUT  = 2'd2;
    localparam ORDER_END  = 2'd3;

    // The command at hand, and what it waits for.
    reg [7:0]      letter;
    reg [63:0]     a, b, c, d;
    reg [64*8-1:0] name, waits;
    reg [31:0]     data;               // of the last register that was read
    integer        line, held;

    // Interrupts, by bit.
    reg        serves;
    reg [31:0] status_addr, mask_addr, status;
    integer    seen     [0:31];        // so often
    integer    declared [0:31];
    integer    event_bit, number;

    // Checks that wait for interrupts.
    integer    waiting, k;
    integer    k_bit [0:CHECKS-1], k_count [0:CHECKS-1];
    reg [63:0] k_memory [0:CHECKS-1], k_addr [0:CHECKS-1], k_size [0:CHECKS-1], k_crc [0:CHECKS-1];

    // ------------------------------------------------------------------ verdict
    integer cycles, quiet, timeout, errors, checks, i;
    reg     over;                      // the rest of this instant runs on behind $finish

    task finish(input failed);
        begin
            if (!over) begin
                over   = 1'b1;
                errors = errors + stream_errors;
                for (i = 0; i < MEMORIES; i = i + 1) errors = errors + memory_errors[32*i +: 32];
                if (failed || errors != 0) begin
                    $display("FAIL %0d errors, %0d cycles", errors, cycles);
                    `BENCH_FAIL;
                end else begin
                    $display("PASS %0d checks, %0d cycles", checks, cycles);
                    $finish;
                end
            end
        end
    endtask

    task fail(input [64*8-1:0] what);
        begin
            errors = errors + 1;
            if (errors <= 10) $display("line %0d, %0s, cycle %0d: %0s", line, name, cycles, what);
        end
    endtask

    // ------------------------------------------------------------------ nothing moves any more
    reg [MEMORIES*32-1:0] moved;

    always @(posedge clk) begin
        cycles = cycles + 1;
        quiet  = moved === memory_moved ? quiet + 1 : 0;
        moved  = memory_moved;
        if (quiet > timeout && !over) begin
            $display("line %0d, %0s, cycle %0d: nothing moves for %0d cycles", line, name, cycles,
                     timeout);
            $display("    waits for %0s; pins %h", waits, pins);
            if (letter == "i") begin
                $display("    interrupt %0d has come %0d times, want %0d", a, seen[a[4:0]], b);
            end
            if (letter == "p") $display("    it is %h, want %h in bits %h", data, b, c);
            errors = errors + 1;
            finish(1'b1);
        end
    end

    // ------------------------------------------------------------------ registers, memories
    task access(input write, input [31:0] addr, input [31:0] value);
        begin
            waits = write ? "the answer to a register write" : "the answer to a register read";
            reg_valid <= 1'b1;
            reg_write <= write;
            reg_addr  <= addr;
            reg_wdata <= value;
            @(posedge clk);
            while (reg_done !== 1'b1) @(posedge clk);
            reg_valid <= 1'b0;
            data = reg_rdata;
            if (reg_error !== 1'b0) fail("the bus answers with an error");
            if (!write && (^data) === 1'bx) fail("X in a register");
            @(posedge clk);
        end
    endtask

    task memory(input [1:0] order, input [63:0] index, input [63:0] addr, input [63:0] size,
                input [63:0] value);
        begin
            if (index >= MEMORIES) begin
                fail("there is no such memory");
            end else begin
                memory_order = order;
                memory_addr  = addr;
                memory_size  = size;
                memory_value = value;
                memory_go[index] = 1'b1;
                wait (memory_done[index]);
                memory_go[index] = 1'b0;
                wait (!memory_done[index]);
            end
        end
    endtask

    // ------------------------------------------------------------------ interrupts
    task declare_check;
        begin
            if (waiting == CHECKS) begin
                fail("more checks than this bench can hold");
            end else begin
                k_bit[waiting]    = event_bit;
                k_count[waiting]  = declared[event_bit];
                k_memory[waiting] = a;
                k_addr[waiting]   = b;
                k_size[waiting]   = c;
                k_crc[waiting]    = d;
                waiting = waiting + 1;
            end
        end
    endtask

    task count_interrupt;
        begin
            seen[number] = seen[number] + 1;
            if (seen[number] > declared[number]) begin
                fail("an interrupt came more often than declared");
                $display("    interrupt %0d, %0d times", number, seen[number]);
            end
            for (k = 0; k < waiting; k = k + 1) begin
                if (k_bit[k] == number && k_count[k] == seen[number]) begin
                    checks = checks + 1;
                    memory(ORDER_CRC, k_memory[k], k_addr[k], k_size[k], k_crc[k]);
                end
            end
        end
    endtask

    // The pin follows the register some cycles later: then there is nothing to count.
    task serve;
        begin
            access(1'b0, status_addr, 32'd0);
            status = data;
            access(1'b0, mask_addr, 32'd0);
            status = status & ~data;
            for (number = 0; number < 32; number = number + 1) begin
                if (status[number]) count_interrupt;
            end
            if (status != 32'd0) begin
                quiet = 0;
                access(1'b1, status_addr, status);
            end
        end
    endtask

    task pass_or_serve;
        begin
            if (serves && pins[0] === 1'b1) serve;
            else @(posedge clk);
        end
    endtask

    // ------------------------------------------------------------------ commands
    task execute;
        begin
            while (serves && pins[0] === 1'b1) serve;
            case (letter)
                "m": memory(ORDER_LOAD, a, 64'd0, b, 64'd0);
                "s": begin
                    serves      = 1'b1;
                    status_addr = a[31:0];
                    mask_addr   = b[31:0];
                end
                "e": begin
                    event_bit = a[4:0];
                    declared[event_bit] = b;
                end
                "k": declare_check;
                "w": access(1'b1, a[31:0], b[31:0]);
                "r": begin
                    access(1'b0, a[31:0], 32'd0);
                    checks = checks + 1;
                    if ((data & c[31:0]) !== (b[31:0] & c[31:0])) begin
                        fail("a register differs");
                        $display("    found %h, want %h in bits %h", data, b[31:0], c[31:0]);
                    end
                end
                "p": begin
                    access(1'b0, a[31:0], 32'd0);
                    while ((data & c[31:0]) !== (b[31:0] & c[31:0])) begin
                        waits = "bits of this register";
                        pass_or_serve;
                        access(1'b0, a[31:0], 32'd0);
                    end
                    checks = checks + 1;
                end
                "b": begin
                    checks = checks + 1;
                    if ((pins & b) !== (a & b)) begin
                        fail("pins differ");
                        $display("    found %h, want %h in bits %h", pins, a, b);
                    end
                end
                "v": begin
                    waits = "pins";
                    held  = 0;
                    while (held < c) begin
                        @(posedge clk);
                        held = (pins & b) === (a & b) ? held + 1 : 0;
                    end
                    checks = checks + 1;
                end
                "i": begin
                    while (seen[a[4:0]] < b) begin
                        waits = "this interrupt";
                        pass_or_serve;
                    end
                    checks = checks + 1;
                end
                "n": for (held = 0; held < a; held = held + 1) begin
                    quiet = 0;
                    @(posedge clk);
                end
                "t": begin
                    waits = "the stream to be taken";
                    stream_valid <= 1'b1;
                    stream_beats <= a;
                    @(posedge clk);
                    while (stream_done !== 1'b1) @(posedge clk);
                    stream_valid <= 1'b0;
                    @(posedge clk);
                end
                "c": begin
                    checks = checks + 1;
                    memory(ORDER_CRC, a, b, c, d);
                end
                "d": memory(ORDER_PUT, a, b, d, c);
                "x": reset;
                default: fail("this command is not known");
            endcase
        end
    endtask

    task reset;
        begin
            rst_n <= 1'b0;
            repeat (RESET_CYCLES) @(posedge clk);
            rst_n <= 1'b1;
            repeat (RESET_CYCLES) @(posedge clk);
        end
    endtask

    // ------------------------------------------------------------------ the program
    reg [256*8-1:0] folder, path;
    integer         file;

    initial begin
        {over, serves, reg_valid, reg_write, stream_valid} = 5'd0;
        {reg_addr, reg_wdata, stream_beats, data} = 160'd0;
        {memory_order, memory_addr, memory_size, memory_value} = 194'd0;
        {memory_go, moved} = 0;
        {cycles, quiet, errors, checks, line, waiting, event_bit} = 0;
        letter = "-";
        name   = "-";
        waits  = "the first command";
        for (i = 0; i < 32; i = i + 1) begin
            seen[i]     = 0;
            declared[i] = 0;
        end
        if (!$value$plusargs("timeout=%d", timeout)) timeout = 100000;
        if (!$value$plusargs("program=%s", folder)) folder = ".";
        $sformat(path, "%0s/program.hex", folder);
        rst_n = 1'b1;                  // flops with an asynchronous reset want an edge
        @(posedge clk);
        reset;
        file = $fopen(path, "r");
        if (file == 0) begin
            $display("%0s: cannot be read: want +program=FOLDER", path);
            errors = errors + 1;
        end
        while (file != 0 && letter != "q") begin
            line = line + 1;
            if ($fscanf(file, "%s %h %h %h %h %s", letter, a, b, c, d, name) != 6) begin
                fail("the program ends without its last command, or a line is not understood");
                letter = "q";
            end else if (letter != "q") begin
                execute;
                quiet = 0;
            end
        end
        waits = "nothing";
        repeat (REST_CYCLES) @(posedge clk);
        while (serves && pins[0] === 1'b1) serve;
        for (held = 0; held < MEMORIES; held = held + 1) begin
            checks = checks + 1;
            memory(ORDER_END, held, 64'd0, 64'd0, 64'd0);
        end
        finish(1'b0);
    end

endmodule

`default_nettype wire
