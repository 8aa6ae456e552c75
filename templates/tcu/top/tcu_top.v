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
       "ASSOCIATED_BUSIF ${busifs}" *)
    input  wire         clock,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 reset RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         reset,                        // active low

    // instructions back to back, clock
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TDATA" *)
    input  wire [${axi_data_width - 1}:0] instruction_tdata, // first byte in bits 7:0
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TVALID" *)
    input  wire         instruction_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TREADY" *)
    output wire         instruction_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 instruction TLAST" *)
    input  wire         instruction_tlast,            // not used

//% if control_port
    // registers: AXI4-Lite, clock
//%   for p in control_pins
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 ${p.bus} ${p.signal}" *)
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]     ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire           ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//%   end

//% end
//% for m in memory_ports
    // memory bank ${m.name}, clock
//%   for p in m.pins
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 ${p.bus} ${p.signal}" *)
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]     ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire           ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//%   end

//% end
//% if sample_block_size > 0
    // samples, clock; they are dropped while tready is low
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TDATA" *)
    output wire [63:0]  sample_tdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TVALID" *)
    output wire         sample_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TREADY" *)
    input  wire         sample_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 sample TLAST" *)
    output wire         sample_tlast,                 // of ${sample_block_size} samples

//% end
//% if status_port
    // instructions that were taken, clock
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TDATA" *)
    output wire [${instruction_w - 1}:0] status_tdata,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TVALID" *)
    output wire         status_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TREADY" *)
    input  wire         status_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 status TLAST" *)
    output wire         status_tlast,                 // 1

//% end
    // state, clock
    output wire [31:0]  program_counter,              // of the next instruction
    output wire         idle,                         // nothing is under way
    output wire         timeout,                      // an instruction waits for too long
    output wire         tracepoint,                   // the program counter is the tracepoint
//% if validate_instructions
    output wire         error,                        // the next instruction breaks a rule
//% end
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
    wire [${instruction_w - 1}:0] fetch2decode_data;
    wire fetch_busy;
    wire fetch_ready;

    // from control
    wire control2all_stop;
    wire drop;  //% if control_port

    // from decode
    wire fetch2decode_ready;
    wire decode2load_valid;
    wire decode2load_bank;
    wire [${dram_addr_w - 1}:0] decode2load_addr;
    wire [${stride_code1_w - 1}:0] decode2load_stride;
    wire [${size_w - 1}:0] decode2load_count;
    wire [${local_addr_w - 1}:0] decode2load_local;
    wire [${stride_code0_w - 1}:0] decode2load_local_stride;
    wire [${transfer_tag_w}:0] decode2load_need_moved;
    wire [${transfer_tag_w}:0] decode2load_need_read;
    wire [${compute_tag_w}:0] decode2load_need_feed;
    wire [${compute_tag_w}:0] decode2load_need_weights;
    wire [${transfer_tag_w}:0] decode2load_need_acked;
    wire decode2store_valid;
    wire decode2store_bank;
    wire [${dram_addr_w - 1}:0] decode2store_addr;
    wire [${stride_code1_w - 1}:0] decode2store_stride;
    wire [${size_w - 1}:0] decode2store_count;
    wire [${local_addr_w - 1}:0] decode2store_local;
    wire [${stride_code0_w - 1}:0] decode2store_local_stride;
    wire [${transfer_tag_w}:0] decode2store_need_load;
    wire [${transfer_tag_w}:0] decode2store_need_moved;
    wire [${transfer_tag_w}:0] decode2store_need_loaded_dram;
    wire decode2issue_valid;
    wire [2:0] decode2issue_kind;
    wire decode2issue_zero;
    wire decode2issue_accumulate;
    wire decode2issue_swap;
    wire [${local_addr_w - 1}:0] decode2issue_local;
    wire [${stride_code0_w - 1}:0] decode2issue_local_stride;
    wire [${acc_addr_w - 1}:0] decode2issue_acc;
    wire [${stride_code1_w - 1}:0] decode2issue_acc_stride;
    wire [${size_w - 1}:0] decode2issue_count;
    wire [${acc_addr_w - 1}:0] decode2issue_simd_write;
    wire [${simd_op_w - 1}:0] decode2issue_simd_op;
    wire [${simd_code_w - 1}:0] decode2issue_simd_left;
    wire [${simd_code_w - 1}:0] decode2issue_simd_right;
    wire [${simd_code_w - 1}:0] decode2issue_simd_dest;
    wire decode2issue_simd_read;
    wire decode2issue_simd_write_en;
    wire [${transfer_tag_w}:0] decode2issue_need_load;
    wire [${transfer_tag_w}:0] decode2issue_need_b;
    wire [${compute_tag_w}:0] decode2issue_need_feed;
    wire [${compute_tag_w}:0] decode2issue_need_weights;
