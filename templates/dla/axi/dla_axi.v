// System top: the core between bridges to standard buses.
//
//   ${control_bus == "axi4-lite" ? "AXI4-Lite --> axi_lite -->" : control_bus == "apb4" ? "APB4 --> apb ------------>" : "CSB --------------------->"} sysctl --> core (dla_top)
//                                         core <--> ${memory_bus == "native" ? "memory" : bus_clock == "own" ? "axi_mem_cross <--> axi_mem <--> " : "axi_mem <--> "}${memory_bus == "axi3" ? "AXI3" : memory_bus == "axi4" ? "AXI4" : ""}
//
//% if bus_clock == "own"
// Two clocks without any relation: aclk for bus ports, sysctl and the interrupt, core_clk for the
// core. Register accesses and the interrupt cross in the core; for memory, see its ports.
// aresetn is asynchronous and ends in step with each clock: bus ports and core, with all that is on
// its way; memory has to be reset with it or to be idle. SYSCTL.S_RESET resets the core alone, in
// step with its clock: transactions end as the bus wants it. While core_clk stands still accesses
// wait, answers of memory as well, which would block the bus: stop it only while no layer runs and
// STATUS.IDLE of the memory interfaces is 1.
//% else
// One clock. aresetn is asynchronous and ends in step with it: bus ports and core, with all that is
// on its way; memory has to be reset with it or to be idle. SYSCTL.S_RESET resets the core alone:
// transactions end as the bus wants it.
//% end
`default_nettype none

module dla_axi (
    // clock and reset
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF ${busifs}, ASSOCIATED_RESET aresetn" *)
    input  wire         aclk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         aresetn,                // asynchronous
//% if bus_clock == "own"
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 core_clk CLK" *)
    input  wire         core_clk,               // of the core
//% end

//% if control_bus == "csb"
    // register access, aclk
    input  wire         csb2nvdla_valid,
    output wire         csb2nvdla_ready,
    input  wire [15:0]  csb2nvdla_addr, // word address
    input  wire [31:0]  csb2nvdla_wdat,
    input  wire         csb2nvdla_write,
    input  wire         csb2nvdla_nposted, // write wants _wr_complete
    output wire         nvdla2csb_valid, // read data, cannot stall
    output wire [31:0]  nvdla2csb_data,
    output wire         nvdla2csb_wr_complete, // cannot stall
//% end
//% if control_bus == "axi4-lite"
    // register access, aclk
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWVALID" *)
    (* X_INTERFACE_PARAMETER = "PROTOCOL AXI4LITE" *)
    input  wire         s_axi_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWREADY" *)
    output wire         s_axi_awready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWADDR" *)
    input  wire [17:0]  s_axi_awaddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWPROT" *)
    input  wire [2:0]   s_axi_awprot, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WVALID" *)
    input  wire         s_axi_wvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WREADY" *)
    output wire         s_axi_wready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WDATA" *)
    input  wire [31:0]  s_axi_wdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WSTRB" *)
    input  wire [3:0]   s_axi_wstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BVALID" *)
    output wire         s_axi_bvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BREADY" *)
    input  wire         s_axi_bready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BRESP" *)
    output wire [1:0]   s_axi_bresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARVALID" *)
    input  wire         s_axi_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARREADY" *)
    output wire         s_axi_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARADDR" *)
    input  wire [17:0]  s_axi_araddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARPROT" *)
    input  wire [2:0]   s_axi_arprot, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RVALID" *)
    output wire         s_axi_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RREADY" *)
    input  wire         s_axi_rready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RDATA" *)
    output wire [31:0]  s_axi_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RRESP" *)
    output wire [1:0]   s_axi_rresp,
//% end
//% if control_bus == "apb4"
    // register access, aclk
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PSEL" *)
    input  wire         s_apb_psel,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PENABLE" *)
    input  wire         s_apb_penable,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PADDR" *)
    input  wire [17:0]  s_apb_paddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PWRITE" *)
    input  wire         s_apb_pwrite,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PWDATA" *)
    input  wire [31:0]  s_apb_pwdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PSTRB" *)
    input  wire [3:0]   s_apb_pstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PPROT" *)
    input  wire [2:0]   s_apb_pprot, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PREADY" *)
    output wire         s_apb_pready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PRDATA" *)
    output wire [31:0]  s_apb_prdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PSLVERR" *)
    output wire         s_apb_pslverr,
//% end

//% for m in memory_ports
    // ${m.title}, ${m.clock}
//%   for p in m.pins
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 ${m.axi} ${p.signal}" *)  //% if memory_bus != "native"
    (* X_INTERFACE_PARAMETER = "PROTOCOL ${memory_bus == "axi3" ? "AXI3" : "AXI4"}" *)  //% if p.first
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]   ${p.pin},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire         ${p.pin},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//%   end

//% end
    // level, aclk
    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 interrupt INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire         dla_intr
);

    // ------------------------------------------------------------------ reset
    // rst_n resets all; core_rst_n the core but what memory has seen, see SYSCTL.S_RESET.
    wire rst_n;
    wire core_rst_n;

    reset_sync u_reset (.clk(aclk), .arst_n(aresetn), .rst_n(rst_n));
//% if bus_clock == "own"

    // The same in step with core_clk. The answer to sysctl, core_up, has a synchroniser of its own:
    // that it and the core may see core_rst_n a cycle apart does no harm.
    wire stepped_rst_n;
    wire stepped_core_rst_n;
    wire told_core_rst_n;
    wire core_up;

    reset_sync u_stepped_reset (.clk(core_clk), .arst_n(aresetn), .rst_n(stepped_rst_n));
    sync_bit #(.STAGES(2)) u_core_reset (.clk(core_clk), .rst_n(stepped_rst_n), .d(core_rst_n),
                                         .q(stepped_core_rst_n));
    // About 8 cycles behind the core: sysctl waits for core_up before it ends a reset and before it
    // lets accesses in, so both times have that many cycles of core_clk at least.
    sync_bit #(.STAGES(10)) u_told (.clk(core_clk), .rst_n(stepped_rst_n), .d(core_rst_n),
                                    .q(told_core_rst_n));
    sync_bit #(.STAGES(2)) u_core_up (.clk(aclk), .rst_n(rst_n), .d(told_core_rst_n), .q(core_up));
//% end

    // ------------------------------------------------------------------ register access
    wire        ctl_valid;
    wire        ctl_ready;
    wire [15:0] ctl_addr;
    wire [31:0] ctl_wdat;
    wire        ctl_write;
    wire        ctl_nposted;
    wire        ctl_rd_valid;
    wire [31:0] ctl_rd_data;
    wire        ctl_wr_complete;
    wire        core_valid;
    wire        core_ready;
    wire [15:0] core_addr;
    wire [31:0] core_wdat;
    wire        core_write;
    wire        core_nposted;
    wire        core_rd_valid;
    wire [31:0] core_rd_data;
    wire        core_wr_complete;
    wire        core_intr;

//% if control_bus == "csb"
    assign ctl_valid       = csb2nvdla_valid;
    assign csb2nvdla_ready = ctl_ready;
    assign ctl_addr        = csb2nvdla_addr;
    assign ctl_wdat        = csb2nvdla_wdat;
    assign ctl_write       = csb2nvdla_write;
    assign ctl_nposted     = csb2nvdla_nposted;
    assign nvdla2csb_valid = ctl_rd_valid;
    assign nvdla2csb_data  = ctl_rd_data;
    assign nvdla2csb_wr_complete = ctl_wr_complete;
//% else
//%   if control_bus == "axi4-lite"
    dla_axi_lite u_axi_lite (
        .s_axi_awvalid   (s_axi_awvalid),
        .s_axi_awready   (s_axi_awready),
        .s_axi_awaddr    (s_axi_awaddr),
        .s_axi_awprot    (s_axi_awprot),
        .s_axi_wvalid    (s_axi_wvalid),
        .s_axi_wready    (s_axi_wready),
        .s_axi_wdata     (s_axi_wdata),
        .s_axi_wstrb     (s_axi_wstrb),
        .s_axi_bvalid    (s_axi_bvalid),
        .s_axi_bready    (s_axi_bready),
        .s_axi_bresp     (s_axi_bresp),
        .s_axi_arvalid   (s_axi_arvalid),
        .s_axi_arready   (s_axi_arready),
        .s_axi_araddr    (s_axi_araddr),
        .s_axi_arprot    (s_axi_arprot),
        .s_axi_rvalid    (s_axi_rvalid),
        .s_axi_rready    (s_axi_rready),
        .s_axi_rdata     (s_axi_rdata),
        .s_axi_rresp     (s_axi_rresp),
//%   else
    dla_apb u_apb (
        .s_apb_psel      (s_apb_psel),
        .s_apb_penable   (s_apb_penable),
        .s_apb_paddr     (s_apb_paddr),
        .s_apb_pwrite    (s_apb_pwrite),
        .s_apb_pwdata    (s_apb_pwdata),
        .s_apb_pstrb     (s_apb_pstrb),
        .s_apb_pprot     (s_apb_pprot),
        .s_apb_pready    (s_apb_pready),
        .s_apb_prdata    (s_apb_prdata),
        .s_apb_pslverr   (s_apb_pslverr),
//%   end
        .csb_valid       (ctl_valid),
        .csb_ready       (ctl_ready),
        .csb_addr        (ctl_addr),
        .csb_wdat        (ctl_wdat),
        .csb_write       (ctl_write),
        .csb_nposted     (ctl_nposted),
        .csb_rd_valid    (ctl_rd_valid),
        .csb_rd_data     (ctl_rd_data),
        .csb_wr_complete (ctl_wr_complete),
        .clk             (aclk),
        .rst_n           (rst_n)
    );
//% end

//% for m in bridges
    wire [1:0]  ${m.name}_error;
    wire [1:0]  ${m.name}_error_decode;
    wire [7:0]  ${m.name}_error_client;
    wire [${2 * addr_w - 1}:0] ${m.name}_error_addr;

//% end
    dla_sysctl u_sysctl (
        .clk              (aclk),
        .rst_n            (rst_n),
        .ctl_valid        (ctl_valid),
        .ctl_ready        (ctl_ready),
        .ctl_addr         (ctl_addr),
        .ctl_wdat         (ctl_wdat),
        .ctl_write        (ctl_write),
        .ctl_nposted      (ctl_nposted),
        .ctl_rd_valid     (ctl_rd_valid),
        .ctl_rd_data      (ctl_rd_data),
        .ctl_wr_complete  (ctl_wr_complete),
        .core_valid       (core_valid),
        .core_ready       (core_ready),
        .core_addr        (core_addr),
        .core_wdat        (core_wdat),
        .core_write       (core_write),
        .core_nposted     (core_nposted),
        .core_rd_valid    (core_rd_valid),
        .core_rd_data     (core_rd_data),
        .core_wr_complete (core_wr_complete),
        .core_rst_n       (core_rst_n),
        .core_up          (core_up),  //% if bus_clock == "own"
//% if memory_bus != "native"
        .error            (${secondary_memif_enable ? "{sec_error, pri_error}" : "pri_error"}),
        .error_decode     (${secondary_memif_enable ? "{sec_error_decode, pri_error_decode}" : "pri_error_decode"}),
        .error_client     (${secondary_memif_enable ? "{sec_error_client, pri_error_client}" : "pri_error_client"}),
        .error_addr       (${secondary_memif_enable ? "{sec_error_addr, pri_error_addr}" : "pri_error_addr"}),
//% end
        .core_intr        (core_intr),
        .dla_intr         (dla_intr)
    );

//% for m in bridges
    // ------------------------------------------------------------------ ${m.title}
//%   for p in m.core_pins
    wire [${p.bits - 1:1}:0]   ${p.net};  //% if p.bits > 1
    wire         ${p.net};  //% if p.bits == 1
//%   end
//%   if bus_clock == "own"

    // the same behind the crossing, aclk
//%     for p in m.core_pins
    wire [${p.bits - 1:1}:0]   ${m.name}_${p.name};  //% if p.bits > 1
    wire         ${m.name}_${p.name};  //% if p.bits == 1
//%     end

    dla_axi_mem_cross #(.ADDR_W(${addr_w}), .DATA_W(${m.bus_bits})) u_axi_mem_cross_${m.name} (
        .core_clk      (core_clk),
        .core_rst_n    (stepped_rst_n),
        .clk           (aclk),
        .rst_n         (rst_n),
//%     for p in m.core_pins
        .core_${p.name:-8} (${p.net}),
        .bus_${p.name:-8}  (${m.name}_${p.name})${p.last ? "" : ","}
//%     end
    );
//%   end

    dla_axi_mem #(
        .ADDR_W(${addr_w}), .DATA_W(${m.bus_bits}), .BUS_W(${m.axi_bits}), .NOTES(${m.notes})
    ) u_axi_mem_${m.name} (
        .clk           (aclk),
        .rst_n         (rst_n),
//%   for p in m.core_pins
        .core_${p.name:-8} (${m.name}_${p.name}),  //% if bus_clock == "own"
        .core_${p.name:-8} (${p.net}),  //% if bus_clock != "own"
//%   end
//%   for p in m.pins
        .m_axi_${p.name:-8}(${p.pin}),
//%   end
        .error         (${m.name}_error),
        .error_decode  (${m.name}_error_decode),
        .error_client  (${m.name}_error_client),
        .error_addr    (${m.name}_error_addr)
    );

//% end
    // ------------------------------------------------------------------ the core
    // Test mode with direct_reset_ at 0 resets all of the core, what memory has seen included.
    dla_top u_top (
        .dla_core_clk          (${bus_clock == "own" ? "core_clk" : "aclk"}),
        .dla_csb_clk           (aclk),
        .global_clk_ovr_on     (1'b0),
        .tmc2slcg_disable_clock_gating (1'b0),
        .dla_reset_rstn        (${bus_clock == "own" ? "stepped_core_rst_n" : "core_rst_n"}),
        .direct_reset_         (1'b0),
        .test_mode             (!${bus_clock == "own" ? "stepped_rst_n" : "rst_n"}),
        .csb2nvdla_valid       (core_valid),
        .csb2nvdla_ready       (core_ready),
        .csb2nvdla_addr        (core_addr),
        .csb2nvdla_wdat        (core_wdat),
        .csb2nvdla_write       (core_write),
        .csb2nvdla_nposted     (core_nposted),
        .nvdla2csb_valid       (core_rd_valid),
        .nvdla2csb_data        (core_rd_data),
        .nvdla2csb_wr_complete (core_wr_complete),
//% for m in memory_ports
//%   for p in m.core_pins
        .${p.net} (${p.net}),
//%   end
//% end
        .dla_intr              (core_intr),
        .nvdla_pwrbus_ram_c_pd (32'd0),
        .nvdla_pwrbus_ram_ma_pd (32'd0),
        .nvdla_pwrbus_ram_mb_pd (32'd0),
        .nvdla_pwrbus_ram_p_pd (32'd0),
        .nvdla_pwrbus_ram_o_pd (32'd0),
        .nvdla_pwrbus_ram_a_pd (32'd0)
    );

endmodule

`default_nettype wire
