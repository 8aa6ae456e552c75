// Made by macrame 0.1.0 from templates/tcu/local/tcu_local.v
// with array_size=4 array_vectors=1 data_w=16 local_addr_w=12 local_depth=4096 local_rows=2048
// vector_w=64

// Local memory: 4096 vectors in two banks, shared by load, acc and three readers.
//
//     feed, weights, store --> [ per bank: first that asks ] --> RAM --> flop --+--> feed
//     load, acc            --> [ per bank: first that asks ] --> RAM            +--> weights
//                                                                               +--> store
//
// The bank of a vector is the XOR of all bits of its address: of two neighbours at a step of any
// power of two, the first at a multiple of twice the step, each bank has one. A bank serves one
// read and one write per cycle, so clients in different banks do not meet. In a bank feed comes
// before weights before store, load before acc.
// A request is taken in the cycle in which its grant, combinational behind it, is high; requests
// come from registers of the clients. A vector comes exactly 2 cycles after its grant and cannot
// be stalled. What is written in one cycle is read by grants of the next. Who reads and writes one
// vector in the same cycle gets anything: the order of micro-operations rules that out.
// Reset: no vector on its way; the memory has none.
`default_nettype none

module tcu_local (
    input  wire         clk,
    input  wire         rst_n,
    // feed reads
    input  wire         feed2local_read,
    input  wire [11:0]  feed2local_addr,    // vectors
    output wire         local2feed_grant,   // always
    output wire         local2feed_valid,   // cannot stall
    output wire [63:0] local2feed_data,
    // weights reads
    input  wire         weights2local_read,
    input  wire [11:0]  weights2local_addr,
    output wire         local2weights_grant,
    output wire         local2weights_valid,
    output wire [63:0] local2weights_data,
    // store reads
    input  wire         store2local_read,
    input  wire [11:0]  store2local_addr,
    output wire         local2store_grant,
    output wire         local2store_valid,
    output wire [63:0] local2store_data,
    // load writes
    input  wire         load2local_write,
    input  wire [11:0]  load2local_addr,
    input  wire [63:0] load2local_data,
    output wire         local2load_wgrant,  // always
    // acc writes
    input  wire         acc2local_write,
    input  wire [11:0]  acc2local_addr,
    input  wire [63:0] acc2local_data,
    output wire         local2acc_wgrant
);

    localparam SCALARS  = 4;
    localparam SCALAR_W = 16;
    localparam VECTOR_W = 64;
    localparam ROWS     = 2048;               // vectors of a bank
    localparam ROW_W    = $clog2(ROWS);
    localparam ROW_LO   = 12 - ROW_W;

    // ---------------------------------------------------------------- requests
    wire feed_bank    = ^feed2local_addr;
    wire weights_bank = ^weights2local_addr;
    wire store_bank   = ^store2local_addr;
    wire load_bank    = ^load2local_addr;
    wire acc_bank     = ^acc2local_addr;

    assign local2feed_grant    = feed2local_read;
    assign local2weights_grant = weights2local_read
                                 && !(feed2local_read && (feed_bank == weights_bank));
    assign local2store_grant   = store2local_read
                                 && !(feed2local_read && (feed_bank == store_bank))
                                 && !(weights2local_read && (weights_bank == store_bank));
    assign local2load_wgrant   = load2local_write;
    assign local2acc_wgrant    = acc2local_write
                                 && !(load2local_write && (load_bank == acc_bank));

    // ---------------------------------------------------------------- banks
    // The row leaves out the lowest bit of the address, which follows from the bank.
    wire [VECTOR_W-1:0] bank_data [0:1];
    genvar b;

    generate
        for (b = 0; b < 2; b = b + 1) begin : gen_bank
            localparam [0:0] BANK = b;
            wire by_feed    = feed2local_read && (feed_bank == BANK);
            wire by_weights = weights2local_read && (weights_bank == BANK);
            wire by_store   = store2local_read && (store_bank == BANK);
            wire by_load    = load2local_write && (load_bank == BANK);
            wire by_acc     = acc2local_write && (acc_bank == BANK);
            wire [ROW_W-1:0]    rrow = by_feed    ? feed2local_addr[ROW_LO +: ROW_W]
                                     : by_weights ? weights2local_addr[ROW_LO +: ROW_W]
                                                  : store2local_addr[ROW_LO +: ROW_W];
            wire [ROW_W-1:0]    wrow = by_load ? load2local_addr[ROW_LO +: ROW_W]
                                               : acc2local_addr[ROW_LO +: ROW_W];
            wire [VECTOR_W-1:0] rdata;
            reg  [VECTOR_W-1:0] rdata_q;

            sram_1r1w #(.W(VECTOR_W), .DEPTH(ROWS)) u_ram (
                .clk   (clk),
                .waddr (wrow),
                .we    (by_load || by_acc),
                .wdata (by_load ? load2local_data : acc2local_data),
                .re    (by_feed || by_weights || by_store),
                .raddr (rrow),
                .rdata (rdata)
            );

            always @(posedge clk) rdata_q <= rdata;
            assign bank_data[b] = rdata_q;
        end
    endgenerate

    // ---------------------------------------------------------------- vectors
    // Clients: feed, weights, store. The bank of a vector selects it at its client, with a register
    // for every SHARE scalars.
    localparam CLIENTS = 3;
    localparam SHARE   = 8;
    localparam COPIES  = (SCALARS + SHARE - 1) / SHARE;

    reg  [CLIENTS-1:0] read_q;              // read in the cycle before
    reg  [CLIENTS-1:0] valid_q;
    reg  [CLIENTS-1:0] bank_q;
    wire [CLIENTS-1:0] grant = {local2store_grant, local2weights_grant, local2feed_grant};
    wire [CLIENTS-1:0] where = {store_bank, weights_bank, feed_bank};
    wire [VECTOR_W-1:0] data [0:CLIENTS-1];
    genvar c, k;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            read_q  <= {CLIENTS{1'b0}};
            valid_q <= {CLIENTS{1'b0}};
        end else begin
            read_q  <= grant;
            valid_q <= read_q;
        end
    end

    always @(posedge clk) bank_q <= where;

    generate
        for (c = 0; c < CLIENTS; c = c + 1) begin : gen_client
            wire [COPIES-1:0] bank;

            for (k = 0; k < COPIES; k = k + 1) begin : gen_copy
                reg_copy #(.W(1)) u_bank (.clk(clk), .rst_n(rst_n), .d(bank_q[c]), .q(bank[k]));
            end

            for (k = 0; k < SCALARS; k = k + 1) begin : gen_scalar
                assign data[c][k*SCALAR_W +: SCALAR_W] =
                    bank[k/SHARE] ? bank_data[1][k*SCALAR_W +: SCALAR_W]
                                  : bank_data[0][k*SCALAR_W +: SCALAR_W];
            end
        end
    endgenerate

    assign local2feed_valid    = valid_q[0];
    assign local2feed_data     = data[0];
    assign local2weights_valid = valid_q[1];
    assign local2weights_data  = data[1];
    assign local2store_valid   = valid_q[2];
    assign local2store_data    = data[2];

endmodule

`default_nettype wire
