// Weighted round-robin arbiter: a client keeps the grant for up to `weight` transfers in a row,
// then the next requesting client in index order follows (N-1 is followed by 0); a client that
// does not request loses its turn to one that does. Clients of weight 0 get least service: they
// are served, one transfer each in turn, only while no client with a weight requests.
// grant is combinational from req and 0 without a request. advance: the granted transfer happens
// in this cycle; while it is low the grant may move to another client. Reset: client 0 is next.
`default_nettype none

module arb_wrr #(
    parameter N        = 4,           // clients, at least 2
    parameter WEIGHT_W = 8            // bits of a weight
) (
    input  wire                  clk,
    input  wire                  rst_n,
    input  wire [N-1:0]          req,
    input  wire [N*WEIGHT_W-1:0] weight,   // client 0 in the low bits
    input  wire                  advance,
    output wire [N-1:0]          grant     // one-hot or 0
);

    reg  [N-1:0]        cur_q;        // one-hot: client of the last transfer
    reg  [WEIGHT_W-1:0] left_q;       // transfers it may still do in a row

    // The clients that count in this cycle.
    reg  [N-1:0] heavy;
    wire [N-1:0] active = ((req & heavy) != {N{1'b0}}) ? (req & heavy) : req;

    // Next client in order: lowest active above the current one, else lowest active of all.
    wire [N-1:0] upto  = cur_q | (cur_q - 1'b1);
    wire [N-1:0] above = active & ~upto;
    wire [N-1:0] pool  = (above != {N{1'b0}}) ? above : active;
    wire [N-1:0] next  = pool & (~pool + 1'b1);
    wire         stay  = (active & cur_q) != {N{1'b0}} && left_q != {WEIGHT_W{1'b0}};

    assign grant = stay ? cur_q : next;

    // Weight of the next client.
    reg [WEIGHT_W-1:0] next_weight;
    integer i;

    always @* begin
        next_weight = {WEIGHT_W{1'b0}};
        for (i = 0; i < N; i = i + 1) begin
            heavy[i]    = weight[i*WEIGHT_W +: WEIGHT_W] != {WEIGHT_W{1'b0}};
            next_weight = next_weight | (weight[i*WEIGHT_W +: WEIGHT_W] & {WEIGHT_W{next[i]}});
        end
    end

    wire [WEIGHT_W-1:0] load = (next_weight == {WEIGHT_W{1'b0}}) ? {WEIGHT_W{1'b0}}
                                                                 : next_weight - 1'b1;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            cur_q  <= {1'b1, {(N-1){1'b0}}};
            left_q <= {WEIGHT_W{1'b0}};
        end else if (advance && grant != {N{1'b0}}) begin
            cur_q  <= grant;
            left_q <= stay ? left_q - 1'b1 : load;
        end
    end

endmodule

`default_nettype wire
