    wire        rst_n;

    reset_sync u_reset (.clk(clk), .arst_n(arst_n), .rst_n(rst_n));

    // ------------------------------------------------------------------ host
    wire        bus_valid, bus_ready, bus_write, bus_done;
    wire [31:0] bus_addr;
    wire [31:0] bus_wdata;
    wire [31:0] bus_rdata;
    wire        h_valid, h_ready, h_write, h_done;
    wire [31:0] h_addr;
    wire [63:0] h_wdata;
    wire [63:0] mem_rdata;
    wire        irq;

//% if kind == "small"
    uart_bridge #(.DIV(DIV), .GAP_W(GAP_W), .MEMORY_W(${clog2(memory_kib) + 10})) u_bridge (
//% else
    uart_bridge #(.DIV(DIV), .GAP_W(GAP_W)) u_bridge (
//% end
        .clk(clk), .rst_n(rst_n), .rx(uart_rx), .tx(uart_tx), .irq(irq),
        .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_write(bus_write), .bus_addr(bus_addr),
        .bus_wdata(bus_wdata), .bus_done(bus_done), .bus_rdata(bus_rdata),
        .mem_valid(h_valid), .mem_ready(h_ready), .mem_write(h_write), .mem_addr(h_addr),
        .mem_wdata(h_wdata), .mem_done(h_done), .mem_rdata(mem_rdata)
    );
