// A design behind the masters and the memory of tb/verilog, with the golden model as its scoreboard.
// It plays a program of `macrame simulate --model --verilog`: register writes, waits for interrupts.
//
//   +program=FOLDER  +words=CONFIGURATION (a word in place of blanks: _)  +break: one beat is wrong
`timescale 1ns / 1ps

module scoreboard_tb (
    input logic clk
);

    import macrame_dpi::scoreboard;

    localparam int WORDS = 512;                    // of 8 bytes, in a page
    localparam int PAGES = 64;

    // ------------------------------------------------------------------ the design
    logic         rst_n, intr;
    logic         csb_valid, csb_ready, csb_write, csb_nposted, csb_read_valid, csb_write_complete;
    logic [15:0]  csb_addr;
    logic [31:0]  csb_wdata, csb_read_data;
    logic         awvalid, awready, wvalid, wready, wlast, bvalid, bready;
    logic         arvalid, arready, rvalid, rready, rlast;
    logic [7:0]   awid, bid, arid, rid, wstrb;
    logic [3:0]   awlen, arlen;
    logic [31:0]  awaddr, araddr;
    logic [63:0]  wdata, rdata;

    dla_top u_design (
        .dla_core_clk(clk), .dla_csb_clk(clk), .dla_reset_rstn(rst_n), .direct_reset_(1'b0),
        .test_mode(1'b0), .global_clk_ovr_on(1'b0), .tmc2slcg_disable_clock_gating(1'b0),
        .csb2nvdla_valid(csb_valid), .csb2nvdla_ready(csb_ready), .csb2nvdla_addr(csb_addr),
        .csb2nvdla_wdat(csb_wdata), .csb2nvdla_write(csb_write), .csb2nvdla_nposted(csb_nposted),
        .nvdla2csb_valid(csb_read_valid), .nvdla2csb_data(csb_read_data),
        .nvdla2csb_wr_complete(csb_write_complete),
        .nvdla_core2dbb_aw_awvalid(awvalid), .nvdla_core2dbb_aw_awready(awready),
        .nvdla_core2dbb_aw_awid(awid), .nvdla_core2dbb_aw_awlen(awlen),
        .nvdla_core2dbb_aw_awaddr(awaddr), .nvdla_core2dbb_w_wvalid(wvalid),
        .nvdla_core2dbb_w_wready(wready), .nvdla_core2dbb_w_wdata(wdata),
        .nvdla_core2dbb_w_wstrb(wstrb), .nvdla_core2dbb_w_wlast(wlast),
        .nvdla_core2dbb_b_bvalid(bvalid), .nvdla_core2dbb_b_bready(bready),
        .nvdla_core2dbb_b_bid(bid), .nvdla_core2dbb_ar_arvalid(arvalid),
        .nvdla_core2dbb_ar_arready(arready), .nvdla_core2dbb_ar_arid(arid),
        .nvdla_core2dbb_ar_arlen(arlen), .nvdla_core2dbb_ar_araddr(araddr),
        .nvdla_core2dbb_r_rvalid(rvalid), .nvdla_core2dbb_r_rready(rready),
        .nvdla_core2dbb_r_rid(rid), .nvdla_core2dbb_r_rlast(rlast),
        .nvdla_core2dbb_r_rdata(rdata), .dla_intr(intr),
        .nvdla_pwrbus_ram_c_pd(32'd0), .nvdla_pwrbus_ram_ma_pd(32'd0),
        .nvdla_pwrbus_ram_mb_pd(32'd0), .nvdla_pwrbus_ram_p_pd(32'd0),
        .nvdla_pwrbus_ram_o_pd(32'd0), .nvdla_pwrbus_ram_a_pd(32'd0)
    );

    // ------------------------------------------------------------------ its master and its memory
    logic        reg_valid, reg_write, reg_done, load;
    logic [31:0] reg_addr, reg_wdata, reg_rdata, errors;
    logic [63:0] pages;

    bench_csb u_registers (
        .clk, .rst_n, .req_valid(reg_valid), .req_write(reg_write), .req_addr(reg_addr),
        .req_wdata(reg_wdata), .done(reg_done), .rdata(reg_rdata), .error(),
        .csb_valid, .csb_ready, .csb_addr, .csb_wdata, .csb_write, .csb_nposted, .csb_read_valid,
        .csb_read_data, .csb_write_complete
    );

    bench_memory #(
        .NAME("primary"), .BITS(64), .ID_W(8), .LEN_W(4), .ADDR_W(32), .PAGES(PAGES)
    ) u_memory (
        .clk, .rst_n, .go(load), .order(2'd0), .order_addr(64'd0), .order_size(pages),
        .order_value(64'd0), .done(), .errors, .moved(), .awvalid, .awready, .awid, .awlen,
        .awaddr, .wvalid, .wready, .wdata, .wstrb, .wlast, .bvalid, .bready, .bid, .arvalid,
        .arready, .arid, .arlen, .araddr, .rvalid, .rready, .rid, .rlast, .rdata
    );

    // ------------------------------------------------------------------ what the scoreboard sees
    scoreboard   model;
    string       folder, words;
    logic [51:0] page[PAGES];
    logic [63:0] content[WORDS*PAGES];
    logic [31:0] addresses[$];                     // of bursts, where the next beat goes
    logic        break_beat;                       // the next one is told wrong
    logic        was_intr;

    task load_model();
        $readmemh({folder, "/primary_pages.hex"}, page, 0, int'(pages) - 1);
        $readmemh({folder, "/primary_before.hex"}, content, 0, WORDS * int'(pages) - 1);
        for (int i = 0; i < WORDS * int'(pages); i++) begin
            model.load({page[i/WORDS], 12'd0} + 64'(8 * (i % WORDS)), content[i]);
        end
    endtask

    always @(posedge clk) begin
        if (rst_n) begin
            if (intr && !was_intr) model.interrupt();
            was_intr <= intr;
            if (csb_valid && csb_ready && csb_write) begin
                model.register_write({14'd0, csb_addr, 2'd0}, csb_wdata);
            end
            if (wvalid && wready) begin
                model.memory_write({32'd0, addresses[0]}, wdata ^ {63'd0, break_beat}, wstrb);
                break_beat   = 1'b0;
                addresses[0] = addresses[0] + 32'd8;
                if (wlast) void'(addresses.pop_front());
            end
            if (awvalid && awready) addresses.push_back(awaddr);
        end
    end

    // ------------------------------------------------------------------ the program
    typedef enum {FETCH, WRITE, POLL, IDLE, STATUS, CLEAR, REST} state_t;
    state_t      state;
    string       letter, name;
    logic [63:0] a, b, c, d;
    logic [31:0] status_addr, status;
    int          file, rest, cycles, seen[32];

    task request(input logic write, input logic [63:0] address, input logic [63:0] value,
                 input state_t next);
        reg_valid <= 1'b1;
        reg_write <= write;
        reg_addr  <= address[31:0];
        reg_wdata <= value[31:0];
        state     <= next;
    endtask

    task fetch();
        if ($fscanf(file, "%s %h %h %h %h %s", letter, a, b, c, d, name) != 6) letter = "q";
        load <= 1'b0;
        case (letter)
            "m": begin
                pages = b;
                load <= 1'b1;
                load_model();
            end
            "s": status_addr <= a[31:0];
            "w": request(1'b1, a, b, WRITE);
            "p": request(1'b0, a, 64'd0, POLL);
            "i": state <= IDLE;
            "q": state <= REST;
            default: ;                             // checks: the scoreboard makes them
        endcase
    endtask

    task finish();
        model.compare();
        model.close();
        if (model.differences == 0 && errors == 0) begin
            $display("PASS %0d words, %0d cycles", model.compared, cycles);
        end else begin
            $display("FAIL %0d of %0d words, %0d errors", model.differences, model.compared, errors);
        end
        $finish;
    endtask

    always @(posedge clk) begin
        cycles <= cycles + 1;
        rst_n  <= cycles >= 16;
        if (cycles >= 1000000) $fatal(1, "%s is not done after %0d cycles", name, cycles);
        if (cycles < 32) begin
            // reset
        end else if (reg_done) begin
            reg_valid <= 1'b0;
            case (state)
                WRITE:  state <= FETCH;
                POLL:   if ((reg_rdata & c[31:0]) == b[31:0]) state <= FETCH;
                STATUS: begin
                    status <= reg_rdata;
                    for (int i = 0; i < 32; i++) seen[i] = seen[i] + int'(reg_rdata[i]);
                    state  <= CLEAR;
                end
                CLEAR:  state <= IDLE;
                default: ;
            endcase
        end else if (!reg_valid) begin
            case (state)
                FETCH: fetch();
                POLL:  request(1'b0, a, 64'd0, POLL);
                IDLE:  begin
                    if (intr) request(1'b0, {32'd0, status_addr}, 64'd0, STATUS);
                    else if (seen[a[4:0]] >= int'(b)) state <= FETCH;
                end
                CLEAR: request(1'b1, {32'd0, status_addr}, {32'd0, status}, CLEAR);
                REST:  begin
                    rest <= rest + 1;
                    if (rest == 64) finish();
                end
                default: ;
            endcase
        end
    end

    initial begin
        {cycles, rest} = 64'd0;
        foreach (seen[i]) seen[i] = 0;
        {rst_n, reg_valid, load, was_intr} = 4'd0;
        state = FETCH;
        break_beat = $test$plusargs("break") != 0;
        if (!$value$plusargs("program=%s", folder)) $fatal(1, "want +program=FOLDER");
        if (!$value$plusargs("words=%s", words)) $fatal(1, "want +words=CONFIGURATION");
        file = $fopen({folder, "/program.hex"}, "r");
        if (file == 0) $fatal(1, "%s: no program.hex", folder);
        model = new(words);
    end

endmodule
