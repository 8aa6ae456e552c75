// CFGROM: read-only list of what this accelerator can do, one descriptor per unit.
//
// Reads are answered two cycles later, 0 in every other cycle and where there is no word. Writes
// are ignored. Nothing stalls. No reset is needed.
// Words: ${words_doc}.
`default_nettype none

module dla_cfgrom (
    input  wire        clk,

    // register access
    input  wire        csb2cfgrom_valid,
    input  wire [9:0]  csb_addr,             // word offset
    input  wire        csb_write,
    output reg  [31:0] cfgrom2csb_rdata      // 0 unless a read was requested
);

    reg         rd_q;
    reg  [9:0]  word_q;
    reg  [31:0] value;

    // Words that are 0 are not listed.
    always @* begin
        case (word_q)
//% for w in words
            10'h${w.addr}: value = 32'h${w.value}; // ${w.name}
//% end
            default: value = 32'd0;
        endcase
    end

    always @(posedge clk) begin
        rd_q             <= csb2cfgrom_valid && !csb_write;
        word_q           <= csb_addr;
        cfgrom2csb_rdata <= rd_q ? value : 32'd0;
    end

endmodule

`default_nettype wire
