// Local memory: ${local_depth} vectors in two banks, shared by load, acc and three readers.
//
//     feed, weights, store --> [ per bank: first that asks ] --> RAM --> flop --+--> feed
//     load, acc            --> [ per bank: first that asks ] --> RAM            +--> weights
//                                                                               +--> store
//
// The bank of a vector is the XOR of all bits of its address: of two neighbours at a step of any
// power of two, the first at a multiple of twice the step, each bank has one. A bank serves one
// read and one write per cycle, so clients in different banks do not meet. In a bank feed comes
// before weights before store, load before acc.
//% if array_vectors == 2
// feed and weights may ask for a second vector together with the first: they get it when that is in
// the other bank and nobody else reads from there. load writes what comes from both memory banks:
// bank 1, which has the weights, before bank 0.
//% end
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
    input  wire [${local_addr_w-1}:0]  feed2local_addr,    // vectors
    output wire         local2feed_grant,   // always
    output wire         local2feed_valid,   // cannot stall
    output wire [${vector_w-1}:0] local2feed_data,
//% if array_vectors == 2
    input  wire         feed2local_read1,   // with feed2local_read: a second vector
    input  wire [${local_addr_w-1}:0]  feed2local_addr1,
    output wire         local2feed_grant1,
    output wire         local2feed_valid1,  // with local2feed_valid
    output wire [${vector_w-1}:0] local2feed_data1,
//% end
    // weights reads
    input  wire         weights2local_read,
    input  wire [${local_addr_w-1}:0]  weights2local_addr,
    output wire         local2weights_grant,
    output wire         local2weights_valid,
    output wire [${vector_w-1}:0] local2weights_data,
//% if array_vectors == 2
    input  wire         weights2local_read1, // with weights2local_read: a second vector
    input  wire [${local_addr_w-1}:0]  weights2local_addr1,
    output wire         local2weights_grant1,
    output wire         local2weights_valid1, // with local2weights_valid
    output wire [${vector_w-1}:0] local2weights_data1,
//% end
    // store reads
    input  wire         store2local_read,
    input  wire [${local_addr_w-1}:0]  store2local_addr,
    output wire         local2store_grant,
    output wire         local2store_valid,
    output wire [${vector_w-1}:0] local2store_data,
    // load writes
//% if array_vectors == 2
    input  wire         load2local_write0,  // of memory bank 0
    input  wire [${local_addr_w-1}:0]  load2local_addr0,
    input  wire [${vector_w-1}:0] load2local_data0,
    output wire         local2load_wgrant0,
    input  wire         load2local_write1,  // of memory bank 1
    input  wire [${local_addr_w-1}:0]  load2local_addr1,
    input  wire [${vector_w-1}:0] load2local_data1,
    output wire         local2load_wgrant1, // always
//% else
    input  wire         load2local_write,
    input  wire [${local_addr_w-1}:0]  load2local_addr,
    input  wire [${vector_w-1}:0] load2local_data,
    output wire         local2load_wgrant,  // always
//% end
    // acc writes
    input  wire         acc2local_write,
    input  wire [${local_addr_w-1}:0]  acc2local_addr,
    input  wire [${vector_w-1}:0] acc2local_data,
    output wire         local2acc_wgrant
);

    localparam SCALARS  = ${array_size};
    localparam SCALAR_W = ${data_w};
    localparam VECTOR_W = ${vector_w};
    localparam ROWS     = ${max(local_rows, 2)};               // vectors of a bank
    localparam ROW_W    = $clog2(ROWS);
    localparam ROW_LO   = ${local_addr_w} - ROW_W;

    // ---------------------------------------------------------------- requests
    wire feed_bank    = ^feed2local_addr;
    wire weights_bank = ^weights2local_addr;
    wire store_bank   = ^store2local_addr;
//% if array_vectors == 2
    wire feed1_bank   = ^feed2local_addr1;
    wire weights1_bank = ^weights2local_addr1;
    wire load0_bank   = ^load2local_addr0;
    wire load1_bank   = ^load2local_addr1;
//% else
    wire load_bank    = ^load2local_addr;
//% end
    wire acc_bank     = ^acc2local_addr;

    assign local2feed_grant    = feed2local_read;
    assign local2weights_grant = weights2local_read
                                 && !(feed2local_read && (feed_bank == weights_bank));
    assign local2store_grant   = store2local_read
                                 && !(feed2local_read && (feed_bank == store_bank))
                                 && !(weights2local_read && (weights_bank == store_bank));
