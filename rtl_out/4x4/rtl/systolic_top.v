// Made by macrame 0.1.0 from templates/systolic/top/systolic_top.v
// with address_width=32 cols=4 columns_w=3 ibuf_entry_w=7 input_row_w=32 obuf_entry_w=7
// output_row_w=128 pad_w=8 rows=4 scales=1 sum_w=18 wbuf_entry_w=7 weight_row_w=32

// The systolic machine: all units and the links between them.
//
//   s_axi -> control -> fetch -> resolver -> load  -> IBUF, WBUF, OBUF
//                                            gemm  -> array -> OBUF
//                                            alu   -> OBUF
//                                            store <- OBUF
//
// One clock. rst_n may end at any time; memory has to be reset with it or to be idle.
`default_nettype none

module systolic_top (
    // clock and reset
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 clk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axi:m_axi_fetch:m_axi_load:m_axi_store" *)
    input  wire         clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 rst_n RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         rst_n,                        // active low, asynchronous

    // registers, clk
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWID" *)
    input  wire [3:0]    s_axi_awid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWADDR" *)
    input  wire [31:0]   s_axi_awaddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWLEN" *)
    input  wire [7:0]    s_axi_awlen, // not used: wlast tells
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWSIZE" *)
    input  wire [2:0]    s_axi_awsize, // log2 of the bytes of a beat
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWBURST" *)
    input  wire [1:0]    s_axi_awburst, // 0: FIXED, else as INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWLOCK" *)
    input  wire          s_axi_awlock, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWCACHE" *)
    input  wire [3:0]    s_axi_awcache, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWPROT" *)
    input  wire [2:0]    s_axi_awprot, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWQOS" *)
    input  wire [3:0]    s_axi_awqos, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWVALID" *)
    input  wire          s_axi_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWREADY" *)
    output wire          s_axi_awready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WDATA" *)
    input  wire [127:0]  s_axi_wdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WSTRB" *)
    input  wire [15:0]   s_axi_wstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WLAST" *)
    input  wire          s_axi_wlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WVALID" *)
    input  wire          s_axi_wvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WREADY" *)
    output wire          s_axi_wready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BID" *)
    output wire [3:0]    s_axi_bid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BRESP" *)
    output wire [1:0]    s_axi_bresp, // OKAY
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BVALID" *)
    output wire          s_axi_bvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BREADY" *)
    input  wire          s_axi_bready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARID" *)
    input  wire [3:0]    s_axi_arid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARADDR" *)
    input  wire [31:0]   s_axi_araddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARLEN" *)
    input  wire [7:0]    s_axi_arlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARSIZE" *)
    input  wire [2:0]    s_axi_arsize, // log2 of the bytes of a beat
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARBURST" *)
    input  wire [1:0]    s_axi_arburst, // 0: FIXED, else as INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARLOCK" *)
    input  wire          s_axi_arlock, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARCACHE" *)
    input  wire [3:0]    s_axi_arcache, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARPROT" *)
    input  wire [2:0]    s_axi_arprot, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARQOS" *)
    input  wire [3:0]    s_axi_arqos, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARVALID" *)
    input  wire          s_axi_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARREADY" *)
    output wire          s_axi_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RID" *)
    output wire [3:0]    s_axi_rid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RDATA" *)
    output wire [127:0]  s_axi_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RRESP" *)
    output wire [1:0]    s_axi_rresp, // OKAY
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RLAST" *)
    output wire          s_axi_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RVALID" *)
    output wire          s_axi_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RREADY" *)
    input  wire          s_axi_rready,

    // memory: fetch, clk
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARID" *)
    output wire [3:0]    m_axi_fetch_arid, // constant
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARADDR" *)
    output wire [31:0]   m_axi_fetch_araddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARLEN" *)
    output wire [7:0]    m_axi_fetch_arlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARSIZE" *)
    output wire [2:0]    m_axi_fetch_arsize, // whole bus
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARBURST" *)
    output wire [1:0]    m_axi_fetch_arburst, // INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARLOCK" *)
    output wire          m_axi_fetch_arlock, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARCACHE" *)
    output wire [3:0]    m_axi_fetch_arcache, // normal, bufferable
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARPROT" *)
    output wire [2:0]    m_axi_fetch_arprot, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARQOS" *)
    output wire [3:0]    m_axi_fetch_arqos, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARVALID" *)
    output wire          m_axi_fetch_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch ARREADY" *)
    input  wire          m_axi_fetch_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RID" *)
    input  wire [3:0]    m_axi_fetch_rid, // not used: answers are in order
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RDATA" *)
    input  wire [31:0]   m_axi_fetch_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RRESP" *)
    input  wire [1:0]    m_axi_fetch_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RLAST" *)
    input  wire          m_axi_fetch_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RVALID" *)
    input  wire          m_axi_fetch_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_fetch RREADY" *)
    output wire          m_axi_fetch_rready,

    // memory: load, clk
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARID" *)
    output wire [3:0]    m_axi_load_arid, // constant
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARADDR" *)
    output wire [31:0]   m_axi_load_araddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARLEN" *)
    output wire [7:0]    m_axi_load_arlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARSIZE" *)
    output wire [2:0]    m_axi_load_arsize, // whole bus
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARBURST" *)
    output wire [1:0]    m_axi_load_arburst, // INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARLOCK" *)
    output wire          m_axi_load_arlock, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARCACHE" *)
    output wire [3:0]    m_axi_load_arcache, // normal, bufferable
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARPROT" *)
    output wire [2:0]    m_axi_load_arprot, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARQOS" *)
    output wire [3:0]    m_axi_load_arqos, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARVALID" *)
    output wire          m_axi_load_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load ARREADY" *)
    input  wire          m_axi_load_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RID" *)
    input  wire [3:0]    m_axi_load_rid, // not used: answers are in order
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RDATA" *)
    input  wire [31:0]   m_axi_load_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RRESP" *)
    input  wire [1:0]    m_axi_load_rresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RLAST" *)
    input  wire          m_axi_load_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RVALID" *)
    input  wire          m_axi_load_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_load RREADY" *)
    output wire          m_axi_load_rready,

    // memory: store, clk
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWID" *)
    output wire [3:0]    m_axi_store_awid, // constant
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWADDR" *)
    output wire [31:0]   m_axi_store_awaddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWLEN" *)
    output wire [7:0]    m_axi_store_awlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWSIZE" *)
    output wire [2:0]    m_axi_store_awsize, // whole bus
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWBURST" *)
    output wire [1:0]    m_axi_store_awburst, // INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWLOCK" *)
    output wire          m_axi_store_awlock, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWCACHE" *)
    output wire [3:0]    m_axi_store_awcache, // normal, not bufferable
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWPROT" *)
    output wire [2:0]    m_axi_store_awprot, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWQOS" *)
    output wire [3:0]    m_axi_store_awqos, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWVALID" *)
    output wire          m_axi_store_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store AWREADY" *)
    input  wire          m_axi_store_awready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WDATA" *)
    output wire [31:0]   m_axi_store_wdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WSTRB" *)
    output wire [3:0]    m_axi_store_wstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WLAST" *)
    output wire          m_axi_store_wlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WVALID" *)
    output wire          m_axi_store_wvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store WREADY" *)
    input  wire          m_axi_store_wready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store BID" *)
    input  wire [3:0]    m_axi_store_bid, // not used: answers are in order
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store BRESP" *)
    input  wire [1:0]    m_axi_store_bresp,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store BVALID" *)
    input  wire          m_axi_store_bvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_store BREADY" *)
    output wire          m_axi_store_bready,

    // interrupt, clk
    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire         irq                           // high while an enabled event is set
);

    wire reset_n;

    reset_sync u_reset (.clk (clk), .arst_n (rst_n), .rst_n (reset_n));

    // ---------------------------------------------------------------- links

    // from control
    wire control2fetch_valid;
    wire [31:0] control2fetch_address;
    wire [15:0] control2fetch_count;
    wire control2fetch_run;
    wire control2resolver_run;

    // from fetch
    wire control2fetch_ready;
    wire fetch2control_idle;
    wire fetch2control_error;
    wire [31:0] fetch2control_address;
    wire fetch2resolver_valid;
    wire [127:0] fetch2resolver_word;

    // from resolver
    wire fetch2resolver_ready;
    wire resolver2load_valid;
    wire [119:0] resolver2load_parameters;
    wire resolver2gemm_valid;
    wire [119:0] resolver2gemm_parameters;
    wire resolver2alu_valid;
    wire [119:0] resolver2alu_parameters;
    wire resolver2store_valid;
    wire [119:0] resolver2store_parameters;
    wire resolver2control_idle;
    wire resolver2control_error;
    wire [3:0] resolver2control_running;
    wire [3:0] resolver2control_waiting;
    wire [3:0] resolver2control_ended;

    // from load
    wire load2ibuf_write;
    wire [6:0] load2ibuf_entry;
    wire [3:0] load2ibuf_enable;
    wire [31:0] load2ibuf_data;
    wire load2wbuf_write;
    wire [6:0] load2wbuf_entry;
    wire [3:0] load2wbuf_enable;
    wire [31:0] load2wbuf_data;
    wire load2obuf_valid;
    wire [6:0] load2obuf_entry;
    wire [3:0] load2obuf_enable;
    wire [127:0] load2obuf_data;
    wire load2scale_write;
    wire [3:0] load2scale_entry;
    wire [3:0] load2scale_enable;
    wire [127:0] load2scale_data;
    wire resolver2load_ready;
    wire load2resolver_done;
    wire load2control_error;
    wire [31:0] load2control_address;

    // from gemm
    wire resolver2gemm_ready;
    wire gemm2resolver_done;
    wire gemm2array_weight_read;
    wire [6:0] gemm2array_weight_entry;
    wire gemm2array_step;
    wire gemm2array_swap;
    wire [6:0] gemm2array_input_entry;
    wire gemm2array_padded;
    wire [7:0] gemm2array_pad_value;
    wire gemm2obuf_step;
    wire gemm2obuf_last;
    wire gemm2obuf_preload;
    wire [6:0] gemm2obuf_entry;
    wire [2:0] gemm2obuf_columns;

    // from array
    wire [71:0] array2obuf_sums;

    // from obuf
    wire obuf2gemm_done;
    wire load2obuf_ready;
    wire store2obuf_ready;
    wire obuf2store_valid;
    wire [127:0] obuf2store_data;
    wire alu2obuf_ready;
    wire obuf2alu_valid;
    wire obuf2alu_write;
    wire obuf2alu_last;
    wire [127:0] obuf2alu_data;

    // from alu
    wire resolver2alu_ready;
    wire alu2resolver_done;
    wire alu2obuf_valid;
    wire [6:0] alu2obuf_read_entry;
    wire alu2obuf_write;
    wire [6:0] alu2obuf_write_entry;
    wire alu2obuf_last;
    wire [3:0] alu2obuf_enable;
    wire [127:0] alu2obuf_data;

    // from store
    wire resolver2store_ready;
    wire store2resolver_done;
    wire store2control_error;
    wire [31:0] store2control_address;
    wire store2obuf_valid;
    wire [6:0] store2obuf_entry;

    // ---------------------------------------------------------------- units
    systolic_control u_control (
        .clk (clk), .rst_n (reset_n),
        .s_axi_awid (s_axi_awid),
        .s_axi_awaddr (s_axi_awaddr),
        .s_axi_awlen (s_axi_awlen),
        .s_axi_awsize (s_axi_awsize),
        .s_axi_awburst (s_axi_awburst),
        .s_axi_awlock (s_axi_awlock),
        .s_axi_awcache (s_axi_awcache),
        .s_axi_awprot (s_axi_awprot),
        .s_axi_awqos (s_axi_awqos),
        .s_axi_awvalid (s_axi_awvalid),
        .s_axi_awready (s_axi_awready),
        .s_axi_wdata (s_axi_wdata),
        .s_axi_wstrb (s_axi_wstrb),
        .s_axi_wlast (s_axi_wlast),
        .s_axi_wvalid (s_axi_wvalid),
        .s_axi_wready (s_axi_wready),
        .s_axi_bid (s_axi_bid),
        .s_axi_bresp (s_axi_bresp),
        .s_axi_bvalid (s_axi_bvalid),
        .s_axi_bready (s_axi_bready),
        .s_axi_arid (s_axi_arid),
        .s_axi_araddr (s_axi_araddr),
        .s_axi_arlen (s_axi_arlen),
        .s_axi_arsize (s_axi_arsize),
        .s_axi_arburst (s_axi_arburst),
        .s_axi_arlock (s_axi_arlock),
        .s_axi_arcache (s_axi_arcache),
        .s_axi_arprot (s_axi_arprot),
        .s_axi_arqos (s_axi_arqos),
        .s_axi_arvalid (s_axi_arvalid),
        .s_axi_arready (s_axi_arready),
        .s_axi_rid (s_axi_rid),
        .s_axi_rdata (s_axi_rdata),
        .s_axi_rresp (s_axi_rresp),
        .s_axi_rlast (s_axi_rlast),
        .s_axi_rvalid (s_axi_rvalid),
        .s_axi_rready (s_axi_rready),
        .irq (irq),
        .control2fetch_valid (control2fetch_valid),
        .control2fetch_ready (control2fetch_ready),
        .control2fetch_address (control2fetch_address),
        .control2fetch_count (control2fetch_count),
        .control2fetch_run (control2fetch_run),
        .control2resolver_run (control2resolver_run),
        .fetch2control_idle (fetch2control_idle),
        .fetch2control_error (fetch2control_error),
        .fetch2control_address (fetch2control_address),
        .load2control_error (load2control_error),
        .load2control_address (load2control_address),
        .store2control_error (store2control_error),
        .store2control_address (store2control_address),
        .resolver2control_idle (resolver2control_idle),
        .resolver2control_error (resolver2control_error),
        .resolver2control_running (resolver2control_running),
        .resolver2control_waiting (resolver2control_waiting),
        .resolver2control_ended (resolver2control_ended)
    );

    systolic_fetch u_fetch (
        .clk (clk), .rst_n (reset_n),
        .m_axi_fetch_arid (m_axi_fetch_arid),
        .m_axi_fetch_araddr (m_axi_fetch_araddr),
        .m_axi_fetch_arlen (m_axi_fetch_arlen),
        .m_axi_fetch_arsize (m_axi_fetch_arsize),
        .m_axi_fetch_arburst (m_axi_fetch_arburst),
        .m_axi_fetch_arlock (m_axi_fetch_arlock),
        .m_axi_fetch_arcache (m_axi_fetch_arcache),
        .m_axi_fetch_arprot (m_axi_fetch_arprot),
        .m_axi_fetch_arqos (m_axi_fetch_arqos),
        .m_axi_fetch_arvalid (m_axi_fetch_arvalid),
        .m_axi_fetch_arready (m_axi_fetch_arready),
        .m_axi_fetch_rid (m_axi_fetch_rid),
        .m_axi_fetch_rdata (m_axi_fetch_rdata),
        .m_axi_fetch_rresp (m_axi_fetch_rresp),
        .m_axi_fetch_rlast (m_axi_fetch_rlast),
        .m_axi_fetch_rvalid (m_axi_fetch_rvalid),
        .m_axi_fetch_rready (m_axi_fetch_rready),
        .control2fetch_valid (control2fetch_valid),
        .control2fetch_ready (control2fetch_ready),
        .control2fetch_address (control2fetch_address),
        .control2fetch_count (control2fetch_count),
        .control2fetch_run (control2fetch_run),
        .fetch2control_idle (fetch2control_idle),
        .fetch2control_error (fetch2control_error),
        .fetch2control_address (fetch2control_address),
        .fetch2resolver_valid (fetch2resolver_valid),
        .fetch2resolver_ready (fetch2resolver_ready),
        .fetch2resolver_word (fetch2resolver_word)
    );

    systolic_resolver u_resolver (
        .clk (clk), .rst_n (reset_n),
        .fetch2resolver_valid (fetch2resolver_valid),
        .fetch2resolver_ready (fetch2resolver_ready),
        .fetch2resolver_word (fetch2resolver_word),
        .control2resolver_run (control2resolver_run),
        .resolver2load_valid (resolver2load_valid),
        .resolver2load_ready (resolver2load_ready),
        .resolver2load_parameters (resolver2load_parameters),
        .load2resolver_done (load2resolver_done),
        .resolver2gemm_valid (resolver2gemm_valid),
        .resolver2gemm_ready (resolver2gemm_ready),
        .resolver2gemm_parameters (resolver2gemm_parameters),
        .gemm2resolver_done (gemm2resolver_done),
        .resolver2alu_valid (resolver2alu_valid),
        .resolver2alu_ready (resolver2alu_ready),
        .resolver2alu_parameters (resolver2alu_parameters),
        .alu2resolver_done (alu2resolver_done),
        .resolver2store_valid (resolver2store_valid),
        .resolver2store_ready (resolver2store_ready),
        .resolver2store_parameters (resolver2store_parameters),
        .store2resolver_done (store2resolver_done),
        .resolver2control_idle (resolver2control_idle),
        .resolver2control_error (resolver2control_error),
        .resolver2control_running (resolver2control_running),
        .resolver2control_waiting (resolver2control_waiting),
        .resolver2control_ended (resolver2control_ended)
    );

    systolic_load u_load (
        .clk (clk), .rst_n (reset_n),
        .m_axi_load_arid (m_axi_load_arid),
        .m_axi_load_araddr (m_axi_load_araddr),
        .m_axi_load_arlen (m_axi_load_arlen),
        .m_axi_load_arsize (m_axi_load_arsize),
        .m_axi_load_arburst (m_axi_load_arburst),
        .m_axi_load_arlock (m_axi_load_arlock),
        .m_axi_load_arcache (m_axi_load_arcache),
        .m_axi_load_arprot (m_axi_load_arprot),
        .m_axi_load_arqos (m_axi_load_arqos),
        .m_axi_load_arvalid (m_axi_load_arvalid),
        .m_axi_load_arready (m_axi_load_arready),
        .m_axi_load_rid (m_axi_load_rid),
        .m_axi_load_rdata (m_axi_load_rdata),
        .m_axi_load_rresp (m_axi_load_rresp),
        .m_axi_load_rlast (m_axi_load_rlast),
        .m_axi_load_rvalid (m_axi_load_rvalid),
        .m_axi_load_rready (m_axi_load_rready),
        .load2scale_write (load2scale_write),
        .load2scale_entry (load2scale_entry),
        .load2scale_enable (load2scale_enable),
        .load2scale_data (load2scale_data),
        .load2ibuf_write (load2ibuf_write),
        .load2ibuf_entry (load2ibuf_entry),
        .load2ibuf_enable (load2ibuf_enable),
        .load2ibuf_data (load2ibuf_data),
        .load2wbuf_write (load2wbuf_write),
        .load2wbuf_entry (load2wbuf_entry),
        .load2wbuf_enable (load2wbuf_enable),
        .load2wbuf_data (load2wbuf_data),
        .load2obuf_valid (load2obuf_valid),
        .load2obuf_ready (load2obuf_ready),
        .load2obuf_entry (load2obuf_entry),
        .load2obuf_enable (load2obuf_enable),
        .load2obuf_data (load2obuf_data),
        .resolver2load_valid (resolver2load_valid),
        .resolver2load_ready (resolver2load_ready),
        .resolver2load_parameters (resolver2load_parameters),
        .load2resolver_done (load2resolver_done),
        .load2control_error (load2control_error),
        .load2control_address (load2control_address)
    );

    systolic_gemm u_gemm (
        .clk (clk), .rst_n (reset_n),
        .resolver2gemm_valid (resolver2gemm_valid),
        .resolver2gemm_ready (resolver2gemm_ready),
        .resolver2gemm_parameters (resolver2gemm_parameters),
        .gemm2resolver_done (gemm2resolver_done),
        .gemm2array_weight_read (gemm2array_weight_read),
        .gemm2array_weight_entry (gemm2array_weight_entry),
        .gemm2array_step (gemm2array_step),
        .gemm2array_swap (gemm2array_swap),
        .gemm2array_input_entry (gemm2array_input_entry),
        .gemm2array_padded (gemm2array_padded),
        .gemm2array_pad_value (gemm2array_pad_value),
        .gemm2obuf_step (gemm2obuf_step),
        .gemm2obuf_last (gemm2obuf_last),
        .gemm2obuf_preload (gemm2obuf_preload),
        .gemm2obuf_entry (gemm2obuf_entry),
        .gemm2obuf_columns (gemm2obuf_columns),
        .obuf2gemm_done (obuf2gemm_done)
    );

    systolic_array u_array (
        .clk (clk), .rst_n (reset_n),
        .load2ibuf_write (load2ibuf_write),
        .load2ibuf_entry (load2ibuf_entry),
        .load2ibuf_enable (load2ibuf_enable),
        .load2ibuf_data (load2ibuf_data),
        .load2wbuf_write (load2wbuf_write),
        .load2wbuf_entry (load2wbuf_entry),
        .load2wbuf_enable (load2wbuf_enable),
        .load2wbuf_data (load2wbuf_data),
        .gemm2array_weight_read (gemm2array_weight_read),
        .gemm2array_weight_entry (gemm2array_weight_entry),
        .gemm2array_step (gemm2array_step),
        .gemm2array_swap (gemm2array_swap),
        .gemm2array_input_entry (gemm2array_input_entry),
        .gemm2array_padded (gemm2array_padded),
        .gemm2array_pad_value (gemm2array_pad_value),
        .array2obuf_sums (array2obuf_sums)
    );

    systolic_obuf u_obuf (
        .clk (clk), .rst_n (reset_n),
        .gemm2obuf_step (gemm2obuf_step),
        .gemm2obuf_last (gemm2obuf_last),
        .gemm2obuf_preload (gemm2obuf_preload),
        .gemm2obuf_entry (gemm2obuf_entry),
        .gemm2obuf_columns (gemm2obuf_columns),
        .obuf2gemm_done (obuf2gemm_done),
        .array2obuf_sums (array2obuf_sums),
        .load2obuf_valid (load2obuf_valid),
        .load2obuf_ready (load2obuf_ready),
        .load2obuf_entry (load2obuf_entry),
        .load2obuf_enable (load2obuf_enable),
        .load2obuf_data (load2obuf_data),
        .store2obuf_valid (store2obuf_valid),
        .store2obuf_ready (store2obuf_ready),
        .store2obuf_entry (store2obuf_entry),
        .obuf2store_valid (obuf2store_valid),
        .obuf2store_data (obuf2store_data),
        .alu2obuf_valid (alu2obuf_valid),
        .alu2obuf_ready (alu2obuf_ready),
        .alu2obuf_read_entry (alu2obuf_read_entry),
        .alu2obuf_write (alu2obuf_write),
        .alu2obuf_write_entry (alu2obuf_write_entry),
        .alu2obuf_last (alu2obuf_last),
        .obuf2alu_valid (obuf2alu_valid),
        .obuf2alu_write (obuf2alu_write),
        .obuf2alu_last (obuf2alu_last),
        .obuf2alu_data (obuf2alu_data),
        .alu2obuf_enable (alu2obuf_enable),
        .alu2obuf_data (alu2obuf_data)
    );

    systolic_alu u_alu (
        .clk (clk), .rst_n (reset_n),
        .resolver2alu_valid (resolver2alu_valid),
        .resolver2alu_ready (resolver2alu_ready),
        .resolver2alu_parameters (resolver2alu_parameters),
        .alu2resolver_done (alu2resolver_done),
        .alu2obuf_valid (alu2obuf_valid),
        .alu2obuf_ready (alu2obuf_ready),
        .alu2obuf_read_entry (alu2obuf_read_entry),
        .alu2obuf_write (alu2obuf_write),
        .alu2obuf_write_entry (alu2obuf_write_entry),
        .alu2obuf_last (alu2obuf_last),
        .obuf2alu_valid (obuf2alu_valid),
        .obuf2alu_write (obuf2alu_write),
        .obuf2alu_last (obuf2alu_last),
        .obuf2alu_data (obuf2alu_data),
        .alu2obuf_enable (alu2obuf_enable),
        .alu2obuf_data (alu2obuf_data)
    );

    systolic_store u_store (
        .clk (clk), .rst_n (reset_n),
        .m_axi_store_awid (m_axi_store_awid),
        .m_axi_store_awaddr (m_axi_store_awaddr),
        .m_axi_store_awlen (m_axi_store_awlen),
        .m_axi_store_awsize (m_axi_store_awsize),
        .m_axi_store_awburst (m_axi_store_awburst),
        .m_axi_store_awlock (m_axi_store_awlock),
        .m_axi_store_awcache (m_axi_store_awcache),
        .m_axi_store_awprot (m_axi_store_awprot),
        .m_axi_store_awqos (m_axi_store_awqos),
        .m_axi_store_awvalid (m_axi_store_awvalid),
        .m_axi_store_awready (m_axi_store_awready),
        .m_axi_store_wdata (m_axi_store_wdata),
        .m_axi_store_wstrb (m_axi_store_wstrb),
        .m_axi_store_wlast (m_axi_store_wlast),
        .m_axi_store_wvalid (m_axi_store_wvalid),
        .m_axi_store_wready (m_axi_store_wready),
        .m_axi_store_bid (m_axi_store_bid),
        .m_axi_store_bresp (m_axi_store_bresp),
        .m_axi_store_bvalid (m_axi_store_bvalid),
        .m_axi_store_bready (m_axi_store_bready),
        .load2scale_write (load2scale_write),
        .load2scale_entry (load2scale_entry),
        .load2scale_enable (load2scale_enable),
        .load2scale_data (load2scale_data),
        .resolver2store_valid (resolver2store_valid),
        .resolver2store_ready (resolver2store_ready),
        .resolver2store_parameters (resolver2store_parameters),
        .store2resolver_done (store2resolver_done),
        .store2control_error (store2control_error),
        .store2control_address (store2control_address),
        .store2obuf_valid (store2obuf_valid),
        .store2obuf_ready (store2obuf_ready),
        .store2obuf_entry (store2obuf_entry),
        .obuf2store_valid (obuf2store_valid),
        .obuf2store_data (obuf2store_data)
    );

endmodule

`default_nettype wire
