//# The way of the results to SDP behind one of two ways to add and round them.
//% if types16
//%   include "cacc/sums_types16.vh"
//% else
//%   include "cacc/sums_int8.vh"
//% end

    // ---------------------------------------------------------------- way out
    wire                fifo_valid;
    wire [32*LANES-1:0] fifo_data;
    wire                fifo_end;
    wire                unused_ready;       // room_q has counted
    reg                 out_valid_q;
    reg  [32*LANES-1:0] out_q;
    reg                 out_end_q;

    assign out_take = fifo_valid && (!out_valid_q || cacc2sdp_ready);

    fifo_sync #(.W(32*LANES + 1), .DEPTH(PLACES)) u_fifo (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (round_valid_q[2]),
        .in_ready  (unused_ready),
        .in_data   ({round_end_q[2], rounded}),
        .out_valid (fifo_valid),
        .out_ready (out_take),
        .out_data  ({fifo_end, fifo_data})
    );

    wire last_taken = out_valid_q && cacc2sdp_ready && out_end_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            out_valid_q <= 1'b0;
            done_q      <= 2'd0;
        end else begin
            out_valid_q <= fifo_valid || (out_valid_q && !cacc2sdp_ready);
            done_q      <= {last_taken && consumer, last_taken && !consumer};
        end
    end

    always @(posedge clk) begin
        if (out_take) begin
            out_q     <= fifo_data;
            out_end_q <= fifo_end;
        end
    end

    assign cacc2sdp_valid  = out_valid_q;
    assign cacc2sdp_data   = out_q;
    assign cacc2csc_credit = credit_q;
    assign cacc2glb_done   = done_q;
//% if types16 ? integers : acc_w > 32

    // ---------------------------------------------------------------- count of saturated results
    // Complete when the last word is at SDP: it takes as long as the way through the FIFO.
    reg  [LANES-1:0]    sat_q;              // of the word that came to the FIFO
    reg  [SAT_W-1:0]    sat_number, sat_number_q;
    reg  [31:0]         sat_count_q;
    wire [32:0]         sat_sum = {1'b0, sat_count_q} + {{(33-SAT_W){1'b0}}, sat_number_q};
    integer             i;

    assign sat_count = sat_sum[32] ? 32'hFFFFFFFF : sat_sum[31:0];

    always @* begin
        sat_number = {SAT_W{1'b0}};
        for (i = 0; i < LANES; i = i + 1) sat_number = sat_number + {{(SAT_W-1){1'b0}}, sat_q[i]};
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            sat_q        <= {LANES{1'b0}};
            sat_number_q <= {SAT_W{1'b0}};
            sat_count_q  <= 32'd0;
        end else begin
            sat_q        <= round_valid_q[2] ? saturated : {LANES{1'b0}};
            sat_number_q <= sat_number;
            sat_count_q  <= op_done ? 32'd0 : sat_count;
        end
    end
//% end

endmodule

`default_nettype wire
