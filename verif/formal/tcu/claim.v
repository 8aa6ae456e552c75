// A claim of a proof in steps. Step n asserts the claims of rank n and assumes those of the ranks
// below, so that each needs induction over what it adds only. Step 0 asserts all of them, for the
// first cycles; step 100 asserts those of rank LAST alone and assumes none, step 101 says
// that `seen` never happens: there mutations and what can be reached have to show.
`default_nettype none

module claim #(
    parameter RANK = 1,
    parameter STEP = 0,
    parameter LAST = 1
) (
    input wire clk,
    input wire rst_n,
    input wire holds
);

    localparam ASSERT = STEP == 0 || STEP == RANK || (STEP == 100 && RANK == LAST);
    localparam ASSUME = STEP > RANK && STEP < 100;

    // What it is about stays, in all steps, until formal.py has connected it.
    (* keep *) wire claimed = holds;

    always @(posedge clk) begin
        if (rst_n) begin
            if (ASSERT) assert (claimed);
            if (ASSUME) assume (claimed);
        end
    end

endmodule

`default_nettype wire
