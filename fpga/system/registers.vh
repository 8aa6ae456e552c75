    wire        acc_valid, acc_ready, acc_done;
    wire [31:0] acc_rdata;
    wire        core_rst_n;
    wire        seg_we;
    wire [3:0]  seg_addr;
    wire [15:0] seg_data;

    board_regs #(
        .DESIGN(32'd${design_id}), .MEMORY_KIB(32'd${memory_kib}), .CLOCK_KHZ(32'd${clock_khz})${kind == "small" ? "," : ""}
        .TIMES(0)  //% if kind == "small"
    ) u_regs (
        .clk(clk), .rst_n(rst_n),
        .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_write(bus_write), .bus_addr(bus_addr),
        .bus_wdata(bus_wdata), .bus_done(bus_done), .bus_rdata(bus_rdata),
        .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_done(acc_done),
        .acc_rdata(acc_rdata), .acc_irq(irq), .acc_rst_n(core_rst_n),
        .seg_we(seg_we), .seg_addr(seg_addr), .seg_data(seg_data)
    );
