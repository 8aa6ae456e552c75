// Registers of a board around an accelerator, and the way of register accesses to either.
// Addresses with the highest bit set are those below, all others go to the accelerator:
//
//   0x80000000  MAGIC       0x6d616372
//   0x80000004  DESIGN      checksum of the configuration
//   0x80000008  MEMORY      KiB
//   0x8000000c  CLOCK       kHz
//   0x80000010  RESET       bit 0: the accelerator is held in reset; 1 after power-on
//   0x80000014  CYCLES      of clk, wraps around; without TIMES these three are 0
//   0x80000018  WRITE_TIME  CYCLES when the accelerator accepted the last register write
//   0x8000001c  IRQ_TIME    CYCLES when its interrupt rose
//   0x80000040  SEGMENT     16 words, write only: see mem_path
//
// One access at a time. Answers one cycle after a board register is asked, else those of the
// accelerator pass by.
`default_nettype none

module board_regs #(
    parameter [31:0] DESIGN     = 32'd0,
    parameter [31:0] MEMORY_KIB = 32'd128,
    parameter [31:0] CLOCK_KHZ  = 32'd60000,
    parameter        TIMES      = 1   // there are CYCLES, WRITE_TIME and IRQ_TIME
) (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        bus_valid,
    output wire        bus_ready,
    input  wire        bus_write,
    input  wire [31:0] bus_addr,      // byte address
    input  wire [31:0] bus_wdata,
    output wire        bus_done,
    output wire [31:0] bus_rdata,

    // accelerator
    output wire        acc_valid,
    input  wire        acc_ready,
    input  wire        acc_done,
    input  wire [31:0] acc_rdata,
    input  wire        acc_irq,
    output reg         acc_rst_n,

    output wire        seg_we,
    output wire [3:0]  seg_addr,
    output wire [15:0] seg_data
);

    localparam [31:0] MAGIC = 32'h6d61_6372;
    localparam [2:0]  RESET = 3'd4;

    reg  [31:0] cycles_q;
    reg  [31:0] write_time_q;
    reg  [31:0] irq_time_q;
    reg         irq_q;
    reg         held_q;               // the accelerator is in reset
    reg         own_done_q;
    reg  [31:0] own_rdata_q;

    wire        own    = bus_valid && bus_addr[31];
    wire        access = own && !own_done_q;
    wire [2:0]  word   = bus_addr[4:2];
    wire        is_seg = bus_addr[6];

    wire unused_bits = &{bus_addr[30:7], bus_addr[1:0], bus_wdata[31:16]};

    assign bus_ready = bus_addr[31] ? own_done_q : acc_ready;
    assign bus_done  = own_done_q || acc_done;
    assign bus_rdata = own_done_q ? own_rdata_q : acc_rdata;
    assign acc_valid = bus_valid && !bus_addr[31];
    assign seg_we    = access && bus_write && is_seg;
    assign seg_addr  = bus_addr[5:2];
    assign seg_data  = bus_wdata[15:0];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            own_done_q <= 1'b0;
            acc_rst_n  <= 1'b0;
            held_q     <= 1'b1;
            irq_q      <= 1'b0;
            cycles_q   <= 32'd0;
        end else begin
            own_done_q <= access;
            irq_q      <= acc_irq;
            cycles_q   <= TIMES == 0 ? 32'd0 : cycles_q + 32'd1;
            if (access && bus_write && !is_seg && word == RESET) held_q <= bus_wdata[0];
            acc_rst_n  <= !held_q;
        end
    end

    always @(posedge clk) begin
        if (TIMES == 0)                               write_time_q <= 32'd0;
        else if (acc_valid && acc_ready && bus_write) write_time_q <= cycles_q;
        if (TIMES == 0)                               irq_time_q   <= 32'd0;
        else if (acc_irq && !irq_q)                   irq_time_q   <= cycles_q;
        case (word)
            3'd0:    own_rdata_q <= MAGIC;
            3'd1:    own_rdata_q <= DESIGN;
            3'd2:    own_rdata_q <= MEMORY_KIB;
            3'd3:    own_rdata_q <= CLOCK_KHZ;
            RESET:   own_rdata_q <= {31'd0, held_q};
            3'd5:    own_rdata_q <= cycles_q;
            3'd6:    own_rdata_q <= write_time_q;
            default: own_rdata_q <= irq_time_q;
        endcase
    end

endmodule

`default_nettype wire
