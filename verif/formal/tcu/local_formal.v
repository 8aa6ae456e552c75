// tcu_local: a bank serves one read and one write per cycle, nobody asks in vain, and vectors come
// 2 cycles after their grants as they were written last. The solver picks a vector. By induction.
// With ONE_VECTOR for array-vectors 1: no second vectors, load has one port.
`default_nettype none

module local_formal #(
    parameter STEP = 0
) (
    input wire        clk,
    input wire [4:0]  read,           // feed, weights, store, second vectors of feed, weights
    input wire [14:0] read_addr,
    input wire [2:0]  write,          // load of DRAM1, load of DRAM0, acc
    input wire [8:0]  write_addr,
    input wire [47:0] write_data
);

    localparam V = 16;                // bits of a vector
`ifdef ONE_VECTOR
    localparam TWO = 1'b0;
`else
    localparam TWO = 1'b1;
`endif

    (* anyconst *) reg [2:0] watched;
    wire         rst_n;
    wire [4:0]   ask = {TWO && read[4] && read[1], TWO && read[3] && read[0], read[2:0]};
    wire [2:0]   put = {write[2], TWO && write[1], write[0]};
    wire [4:0]   grant, valid;
    wire [5*V-1:0] data;
    wire [2:0]   wgrant;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    tcu_local u_dut (
        .clk(clk), .rst_n(rst_n),
        .feed2local_read(ask[0]), .feed2local_addr(read_addr[2:0]),
        .local2feed_grant(grant[0]), .local2feed_valid(valid[0]), .local2feed_data(data[0 +: V]),
        .weights2local_read(ask[1]), .weights2local_addr(read_addr[5:3]),
        .local2weights_grant(grant[1]), .local2weights_valid(valid[1]),
        .local2weights_data(data[V +: V]),
        .store2local_read(ask[2]), .store2local_addr(read_addr[8:6]),
        .local2store_grant(grant[2]), .local2store_valid(valid[2]),
        .local2store_data(data[2*V +: V]),
`ifdef ONE_VECTOR
        .load2local_write(put[0]), .load2local_addr(write_addr[2:0]),
        .load2local_data(write_data[0 +: V]), .local2load_wgrant(wgrant[0]),
`else
        .feed2local_read1(ask[3]), .feed2local_addr1(read_addr[11:9]),
        .local2feed_grant1(grant[3]), .local2feed_valid1(valid[3]),
        .local2feed_data1(data[3*V +: V]),
        .weights2local_read1(ask[4]), .weights2local_addr1(read_addr[14:12]),
        .local2weights_grant1(grant[4]), .local2weights_valid1(valid[4]),
        .local2weights_data1(data[4*V +: V]),
        .load2local_write1(put[0]), .load2local_addr1(write_addr[2:0]),
        .load2local_data1(write_data[0 +: V]), .local2load_wgrant1(wgrant[0]),
        .load2local_write0(put[1]), .load2local_addr0(write_addr[5:3]),
        .load2local_data0(write_data[V +: V]), .local2load_wgrant0(wgrant[1]),
`endif
        .acc2local_write(put[2]), .acc2local_addr(write_addr[8:6]),
        .acc2local_data(write_data[2*V +: V]), .local2acc_wgrant(wgrant[2])
    );
`ifdef ONE_VECTOR
    assign grant[4:3]       = 2'd0;
    assign valid[4:3]       = 2'd0;
    assign data[3*V +: 2*V] = {2*V{1'b0}};
    assign wgrant[1]        = 1'b0;
`endif

    // Words of the banks, which formal.py connects.
    wire [V-1:0] dut_word00;          //= gen_bank[0].u_ram.mem[0]
    wire [V-1:0] dut_word01;          //= gen_bank[0].u_ram.mem[1]
    wire [V-1:0] dut_word02;          //= gen_bank[0].u_ram.mem[2]
    wire [V-1:0] dut_word03;          //= gen_bank[0].u_ram.mem[3]
    wire [V-1:0] dut_word10;          //= gen_bank[1].u_ram.mem[0]
    wire [V-1:0] dut_word11;          //= gen_bank[1].u_ram.mem[1]
    wire [V-1:0] dut_word12;          //= gen_bank[1].u_ram.mem[2]
    wire [V-1:0] dut_word13;          //= gen_bank[1].u_ram.mem[3]
    wire [8*V-1:0] words = {dut_word13, dut_word12, dut_word11, dut_word10,
                            dut_word03, dut_word02, dut_word01, dut_word00};
    wire [V-1:0] word = words[{^watched, watched[2:1]}*V +: V];

    // ------------------------------------------------------------------ grants
    wire [4:0] bank;
    wire [2:0] wbank;
    wire [4:0] in_bank1   = grant & bank;
    wire [4:0] in_bank0   = grant & ~bank;
    wire [2:0] into_bank1 = wgrant & wbank;
    wire [2:0] into_bank0 = wgrant & ~wbank;
    wire [4:0] beside;                // first requests that read from the bank of a second one
    wire [2:0] read_waits, write_waits;
    wire [8:0] read_before, write_before;
    genvar c, d;

    generate
        for (c = 0; c < 5; c = c + 1) begin : gen_bank
            assign bank[c]   = ^read_addr[3*c +: 3];
            assign beside[c] = |(ask[2:0] & ~(bank[2:0] ^ {3{bank[c]}}));
        end
        // A first request waits if one before it asks for its bank.
        for (c = 0; c < 3; c = c + 1) begin : gen_waits
            assign wbank[c] = ^write_addr[3*c +: 3];
            for (d = 0; d < 3; d = d + 1) begin : gen_before
                assign read_before[3*c + d]  = d < c && ask[d] && bank[d] == bank[c];
                assign write_before[3*c + d] = d < c && put[d] && wbank[d] == wbank[c];
            end
            assign read_waits[c]  = |read_before[3*c +: 3];
            assign write_waits[c] = |write_before[3*c +: 3];
        end
    endgenerate

    claim #(.RANK(1), .STEP(STEP)) u_grants (.clk(clk), .rst_n(rst_n), .holds(&{
        (in_bank1 & (in_bank1 - 5'd1)) == 5'd0,
        (in_bank0 & (in_bank0 - 5'd1)) == 5'd0,
        (into_bank1 & (into_bank1 - 3'd1)) == 3'd0,
        (into_bank0 & (into_bank0 - 3'd1)) == 3'd0,
        grant[2:0] == (ask[2:0] & ~read_waits),
        grant[3] == (ask[3] && !beside[3]),
        grant[4] == (ask[4] && !beside[4] && !ask[0]),
        wgrant == (put & ~write_waits)}));

    // ------------------------------------------------------------------ vectors
    reg          known_q;             // the watched one was written
    reg  [V-1:0] word_q;
    reg  [4:0]   grant_q, grant2_q;   // 1 and 2 cycles ago
    reg  [4:0]   watch_q, watch2_q;   // of the watched one, which was not written at the same time
    reg  [V-1:0] read_q, read2_q;
    wire [2:0]   by;                  // who writes the watched one
    wire [4:0]   watch, same;

    generate
        for (c = 0; c < 5; c = c + 1) begin : gen_vector
            assign watch[c] = grant[c] && read_addr[3*c +: 3] == watched && known_q &&
                              by == 3'd0;
            assign same[c]  = !watch2_q[c] || data[c*V +: V] == read2_q;
        end
        for (c = 0; c < 3; c = c + 1) begin : gen_by
            assign by[c] = wgrant[c] && write_addr[3*c +: 3] == watched;
        end
    endgenerate

    always @(posedge clk) begin
        if (!rst_n) begin
            known_q  <= 1'b0;
            grant_q  <= 5'd0;
            grant2_q <= 5'd0;
            watch_q  <= 5'd0;
            watch2_q <= 5'd0;
        end else begin
            known_q  <= known_q || by != 3'd0;
            grant_q  <= grant;
            grant2_q <= grant_q;
            watch_q  <= watch;
            watch2_q <= watch_q;
        end
        if (by[0]) word_q <= write_data[0 +: V];
        if (by[1]) word_q <= write_data[V +: V];
        if (by[2]) word_q <= write_data[2*V +: V];
        read_q  <= word_q;
        read2_q <= read_q;
    end

    claim #(.RANK(1), .STEP(STEP)) u_vectors (.clk(clk), .rst_n(rst_n), .holds(&{
        !known_q || word == word_q, valid == grant2_q, same}));

    // Both banks are read and written, a second vector and both of load among them, the watched one
    // comes.
    seen #(.STEP(STEP)) u_seen (.clk(clk), .rst_n(rst_n), .happens(
        (|watch2_q) && grant[0] && (TWO ? grant[3] : grant[1]) &&
        wgrant[0] && (TWO ? wgrant[1] : wgrant[2])));

endmodule

`default_nettype wire
