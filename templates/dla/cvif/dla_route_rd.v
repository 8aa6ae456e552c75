// Sends the read requests of a client to one of the two memory ports and merges the answers.
//
//% if wt.atoms > 1
// Contract: `primary` goes with the request. A request for the other port than the one before
// waits until all earlier answers are here, and one cycle more: answers stay in request order.
// Otherwise no latency. `req_ready` is a register. An answer has up to RSP atoms; a bit of
// `rsp_valid` says of each whether it is there. Reset: nothing asked for.
//% else
// Contract: `primary` goes with the request. A request for the other port than the one before
// waits until all earlier answers are here, and one cycle more: answers stay in request order.
// Otherwise no latency. `req_ready` is a register. Reset: nothing asked for.
//% end
`default_nettype none

//% if wt.atoms > 1
module dla_route_rd #(
    parameter RSP = 1                                  // atoms of an answer: 1 or 2
) (
//% else
module dla_route_rd (
//% end
    input  wire         clk,
    input  wire         rst_n,

    // client
    input  wire         primary,                       // 1: primary port, 0: second port
    input  wire         req_valid,
    output wire         req_ready,
    input  wire [${addr_w - 1:3}:0] req_addr,
    input  wire [14:0]  req_size,                      // atoms - 1
//% if wt.atoms > 1
    output wire [RSP-1:0] rsp_valid,                   // cannot stall
    output wire [RSP*${atom_bits}-1:0] rsp_data,
//% else
    output wire         rsp_valid,                     // cannot stall
    output wire [${atom_bits - 1:3}:0] rsp_data,
//% end

    // ports
    output wire [${addr_w - 1:3}:0] port_req_addr,               // of both
    output wire [14:0]  port_req_size,
    output wire         pri_req_valid,
    input  wire         pri_req_ready,
    input  wire ${wt.atoms > 1 ? "[RSP-1:0]" : "       "} pri_rsp_valid,
    input  wire [RSP*${atom_bits}-1:0] pri_rsp_data,  //% if wt.atoms > 1
    input  wire [${atom_bits - 1:3}:0] pri_rsp_data,  //% if wt.atoms == 1
    output wire         sec_req_valid,
    input  wire         sec_req_ready,
    input  wire ${wt.atoms > 1 ? "[RSP-1:0]" : "       "} sec_rsp_valid,
    input  wire [RSP*${atom_bits}-1:0] sec_rsp_data  //% if wt.atoms > 1
    input  wire [${atom_bits - 1:3}:0] sec_rsp_data  //% if wt.atoms == 1
);

    // A port may answer the first atoms of a request before it takes the request, so the count of
    // atoms on the way can be negative for a while, which here only means "not 0".
    localparam CNT_W  = 20;                            // more atoms than a client has room for
    localparam ADDR_W = ${addr_w};

    reg  [CNT_W-1:0] flight_q;
    reg              primary_q;                        // port of the latest request

    wire valid, to_primary;                            // of the request in front
    wire open  = to_primary == primary_q;
    wire taken = open && (primary_q ? pri_req_ready : sec_req_ready);
    wire sent  = valid && taken;

    skid_buffer #(.W(ADDR_W + 16)) u_request (
        .clk(clk), .rst_n(rst_n),
        .in_valid(req_valid), .in_ready(req_ready), .in_data({primary, req_addr, req_size}),
        .out_valid(valid), .out_ready(taken),
        .out_data({to_primary, port_req_addr, port_req_size})
    );

    assign pri_req_valid = valid && open && primary_q;
    assign sec_req_valid = valid && open && !primary_q;
    assign rsp_valid     = pri_rsp_valid ${wt.atoms > 1 ? "|" : "||"} sec_rsp_valid;
    assign rsp_data      = primary_q ? pri_rsp_data : sec_rsp_data;

//% if wt.atoms > 1
    wire [1:0] back;                                   // atoms of this answer

    generate
        if (RSP == 2) begin : gen_pairs
            assign back = {&rsp_valid, ^rsp_valid};
        end else begin : gen_atoms
            assign back = {1'b0, rsp_valid};
        end
    endgenerate

//% end
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            flight_q  <= {CNT_W{1'b0}};
            primary_q <= 1'b1;
        end else begin
            flight_q <= flight_q
                        + (sent ? {{(CNT_W-15){1'b0}}, port_req_size} + {{(CNT_W-1){1'b0}}, 1'b1}
                                : {CNT_W{1'b0}})
                        - ${wt.atoms > 1 ? "{{(CNT_W-2){1'b0}}, back}" : "{{(CNT_W-1){1'b0}}, rsp_valid}"};
            if (valid && flight_q == {CNT_W{1'b0}}) primary_q <= to_primary;
        end
    end

endmodule

`default_nettype wire
