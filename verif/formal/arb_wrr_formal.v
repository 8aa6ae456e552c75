// arb_wrr: at most one grant, only to who asks, none idle while someone asks; no client with a
// weight waits for more transfers than all others may do in their turns.
`default_nettype none

module arb_wrr_formal #(
    parameter FAIR = 1                // check the waiting, too; too deep for induction
) (
    input wire       clk,
    input wire [2:0] req,
    input wire       advance
);

    (* anyconst *) reg [8:0] weight;  // 3 bits each
    (* anyconst *) reg [1:0] pick;    // the client that is watched

    wire       rst_n;
    wire [2:0] grant;
    wire [2:0] pick_weight = weight[3*pick +: 3];
    reg  [4:0] passed_q;              // transfers of others while it asks
    wire [4:0] others = {2'd0, weight[2:0]} + {2'd0, weight[5:3]} + {2'd0, weight[8:6]}
                        - {2'd0, pick_weight};

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    arb_wrr #(.N(3), .WEIGHT_W(3)) u_dut (
        .clk(clk), .rst_n(rst_n), .req(req), .weight(weight), .advance(advance), .grant(grant)
    );

    always @(posedge clk) begin
        if (!rst_n || !req[pick])           passed_q <= 5'd0;
        else if (advance && grant[pick])    passed_q <= 5'd0;
        else if (advance && grant != 3'd0)  passed_q <= passed_q + 5'd1;
    end

    always @(posedge clk) begin
        assume (pick != 2'd3);
        if (rst_n) begin
            assert ((grant & (grant - 3'd1)) == 3'd0);
            assert ((grant & ~req) == 3'd0);
            assert ((grant != 3'd0) == (req != 3'd0));
            if (FAIR != 0 && pick_weight != 3'd0) assert (passed_q <= others);
            cover (advance && grant[pick] && pick_weight > 3'd1 && passed_q == 5'd3);
        end
    end

    // For induction: registers of the arbiter, which formal.sh connects.
    wire [2:0] dut_cur_q, dut_stay_q;

    always @(posedge clk) begin
        if (rst_n) begin
            assert (dut_cur_q != 3'd0 && (dut_cur_q & (dut_cur_q - 3'd1)) == 3'd0);
            assert (dut_stay_q == 3'd0 || dut_stay_q == dut_cur_q);
        end
    end

endmodule

`default_nettype wire
