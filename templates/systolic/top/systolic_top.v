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
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF ${busifs}" *)
    input  wire         clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 rst_n RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         rst_n,                        // active low, asynchronous

    // registers, clk
//% for p in slave_pins
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 ${p.bus} ${p.signal}" *)
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]    ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire          ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//% end

//% for m in masters
    // memory: ${m.unit}, clk
//%   for p in m.pins
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 ${p.bus} ${p.signal}" *)
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]    ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire          ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//%   end

//% end
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
    wire [${address_width - 1}:0] control2fetch_address;
    wire [15:0] control2fetch_count;
    wire control2fetch_run;
    wire control2resolver_run;

    // from fetch
    wire control2fetch_ready;
    wire fetch2control_idle;
    wire fetch2control_error;
    wire [${address_width - 1}:0] fetch2control_address;
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
    wire [${ibuf_entry_w - 1}:0] load2ibuf_entry;
    wire [${rows - 1}:0] load2ibuf_enable;
    wire [${input_row_w - 1}:0] load2ibuf_data;
    wire load2wbuf_write;
    wire [${wbuf_entry_w - 1}:0] load2wbuf_entry;
    wire [${cols - 1}:0] load2wbuf_enable;
    wire [${weight_row_w - 1}:0] load2wbuf_data;
    wire load2obuf_valid;
    wire [${obuf_entry_w - 1}:0] load2obuf_entry;
    wire [${cols - 1}:0] load2obuf_enable;
    wire [${output_row_w - 1}:0] load2obuf_data;
//% if scales
    wire load2scale_write;
    wire [3:0] load2scale_entry;
    wire [${cols - 1}:0] load2scale_enable;
    wire [${32 * cols - 1}:0] load2scale_data;
//% end
    wire resolver2load_ready;
    wire load2resolver_done;
    wire load2control_error;
    wire [${address_width - 1}:0] load2control_address;

    // from gemm
    wire resolver2gemm_ready;
    wire gemm2resolver_done;
    wire gemm2array_weight_read;
    wire [${wbuf_entry_w - 1}:0] gemm2array_weight_entry;
    wire gemm2array_step;
    wire gemm2array_swap;
    wire [${ibuf_entry_w - 1}:0] gemm2array_input_entry;
    wire gemm2array_padded;
    wire [${pad_w - 1}:0] gemm2array_pad_value;
    wire gemm2obuf_step;
    wire gemm2obuf_last;
    wire gemm2obuf_preload;
    wire [${obuf_entry_w - 1}:0] gemm2obuf_entry;
    wire [${columns_w - 1}:0] gemm2obuf_columns;

    // from array
    wire [${cols * sum_w - 1}:0] array2obuf_sums;

    // from obuf
    wire obuf2gemm_done;
    wire load2obuf_ready;
    wire store2obuf_ready;
    wire obuf2store_valid;
    wire [${output_row_w - 1}:0] obuf2store_data;
    wire alu2obuf_ready;
    wire obuf2alu_valid;
    wire obuf2alu_write;
    wire obuf2alu_last;
    wire [${output_row_w - 1}:0] obuf2alu_data;

    // from alu
    wire resolver2alu_ready;
    wire alu2resolver_done;
    wire alu2obuf_valid;
    wire [${obuf_entry_w - 1}:0] alu2obuf_read_entry;
    wire alu2obuf_write;
    wire [${obuf_entry_w - 1}:0] alu2obuf_write_entry;
    wire alu2obuf_last;
    wire [${cols - 1}:0] alu2obuf_enable;
    wire [${output_row_w - 1}:0] alu2obuf_data;

    // from store
    wire resolver2store_ready;
    wire store2resolver_done;
    wire store2control_error;
    wire [${address_width - 1}:0] store2control_address;
    wire store2obuf_valid;
    wire [${obuf_entry_w - 1}:0] store2obuf_entry;

    // ---------------------------------------------------------------- units
    systolic_control u_control (
        .clk (clk), .rst_n (reset_n),
//%   for p in slave_pins
        .${p.name} (${p.name}),
//%   end
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
//%   for p in fetch_pins
        .${p.name} (${p.name}),
//%   end
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
//%   for p in load_pins
        .${p.name} (${p.name}),
//%   end
//% if scales
        .load2scale_write (load2scale_write),
        .load2scale_entry (load2scale_entry),
        .load2scale_enable (load2scale_enable),
        .load2scale_data (load2scale_data),
//% end
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
//%   for p in store_pins
        .${p.name} (${p.name}),
//%   end
//% if scales
        .load2scale_write (load2scale_write),
        .load2scale_entry (load2scale_entry),
        .load2scale_enable (load2scale_enable),
        .load2scale_data (load2scale_data),
//% end
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
