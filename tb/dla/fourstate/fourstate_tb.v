// Plays listings of program_listing.cpp on dla_top in a simulator with four states. No output may
// be X in any cycle behind the reset (a payload while it is valid), every register must read as the
// golden model's, and the memories must end as the golden model left them.
//   +program=FOLDER   +csb_half=N half a period of the register clock; that of the core is 5
// Prints PASSED or FAILED and the number of core cycles.
`timescale 1ns / 1ps
`default_nettype none
`include "fourstate_sizes.vh"

module fourstate_tb;

    localparam GLB_INTR_MASK   = 32'h1004;
    localparam GLB_INTR_STATUS = 32'h100c;
    localparam MOST_CYCLES     = 400000;

    // ------------------------------------------------------------------ clocks, reset
    reg     clk = 1'b0, csb_clk = 1'b0, rst_n = 1'b0, watch = 1'b0;
    integer csb_half = 5, cycles = 0, errors = 0;

    always #5 clk = ~clk;
    always #(csb_half) csb_clk = ~csb_clk;

    always @(posedge clk) begin
        cycles = cycles + 1;
        if (cycles == MOST_CYCLES) begin
            $display("    no end after %0d cycles", cycles);
            finish_with(1);
        end
    end

    task fail(input [64*8-1:0] what, input [31:0] addr);
        begin
            errors = errors + 1;
            if (errors <= 10) $display("    cycle %0d: %0s, register %h", cycles, what, addr);
        end
    endtask

    task finish_with(input integer more);
        begin
            errors = errors + more + u_primary.errors;
`ifdef SECOND_BITS
            errors = errors + u_secondary.errors;
`endif
            $display("%0s %0d cycles", errors == 0 ? "PASSED" : "FAILED", cycles);
            $finish;
        end
    endtask

    // ------------------------------------------------------------------ the design
    reg         csb_valid = 1'b0, csb_write = 1'bx;
    reg  [15:0] csb_addr = 16'hx;
    reg  [31:0] csb_wdata = 32'hx;
    wire        csb_ready, csb_read_valid, csb_write_complete, intr;
    wire [31:0] csb_read_data;
    reg  [63:0] base = 64'd0;
    reg  [31:0] size = 32'd0;

`define PORT_WIRES(P, BITS)                                                                       \
    wire P``_awvalid, P``_awready, P``_wvalid, P``_wready, P``_wlast, P``_bvalid, P``_bready;     \
    wire P``_arvalid, P``_arready, P``_rvalid, P``_rready, P``_rlast;                             \
    wire [7:0] P``_awid, P``_bid, P``_arid, P``_rid;                                              \
    wire [3:0] P``_awlen, P``_arlen;                                                              \
    wire [`ADDR_W-1:0] P``_awaddr, P``_araddr;                                                    \
    wire [BITS-1:0] P``_wdata, P``_rdata;                                                         \
    wire [BITS/8-1:0] P``_wstrb;

`define PORT_PINS(P)                                                                              \
    .nvdla_core2``P``_aw_awvalid(P``_awvalid), .nvdla_core2``P``_aw_awready(P``_awready),         \
    .nvdla_core2``P``_aw_awid(P``_awid), .nvdla_core2``P``_aw_awlen(P``_awlen),                   \
    .nvdla_core2``P``_aw_awaddr(P``_awaddr), .nvdla_core2``P``_w_wvalid(P``_wvalid),              \
    .nvdla_core2``P``_w_wready(P``_wready), .nvdla_core2``P``_w_wdata(P``_wdata),                 \
    .nvdla_core2``P``_w_wstrb(P``_wstrb), .nvdla_core2``P``_w_wlast(P``_wlast),                   \
    .nvdla_core2``P``_b_bvalid(P``_bvalid), .nvdla_core2``P``_b_bready(P``_bready),               \
    .nvdla_core2``P``_b_bid(P``_bid), .nvdla_core2``P``_ar_arvalid(P``_arvalid),                  \
    .nvdla_core2``P``_ar_arready(P``_arready), .nvdla_core2``P``_ar_arid(P``_arid),               \
    .nvdla_core2``P``_ar_arlen(P``_arlen), .nvdla_core2``P``_ar_araddr(P``_araddr),               \
    .nvdla_core2``P``_r_rvalid(P``_rvalid), .nvdla_core2``P``_r_rready(P``_rready),               \
    .nvdla_core2``P``_r_rid(P``_rid), .nvdla_core2``P``_r_rlast(P``_rlast),                       \
    .nvdla_core2``P``_r_rdata(P``_rdata)

`define MEMORY_PINS(P)                                                                            \
    .clk(clk), .rst_n(rst_n), .watch(watch), .base(base), .size(size),                            \
    .awvalid(P``_awvalid), .awready(P``_awready), .awid(P``_awid), .awlen(P``_awlen),             \
    .awaddr(P``_awaddr), .wvalid(P``_wvalid), .wready(P``_wready), .wdata(P``_wdata),             \
    .wstrb(P``_wstrb), .wlast(P``_wlast), .bvalid(P``_bvalid), .bready(P``_bready),               \
    .bid(P``_bid), .arvalid(P``_arvalid), .arready(P``_arready), .arid(P``_arid),                 \
    .arlen(P``_arlen), .araddr(P``_araddr), .rvalid(P``_rvalid), .rready(P``_rready),             \
    .rid(P``_rid), .rlast(P``_rlast), .rdata(P``_rdata)

    `PORT_WIRES(dbb, `BUS_BITS)

    fourstate_memory #(.NAME("primary"), .BITS(`BUS_BITS), .ADDR_W(`ADDR_W), .BYTES(`MEMORY_BYTES))
        u_primary (`MEMORY_PINS(dbb));

`ifdef SECOND_BITS
    `PORT_WIRES(cvsram, `SECOND_BITS)

    fourstate_memory #(.NAME("secondary"), .BITS(`SECOND_BITS), .ADDR_W(`ADDR_W),
                       .BYTES(`MEMORY_BYTES), .LATENCY(5))
        u_secondary (`MEMORY_PINS(cvsram));