//% if array_vectors == 2
    assign local2feed_grant1   = feed2local_read1 && (feed_bank != feed1_bank)
                                 && !(weights2local_read && (weights_bank == feed1_bank))
                                 && !(store2local_read && (store_bank == feed1_bank));
    assign local2weights_grant1 = weights2local_read1 && !feed2local_read
                                  && (weights_bank != weights1_bank)
                                  && !(store2local_read && (store_bank == weights1_bank));
    assign local2load_wgrant1  = load2local_write1;
    assign local2load_wgrant0  = load2local_write0
                                 && !(load2local_write1 && (load0_bank == load1_bank));
    assign local2acc_wgrant    = acc2local_write
                                 && !(load2local_write0 && (load0_bank == acc_bank))
                                 && !(load2local_write1 && (load1_bank == acc_bank));
//% else
    assign local2load_wgrant   = load2local_write;
    assign local2acc_wgrant    = acc2local_write
                                 && !(load2local_write && (load_bank == acc_bank));
//% end

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
//% if array_vectors == 2
            wire by_feed1   = feed2local_read1 && (feed1_bank == BANK);
            wire by_weights1 = weights2local_read1 && (weights1_bank == BANK);
            wire by_load0   = load2local_write0 && (load0_bank == BANK);
            wire by_load1   = load2local_write1 && (load1_bank == BANK);
//% else
            wire by_load    = load2local_write && (load_bank == BANK);
//% end
            wire by_acc     = acc2local_write && (acc_bank == BANK);
            wire [ROW_W-1:0]    rrow = by_feed    ? feed2local_addr[ROW_LO +: ROW_W]
                                     : by_weights ? weights2local_addr[ROW_LO +: ROW_W]
//% if array_vectors == 2
                                     : by_store   ? store2local_addr[ROW_LO +: ROW_W]
                                     : by_feed1   ? feed2local_addr1[ROW_LO +: ROW_W]
                                                  : weights2local_addr1[ROW_LO +: ROW_W];
//% else
                                                  : store2local_addr[ROW_LO +: ROW_W];
//% end
//% if array_vectors == 2
            wire [ROW_W-1:0]    wrow = by_load1 ? load2local_addr1[ROW_LO +: ROW_W]
                                     : by_load0 ? load2local_addr0[ROW_LO +: ROW_W]
                                                : acc2local_addr[ROW_LO +: ROW_W];
//% else
            wire [ROW_W-1:0]    wrow = by_load ? load2local_addr[ROW_LO +: ROW_W]
                                               : acc2local_addr[ROW_LO +: ROW_W];
//% end
            wire [VECTOR_W-1:0] rdata;
            reg  [VECTOR_W-1:0] rdata_q;

            sram_1r1w #(.W(VECTOR_W), .DEPTH(ROWS)) u_ram (
                .clk   (clk),
                .waddr (wrow),
//% if array_vectors == 2
                .we    (by_load0 || by_load1 || by_acc),
                .wdata (by_load1 ? load2local_data1 : by_load0 ? load2local_data0
                                                    : acc2local_data),
                .re    (by_feed || by_weights || by_store || by_feed1 || by_weights1),
//% else
                .we    (by_load || by_acc),
                .wdata (by_load ? load2local_data : acc2local_data),
                .re    (by_feed || by_weights || by_store),
//% end
                .raddr (rrow),
                .rdata (rdata)
            );

            always @(posedge clk) rdata_q <= rdata;
            assign bank_data[b] = rdata_q;
        end
    endgenerate

    // ---------------------------------------------------------------- vectors
//% if array_vectors == 2
    // Clients: feed, weights, store, the second vectors of feed and weights. The bank of a vector
    // selects it at its client, with a register for every SHARE scalars.
//% else
    // Clients: feed, weights, store. The bank of a vector selects it at its client, with a register
    // for every SHARE scalars.
//% end
    localparam CLIENTS = ${2 * array_vectors + 1};
    localparam SHARE   = 8;
    localparam COPIES  = (SCALARS + SHARE - 1) / SHARE;

    reg  [CLIENTS-1:0] read_q;              // read in the cycle before
    reg  [CLIENTS-1:0] valid_q;
    reg  [CLIENTS-1:0] bank_q;
//% if array_vectors == 2
    wire [CLIENTS-1:0] grant = {local2weights_grant1, local2feed_grant1, local2store_grant,
                                local2weights_grant, local2feed_grant};
    wire [CLIENTS-1:0] where = {weights1_bank, feed1_bank, store_bank, weights_bank, feed_bank};
//% else
    wire [CLIENTS-1:0] grant = {local2store_grant, local2weights_grant, local2feed_grant};
    wire [CLIENTS-1:0] where = {store_bank, weights_bank, feed_bank};
//% end
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
//% if array_vectors == 2
    assign local2feed_valid1   = valid_q[3];
    assign local2feed_data1    = data[3];
    assign local2weights_valid1 = valid_q[4];
    assign local2weights_data1  = data[4];
//% end

endmodule

`default_nettype wire
