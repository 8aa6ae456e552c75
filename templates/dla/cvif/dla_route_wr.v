// Sends the writes of a client to one of the two memory ports.
//
// Contract: `primary` goes with the write and changes only behind one with `last`. A write to the
// other port than the one before waits until that `last` is complete, and one cycle more, so that
// `complete` comes in the order of the writes. Otherwise no latency. Reset: nothing in flight.
`default_nettype none

module dla_route_wr (
    input  wire         clk,
    input  wire         rst_n,

    // client
    input  wire         primary,                       // 1: primary port, 0: second port
    input  wire         req_valid,
    output wire         req_ready,
    input  wire         req_last,
    output wire         rsp_complete,                  // pulse

    // ports; address, data and last come straight from the client
    output wire         pri_req_valid,
    input  wire         pri_req_ready,
    input  wire         pri_rsp_complete,
    output wire         sec_req_valid,
    input  wire         sec_req_ready,
    input  wire         sec_rsp_complete
);

    reg  last_q;                                       // a `last` is in flight
    reg  primary_q;                                    // port of the latest write

    wire open = primary == primary_q;

    assign pri_req_valid = req_valid && open && primary_q;
    assign sec_req_valid = req_valid && open && !primary_q;
    assign req_ready     = open && (primary_q ? pri_req_ready : sec_req_ready);
    assign rsp_complete  = pri_rsp_complete || sec_rsp_complete;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            last_q    <= 1'b0;
            primary_q <= 1'b1;
        end else begin
            last_q <= (req_valid && req_ready && req_last) || (last_q && !rsp_complete);
            if (req_valid && !last_q) primary_q <= primary;
        end
    end

endmodule

`default_nettype wire
