// Made by macrame 0.1.0 from templates/tcu/top/tcu_top.v
// with axi_data_width=64 control_port=0 sample_block_size=0 status_port=0 validate_instructions=0

// The tensor compute unit: all units and the links between them.
//
//   instructions --> fetch --> decode --> load, store <--> memory banks
//                                     --> issue --> weights, feed --> array
//                                               --> acc
//   local: local memory, between all of them       control: bus errors, registers, soft reset
//
// One clock. reset is active low, asynchronous, and ends in step with the clock; memory has to be
// reset with it or to be idle.
`default_nettype none

module tcu_top (
    // clock and reset
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 clock CLK" *)
    (* X_INTERFACE_PARAMETER =
       "ASSOCIATED_BUSIF instruction:m_axi_dram0:m_axi_dram1" *)
    input  wire         clock,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 reset RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         reset,                        // active low

    // instructions back to back, clock
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TDATA" *)
    input  wire [63:0] instruction_tdata, // first byte in bits 7:0
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TVALID" *)
    input  wire         instruction_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TREADY" *)
    output wire         instruction_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TLAST" *)
    input  wire         instruction_tlast,            // not used

    // memory bank dram0, clock
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWID" *)
    output wire [5:0]     m_axi_dram0_awid, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWADDR" *)
    output wire [31:0]    m_axi_dram0_awaddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWLEN" *)
    output wire [7:0]     m_axi_dram0_awlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWSIZE" *)
    output wire [2:0]     m_axi_dram0_awsize, // whole bus
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWBURST" *)
    output wire [1:0]     m_axi_dram0_awburst, // INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWLOCK" *)
    output wire           m_axi_dram0_awlock, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWCACHE" *)
    output wire [3:0]     m_axi_dram0_awcache, // configuration register
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWPROT" *)
    output wire [2:0]     m_axi_dram0_awprot, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWQOS" *)
    output wire [3:0]     m_axi_dram0_awqos, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWVALID" *)
    output wire           m_axi_dram0_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 AWREADY" *)
    input  wire           m_axi_dram0_awready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 WID" *)
    output wire [5:0]     m_axi_dram0_wid, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 WDATA" *)
    output wire [63:0]    m_axi_dram0_wdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 WSTRB" *)
    output wire [7:0]     m_axi_dram0_wstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 WLAST" *)
    output wire           m_axi_dram0_wlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 WVALID" *)
    output wire           m_axi_dram0_wvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 WREADY" *)
    input  wire           m_axi_dram0_wready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 BID" *)
    input  wire [5:0]     m_axi_dram0_bid, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 BRESP" *)
    input  wire [1:0]     m_axi_dram0_bresp, // errors are recorded
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 BVALID" *)
    input  wire           m_axi_dram0_bvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 BREADY" *)
    output wire           m_axi_dram0_bready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARID" *)
    output wire [5:0]     m_axi_dram0_arid, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARADDR" *)
    output wire [31:0]    m_axi_dram0_araddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARLEN" *)
    output wire [7:0]     m_axi_dram0_arlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARSIZE" *)
    output wire [2:0]     m_axi_dram0_arsize, // whole bus
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARBURST" *)
    output wire [1:0]     m_axi_dram0_arburst, // INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARLOCK" *)
    output wire           m_axi_dram0_arlock, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARCACHE" *)
    output wire [3:0]     m_axi_dram0_arcache, // configuration register
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARPROT" *)
    output wire [2:0]     m_axi_dram0_arprot, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARQOS" *)
    output wire [3:0]     m_axi_dram0_arqos, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARVALID" *)
    output wire           m_axi_dram0_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 ARREADY" *)
    input  wire           m_axi_dram0_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 RID" *)
    input  wire [5:0]     m_axi_dram0_rid, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 RDATA" *)
    input  wire [63:0]    m_axi_dram0_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 RRESP" *)
    input  wire [1:0]     m_axi_dram0_rresp, // errors are recorded
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 RLAST" *)
    input  wire           m_axi_dram0_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 RVALID" *)
    input  wire           m_axi_dram0_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram0 RREADY" *)
    output wire           m_axi_dram0_rready,

    // memory bank dram1, clock
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWID" *)
    output wire [5:0]     m_axi_dram1_awid, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWADDR" *)
    output wire [31:0]    m_axi_dram1_awaddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWLEN" *)
    output wire [7:0]     m_axi_dram1_awlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWSIZE" *)
    output wire [2:0]     m_axi_dram1_awsize, // whole bus
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWBURST" *)
    output wire [1:0]     m_axi_dram1_awburst, // INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWLOCK" *)
    output wire           m_axi_dram1_awlock, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWCACHE" *)
    output wire [3:0]     m_axi_dram1_awcache, // configuration register
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWPROT" *)
    output wire [2:0]     m_axi_dram1_awprot, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWQOS" *)
    output wire [3:0]     m_axi_dram1_awqos, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWVALID" *)
    output wire           m_axi_dram1_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 AWREADY" *)
    input  wire           m_axi_dram1_awready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 WID" *)
    output wire [5:0]     m_axi_dram1_wid, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 WDATA" *)
    output wire [63:0]    m_axi_dram1_wdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 WSTRB" *)
    output wire [7:0]     m_axi_dram1_wstrb,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 WLAST" *)
    output wire           m_axi_dram1_wlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 WVALID" *)
    output wire           m_axi_dram1_wvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 WREADY" *)
    input  wire           m_axi_dram1_wready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 BID" *)
    input  wire [5:0]     m_axi_dram1_bid, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 BRESP" *)
    input  wire [1:0]     m_axi_dram1_bresp, // errors are recorded
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 BVALID" *)
    input  wire           m_axi_dram1_bvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 BREADY" *)
    output wire           m_axi_dram1_bready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARID" *)
    output wire [5:0]     m_axi_dram1_arid, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARADDR" *)
    output wire [31:0]    m_axi_dram1_araddr, // bytes
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARLEN" *)
    output wire [7:0]     m_axi_dram1_arlen, // beats - 1
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARSIZE" *)
    output wire [2:0]     m_axi_dram1_arsize, // whole bus
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARBURST" *)
    output wire [1:0]     m_axi_dram1_arburst, // INCR
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARLOCK" *)
    output wire           m_axi_dram1_arlock, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARCACHE" *)
    output wire [3:0]     m_axi_dram1_arcache, // configuration register
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARPROT" *)
    output wire [2:0]     m_axi_dram1_arprot, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARQOS" *)
    output wire [3:0]     m_axi_dram1_arqos, // 0
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARVALID" *)
    output wire           m_axi_dram1_arvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 ARREADY" *)
    input  wire           m_axi_dram1_arready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 RID" *)
    input  wire [5:0]     m_axi_dram1_rid, // not used
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 RDATA" *)
    input  wire [63:0]    m_axi_dram1_rdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 RRESP" *)
    input  wire [1:0]     m_axi_dram1_rresp, // errors are recorded
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 RLAST" *)
    input  wire           m_axi_dram1_rlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 RVALID" *)
    input  wire           m_axi_dram1_rvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi_dram1 RREADY" *)
    output wire           m_axi_dram1_rready,

    // state, clock
    output wire [31:0]  program_counter,              // of the next instruction
    output wire         idle,                         // nothing is under way
    output wire         timeout,                      // an instruction waits for too long
    output wire         tracepoint,                   // the program counter is the tracepoint
    output wire         bus_error,                    // memory answered with an error
    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire         irq                           // one of these flags was up
);

    wire pins_rst_n;
    wire rst_n;                       // of all but control

    reset_sync u_reset (.clk (clock), .arst_n (reset), .rst_n (pins_rst_n));

    // ---------------------------------------------------------------- links
    // from fetch
    wire fetch2decode_valid;
    wire [63:0] fetch2decode_data;
    wire fetch_busy;
    wire fetch_ready;

    // from control
    wire control2all_stop;

    // from decode
    wire fetch2decode_ready;
    wire decode2load_valid;
    wire decode2load_bank;
    wire [14:0] decode2load_addr;
    wire [2:0] decode2load_stride;
    wire [11:0] decode2load_count;
    wire [11:0] decode2load_local;
    wire [2:0] decode2load_local_stride;
    wire [15:0] decode2load_need_moved;
    wire [15:0] decode2load_need_read;
    wire [15:0] decode2load_need_feed;
    wire [15:0] decode2load_need_weights;
    wire [15:0] decode2load_need_acked;
    wire decode2store_valid;
    wire decode2store_bank;
    wire [14:0] decode2store_addr;
    wire [2:0] decode2store_stride;
    wire [11:0] decode2store_count;
    wire [11:0] decode2store_local;
    wire [2:0] decode2store_local_stride;
    wire [15:0] decode2store_need_load;
    wire [15:0] decode2store_need_moved;
    wire [15:0] decode2store_need_loaded_dram;
    wire decode2issue_valid;
    wire [2:0] decode2issue_kind;
    wire decode2issue_zero;
    wire decode2issue_accumulate;
    wire decode2issue_swap;
    wire [11:0] decode2issue_local;
    wire [2:0] decode2issue_local_stride;
    wire [11:0] decode2issue_acc;
    wire [2:0] decode2issue_acc_stride;
    wire [11:0] decode2issue_count;
    wire [11:0] decode2issue_simd_write;
    wire [3:0] decode2issue_simd_op;
    wire [0:0] decode2issue_simd_left;
    wire [0:0] decode2issue_simd_right;
    wire [0:0] decode2issue_simd_dest;
    wire decode2issue_simd_read;
    wire decode2issue_simd_write_en;
    wire [15:0] decode2issue_need_load;
    wire [15:0] decode2issue_need_b;
    wire [15:0] decode2issue_need_feed;
    wire [15:0] decode2issue_need_weights;
    wire [31:0] decode2all_offset0;
    wire [31:0] decode2all_offset1;
    wire [3:0] decode2all_cache0;
    wire [3:0] decode2all_cache1;
    wire [15:0] sample_interval;
    wire timeout_flag;
    wire tracepoint_flag;
    wire decode_busy;

    // from issue
    wire issue_busy;
    wire decode2issue_ready;
    wire issue2weights_valid;
    wire issue2weights_zero;
    wire [11:0] issue2weights_local;
    wire [2:0] issue2weights_local_stride;
    wire [11:0] issue2weights_count;
    wire [15:0] issue2weights_need_load;
    wire [15:0] issue2weights_need_moved;
    wire [14:0] issue2weights_swap_number;
    wire issue2feed_valid;
    wire issue2feed_matmul;
    wire issue2feed_zero;
    wire issue2feed_swap;
    wire [11:0] issue2feed_local;
    wire [2:0] issue2feed_local_stride;
    wire [11:0] issue2feed_count;
    wire [15:0] issue2feed_need_load;
    wire [15:0] issue2feed_need_moved;
    wire [15:0] issue2feed_need_weights;
    wire issue2acc_valid;
    wire [2:0] issue2acc_kind;
    wire issue2acc_accumulate;
    wire [11:0] issue2acc_local;
    wire [2:0] issue2acc_local_stride;
    wire [11:0] issue2acc_acc;
    wire [2:0] issue2acc_acc_stride;
    wire [11:0] issue2acc_count;
    wire [11:0] issue2acc_simd_write;
    wire [3:0] issue2acc_simd_op;
    wire [0:0] issue2acc_simd_left;
    wire [0:0] issue2acc_simd_right;
    wire [0:0] issue2acc_simd_dest;
    wire issue2acc_simd_read;
    wire issue2acc_simd_write_en;
    wire [15:0] issue2acc_need_load;
    wire [15:0] issue2acc_need_read;
    wire [15:0] issue2acc_need_feed;
    wire [15:0] issue2acc_need_weights;

    // from load
    wire decode2load_ready;
    wire [14:0] load2all_done;
    wire load2local_write;
    wire [11:0] load2local_addr;
    wire [63:0] load2local_data;
    wire load_busy;
    wire load2control_quiet;
    wire load2control_fault0;
    wire load2control_decode0;
    wire [31:0] load2control_addr0;
    wire load2control_fault1;
    wire load2control_decode1;
    wire [31:0] load2control_addr1;

    // from store
    wire decode2store_ready;
    wire [14:0] store2all_read;
    wire [14:0] store2all_acked;
    wire store2local_read;
    wire [11:0] store2local_addr;
    wire store_busy;
    wire store2control_quiet;
    wire store2control_fault;
    wire store2control_bank;
    wire store2control_decode;
    wire [31:0] store2control_addr;

    // from local
    wire local2feed_grant;
    wire local2feed_valid;
    wire [63:0] local2feed_data;
    wire local2weights_grant;
    wire local2weights_valid;
    wire [63:0] local2weights_data;
    wire local2store_grant;
    wire local2store_valid;
    wire [63:0] local2store_data;
    wire local2load_wgrant;
    wire local2acc_wgrant;


    // from weights
    wire weights_busy;
    wire issue2weights_ready;
    wire [14:0] weights2all_done;
    wire weights2local_read;
    wire [11:0] weights2local_addr;
    wire weights2array_shift;
    wire [63:0] weights2array_row;

    // from feed
    wire feed_busy;
    wire issue2feed_ready;
    wire [14:0] feed2all_done;
    wire [14:0] feed2weights_swaps;
    wire feed2local_read;
    wire [11:0] feed2local_addr;
    wire feed2array_valid;
    wire feed2array_swap;
    wire [63:0] feed2array_x;
    wire feed2acc_valid;
    wire [63:0] feed2acc_data;


    // from array
    wire array2acc_valid;
    wire [63:0] array2acc_y;


    // from acc
    wire acc_busy;
    wire issue2acc_ready;
    wire [14:0] acc2all_moved /*verilator public_flat_rd*/;
    wire acc2feed_taken;
    wire acc2feed_moved;
    wire acc2local_write;
    wire [11:0] acc2local_addr;
    wire [63:0] acc2local_data;

    tcu_control u_control (
        .clk(clock), .rst_n(pins_rst_n),
        .load2control_fault0(load2control_fault0),
        .load2control_decode0(load2control_decode0),
        .load2control_addr0(load2control_addr0),
        .load2control_fault1(load2control_fault1),
        .load2control_decode1(load2control_decode1),
        .load2control_addr1(load2control_addr1),
        .store2control_fault(store2control_fault), .store2control_bank(store2control_bank),
        .store2control_decode(store2control_decode), .store2control_addr(store2control_addr),
        .load2control_quiet(load2control_quiet), .store2control_quiet(store2control_quiet),
        .control2all_stop(control2all_stop), .core_rst_n(rst_n),
        .bus_error(bus_error)
    );

    assign instruction_tready = fetch_ready;

    tcu_fetch u_fetch (
        .clk(clock), .rst_n(rst_n), .control2all_stop(control2all_stop),
        .instruction_tdata(instruction_tdata),
        .instruction_tvalid(instruction_tvalid), .instruction_tready(fetch_ready),
        .fetch2decode_valid(fetch2decode_valid), .fetch2decode_ready(fetch2decode_ready),
        .fetch2decode_data(fetch2decode_data), .fetch_busy(fetch_busy)
    );

    tcu_decode u_decode (
        .clk(clock), .rst_n(rst_n),
        .fetch2decode_valid(fetch2decode_valid), .fetch2decode_ready(fetch2decode_ready),
        .fetch2decode_data(fetch2decode_data), .decode2load_valid(decode2load_valid),
        .decode2load_ready(decode2load_ready), .decode2load_bank(decode2load_bank),
        .decode2load_addr(decode2load_addr), .decode2load_stride(decode2load_stride),
        .decode2load_count(decode2load_count), .decode2load_local(decode2load_local),
        .decode2load_local_stride(decode2load_local_stride),
        .decode2load_need_moved(decode2load_need_moved),
        .decode2load_need_read(decode2load_need_read),
        .decode2load_need_feed(decode2load_need_feed),
        .decode2load_need_weights(decode2load_need_weights),
        .decode2load_need_acked(decode2load_need_acked), .decode2store_valid(decode2store_valid),
        .decode2store_ready(decode2store_ready), .decode2store_bank(decode2store_bank),
        .decode2store_addr(decode2store_addr), .decode2store_stride(decode2store_stride),
        .decode2store_count(decode2store_count), .decode2store_local(decode2store_local),
        .decode2store_local_stride(decode2store_local_stride),
        .decode2store_need_load(decode2store_need_load),
        .decode2store_need_moved(decode2store_need_moved),
        .decode2store_need_loaded_dram(decode2store_need_loaded_dram),
        .decode2issue_valid(decode2issue_valid), .decode2issue_ready(decode2issue_ready),
        .decode2issue_kind(decode2issue_kind), .decode2issue_zero(decode2issue_zero),
        .decode2issue_accumulate(decode2issue_accumulate), .decode2issue_swap(decode2issue_swap),
        .decode2issue_local(decode2issue_local),
        .decode2issue_local_stride(decode2issue_local_stride),
        .decode2issue_acc(decode2issue_acc), .decode2issue_acc_stride(decode2issue_acc_stride),
        .decode2issue_count(decode2issue_count),
        .decode2issue_simd_write(decode2issue_simd_write),
        .decode2issue_simd_op(decode2issue_simd_op),
        .decode2issue_simd_left(decode2issue_simd_left),
        .decode2issue_simd_right(decode2issue_simd_right),
        .decode2issue_simd_dest(decode2issue_simd_dest),
        .decode2issue_simd_read(decode2issue_simd_read),
        .decode2issue_simd_write_en(decode2issue_simd_write_en),
        .decode2issue_need_load(decode2issue_need_load),
        .decode2issue_need_b(decode2issue_need_b),
        .decode2issue_need_feed(decode2issue_need_feed),
        .decode2issue_need_weights(decode2issue_need_weights), .load2all_done(load2all_done),
        .store2all_read(store2all_read), .store2all_acked(store2all_acked),
        .acc2all_moved(acc2all_moved), .feed2all_done(feed2all_done),
        .weights2all_done(weights2all_done), .decode2all_offset0(decode2all_offset0),
        .decode2all_offset1(decode2all_offset1), .decode2all_cache0(decode2all_cache0),
        .decode2all_cache1(decode2all_cache1), .sample_interval(sample_interval),
        .program_counter(program_counter), .timeout_flag(timeout_flag),
        .tracepoint_flag(tracepoint_flag), .decode_busy(decode_busy)
    );

    tcu_issue u_issue (
        .clk(clock), .rst_n(rst_n), .issue_busy(issue_busy),
        .decode2issue_valid(decode2issue_valid), .decode2issue_ready(decode2issue_ready),
        .decode2issue_kind(decode2issue_kind), .decode2issue_zero(decode2issue_zero),
        .decode2issue_accumulate(decode2issue_accumulate), .decode2issue_swap(decode2issue_swap),
        .decode2issue_local(decode2issue_local),
        .decode2issue_local_stride(decode2issue_local_stride),
        .decode2issue_acc(decode2issue_acc), .decode2issue_acc_stride(decode2issue_acc_stride),
        .decode2issue_count(decode2issue_count),
        .decode2issue_simd_write(decode2issue_simd_write),
        .decode2issue_simd_op(decode2issue_simd_op),
        .decode2issue_simd_left(decode2issue_simd_left),
        .decode2issue_simd_right(decode2issue_simd_right),
        .decode2issue_simd_dest(decode2issue_simd_dest),
        .decode2issue_simd_read(decode2issue_simd_read),
        .decode2issue_simd_write_en(decode2issue_simd_write_en),
        .decode2issue_need_load(decode2issue_need_load),
        .decode2issue_need_b(decode2issue_need_b),
        .decode2issue_need_feed(decode2issue_need_feed),
        .decode2issue_need_weights(decode2issue_need_weights),
        .issue2weights_valid(issue2weights_valid), .issue2weights_ready(issue2weights_ready),
        .issue2weights_zero(issue2weights_zero), .issue2weights_local(issue2weights_local),
        .issue2weights_local_stride(issue2weights_local_stride),
        .issue2weights_count(issue2weights_count),
        .issue2weights_need_load(issue2weights_need_load),
        .issue2weights_need_moved(issue2weights_need_moved),
        .issue2weights_swap_number(issue2weights_swap_number),
        .issue2feed_valid(issue2feed_valid), .issue2feed_ready(issue2feed_ready),
        .issue2feed_matmul(issue2feed_matmul), .issue2feed_zero(issue2feed_zero),
        .issue2feed_swap(issue2feed_swap), .issue2feed_local(issue2feed_local),
        .issue2feed_local_stride(issue2feed_local_stride), .issue2feed_count(issue2feed_count),
        .issue2feed_need_load(issue2feed_need_load),
        .issue2feed_need_moved(issue2feed_need_moved),
        .issue2feed_need_weights(issue2feed_need_weights), .issue2acc_valid(issue2acc_valid),
        .issue2acc_ready(issue2acc_ready), .issue2acc_kind(issue2acc_kind),
        .issue2acc_accumulate(issue2acc_accumulate), .issue2acc_local(issue2acc_local),
        .issue2acc_local_stride(issue2acc_local_stride), .issue2acc_acc(issue2acc_acc),
        .issue2acc_acc_stride(issue2acc_acc_stride), .issue2acc_count(issue2acc_count),
        .issue2acc_simd_write(issue2acc_simd_write), .issue2acc_simd_op(issue2acc_simd_op),
        .issue2acc_simd_left(issue2acc_simd_left), .issue2acc_simd_right(issue2acc_simd_right),
        .issue2acc_simd_dest(issue2acc_simd_dest), .issue2acc_simd_read(issue2acc_simd_read),
        .issue2acc_simd_write_en(issue2acc_simd_write_en),
        .issue2acc_need_load(issue2acc_need_load), .issue2acc_need_read(issue2acc_need_read),
        .issue2acc_need_feed(issue2acc_need_feed),
        .issue2acc_need_weights(issue2acc_need_weights)
    );

    tcu_load u_load (
        .clk(clock), .rst_n(rst_n),
        .m_axi_dram0_arid(m_axi_dram0_arid), .m_axi_dram0_araddr(m_axi_dram0_araddr),
        .m_axi_dram0_arlen(m_axi_dram0_arlen),
        .m_axi_dram0_arsize(m_axi_dram0_arsize),
        .m_axi_dram0_arburst(m_axi_dram0_arburst),
        .m_axi_dram0_arlock(m_axi_dram0_arlock),
        .m_axi_dram0_arcache(m_axi_dram0_arcache),
        .m_axi_dram0_arprot(m_axi_dram0_arprot),
        .m_axi_dram0_arqos(m_axi_dram0_arqos),
        .m_axi_dram0_arvalid(m_axi_dram0_arvalid),
        .m_axi_dram0_arready(m_axi_dram0_arready), .m_axi_dram0_rid(m_axi_dram0_rid),
        .m_axi_dram0_rdata(m_axi_dram0_rdata), .m_axi_dram0_rresp(m_axi_dram0_rresp),
        .m_axi_dram0_rlast(m_axi_dram0_rlast),
        .m_axi_dram0_rvalid(m_axi_dram0_rvalid),
        .m_axi_dram0_rready(m_axi_dram0_rready),
        .m_axi_dram1_arid(m_axi_dram1_arid), .m_axi_dram1_araddr(m_axi_dram1_araddr),
        .m_axi_dram1_arlen(m_axi_dram1_arlen),
        .m_axi_dram1_arsize(m_axi_dram1_arsize),
        .m_axi_dram1_arburst(m_axi_dram1_arburst),
        .m_axi_dram1_arlock(m_axi_dram1_arlock),
        .m_axi_dram1_arcache(m_axi_dram1_arcache),
        .m_axi_dram1_arprot(m_axi_dram1_arprot),
        .m_axi_dram1_arqos(m_axi_dram1_arqos),
        .m_axi_dram1_arvalid(m_axi_dram1_arvalid),
        .m_axi_dram1_arready(m_axi_dram1_arready), .m_axi_dram1_rid(m_axi_dram1_rid),
        .m_axi_dram1_rdata(m_axi_dram1_rdata), .m_axi_dram1_rresp(m_axi_dram1_rresp),
        .m_axi_dram1_rlast(m_axi_dram1_rlast),
        .m_axi_dram1_rvalid(m_axi_dram1_rvalid),
        .m_axi_dram1_rready(m_axi_dram1_rready),
        .decode2load_valid(decode2load_valid), .decode2load_ready(decode2load_ready),
        .decode2load_bank(decode2load_bank), .decode2load_addr(decode2load_addr),
        .decode2load_stride(decode2load_stride), .decode2load_count(decode2load_count),
        .decode2load_local(decode2load_local),
        .decode2load_local_stride(decode2load_local_stride),
        .decode2load_need_moved(decode2load_need_moved),
        .decode2load_need_read(decode2load_need_read),
        .decode2load_need_feed(decode2load_need_feed),
        .decode2load_need_weights(decode2load_need_weights),
        .decode2load_need_acked(decode2load_need_acked), .acc2all_moved(acc2all_moved),
        .store2all_read(store2all_read), .store2all_acked(store2all_acked),
        .feed2all_done(feed2all_done), .weights2all_done(weights2all_done),
        .load2all_done(load2all_done), .decode2all_offset0(decode2all_offset0),
        .decode2all_offset1(decode2all_offset1), .decode2all_cache0(decode2all_cache0),
        .decode2all_cache1(decode2all_cache1),
        .load2local_write(load2local_write), .load2local_addr(load2local_addr),
        .load2local_data(load2local_data), .local2load_wgrant(local2load_wgrant),
        .load2control_fault0(load2control_fault0),
        .load2control_decode0(load2control_decode0),
        .load2control_addr0(load2control_addr0),
        .load2control_fault1(load2control_fault1),
        .load2control_decode1(load2control_decode1),
        .load2control_addr1(load2control_addr1),
        .control2all_stop(control2all_stop), .load2control_quiet(load2control_quiet),
        .load_busy(load_busy)
    );

    tcu_store u_store (
        .clk(clock), .rst_n(rst_n),
        .m_axi_dram0_awid(m_axi_dram0_awid), .m_axi_dram0_awaddr(m_axi_dram0_awaddr),
        .m_axi_dram0_awlen(m_axi_dram0_awlen),
        .m_axi_dram0_awsize(m_axi_dram0_awsize),
        .m_axi_dram0_awburst(m_axi_dram0_awburst),
        .m_axi_dram0_awlock(m_axi_dram0_awlock),
        .m_axi_dram0_awcache(m_axi_dram0_awcache),
        .m_axi_dram0_awprot(m_axi_dram0_awprot),
        .m_axi_dram0_awqos(m_axi_dram0_awqos),
        .m_axi_dram0_awvalid(m_axi_dram0_awvalid),
        .m_axi_dram0_awready(m_axi_dram0_awready), .m_axi_dram0_wid(m_axi_dram0_wid),
        .m_axi_dram0_wdata(m_axi_dram0_wdata), .m_axi_dram0_wstrb(m_axi_dram0_wstrb),
        .m_axi_dram0_wlast(m_axi_dram0_wlast),
        .m_axi_dram0_wvalid(m_axi_dram0_wvalid),
        .m_axi_dram0_wready(m_axi_dram0_wready), .m_axi_dram0_bid(m_axi_dram0_bid),
        .m_axi_dram0_bresp(m_axi_dram0_bresp),
        .m_axi_dram0_bvalid(m_axi_dram0_bvalid),
        .m_axi_dram0_bready(m_axi_dram0_bready),
        .m_axi_dram1_awid(m_axi_dram1_awid), .m_axi_dram1_awaddr(m_axi_dram1_awaddr),
        .m_axi_dram1_awlen(m_axi_dram1_awlen),
        .m_axi_dram1_awsize(m_axi_dram1_awsize),
        .m_axi_dram1_awburst(m_axi_dram1_awburst),
        .m_axi_dram1_awlock(m_axi_dram1_awlock),
        .m_axi_dram1_awcache(m_axi_dram1_awcache),
        .m_axi_dram1_awprot(m_axi_dram1_awprot),
        .m_axi_dram1_awqos(m_axi_dram1_awqos),
        .m_axi_dram1_awvalid(m_axi_dram1_awvalid),
        .m_axi_dram1_awready(m_axi_dram1_awready), .m_axi_dram1_wid(m_axi_dram1_wid),
        .m_axi_dram1_wdata(m_axi_dram1_wdata), .m_axi_dram1_wstrb(m_axi_dram1_wstrb),
        .m_axi_dram1_wlast(m_axi_dram1_wlast),
        .m_axi_dram1_wvalid(m_axi_dram1_wvalid),
        .m_axi_dram1_wready(m_axi_dram1_wready), .m_axi_dram1_bid(m_axi_dram1_bid),
        .m_axi_dram1_bresp(m_axi_dram1_bresp),
        .m_axi_dram1_bvalid(m_axi_dram1_bvalid),
        .m_axi_dram1_bready(m_axi_dram1_bready),
        .decode2store_valid(decode2store_valid), .decode2store_ready(decode2store_ready),
        .decode2store_bank(decode2store_bank), .decode2store_addr(decode2store_addr),
        .decode2store_stride(decode2store_stride), .decode2store_count(decode2store_count),
        .decode2store_local(decode2store_local),
        .decode2store_local_stride(decode2store_local_stride),
        .decode2store_need_load(decode2store_need_load),
        .decode2store_need_moved(decode2store_need_moved),
        .decode2store_need_loaded_dram(decode2store_need_loaded_dram),
        .load2all_done(load2all_done), .acc2all_moved(acc2all_moved),
        .store2all_read(store2all_read), .store2all_acked(store2all_acked),
        .decode2all_offset0(decode2all_offset0), .decode2all_offset1(decode2all_offset1),
        .decode2all_cache0(decode2all_cache0), .decode2all_cache1(decode2all_cache1),
        .store2local_read(store2local_read), .store2local_addr(store2local_addr),
        .local2store_grant(local2store_grant), .local2store_valid(local2store_valid),
        .local2store_data(local2store_data), .store2control_fault(store2control_fault),
        .store2control_bank(store2control_bank), .store2control_decode(store2control_decode),
        .store2control_addr(store2control_addr), .control2all_stop(control2all_stop),
        .store2control_quiet(store2control_quiet), .store_busy(store_busy)
    );

    tcu_local u_local (
        .clk(clock), .rst_n(rst_n),
        .feed2local_read(feed2local_read),
        .feed2local_addr(feed2local_addr), .local2feed_grant(local2feed_grant),
        .local2feed_valid(local2feed_valid), .local2feed_data(local2feed_data),
        .weights2local_read(weights2local_read), .weights2local_addr(weights2local_addr),
        .local2weights_grant(local2weights_grant), .local2weights_valid(local2weights_valid),
        .local2weights_data(local2weights_data), .store2local_read(store2local_read),
        .store2local_addr(store2local_addr), .local2store_grant(local2store_grant),
        .local2store_valid(local2store_valid), .local2store_data(local2store_data),
        .load2local_write(load2local_write), .load2local_addr(load2local_addr),
        .load2local_data(load2local_data), .local2load_wgrant(local2load_wgrant),
        .acc2local_write(acc2local_write), .acc2local_addr(acc2local_addr),
        .acc2local_data(acc2local_data), .local2acc_wgrant(local2acc_wgrant)
    );

    tcu_weights u_weights (
        .clk(clock), .rst_n(rst_n),
        .weights_busy(weights_busy),
        .issue2weights_valid(issue2weights_valid), .issue2weights_ready(issue2weights_ready),
        .issue2weights_zero(issue2weights_zero), .issue2weights_local(issue2weights_local),
        .issue2weights_local_stride(issue2weights_local_stride),
        .issue2weights_count(issue2weights_count),
        .issue2weights_need_load(issue2weights_need_load),
        .issue2weights_need_moved(issue2weights_need_moved),
        .issue2weights_swap_number(issue2weights_swap_number), .load2all_done(load2all_done),
        .acc2all_moved(acc2all_moved), .feed2weights_swaps(feed2weights_swaps),
        .weights2all_done(weights2all_done), .weights2local_read(weights2local_read),
        .weights2local_addr(weights2local_addr), .local2weights_grant(local2weights_grant),
        .local2weights_valid(local2weights_valid), .local2weights_data(local2weights_data),
        .weights2array_shift(weights2array_shift), .weights2array_row(weights2array_row)
    );

    tcu_feed u_feed (
        .clk(clock), .rst_n(rst_n),
        .feed_busy(feed_busy), .issue2feed_valid(issue2feed_valid),
        .issue2feed_ready(issue2feed_ready), .issue2feed_matmul(issue2feed_matmul),
        .issue2feed_zero(issue2feed_zero), .issue2feed_swap(issue2feed_swap),
        .issue2feed_local(issue2feed_local), .issue2feed_local_stride(issue2feed_local_stride),
        .issue2feed_count(issue2feed_count), .issue2feed_need_load(issue2feed_need_load),
        .issue2feed_need_moved(issue2feed_need_moved),
        .issue2feed_need_weights(issue2feed_need_weights), .load2all_done(load2all_done),
        .acc2all_moved(acc2all_moved), .weights2all_done(weights2all_done),
        .feed2all_done(feed2all_done), .feed2weights_swaps(feed2weights_swaps),
        .feed2local_read(feed2local_read), .feed2local_addr(feed2local_addr),
        .local2feed_grant(local2feed_grant), .local2feed_valid(local2feed_valid),
        .local2feed_data(local2feed_data), .feed2array_valid(feed2array_valid),
        .feed2array_swap(feed2array_swap), .feed2array_x(feed2array_x),
        .feed2acc_valid(feed2acc_valid), .feed2acc_data(feed2acc_data),
        .acc2feed_taken(acc2feed_taken), .acc2feed_moved(acc2feed_moved)
    );

    tcu_array u_array (
        .clk(clock), .rst_n(rst_n),
        .weights2array_shift(weights2array_shift),
        .weights2array_row(weights2array_row), .feed2array_valid(feed2array_valid),
        .feed2array_swap(feed2array_swap), .feed2array_x(feed2array_x),
        .array2acc_valid(array2acc_valid), .array2acc_y(array2acc_y)
    );

    tcu_acc u_acc (
        .clk(clock), .rst_n(rst_n),
        .acc_busy(acc_busy), .issue2acc_valid(issue2acc_valid),
        .issue2acc_ready(issue2acc_ready), .issue2acc_kind(issue2acc_kind),
        .issue2acc_accumulate(issue2acc_accumulate), .issue2acc_local(issue2acc_local),
        .issue2acc_local_stride(issue2acc_local_stride), .issue2acc_acc(issue2acc_acc),
        .issue2acc_acc_stride(issue2acc_acc_stride), .issue2acc_count(issue2acc_count),
        .issue2acc_simd_write(issue2acc_simd_write), .issue2acc_simd_op(issue2acc_simd_op),
        .issue2acc_simd_left(issue2acc_simd_left), .issue2acc_simd_right(issue2acc_simd_right),
        .issue2acc_simd_dest(issue2acc_simd_dest), .issue2acc_simd_read(issue2acc_simd_read),
        .issue2acc_simd_write_en(issue2acc_simd_write_en),
        .issue2acc_need_load(issue2acc_need_load), .issue2acc_need_read(issue2acc_need_read),
        .issue2acc_need_feed(issue2acc_need_feed),
        .issue2acc_need_weights(issue2acc_need_weights), .load2all_done(load2all_done),
        .store2all_read(store2all_read), .feed2all_done(feed2all_done),
        .weights2all_done(weights2all_done), .acc2all_moved(acc2all_moved),
        .array2acc_valid(array2acc_valid), .array2acc_y(array2acc_y),
        .feed2acc_valid(feed2acc_valid), .feed2acc_data(feed2acc_data),
        .acc2feed_taken(acc2feed_taken), .acc2feed_moved(acc2feed_moved),
        .acc2local_write(acc2local_write), .acc2local_addr(acc2local_addr),
        .acc2local_data(acc2local_data), .local2acc_wgrant(local2acc_wgrant)
    );

    // ---------------------------------------------------------------- state
    reg  idle_q;
    reg  irq_q;
    wire flag = timeout_flag || tracepoint_flag || bus_error
                ;

    assign timeout    = timeout_flag;
    assign tracepoint = tracepoint_flag;
    assign idle       = idle_q;
    assign irq        = irq_q;

    always @(posedge clock or negedge rst_n) begin
        if (!rst_n) begin
            idle_q <= 1'b0;
            irq_q  <= 1'b0;
        end else begin
            idle_q <= !(fetch_busy || decode_busy || issue_busy || load_busy || store_busy ||
                        weights_busy || feed_busy || acc_busy || control2all_stop);
            irq_q  <= irq_q || flag;
        end
    end

    // What this unit does not look at.
    wire unused_pins = &{1'b0, instruction_tlast, sample_interval};

endmodule

`default_nettype wire
