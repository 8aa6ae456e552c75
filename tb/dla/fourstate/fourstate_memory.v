// Memory at one AXI port that looks for X: on every control output in every cycle, on addresses and
// data while they are valid, on the data lanes that a strobe enables. What it drives is X itself
// wherever the protocol says that nobody may look.
// Latency LATENCY cycles; `ready` falls at random. Reads and writes are answered in order.
`timescale 1ns / 1ps
`default_nettype none

module fourstate_memory #(
    parameter NAME    = "primary",    // of its files
    parameter BITS    = 64,           // data bus
    parameter ADDR_W  = 32,
    parameter BYTES   = 65536,
    parameter LATENCY = 12
) (
    input  wire              clk,
    input  wire              rst_n,
    input  wire              watch,   // look for X
    input  wire [63:0]       base,    // address of the first byte
    input  wire [31:0]       size,

    input  wire              awvalid,
    output reg               awready,
    input  wire [7:0]        awid,
    input  wire [3:0]        awlen,
    input  wire [ADDR_W-1:0] awaddr,
    input  wire              wvalid,
    output reg               wready,
    input  wire [BITS-1:0]   wdata,
    input  wire [BITS/8-1:0] wstrb,
    input  wire              wlast,
    output reg               bvalid,
    input  wire              bready,
    output reg  [7:0]        bid,
    input  wire              arvalid,
    output reg               arready,
    input  wire [7:0]        arid,
    input  wire [3:0]        arlen,
    input  wire [ADDR_W-1:0] araddr,
    output reg               rvalid,
    input  wire              rready,
    output reg  [7:0]        rid,
    output reg               rlast,
    output reg  [BITS-1:0]   rdata
);

    localparam LANES = BITS / 8;
    localparam QUEUE = 256;           // entries of each queue, more than the port has in flight

    reg [7:0]  mem  [0:BYTES-1];
    reg [7:0]  want [0:BYTES-1];
    integer    errors = 0;
    integer    seed   = 1;
    integer    now    = 0;

    task fail(input [64*8-1:0] what);
        begin
            errors = errors + 1;
            if (errors <= 10) $display("    %0s memory, cycle %0d: %0s", NAME, now, what);
        end
    endtask

    // ------------------------------------------------------------------ X
    integer lane;

    always @(negedge clk) begin
        if (watch) begin
            if ((^{awvalid, wvalid, bready, arvalid, rready}) === 1'bx) fail("X on valid or ready");
            if (awvalid && (^{awid, awlen, awaddr}) === 1'bx) fail("X on a write request");
            if (arvalid && (^{arid, arlen, araddr}) === 1'bx) fail("X on a read request");
            if (wvalid && (^{wstrb, wlast}) === 1'bx) fail("X on a strobe");
            for (lane = 0; lane < LANES; lane = lane + 1) begin
                if (wvalid && wstrb[lane] && (^wdata[8*lane +: 8]) === 1'bx) fail("X on write data");
            end
        end
    end

    // ------------------------------------------------------------------ contents
    // Offset of an address in the files; the last byte, which nobody uses, if it is outside.
    function [31:0] place(input [63:0] addr);
        place = (addr < base || addr - base >= {32'd0, size}) ? 32'hFFFFFFFF : addr - base;
    endfunction

    task write_beat(input [63:0] addr);
        integer i;
        for (i = 0; i < LANES; i = i + 1) begin
            if (wstrb[i] !== 1'b0) begin
                if (place(addr + i) == 32'hFFFFFFFF) fail("write outside of the program's memory");
                else mem[place(addr + i)] = wdata[8*i +: 8];
            end
        end
    endtask

    function [BITS-1:0] read_beat(input [63:0] addr);
        integer i;
        for (i = 0; i < LANES; i = i + 1) begin
            read_beat[8*i +: 8] = place(addr + i) == 32'hFFFFFFFF ? 8'd0 : mem[place(addr + i)];
        end
    endfunction

    // Every byte, those that the program must not touch as well.
    task compare;
        integer i;
        for (i = 0; i < size; i = i + 1) begin
            if (mem[i] !== want[i]) begin
                errors = errors + 1;
                if (errors <= 10) begin
                    $display("    %0s memory, byte at %h: %h, want %h", NAME, base + i, mem[i],
                             want[i]);
                end
            end
        end
    endtask

    // ------------------------------------------------------------------ read
    reg [7:0]  ar_id   [0:QUEUE-1];
    reg [4:0]  ar_left [0:QUEUE-1];   // beats
    reg [63:0] ar_addr [0:QUEUE-1];
    integer    ar_time [0:QUEUE-1];
    integer    ar_in = 0, ar_out = 0;

    always @(posedge clk) begin
        now = now + 1;
        arready <= $random(seed) & 3 ? 1'b1 : 1'b0;
        if (!rst_n) begin
            rvalid <= 1'b0;
            {rid, rlast, rdata} <= {(9 + BITS){1'bx}};
        end else begin
            if (arvalid && arready) begin
                ar_id[ar_in % QUEUE]   = arid;
                ar_left[ar_in % QUEUE] = {1'b0, arlen} + 5'd1;
                ar_addr[ar_in % QUEUE] = araddr / LANES * LANES;
                ar_time[ar_in % QUEUE] = now + LATENCY;
                ar_in = ar_in + 1;
            end
            if (!rvalid || rready) begin
                rvalid <= 1'b0;
                {rid, rlast, rdata} <= {(9 + BITS){1'bx}};
                if (ar_in != ar_out && ar_time[ar_out % QUEUE] <= now) begin
                    rvalid <= 1'b1;
                    rid    <= ar_id[ar_out % QUEUE];
                    rlast  <= ar_left[ar_out % QUEUE] == 5'd1;
                    rdata  <= read_beat(ar_addr[ar_out % QUEUE]);
                    ar_addr[ar_out % QUEUE] = ar_addr[ar_out % QUEUE] + LANES;
                    ar_left[ar_out % QUEUE] = ar_left[ar_out % QUEUE] - 5'd1;
                    if (ar_left[ar_out % QUEUE] == 5'd0) ar_out = ar_out + 1;
                end
            end
        end
    end

    // ------------------------------------------------------------------ write
    reg [7:0]  aw_id   [0:QUEUE-1];
    reg [63:0] aw_addr [0:QUEUE-1];
    integer    aw_time [0:QUEUE-1];
    integer    aw_in = 0, aw_data = 0, aw_out = 0;   // accepted, has its data, answered

    always @(posedge clk) begin
        awready <= $random(seed) & 3 ? 1'b1 : 1'b0;
        if (!rst_n) begin
            wready <= 1'b0;
            bvalid <= 1'b0;
            bid    <= 8'hx;
        end else begin
            if (wvalid && wready) begin
                write_beat(aw_addr[aw_data % QUEUE]);
                aw_addr[aw_data % QUEUE] = aw_addr[aw_data % QUEUE] + LANES;
                aw_time[aw_data % QUEUE] = now + LATENCY;
                if (wlast) aw_data = aw_data + 1;
            end
            if (awvalid && awready) begin
                aw_id[aw_in % QUEUE]   = awid;
                aw_addr[aw_in % QUEUE] = awaddr / LANES * LANES;
                aw_in = aw_in + 1;
            end
            wready <= aw_in != aw_data && ($random(seed) & 3);
            if (!bvalid || bready) begin
                bvalid <= 1'b0;
                bid    <= 8'hx;
                if (aw_out != aw_data && aw_time[aw_out % QUEUE] <= now) begin
                    bvalid <= 1'b1;
                    bid    <= aw_id[aw_out % QUEUE];
                    aw_out = aw_out + 1;
                end
            end
        end
    end

endmodule

`default_nettype wire
