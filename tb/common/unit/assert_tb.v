// A module that keeps the rules of links and buses, but for one that +broken=NUMBER names: the
// bench of assert_test.py for the cells that check them.
`default_nettype none

module assert_tb;

    reg clk = 1'b0;
    reg rst_n = 1'b1;
    integer broken;                   // which rule, 0: none

    always #5 clk = !clk;

    // ------------------------------------------------------------------ a link
    reg       valid = 1'b0;
    reg       ready = 1'b0;
    reg [7:0] data = 8'd0;

    assert_link #(.W(8)) a_link (
        .clk(clk), .rst_n(rst_n), .valid(valid), .ready(ready), .payload(data)
    );

    // ------------------------------------------------------------------ an AXI master, 32 bits
    reg        awvalid = 1'b0;
    reg [11:0] awaddr = 12'd0;
    reg [7:0]  awlen = 8'd0;
    reg [2:0]  awsize = 3'd2;
    reg [1:0]  awburst = 2'b01;
    reg        wvalid = 1'b0;
    reg        wlast = 1'b0;

    assert_axi_burst #(.BUS_W(32), .LEN_W(8)) a_burst (
        .clk(clk), .rst_n(rst_n), .valid(awvalid), .addr(awaddr), .len(awlen), .size(awsize),
        .burst(awburst)
    );
    assert_axi_write #(.LEN_W(8)) a_write (
        .clk(clk), .rst_n(rst_n), .awvalid(awvalid), .awready(1'b1), .awlen(awlen),
        .wvalid(wvalid), .wready(1'b1), .wlast(wlast)
    );

    // ------------------------------------------------------------------ a rule of its own
    reg [7:0] count = 8'd0;

    assert_never #(.RULE("the count stays below 3")) a_never (
        .clk(clk), .rst_n(rst_n), .broken(count >= 8'd3)
    );

    // ------------------------------------------------------------------ what happens
    task address(input [11:0] addr, input [7:0] len);
        begin
            awvalid = 1'b1;
            awaddr  = addr;
            awlen   = len;
            @(negedge clk) awvalid = 1'b0;
        end
    endtask

    // A burst of `beats`; `last`: the beat with wlast.
    task beats(input integer number, input integer last);
        integer k;
        begin
            for (k = 1; k <= number; k = k + 1) begin
                wvalid = 1'b1;
                wlast  = k == last;
                @(negedge clk) wvalid = 1'b0;
            end
        end
    endtask

    // Inputs change while the clock is low.
    initial begin
        if (!$value$plusargs("broken=%d", broken)) broken = 0;
        @(negedge clk) rst_n = 1'b0;
        @(negedge clk) rst_n = 1'b1;
        @(negedge clk) {valid, data} = 9'h1aa;
        @(negedge clk);
        @(negedge clk) if (broken == 1) valid = 1'b0;
        @(negedge clk) if (broken == 2) data = 8'h55;
        @(negedge clk) ready = 1'b1;
        @(negedge clk) {valid, data} = 9'h055;        // taken: may change
        @(negedge clk);
        address(broken == 3 ? 12'hff4 : 12'hff0, 8'd3); // up to the end of 4 KiB
        address(12'hffe, 8'd0);                         // not aligned
        if (broken == 4) awsize = 3'd3;
        if (broken == 5) awburst = 2'b00;
        beats(4, broken == 6 ? 3 : broken == 7 ? 5 : 4);
        beats(1, 1);
        beats(2, 2);                                    // data ahead of their address
        address(12'h000, broken == 8 ? 8'd2 : 8'd1);
        if (broken == 9) count = 8'd3;
        repeat (4) @(negedge clk);
        // Reset forgets what waits.
        {valid, ready} = 2'b10;
        @(negedge clk);
        @(negedge clk) rst_n = 1'b0;
        @(negedge clk) {valid, data} = 9'h000;
        @(negedge clk) rst_n = 1'b1;
        repeat (4) @(negedge clk);
        $display("end");
        $finish;
    end

endmodule

`default_nettype wire