//% if status_port
    wire decode2status_valid;
    wire decode2status_ready;
    wire [${instruction_w - 1}:0] decode2status_data;
//% end
    wire [31:0] decode2all_offset0;
    wire [31:0] decode2all_offset1;
    wire [3:0] decode2all_cache0;
    wire [3:0] decode2all_cache1;
    wire [15:0] sample_interval;
    wire timeout_flag;
    wire tracepoint_flag;
    wire error_flag;  //% if validate_instructions
    wire decode_busy;

    // from issue
    wire issue_busy;
    wire decode2issue_ready;
    wire issue2weights_valid;
    wire issue2weights_zero;
    wire [${local_addr_w - 1}:0] issue2weights_local;
    wire [${stride_code0_w - 1}:0] issue2weights_local_stride;
    wire [${size_w - 1}:0] issue2weights_count;
    wire [${transfer_tag_w}:0] issue2weights_need_load;
    wire [${transfer_tag_w}:0] issue2weights_need_moved;
    wire [${compute_tag_w - 1}:0] issue2weights_swap_number;
    wire issue2feed_valid;
    wire issue2feed_matmul;
    wire issue2feed_zero;
    wire issue2feed_swap;
    wire [${local_addr_w - 1}:0] issue2feed_local;
    wire [${stride_code0_w - 1}:0] issue2feed_local_stride;
    wire [${size_w - 1}:0] issue2feed_count;
    wire [${transfer_tag_w}:0] issue2feed_need_load;
    wire [${transfer_tag_w}:0] issue2feed_need_moved;
    wire [${compute_tag_w}:0] issue2feed_need_weights;
    wire issue2acc_valid;
    wire [2:0] issue2acc_kind;
    wire issue2acc_accumulate;
    wire [${local_addr_w - 1}:0] issue2acc_local;
    wire [${stride_code0_w - 1}:0] issue2acc_local_stride;
    wire [${acc_addr_w - 1}:0] issue2acc_acc;
    wire [${stride_code1_w - 1}:0] issue2acc_acc_stride;
    wire [${size_w - 1}:0] issue2acc_count;
    wire [${acc_addr_w - 1}:0] issue2acc_simd_write;
    wire [${simd_op_w - 1}:0] issue2acc_simd_op;
    wire [${simd_code_w - 1}:0] issue2acc_simd_left;
    wire [${simd_code_w - 1}:0] issue2acc_simd_right;
    wire [${simd_code_w - 1}:0] issue2acc_simd_dest;
    wire issue2acc_simd_read;
    wire issue2acc_simd_write_en;
    wire [${transfer_tag_w}:0] issue2acc_need_load;
    wire [${transfer_tag_w}:0] issue2acc_need_read;
    wire [${compute_tag_w}:0] issue2acc_need_feed;
    wire [${compute_tag_w}:0] issue2acc_need_weights;

    // from load
    wire decode2load_ready;
    wire [${transfer_tag_w - 1}:0] load2all_done;
//% for n in load_ports
    wire load2local_write${n};
    wire [${local_addr_w - 1}:0] load2local_addr${n};
    wire [${vector_w - 1}:0] load2local_data${n};
//% end
    wire load_busy;
    wire load2control_quiet;
//% for i in range(2)
    wire load2control_fault${i};
    wire load2control_decode${i};
    wire [31:0] load2control_addr${i};
//% end

    // from store
    wire decode2store_ready;
    wire [${transfer_tag_w - 1}:0] store2all_read;
    wire [${transfer_tag_w - 1}:0] store2all_acked;
    wire store2local_read;
    wire [${local_addr_w - 1}:0] store2local_addr;
    wire store_busy;
    wire store2control_quiet;
    wire store2control_fault;
    wire store2control_bank;
    wire store2control_decode;
    wire [31:0] store2control_addr;

    // from local
    wire local2feed_grant;
    wire local2feed_valid;
    wire [${vector_w - 1}:0] local2feed_data;
    wire local2weights_grant;
    wire local2weights_valid;
    wire [${vector_w - 1}:0] local2weights_data;
    wire local2store_grant;
    wire local2store_valid;
    wire [${vector_w - 1}:0] local2store_data;
//% for n in load_ports
    wire local2load_wgrant${n};
//% end
    wire local2acc_wgrant;