`endif

    dla_top u_dut (
        .dla_core_clk(clk), .dla_csb_clk(csb_clk), .global_clk_ovr_on(1'b0),
        .tmc2slcg_disable_clock_gating(1'b0), .dla_reset_rstn(rst_n), .direct_reset_(1'b1),
        .test_mode(1'b0), .csb2nvdla_valid(csb_valid), .csb2nvdla_ready(csb_ready),
        .csb2nvdla_addr(csb_addr), .csb2nvdla_wdat(csb_wdata), .csb2nvdla_write(csb_write),
        .csb2nvdla_nposted(1'b0), .nvdla2csb_valid(csb_read_valid),
        .nvdla2csb_data(csb_read_data), .nvdla2csb_wr_complete(csb_write_complete),
        `PORT_PINS(dbb),
`ifdef SECOND_BITS
        `PORT_PINS(cvsram),
`endif
        .dla_intr(intr), .nvdla_pwrbus_ram_c_pd(32'd0), .nvdla_pwrbus_ram_ma_pd(32'd0),
        .nvdla_pwrbus_ram_mb_pd(32'd0), .nvdla_pwrbus_ram_p_pd(32'd0),
        .nvdla_pwrbus_ram_o_pd(32'd0), .nvdla_pwrbus_ram_a_pd(32'd0)
    );

    always @(negedge csb_clk) begin
        if (watch) begin
            if ((^{csb_ready, csb_read_valid, csb_write_complete, intr}) === 1'bx) begin
                fail("X on the register port or the interrupt", {14'd0, csb_addr, 2'd0});
            end
        end
    end

    // ------------------------------------------------------------------ register accesses
    reg [31:0] data;                                // of the last read

    task request(input [31:0] addr, input [31:0] value, input write);
        begin
            csb_valid <= 1'b1;
            csb_write <= write;
            csb_addr  <= addr[17:2];
            csb_wdata <= write ? value : 32'hx;
            @(posedge csb_clk);
            while (csb_ready !== 1'b1) @(posedge csb_clk);
            csb_valid <= 1'b0;
            csb_write <= 1'bx;
            csb_addr  <= 16'hx;
            csb_wdata <= 32'hx;
        end
    endtask

    task read(input [31:0] addr);
        begin
            request(addr, 32'hx, 1'b0);
            @(posedge csb_clk);
            while (csb_read_valid !== 1'b1) @(posedge csb_clk);
            data = csb_read_data;
            if ((^data) === 1'bx) fail("X in a register", addr);
        end
    endtask

    integer    seen [0:31];                         // interrupts so far, per bit
    reg [31:0] status;
    integer    bit_number;

    task service;
        begin
            read(GLB_INTR_STATUS);
            status = data;
            read(GLB_INTR_MASK);
            status = status & ~data;
            for (bit_number = 0; bit_number < 32; bit_number = bit_number + 1) begin
                if (status[bit_number]) seen[bit_number] = seen[bit_number] + 1;
            end
            if (status != 32'd0) request(GLB_INTR_STATUS, status, 1'b1);
            // The pin follows the register a few cycles later.
            repeat (12) @(posedge csb_clk);
        end
    endtask

    task wait_or_service;
        begin
            if (intr === 1'b1) service;
            else @(posedge csb_clk);
        end
    endtask

    task execute(input [7:0] letter, input [63:0] addr, input [31:0] value, input [31:0] mask);
        begin
            while (intr === 1'b1) service;
            case (letter)
                "m": begin
                    base = addr;
                    size = value;
                end
                "w": request(addr[31:0], value, 1'b1);
                "r": begin
                    read(addr[31:0]);
                    if ((data & mask) !== (value & mask)) begin
                        fail("register differs", addr[31:0]);
                        $display("    found %h, want %h", data, value);
                    end
                end
                "p": begin
                    read(addr[31:0]);
                    while ((data & mask) !== (value & mask)) begin
                        wait_or_service;
                        read(addr[31:0]);
                    end
                end
                "i": while (seen[addr[4:0]] < value) wait_or_service;
                default: fail("a line of the listing is not understood", addr[31:0]);
            endcase
        end
    endtask

    // ------------------------------------------------------------------ the program
    reg [128*8-1:0] folder;
    reg [7:0]       letter;
    reg [63:0]      addr;
    reg [31:0]      value, mask;
    integer         file, i;

    task load;
        begin
            $readmemh({folder, "/primary.hex"}, u_primary.mem, 0, size - 1);
            $readmemh({folder, "/primary_want.hex"}, u_primary.want, 0, size - 1);
`ifdef SECOND_BITS
            $readmemh({folder, "/secondary.hex"}, u_secondary.mem, 0, size - 1);
            $readmemh({folder, "/secondary_want.hex"}, u_secondary.want, 0, size - 1);
`endif
        end
    endtask

    initial begin
        for (i = 0; i < 32; i = i + 1) seen[i] = 0;
        if (!$value$plusargs("program=%s", folder)) folder = ".";
        if (!$value$plusargs("csb_half=%d", csb_half)) csb_half = 5;
        file = $fopen({folder, "/listing.txt"}, "r");
        repeat (8) @(posedge csb_clk);
        rst_n <= 1'b1;
        @(posedge csb_clk);
        watch = 1'b1;
        repeat (12) @(posedge csb_clk);
        while ($fscanf(file, "%c %h %h %h\n", letter, addr, value, mask) == 4) begin
            execute(letter, addr, value, mask);
            if (letter == "m") load;
        end
        repeat (40) @(posedge csb_clk);
        u_primary.compare;
`ifdef SECOND_BITS
        u_secondary.compare;
`endif
        finish_with(cycles < 100 ? 1 : 0);          // nothing was read
    end

endmodule

`default_nettype wire
