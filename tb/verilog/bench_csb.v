// Register accesses of the player at a CSB port: requests of words; reads and non-posted
// writes are answered once.
`timescale 1ns / 1ps
`default_nettype none

module bench_csb (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        req_valid,
    input  wire        req_write,
    input  wire [31:0] req_addr,
    input  wire [31:0] req_wdata,
    output reg         done,
    output reg  [31:0] rdata,
    output wire        error,

    output reg         csb_valid,
    input  wire        csb_ready,
    output reg  [15:0] csb_addr,
    output reg  [31:0] csb_wdata,
    output reg         csb_write,
    output wire        csb_nposted,
    input  wire        csb_read_valid,
    input  wire [31:0] csb_read_data,
    input  wire        csb_write_complete
);

    reg busy;

    assign error       = 1'b0;
    assign csb_nposted = 1'b1;

    always @(posedge clk) begin
        if (rst_n !== 1'b1) begin
            {busy, done, csb_valid} <= 3'd0;
        end else begin
            done <= 1'b0;
            if (csb_ready) csb_valid <= 1'b0;
            if (req_valid && !busy && !done) begin
                busy      <= 1'b1;
                csb_valid <= 1'b1;
                csb_write <= req_write;
                csb_addr  <= req_addr[17:2];
                csb_wdata <= req_wdata;
            end
            if (csb_read_valid || csb_write_complete) begin
                busy  <= 1'b0;
                done  <= 1'b1;
                rdata <= csb_read_data;
            end
        end
    end

endmodule

`default_nettype wire