//% if array_vectors == 2
    wire local2feed_grant1;
    wire local2weights_grant1;
    wire local2weights_valid1;
    wire [${vector_w - 1}:0] local2weights_data1;
    wire local2feed_valid1;
    wire [${vector_w - 1}:0] local2feed_data1;
//% end

    // from weights
    wire weights_busy;
    wire issue2weights_ready;
    wire [${compute_tag_w - 1}:0] weights2all_done;
    wire weights2local_read;
    wire [${local_addr_w - 1}:0] weights2local_addr;
    wire weights2array_shift;
    wire [${vector_w - 1}:0] weights2array_row;

    // from feed
    wire feed_busy;
    wire issue2feed_ready;
    wire [${compute_tag_w - 1}:0] feed2all_done;
    wire [${compute_tag_w - 1}:0] feed2weights_swaps;
    wire feed2local_read;
    wire [${local_addr_w - 1}:0] feed2local_addr;
    wire feed2array_valid;
    wire feed2array_swap;
    wire [${vector_w - 1}:0] feed2array_x;
    wire feed2acc_valid;
    wire [${vector_w - 1}:0] feed2acc_data;

//% if array_vectors == 2
    wire weights2local_read1;
    wire [${local_addr_w - 1}:0] weights2local_addr1;
    wire weights2array_shift1;
    wire [${vector_w - 1}:0] weights2array_row1;
    wire feed2local_read1;
    wire [${local_addr_w - 1}:0] feed2local_addr1;
    wire feed2array_valid1;
    wire [${vector_w - 1}:0] feed2array_x1;
//% end

    // from array
    wire array2acc_valid;
    wire [${vector_w-1}:0] array2acc_y;

//% if array_vectors == 2
    wire array2acc_valid1;
    wire [${vector_w - 1}:0] array2acc_y1;
