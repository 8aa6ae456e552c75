// AXI4 slave of 128 bits before the registers of control.
//
// A write and a read at a time, beat by beat: FIXED and INCR bursts of any size and length. A beat
// of a write is seen by the registers in the next cycle; a beat of a read takes two cycles.
// Addresses that are not those of the registers read 0. All answers are OKAY.
// Reset: nothing on its way.
`default_nettype none

module systolic_slave (
    input  wire         clk,
    input  wire         rst_n,

//% for p in pins
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]    ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire          ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//% end

    // registers
    output wire         write,        // pulse
    output wire [${page_w - 5}:0]   write_word,
    output wire [127:0] write_data,
    output wire [15:0]  write_strobes,
    output wire [${page_w - 5}:0]   read_word,
    input  wire [127:0] read_data     // of read_word
);

    localparam PAGE_W = ${page_w};                // the registers have 2^PAGE_W bytes
    localparam WORD_W = PAGE_W - 4;
    localparam [31:0] BASE = 32'd${config_address};

    // No burst leaves a page of 4 KiB.
    function [31:0] next_address;
        input [31:0] address;
        input [4:0]  step;
    begin
        next_address = {address[31:12], address[11:0] + {7'd0, step}};
    end
    endfunction

    // ------------------------------------------------------------------ write
    reg          aw_full_q;
    reg  [3:0]   aw_id_q;
    reg  [31:0]  aw_addr_q;
    reg  [4:0]   aw_step_q;           // bytes from beat to beat
    reg          b_valid_q;
    reg          write_q;
    reg  [WORD_W-1:0] word_q;
    reg  [127:0] data_q;
    reg  [15:0]  strobes_q;

    wire         aw = s_axi_awvalid && !aw_full_q;
    wire         w  = s_axi_wvalid && s_axi_wready;

    assign s_axi_awready = !aw_full_q;
    assign s_axi_wready  = aw_full_q && !b_valid_q;
    assign s_axi_bvalid  = b_valid_q;
    assign s_axi_bid     = aw_id_q;
    assign s_axi_bresp   = 2'd0;
    assign write         = write_q;
    assign write_word    = word_q;
    assign write_data    = data_q;
    assign write_strobes = strobes_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            aw_full_q <= 1'b0;
            b_valid_q <= 1'b0;
            write_q   <= 1'b0;
        end else begin
            if (aw) aw_full_q <= 1'b1;
            if (w && s_axi_wlast) b_valid_q <= 1'b1;
            if (b_valid_q && s_axi_bready) begin
                aw_full_q <= 1'b0;
                b_valid_q <= 1'b0;
            end
            write_q <= w && aw_addr_q[31:PAGE_W] == BASE[31:PAGE_W];
        end
    end

    always @(posedge clk) begin
        if (aw) begin
            aw_id_q   <= s_axi_awid;
            aw_addr_q <= s_axi_awaddr;
            aw_step_q <= s_axi_awburst == 2'd0 ? 5'd0 : 5'd1 << s_axi_awsize;
        end else if (w) begin
            aw_addr_q <= next_address(aw_addr_q, aw_step_q);
        end
        if (w) begin
            word_q    <= aw_addr_q[PAGE_W-1:4];
            data_q    <= s_axi_wdata;
            strobes_q <= s_axi_wstrb;
        end
    end

    // ------------------------------------------------------------------ read
    reg          ar_full_q;
    reg  [3:0]   ar_id_q;
    reg  [31:0]  ar_addr_q;
    reg  [4:0]   ar_step_q;
    reg  [7:0]   ar_left_q;           // beats behind the next one
    reg          r_valid_q;
    reg          r_last_q;
    reg  [127:0] r_data_q;

    wire         ar   = s_axi_arvalid && !ar_full_q;
    wire         load = ar_full_q && !r_valid_q;

    assign s_axi_arready = !ar_full_q;
    assign s_axi_rvalid  = r_valid_q;
    assign s_axi_rlast   = r_last_q;
    assign s_axi_rid     = ar_id_q;
    assign s_axi_rresp   = 2'd0;
    assign s_axi_rdata   = r_data_q;
    assign read_word     = ar_addr_q[PAGE_W-1:4];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            ar_full_q <= 1'b0;
            r_valid_q <= 1'b0;
        end else begin
            if (ar)   ar_full_q <= 1'b1;
            if (load) r_valid_q <= 1'b1;
            if (r_valid_q && s_axi_rready) begin
                r_valid_q <= 1'b0;
                ar_full_q <= !r_last_q;
            end
        end
    end

    always @(posedge clk) begin
        if (ar) begin
            ar_id_q   <= s_axi_arid;
            ar_addr_q <= s_axi_araddr;
            ar_step_q <= s_axi_arburst == 2'd0 ? 5'd0 : 5'd1 << s_axi_arsize;
            ar_left_q <= s_axi_arlen;
        end else if (load) begin
            ar_addr_q <= next_address(ar_addr_q, ar_step_q);
            ar_left_q <= ar_left_q - 8'd1;
        end
        if (load) begin
            r_last_q <= ar_left_q == 8'd0;
            r_data_q <= ar_addr_q[31:PAGE_W] == BASE[31:PAGE_W] ? read_data : 128'd0;
        end
    end

    wire unused_bits = &{1'b0, s_axi_awlen, s_axi_awlock, s_axi_awcache, s_axi_awprot, s_axi_awqos,
                         s_axi_arlock, s_axi_arcache, s_axi_arprot, s_axi_arqos, BASE[PAGE_W-1:0]};

endmodule

`default_nettype wire
