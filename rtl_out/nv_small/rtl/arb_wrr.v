// Weighted round-robin arbiter: a client keeps the grant for up to `weight` transfers in a row,
// then the next requesting client in index order follows (N-1 is followed by 0); a client that
// does not request loses its turn to one that does. Clients of weight 0 get least service: they
// are served, one transfer each in turn, only while no client with a weight requests.
// grant is combinational from req and 0 without a request. advance: the granted transfer happens
// in this cycle; while it is low the grant may move to another client. A new weight counts from
// the next cycle on; the client that has the turn may still go by the old one. Reset: client 0 is
// next.
`default_nettype none

module arb_wrr #(
    parameter N        = 4,           // clients, at least 2
    parameter WEIGHT_W = 8            // bits of a weight, at least 3
) (
    input  wire                  clk,
    input  wire                  rst_n,
    input  wire [N-1:0]          req,
    input  wire [N*WEIGHT_W-1:0] weight,   // client 0 in the low bits
    input  wire                  advance,
    output wire [N-1:0]          grant     // one-hot or 0
);

    reg  [N-1:0]        heavy_q;      // weight is not 0
    reg  [N-1:0]        many_q;       // weight is more than 1
    reg  [N-1:0]        lots_q;       // weight is more than 2
    reg  [N-1:0]        cur_q;        // one-hot: client of the last transfer
    reg  [N-1:0]        above_q;      // the clients behind it in order
    reg  [N-1:0]        stay_q;       // cur_q if it may do one more in a row, else 0
    reg                 fresh_q;      // the last transfer was its first in a row
    reg  [WEIGHT_W-1:0] left_q;       // transfers it may still do in a row unless fresh_q

    // Who comes first: the same client again, a heavy one behind it, any heavy one, any one behind
    // it, any one. Lowest index in each; clients below an index are counted once for all.
    wire [N-1:0] heavy  = req & heavy_q;
    wire [N-1:0] heavy_above = heavy & above_q;
    wire [N-1:0] req_above   = req & above_q;
    wire         stay   = (req & stay_q) != {N{1'b0}};
    wire         any_heavy_above = heavy_above != {N{1'b0}};
    wire         any_heavy = heavy != {N{1'b0}};
    wire         any_above = req_above != {N{1'b0}};

    // Clients behind the lowest one of a set.
    function [N-1:0] behind_lowest;
        input [N-1:0] set;
        integer       k;
    begin
        behind_lowest[0] = 1'b0;
        for (k = 1; k < N; k = k + 1) behind_lowest[k] = behind_lowest[k-1] || set[k-1];
    end
    endfunction

    wire [N-1:0] pool   = any_heavy_above ? heavy_above : any_heavy ? heavy :
                          any_above ? req_above : req;
    wire [N-1:0] behind = any_heavy_above ? behind_lowest(heavy_above) :
                          any_heavy       ? behind_lowest(heavy) :
                          any_above       ? behind_lowest(req_above) : behind_lowest(req);
    wire [N-1:0] next   = pool & ~behind;

    assign grant = stay ? stay_q : next;

    // Transfers in a row. The weight of a new client is looked up one cycle behind its grant.
    reg [WEIGHT_W-1:0] cur_weight;
    integer            i, n;

    always @* begin
        cur_weight = {WEIGHT_W{1'b0}};
        for (i = 0; i < N; i = i + 1) begin
            cur_weight = cur_weight | (weight[i*WEIGHT_W +: WEIGHT_W] & {WEIGHT_W{cur_q[i]}});
        end
    end

    localparam [WEIGHT_W-1:0] ONE = {{(WEIGHT_W-1){1'b0}}, 1'b1};
    localparam [WEIGHT_W-1:0] TWO = ONE + ONE;

    wire [WEIGHT_W-1:0] left      = (fresh_q ? cur_weight : left_q) - ONE;
    wire                some_left = fresh_q ? (cur_q & lots_q) != {N{1'b0}} : left_q > TWO;

    always @(posedge clk) begin
        for (n = 0; n < N; n = n + 1) begin
            heavy_q[n] <= weight[n*WEIGHT_W +: WEIGHT_W] != {WEIGHT_W{1'b0}};
            many_q[n]  <= weight[n*WEIGHT_W+1 +: WEIGHT_W-1] != {(WEIGHT_W-1){1'b0}};
            lots_q[n]  <= weight[n*WEIGHT_W+2 +: WEIGHT_W-2] != {(WEIGHT_W-2){1'b0}}
                          || (&weight[n*WEIGHT_W +: 2]);
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            cur_q   <= {1'b1, {(N-1){1'b0}}};
            above_q <= {N{1'b0}};
            stay_q  <= {N{1'b0}};
            fresh_q <= 1'b0;
            left_q  <= {WEIGHT_W{1'b0}};
        end else if (advance && req != {N{1'b0}}) begin
            fresh_q <= !stay;
            if (stay) begin
                left_q <= left;
                stay_q <= stay_q & {N{some_left}};
            end else begin
                cur_q   <= next;
                above_q <= behind;
                stay_q  <= next & many_q;
            end
        end
    end

endmodule

`default_nettype wire
