// Sends the writes of a client to one of the two memory ports.
//
// Contract: `primary` goes with the write and changes only behind one with `last`. A write to the
// other port than the one before waits until every `last` before it is complete, and one cycle
// more, so that `complete` comes in the order of the writes. A port takes up to 3 writes with
// `last` before the first of them is complete. Otherwise no latency. `req_ready` is a register.
// Reset: nothing in flight.
`default_nettype none

module dla_route_wr (
    input  wire         clk,
    input  wire         rst_n,

    // client
    input  wire         primary,                       // 1: primary port, 0: second port
    input  wire         req_valid,
    output wire         req_ready,
    input  wire [${addr_w - 1:3}:0] req_addr,
    input  wire [${atom_bits - 1:3}:0] req_data,
    input  wire         req_last,
    output wire         rsp_complete,                  // pulse

    // ports
    output wire [${addr_w - 1:3}:0] port_req_addr,               // of both
    output wire [${atom_bits - 1:3}:0] port_req_data,
    output wire         port_req_last,
    output wire         pri_req_valid,
    input  wire         pri_req_ready,
    input  wire         pri_rsp_complete,
    output wire         sec_req_valid,
    input  wire         sec_req_ready,
    input  wire         sec_rsp_complete
);

    localparam ADDR_W = ${addr_w};
    localparam ATOM_W = ${atom_bits};

    reg  [1:0] lasts_q;                                // writes with `last` in flight
    reg        primary_q;                              // port of the latest write

    wire valid, to_primary;                            // of the write in front
    wire open  = to_primary == primary_q;
    wire taken = open && (primary_q ? pri_req_ready : sec_req_ready);

    skid_buffer #(.W(ADDR_W + ATOM_W + 2)) u_write (
        .clk(clk), .rst_n(rst_n),
        .in_valid(req_valid), .in_ready(req_ready),
        .in_data({primary, req_last, req_addr, req_data}),
        .out_valid(valid), .out_ready(taken),
        .out_data({to_primary, port_req_last, port_req_addr, port_req_data})
    );

    assign pri_req_valid = valid && open && primary_q;
    assign sec_req_valid = valid && open && !primary_q;
    assign rsp_complete  = pri_rsp_complete || sec_rsp_complete;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            lasts_q   <= 2'd0;
            primary_q <= 1'b1;
        end else begin
            lasts_q <= lasts_q + {1'b0, valid && taken && port_req_last} - {1'b0, rsp_complete};
            if (valid && lasts_q == 2'd0) primary_q <= to_primary;
        end
    end

endmodule

`default_nettype wire