//% end

    // from acc
    wire acc2feed_taken1;  //% if array_vectors == 2
    wire acc_busy;
    wire issue2acc_ready;
    wire [${transfer_tag_w-1}:0] acc2all_moved /*verilator public_flat_rd*/;
    wire acc2feed_taken;
    wire acc2feed_moved;
    wire acc2local_write;
    wire [${local_addr_w-1}:0] acc2local_addr;
    wire [${vector_w-1}:0] acc2local_data;

    tcu_control u_control (
        .clk(clock), .rst_n(pins_rst_n),
//% if control_port
//%   for p in control_pins
        .${p.name}(${p.name}),
//%   end
        .program_counter(program_counter), .idle(idle), .timeout_flag(timeout_flag),
        .tracepoint_flag(tracepoint_flag), .irq(irq), .drop(drop),
        .error_flag(error_flag),  //% if validate_instructions
//% end
//% for i in range(2)
        .load2control_fault${i}(load2control_fault${i}),
        .load2control_decode${i}(load2control_decode${i}),
        .load2control_addr${i}(load2control_addr${i}),
//% end
        .store2control_fault(store2control_fault), .store2control_bank(store2control_bank),
        .store2control_decode(store2control_decode), .store2control_addr(store2control_addr),
        .load2control_quiet(load2control_quiet), .store2control_quiet(store2control_quiet),
        .control2all_stop(control2all_stop), .core_rst_n(rst_n),
        .bus_error(bus_error)
    );

    assign instruction_tready = fetch_ready || drop;  //% if control_port
    assign instruction_tready = fetch_ready;  //% if !control_port

    tcu_fetch u_fetch (
        .clk(clock), .rst_n(rst_n), .control2all_stop(control2all_stop),
        .instruction_tdata(instruction_tdata),
        .instruction_tvalid(instruction_tvalid), .instruction_tready(fetch_ready),
        .fetch2decode_valid(fetch2decode_valid), .fetch2decode_ready(fetch2decode_ready),
        .fetch2decode_data(fetch2decode_data), .fetch_busy(fetch_busy)
    );

    tcu_decode u_decode (
        .clk(clock), .rst_n(rst_n),
//% if status_port
        .decode2status_valid(decode2status_valid), .decode2status_ready(decode2status_ready),
        .decode2status_data(decode2status_data),
//% end
        .error_flag(error_flag),  //% if validate_instructions
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
//% for i in range(2)
        .m_axi_dram${i}_arid(m_axi_dram${i}_arid), .m_axi_dram${i}_araddr(m_axi_dram${i}_araddr),
        .m_axi_dram${i}_arlen(m_axi_dram${i}_arlen),
        .m_axi_dram${i}_arsize(m_axi_dram${i}_arsize),
        .m_axi_dram${i}_arburst(m_axi_dram${i}_arburst),
        .m_axi_dram${i}_arlock(m_axi_dram${i}_arlock),
        .m_axi_dram${i}_arcache(m_axi_dram${i}_arcache),
        .m_axi_dram${i}_arprot(m_axi_dram${i}_arprot),
        .m_axi_dram${i}_arqos(m_axi_dram${i}_arqos),
        .m_axi_dram${i}_arvalid(m_axi_dram${i}_arvalid),
        .m_axi_dram${i}_arready(m_axi_dram${i}_arready), .m_axi_dram${i}_rid(m_axi_dram${i}_rid),
        .m_axi_dram${i}_rdata(m_axi_dram${i}_rdata), .m_axi_dram${i}_rresp(m_axi_dram${i}_rresp),
        .m_axi_dram${i}_rlast(m_axi_dram${i}_rlast),
        .m_axi_dram${i}_rvalid(m_axi_dram${i}_rvalid),
        .m_axi_dram${i}_rready(m_axi_dram${i}_rready),
//% end
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
//% for n in load_ports
        .load2local_write${n}(load2local_write${n}), .load2local_addr${n}(load2local_addr${n}),
        .load2local_data${n}(load2local_data${n}), .local2load_wgrant${n}(local2load_wgrant${n}),
//% end
//% for i in range(2)
        .load2control_fault${i}(load2control_fault${i}),
        .load2control_decode${i}(load2control_decode${i}),
        .load2control_addr${i}(load2control_addr${i}),
//% end
        .control2all_stop(control2all_stop), .load2control_quiet(load2control_quiet),
        .load_busy(load_busy)
    );

    tcu_store u_store (
        .clk(clock), .rst_n(rst_n),
//% for i in range(2)
        .m_axi_dram${i}_awid(m_axi_dram${i}_awid), .m_axi_dram${i}_awaddr(m_axi_dram${i}_awaddr),
        .m_axi_dram${i}_awlen(m_axi_dram${i}_awlen),
        .m_axi_dram${i}_awsize(m_axi_dram${i}_awsize),
        .m_axi_dram${i}_awburst(m_axi_dram${i}_awburst),
        .m_axi_dram${i}_awlock(m_axi_dram${i}_awlock),
        .m_axi_dram${i}_awcache(m_axi_dram${i}_awcache),
        .m_axi_dram${i}_awprot(m_axi_dram${i}_awprot),
        .m_axi_dram${i}_awqos(m_axi_dram${i}_awqos),
        .m_axi_dram${i}_awvalid(m_axi_dram${i}_awvalid),
        .m_axi_dram${i}_awready(m_axi_dram${i}_awready), .m_axi_dram${i}_wid(m_axi_dram${i}_wid),
        .m_axi_dram${i}_wdata(m_axi_dram${i}_wdata), .m_axi_dram${i}_wstrb(m_axi_dram${i}_wstrb),
        .m_axi_dram${i}_wlast(m_axi_dram${i}_wlast),
        .m_axi_dram${i}_wvalid(m_axi_dram${i}_wvalid),
        .m_axi_dram${i}_wready(m_axi_dram${i}_wready), .m_axi_dram${i}_bid(m_axi_dram${i}_bid),
        .m_axi_dram${i}_bresp(m_axi_dram${i}_bresp),
        .m_axi_dram${i}_bvalid(m_axi_dram${i}_bvalid),
        .m_axi_dram${i}_bready(m_axi_dram${i}_bready),
//% end
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
//% if array_vectors == 2
        .feed2local_read1(feed2local_read1), .feed2local_addr1(feed2local_addr1),
        .local2feed_grant1(local2feed_grant1), .local2feed_valid1(local2feed_valid1),
        .local2feed_data1(local2feed_data1), .weights2local_read1(weights2local_read1),
        .weights2local_addr1(weights2local_addr1), .local2weights_grant1(local2weights_grant1),
        .local2weights_valid1(local2weights_valid1), .local2weights_data1(local2weights_data1),
//% end
        .feed2local_read(feed2local_read),
        .feed2local_addr(feed2local_addr), .local2feed_grant(local2feed_grant),
        .local2feed_valid(local2feed_valid), .local2feed_data(local2feed_data),
        .weights2local_read(weights2local_read), .weights2local_addr(weights2local_addr),
        .local2weights_grant(local2weights_grant), .local2weights_valid(local2weights_valid),
        .local2weights_data(local2weights_data), .store2local_read(store2local_read),
        .store2local_addr(store2local_addr), .local2store_grant(local2store_grant),
        .local2store_valid(local2store_valid), .local2store_data(local2store_data),
//% for n in load_ports
        .load2local_write${n}(load2local_write${n}), .load2local_addr${n}(load2local_addr${n}),
        .load2local_data${n}(load2local_data${n}), .local2load_wgrant${n}(local2load_wgrant${n}),
//% end
        .acc2local_write(acc2local_write), .acc2local_addr(acc2local_addr),
        .acc2local_data(acc2local_data), .local2acc_wgrant(local2acc_wgrant)
    );

    tcu_weights u_weights (
        .clk(clock), .rst_n(rst_n),
//% if array_vectors == 2
        .weights2local_read1(weights2local_read1), .weights2local_addr1(weights2local_addr1),
        .local2weights_grant1(local2weights_grant1), .local2weights_valid1(local2weights_valid1),
        .local2weights_data1(local2weights_data1), .weights2array_shift1(weights2array_shift1),
        .weights2array_row1(weights2array_row1),
//% end
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
//% if array_vectors == 2
        .feed2local_read1(feed2local_read1), .feed2local_addr1(feed2local_addr1),
        .local2feed_grant1(local2feed_grant1), .local2feed_valid1(local2feed_valid1),
        .local2feed_data1(local2feed_data1), .feed2array_valid1(feed2array_valid1),
        .feed2array_x1(feed2array_x1), .acc2feed_taken1(acc2feed_taken1),
//% end
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
//% if array_vectors == 2
        .feed2array_valid1(feed2array_valid1), .feed2array_x1(feed2array_x1),
        .array2acc_valid1(array2acc_valid1), .array2acc_y1(array2acc_y1),
        .weights2array_shift1(weights2array_shift1), .weights2array_row1(weights2array_row1),
//% end
        .weights2array_shift(weights2array_shift),
        .weights2array_row(weights2array_row), .feed2array_valid(feed2array_valid),
        .feed2array_swap(feed2array_swap), .feed2array_x(feed2array_x),
        .array2acc_valid(array2acc_valid), .array2acc_y(array2acc_y)
    );

    tcu_acc u_acc (
        .clk(clock), .rst_n(rst_n),
//% if array_vectors == 2
        .array2acc_valid1(array2acc_valid1), .array2acc_y1(array2acc_y1),
        .acc2feed_taken1(acc2feed_taken1),
//% end
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
//% if sample_block_size > 0

    tcu_sample u_sample (
        .clk(clock), .rst_n(rst_n), .sample_interval(sample_interval),
        .program_counter(program_counter), .fetch2decode_valid(fetch2decode_valid),
        .fetch2decode_ready(fetch2decode_ready), .decode2load_valid(decode2load_valid),
        .decode2load_ready(decode2load_ready), .decode2load_bank(decode2load_bank),
        .decode2store_valid(decode2store_valid), .decode2store_ready(decode2store_ready),
        .decode2store_bank(decode2store_bank), .decode2issue_valid(decode2issue_valid),
        .decode2issue_ready(decode2issue_ready), .issue2weights_valid(issue2weights_valid),
        .issue2weights_ready(issue2weights_ready), .issue2feed_valid(issue2feed_valid),
        .issue2feed_ready(issue2feed_ready), .issue2acc_valid(issue2acc_valid),
        .issue2acc_ready(issue2acc_ready), .sample_tdata(sample_tdata),
        .sample_tvalid(sample_tvalid), .sample_tready(sample_tready), .sample_tlast(sample_tlast)
    );
//% end

    // ---------------------------------------------------------------- state
    reg  idle_q;
    reg  irq_q;
    wire flag = timeout_flag || tracepoint_flag || bus_error
                || error_flag  //% if validate_instructions
                ;

    assign timeout    = timeout_flag;
    assign tracepoint = tracepoint_flag;
    assign error      = error_flag;  //% if validate_instructions
    assign idle       = idle_q;
    assign irq        = irq_q;
//% if status_port
    assign status_tdata       = decode2status_data;
    assign status_tvalid      = decode2status_valid;
    assign decode2status_ready = status_tready;
    assign status_tlast       = 1'b1;
//% end

    always @(posedge clock or negedge rst_n) begin
        if (!rst_n) begin
            idle_q      <= 1'b0;
            irq_q <= 1'b0;
        end else begin
            idle_q      <= !(fetch_busy || decode_busy || issue_busy || load_busy || store_busy ||
                             weights_busy || feed_busy || acc_busy || control2all_stop);
            irq_q <= irq_q || flag;
        end
    end

    // What this unit does not look at.
    wire unused_pins = &{1'b0, instruction_tlast};  //% if sample_block_size > 0
    wire unused_pins = &{1'b0, instruction_tlast, sample_interval};  //% if sample_block_size <= 0

endmodule

`default_nettype wire
