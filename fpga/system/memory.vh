    mem_path u_path (
        .clk(clk), .rst_n(rst_n), .seg_we(seg_we), .seg_addr(seg_addr), .seg_data(seg_data),
        .a_valid(a_valid), .a_ready(a_ready), .a_write(a_write), .a_addr(a_addr),
        .a_wdata(a_wdata), .a_wstrb(a_wstrb), .a_done(a_done),
        .b_valid(h_valid), .b_ready(h_ready), .b_write(h_write), .b_addr(h_addr),
        .b_wdata(h_wdata), .b_done(h_done),
        .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_write(mem_write), .mem_id(mem_id),
        .mem_addr(mem_addr), .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb),
        .mem_done(mem_done), .mem_done_id(mem_done_id)
    );

//% if memory == "sdram"
    sdram_x16 #(.MHZ(${core_mhz}), .INIT_US(INIT_US)) u_memory (
        .clk(clk), .rst_n(rst_n), .in_valid(mem_valid), .in_ready(mem_ready),
        .in_write(mem_write), .in_id(mem_id), .in_addr(mem_addr), .in_wdata(mem_wdata),
        .in_wstrb(mem_wstrb), .out_valid(mem_done), .out_id(mem_done_id), .out_rdata(mem_rdata),
        .sdram_cke(sdram_cke), .sdram_cs_n(sdram_cs_n), .sdram_ras_n(sdram_ras_n),
        .sdram_cas_n(sdram_cas_n), .sdram_we_n(sdram_we_n), .sdram_ba(sdram_ba),
        .sdram_a(sdram_a), .sdram_dqm(sdram_dqm), .sdram_dq_o(sdram_dq_o),
        .sdram_dq_oe(sdram_dq_oe), .sdram_dq_i(sdram_dq_i)
    );
//% else
    mem_ram #(.KIB(${memory_kib})) u_memory (
        .clk(clk), .rst_n(rst_n), .in_valid(mem_valid), .in_ready(mem_ready),
        .in_write(mem_write), .in_id(mem_id), .in_addr(mem_addr), .in_wdata(mem_wdata),
        .in_wstrb(mem_wstrb), .out_valid(mem_done), .out_id(mem_done_id), .out_rdata(mem_rdata)
    );
//% end
