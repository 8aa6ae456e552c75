// Register accesses of the player as a master of APB4.
`timescale 1ns / 1ps
`default_nettype none

module bench_apb #(
    parameter ADDR_W = 18
) (
    input  wire              clk,
    input  wire              rst_n,

    input  wire              req_valid,
    input  wire              req_write,
    input  wire [31:0]       req_addr,
    input  wire [31:0]       req_wdata,
    output reg               done,
    output reg  [31:0]       rdata,
    output reg               error,

    output reg               apb_psel,
    output reg               apb_penable,
    output reg  [ADDR_W-1:0] apb_paddr,
    output reg               apb_pwrite,
    output reg  [31:0]       apb_pwdata,
    output wire [3:0]        apb_pstrb,
    input  wire              apb_pready,
    input  wire [31:0]       apb_prdata,
    input  wire              apb_pslverr
);

    assign apb_pstrb = {4{apb_pwrite}};

    always @(posedge clk) begin
        if (rst_n !== 1'b1) begin
            {done, apb_psel, apb_penable} <= 3'd0;
        end else begin
            done <= 1'b0;
            if (apb_psel && apb_penable && apb_pready) begin
                {apb_psel, apb_penable} <= 2'd0;
                done  <= 1'b1;
                error <= apb_pslverr;
                rdata <= apb_prdata;
            end else if (apb_psel) begin
                apb_penable <= 1'b1;
            end else if (req_valid && !done) begin
                apb_psel   <= 1'b1;
                apb_paddr  <= req_addr[ADDR_W-1:0];
                apb_pwrite <= req_write;
                apb_pwdata <= req_wdata;
            end
        end
    end

endmodule

`default_nettype wire
