// Memory behind one AXI port of a bench: what pages it has, and what they hold, is in files.
//
//   <program>/<NAME>_pages.hex    numbers of its pages of 4 KiB, increasing, one a line
//   <program>/<NAME>_before.hex   their contents, 8 bytes a line, the first byte in the lowest bits
//   <program>/<NAME>_after.hex    the same, as the program must leave it
//
// Bytes of other pages read as 0 and may not be written. Reads and writes are answered in order,
// each +latency=N cycles after its request; a channel stalls with a probability of +stall=PERCENT
// in every cycle, +seed=N chooses when. Payload that nobody may look at is X, and X on what the
// design drives is an error.
//
// The player orders what else is to be done, see bench_player.v: it raises go, done follows in the
// same instant.
`timescale 1ns / 1ps
`default_nettype none

module bench_memory #(
    parameter NAME   = "memory",
    parameter BITS   = 64,             // of the data bus
    parameter ADDR_W = 32,
    parameter ID_W   = 8,
    parameter LEN_W  = 8,              // 4: AXI3
    parameter PAGES  = 1024            // the most that a program may have
) (
    input  wire              clk,
    input  wire              rst_n,

    input  wire              awvalid,
    output reg               awready,
    input  wire [ID_W-1:0]   awid,
    input  wire [LEN_W-1:0]  awlen,
    input  wire [ADDR_W-1:0] awaddr,
    input  wire              wvalid,
    output reg               wready,
    input  wire [BITS-1:0]   wdata,
    input  wire [BITS/8-1:0] wstrb,
    input  wire              wlast,
    output reg               bvalid,
    input  wire              bready,
    output reg  [ID_W-1:0]   bid,
    input  wire              arvalid,
    output reg               arready,
    input  wire [ID_W-1:0]   arid,
    input  wire [LEN_W-1:0]  arlen,
    input  wire [ADDR_W-1:0] araddr,
    output reg               rvalid,
    input  wire              rready,
    output reg  [ID_W-1:0]   rid,
    output reg               rlast,
    output reg  [BITS-1:0]   rdata,

    input  wire              go,
    input  wire [1:0]        order,
    input  wire [63:0]       order_addr,
    input  wire [63:0]       order_size,
    input  wire [63:0]       order_value,
    output reg               done,
    output reg  [31:0]       errors,   // so far
    output reg  [31:0]       moved     // beats so far
);

    localparam LANES = BITS / 8;
    localparam WORDS = 512;            // of 8 bytes, in a page
    localparam QUEUE = 256;            // requests that wait, per direction
    localparam SHOWN = 10;             // errors that are printed

    localparam ORDER_LOAD = 2'd0;      // order_size pages
    localparam ORDER_CRC  = 2'd1;      // CRC-32 of order_size bytes must be order_value
    localparam ORDER_PUT  = 2'd2;      // order_size bytes of order_value, at most 8
    localparam ORDER_END  = 2'd3;      // compare all with what the program must leave

    reg [63:0] mem  [0:WORDS*PAGES-1];
    reg [51:0] page [0:PAGES-1];
    integer    pages, latency, stall, seed, now;

    task fail(input [64*8-1:0] what, input [63:0] addr);
        begin
            errors = errors + 32'd1;
            if (errors <= SHOWN) $display("%0s: %0s at %h", NAME, what, addr);
        end
    endtask

    function stalls(input unused);
        stalls = $unsigned($random(seed)) % 100 < stall;
    endfunction

    // ------------------------------------------------------------------ bytes
    integer low, high, middle, last_index;
    reg [51:0] last_page;

    // Index in `page` of the page of an address; -1: there is none.
    function integer index_of(input [63:0] addr);
        begin
            if (last_index >= 0 && last_page == addr[63:12]) begin
                index_of = last_index;
            end else begin
                low  = 0;
                high = pages;          // behind the last one that is possible
                while (high - low > 1) begin
                    middle = (low + high) / 2;
                    if (page[middle] <= addr[63:12]) low = middle;
                    else high = middle;
                end
                index_of = pages > 0 && page[low] == addr[63:12] ? low : -1;
                last_index = index_of;
                last_page  = addr[63:12];
            end
        end
    endfunction

    integer    at;
    reg [63:0] word;

    function [7:0] peek(input [63:0] addr);
        begin
            at = index_of(addr);
            word = at < 0 ? 64'd0 : mem[WORDS * at + addr[11:3]];
            peek = word[8*addr[2:0] +: 8];
        end
    endfunction

    task poke(input [63:0] addr, input [7:0] value);
        begin
            at = index_of(addr);
            if (at < 0) begin
                fail("write outside of the program's pages", addr);
            end else begin
                word = mem[WORDS * at + addr[11:3]];
                word[8*addr[2:0] +: 8] = value;
                mem[WORDS * at + addr[11:3]] = word;
            end
        end
    endtask

    // ------------------------------------------------------------------ orders of the player
    reg [256*8-1:0] folder, path;
    integer         file, i, j, got;
    reg [31:0]      crc;
    reg [63:0]      wanted;

    task load;
        begin
            pages = order_size;
            last_index = -1;
            if (pages > PAGES) begin
                fail("more pages than there are, want +define+BENCH_PAGES=N", order_size);
                pages = 0;
            end
            if (pages > 0) begin
                $sformat(path, "%0s/%0s_pages.hex", folder, NAME);
                $readmemh(path, page, 0, pages - 1);
                $sformat(path, "%0s/%0s_before.hex", folder, NAME);
                $readmemh(path, mem, 0, WORDS * pages - 1);
            end
            // A file that is missing or too short leaves X.
            for (i = 0; i < pages; i = i + 1) begin
                if ((^page[i]) === 1'bx) fail("the files have no page of this index", i);
                for (j = WORDS * i; j < WORDS * (i + 1); j = j + 1)
                    if ((^mem[j]) === 1'bx) fail("the files have no such word", 8 * j);
            end
        end
    endtask

    task check_crc;
        begin
            crc = 32'hffffffff;
            for (i = 0; i < order_size; i = i + 1) begin
                crc = crc ^ {24'd0, peek(order_addr + i)};
                for (j = 0; j < 8; j = j + 1) crc = crc[0] ? crc >> 1 ^ 32'hedb88320 : crc >> 1;
            end
            crc = ~crc;
            if (crc !== order_value[31:0]) begin
                fail("CRC of a region differs", order_addr);
                if (errors <= SHOWN) begin
                    $display("    %0d bytes: found %h, want %h", order_size, crc,
                             order_value[31:0]);
                end
            end
        end
    endtask

    // Every byte, those that the program must not touch as well.
    task compare;
        begin
            $sformat(path, "%0s/%0s_after.hex", folder, NAME);
            file = 0;
            if (pages > 0) file = $fopen(path, "r");
            if (pages > 0 && file == 0) fail("no file of what must be here", 64'd0);
            for (i = 0; i < pages && file != 0; i = i + 1) begin
                for (j = 0; j < WORDS && file != 0; j = j + 1) begin
                    got = $fscanf(file, "%h", wanted);
                    if (got != 1) begin
                        fail("what must be here ends before", {page[i], 12'd0} + 8 * j);
                        file = 0;
                    end else if (mem[WORDS * i + j] !== wanted) begin
                        fail("contents differ", {page[i], 12'd0} + 8 * j);
                        if (errors <= SHOWN) begin
                            $display("    8 bytes: found %h, want %h", mem[WORDS * i + j], wanted);
                        end
                    end
                end
            end
        end
    endtask

    always @(go) begin
        if (go === 1'b1) begin
            case (order)
                ORDER_LOAD: load;
                ORDER_CRC:  check_crc;
                ORDER_PUT:  for (i = 0; i < order_size; i = i + 1)
                                poke(order_addr + i, order_value[8*i +: 8]);
                ORDER_END:  compare;
            endcase
        end
        done = go === 1'b1;
    end

    initial begin
        {errors, moved, done} = 65'd0;
        pages = 0;
        now   = 0;
        last_index = -1;
        if (!$value$plusargs("program=%s", folder)) folder = ".";
        if (!$value$plusargs("latency=%d", latency)) latency = 20;
        if (!$value$plusargs("stall=%d", stall)) stall = 20;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
    end

    // ------------------------------------------------------------------ X
    integer lane;
    reg     was_reset;

    initial was_reset = 1'b0;

    always @(negedge clk) begin
        was_reset = was_reset || rst_n === 1'b0;
        if (was_reset && rst_n === 1'b1) begin
            if ((^{awvalid, wvalid, bready, arvalid, rready}) === 1'bx) begin
                fail("X on valid or ready", 64'd0);
            end
            if (awvalid && (^{awid, awlen, awaddr}) === 1'bx) fail("X on a write request", awaddr);
            if (arvalid && (^{arid, arlen, araddr}) === 1'bx) fail("X on a read request", araddr);
            if (wvalid && (^{wstrb, wlast}) === 1'bx) fail("X on a strobe", 64'd0);
            for (lane = 0; lane < LANES; lane = lane + 1) begin
                if (wvalid && wstrb[lane] && (^wdata[8*lane +: 8]) === 1'bx) begin
                    fail("X on write data", 64'd0);
                end
            end
        end
    end

    // ------------------------------------------------------------------ read
    reg [ID_W-1:0] ar_id   [0:QUEUE-1];
    reg [8:0]      ar_left [0:QUEUE-1];    // beats
    reg [63:0]     ar_addr [0:QUEUE-1];
    integer        ar_time [0:QUEUE-1];
    integer        ar_in, ar_out, r;

    always @(posedge clk) begin
        now = now + 1;
        if (rst_n !== 1'b1) begin
            {ar_in, ar_out} = 64'd0;
            arready <= 1'b0;
            rvalid  <= 1'b0;
            {rid, rlast, rdata} <= {(ID_W + 1 + BITS){1'bx}};
        end else begin
            if (arvalid && arready) begin
                ar_id[ar_in % QUEUE]   = arid;
                ar_left[ar_in % QUEUE] = {1'b0, 8'd0 | arlen} + 9'd1;
                ar_addr[ar_in % QUEUE] = araddr / LANES * LANES;
                ar_time[ar_in % QUEUE] = now + latency;
                ar_in = ar_in + 1;
            end
            arready <= ar_in - ar_out < QUEUE && !stalls(1'b0);
            if (!rvalid || rready) begin
                rvalid <= 1'b0;
                {rid, rlast, rdata} <= {(ID_W + 1 + BITS){1'bx}};
                if (ar_in != ar_out && ar_time[ar_out % QUEUE] <= now && !stalls(1'b0)) begin
                    rvalid <= 1'b1;
                    rid    <= ar_id[ar_out % QUEUE];
                    rlast  <= ar_left[ar_out % QUEUE] == 9'd1;
                    for (r = 0; r < LANES; r = r + 1) begin
                        rdata[8*r +: 8] <= peek(ar_addr[ar_out % QUEUE] + r);
                    end
                    moved = moved + 32'd1;
                    ar_addr[ar_out % QUEUE] = ar_addr[ar_out % QUEUE] + LANES;
                    ar_left[ar_out % QUEUE] = ar_left[ar_out % QUEUE] - 9'd1;
                    if (ar_left[ar_out % QUEUE] == 9'd0) ar_out = ar_out + 1;
                end
            end
        end
    end

    // ------------------------------------------------------------------ write
    reg [ID_W-1:0] aw_id   [0:QUEUE-1];
    reg [8:0]      aw_left [0:QUEUE-1];
    reg [63:0]     aw_addr [0:QUEUE-1];
    integer        aw_time [0:QUEUE-1];
    integer        aw_in, aw_data, aw_out, w;   // accepted, has its data, answered

    always @(posedge clk) begin
        if (rst_n !== 1'b1) begin
            {aw_in, aw_data, aw_out} = 96'd0;
            awready <= 1'b0;
            wready  <= 1'b0;
            bvalid  <= 1'b0;
            bid     <= {ID_W{1'bx}};
        end else begin
            if (wvalid && wready) begin
                for (w = 0; w < LANES; w = w + 1) begin
                    if (wstrb[w]) poke(aw_addr[aw_data % QUEUE] + w, wdata[8*w +: 8]);
                end
                moved = moved + 32'd1;
                aw_addr[aw_data % QUEUE] = aw_addr[aw_data % QUEUE] + LANES;
                aw_left[aw_data % QUEUE] = aw_left[aw_data % QUEUE] - 9'd1;
                aw_time[aw_data % QUEUE] = now + latency;
                if (wlast !== (aw_left[aw_data % QUEUE] == 9'd0)) begin
                    fail("WLAST is not that of the length", aw_addr[aw_data % QUEUE]);
                end
                if (wlast) aw_data = aw_data + 1;
            end
            if (awvalid && awready) begin
                aw_id[aw_in % QUEUE]   = awid;
                aw_left[aw_in % QUEUE] = {1'b0, 8'd0 | awlen} + 9'd1;
                aw_addr[aw_in % QUEUE] = awaddr / LANES * LANES;
                aw_in = aw_in + 1;
            end
            awready <= aw_in - aw_out < QUEUE && !stalls(1'b0);
            wready  <= aw_in != aw_data && !stalls(1'b0);
            if (!bvalid || bready) begin
                bvalid <= 1'b0;
                bid    <= {ID_W{1'bx}};
                if (aw_out != aw_data && aw_time[aw_out % QUEUE] <= now) begin
                    bvalid <= 1'b1;
                    bid    <= aw_id[aw_out % QUEUE];
                    aw_out = aw_out + 1;
                end
            end
        end
    end

endmodule

`default_nettype wire
