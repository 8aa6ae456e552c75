// Register accesses of a host at an AXI4 slave of 16 bytes, one at a time.
//
// Each word is written on its own. Answers come when the slave has answered. Reset: no access.
`default_nettype none

module reg_port (
    input  wire         clk,
    input  wire         rst_n,

    // host
    input  wire         bus_valid,    // with what is below until ready
    output wire         bus_ready,
    input  wire         bus_write,
    input  wire [31:0]  bus_addr,     // bytes
    input  wire [31:0]  bus_wdata,
    output wire         bus_done,
    output reg  [31:0]  bus_rdata,

    // slave; bursts of one beat, answers are taken at once
    output wire [31:0]  addr,         // of writes and reads, a multiple of 8
    output wire         aw_valid,
    input  wire         aw_ready,
    output wire         w_valid,
    input  wire         w_ready,
    output wire [127:0] w_data,
    output wire [15:0]  w_strb,
    input  wire         b_valid,
    output wire         ar_valid,
    input  wire         ar_ready,
    input  wire         r_valid,
    input  wire [127:0] r_data
);

    reg         addressed_q;          // the slave has the address
    reg         sent_q;               // and the beat
    wire        send = bus_valid && bus_write;

    assign bus_done  = b_valid || r_valid;
    assign bus_ready = bus_done;
    assign addr      = {bus_addr[31:3], 3'd0};
    assign aw_valid  = send && !addressed_q;
    assign w_valid   = send && !sent_q;
    assign ar_valid  = bus_valid && !bus_write && !addressed_q;
    assign w_data    = {4{bus_wdata}};
    assign w_strb    = 16'h000f << {bus_addr[3:2], 2'd0};

    always @* begin
        case (bus_addr[3:2])
            2'd0:    bus_rdata = r_data[31:0];
            2'd1:    bus_rdata = r_data[63:32];
            2'd2:    bus_rdata = r_data[95:64];
            default: bus_rdata = r_data[127:96];
        endcase
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            addressed_q <= 1'b0;
            sent_q      <= 1'b0;
        end else begin
            addressed_q <= !bus_done && (addressed_q || (aw_valid && aw_ready)
                                         || (ar_valid && ar_ready));
            sent_q      <= !bus_done && (sent_q || (w_valid && w_ready));
        end
    end

    wire unused_addr = &{bus_addr[1:0]};

endmodule

`default_nettype wire
