// tcu_local: a bank serves one read and one write per cycle, nobody asks in vain, and vectors come
// 2 cycles after their grants as they were written last. The solver picks a vector. By induction.
`default_nettype none

module local_formal #(
    parameter STEP = 0
) (
    input wire        clk,
    input wire [4:0]  read,           // feed, weights, store, second vectors of feed, weights
    input wire [14:0] read_addr,
    input wire [1:0]  write,          // load, acc
    input wire [5:0]  write_addr,
    input wire [31:0] write_data
);

    localparam V = 16;                // bits of a vector

    (* anyconst *) reg [2:0] watched;
    wire         rst_n;
    wire [4:0]   ask = {read[4] && read[1], read[3] && read[0], read[2:0]};
    wire [4:0]   grant, valid;
    wire [5*V-1:0] data;
    wire [1:0]   wgrant;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    tcu_local u_dut (
        .clk(clk), .rst_n(rst_n),
        .feed2local_read(ask[0]), .feed2local_addr(read_addr[2:0]),
        .local2feed_grant(grant[0]), .local2feed_valid(valid[0]), .local2feed_data(data[0 +: V]),
        .feed2local_read1(ask[3]), .feed2local_addr1(read_addr[11:9]),
        .local2feed_grant1(grant[3]), .local2feed_valid1(valid[3]),
        .local2feed_data1(data[3*V +: V]),
        .weights2local_read(ask[1]), .weights2local_addr(read_addr[5:3]),
        .local2weights_grant(grant[1]), .local2weights_valid(valid[1]),
        .local2weights_data(data[V +: V]),
        .weights2local_read1(ask[4]), .weights2local_addr1(read_addr[14:12]),
        .local2weights_grant1(grant[4]), .local2weights_valid1(valid[4]),
        .local2weights_data1(data[4*V +: V]),
        .store2local_read(ask[2]), .store2local_addr(read_addr[8:6]),
        .local2store_grant(grant[2]), .local2store_valid(valid[2]),
        .local2store_data(data[2*V +: V]),
        .load2local_write(write[0]), .load2local_addr(write_addr[2:0]),
        .load2local_data(write_data[15:0]), .local2load_wgrant(wgrant[0]),
        .acc2local_write(write[1]), .acc2local_addr(write_addr[5:3]),
        .acc2local_data(write_data[31:16]), .local2acc_wgrant(wgrant[1])
    );

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
    wire [1:0] wbank = {^write_addr[5:3], ^write_addr[2:0]};
    wire [4:0] in_bank1 = grant & bank;
    wire [4:0] in_bank0 = grant & ~bank;
    // A first request that waits: a first one before it has the bank.
    wire       weights_waits = grant[0] && bank[0] == bank[1];
    wire       store_waits   = (grant[0] && bank[0] == bank[2]) || (ask[1] && bank[1] == bank[2]);
    wire       acc_waits     = write[0] && wbank[0] == wbank[1];

    genvar c;
    generate
        for (c = 0; c < 5; c = c + 1) begin : gen_bank
            assign bank[c] = ^read_addr[3*c +: 3];
        end
    endgenerate

    claim #(.RANK(1), .STEP(STEP)) u_grants (.clk(clk), .rst_n(rst_n), .holds(&{
        (grant & ~ask) == 5'd0,
        (in_bank1 & (in_bank1 - 5'd1)) == 5'd0,
        (in_bank0 & (in_bank0 - 5'd1)) == 5'd0,
        (wgrant & ~write) == 2'd0,
        !(&wgrant) || wbank[0] != wbank[1],
        grant[0] == ask[0],
        grant[1] == (ask[1] && !weights_waits),
        grant[2] == (ask[2] && !store_waits),
        !grant[3] || grant[0],
        !grant[4] || grant[1],
        wgrant[0] == write[0],
        wgrant[1] == (write[1] && !acc_waits)}));

    // ------------------------------------------------------------------ vectors
    reg          known_q;             // the watched one was written
    reg  [V-1:0] word_q;
    reg  [4:0]   grant_q, grant2_q;   // 1 and 2 cycles ago
    reg  [4:0]   watch_q, watch2_q;   // of the watched one, which was not written at the same time
    reg  [V-1:0] read_q, read2_q;
    wire         by_load = wgrant[0] && write_addr[2:0] == watched;
    wire         by_acc  = wgrant[1] && write_addr[5:3] == watched;
    wire [4:0]   watch, same;

    generate
        for (c = 0; c < 5; c = c + 1) begin : gen_vector
            assign watch[c] = grant[c] && read_addr[3*c +: 3] == watched && known_q &&
                              !by_load && !by_acc;
            assign same[c]  = !watch2_q[c] || data[c*V +: V] == read2_q;
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
            known_q  <= known_q || by_load || by_acc;
            grant_q  <= grant;
            grant2_q <= grant_q;
            watch_q  <= watch;
            watch2_q <= watch_q;
        end
        if (by_load || by_acc) word_q <= by_load ? write_data[15:0] : write_data[31:16];
        read_q  <= word_q;
        read2_q <= read_q;
    end

    claim #(.RANK(1), .STEP(STEP)) u_vectors (.clk(clk), .rst_n(rst_n), .holds(&{
        !known_q || word == word_q, valid == grant2_q, same}));

    // Both banks are read, a second vector among them, the watched one comes.
    seen #(.STEP(STEP)) u_seen (.clk(clk), .rst_n(rst_n), .happens(
        (|watch2_q) && grant[0] && grant[3] && (&wgrant)));

endmodule

`default_nettype wire
