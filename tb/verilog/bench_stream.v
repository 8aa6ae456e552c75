// A stream (AXI4-Stream) of the words in <program>/stream.hex, one a line, at the order of the
// player.
// A word waits with a probability of +stall=PERCENT in every cycle, +seed=N chooses when.
`timescale 1ns / 1ps
`default_nettype none

module bench_stream #(
    parameter BITS = 64
) (
    input  wire            clk,
    input  wire            rst_n,

    input  wire            req_valid,
    input  wire [63:0]     req_beats,
    output reg             done,
    output reg  [31:0]     errors,

    output reg             tvalid,
    input  wire            tready,
    output reg  [BITS-1:0] tdata
);

    reg [256*8-1:0] folder, path;
    reg [BITS-1:0]  beat;
    reg [63:0]      left;
    reg             busy;
    integer         file, stall, seed;

    initial begin
        file   = 0;
        errors = 32'd0;
        if (!$value$plusargs("program=%s", folder)) folder = ".";
        if (!$value$plusargs("stall=%d", stall)) stall = 20;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
    end

    // A word that is not there is X.
    task next;
        begin
            if (file == 0) begin
                $sformat(path, "%0s/stream.hex", folder);
                file = $fopen(path, "r");
            end
            beat = {BITS{1'bx}};
            if (file == 0 || $fscanf(file, "%h", beat) != 1) begin
                errors = errors + 32'd1;
                if (errors == 32'd1) $display("%0s ends before the program", path);
            end
        end
    endtask

    always @(posedge clk) begin
        if (rst_n !== 1'b1) begin
            {busy, done, tvalid} <= 3'd0;
            tdata <= {BITS{1'bx}};
        end else begin
            done <= 1'b0;
            if (req_valid && !busy && !done) begin
                busy <= 1'b1;
                left  = req_beats;
            end
            if (busy && (!tvalid || tready)) begin
                tvalid <= 1'b0;
                tdata  <= {BITS{1'bx}};
                if (left == 64'd0) begin
                    busy <= 1'b0;
                    done <= 1'b1;
                end else if ($unsigned($random(seed)) % 100 >= stall) begin
                    next;
                    left   = left - 64'd1;
                    tvalid <= 1'b1;
                    tdata  <= beat;
                end
            end
        end
    end

endmodule

`default_nettype wire
