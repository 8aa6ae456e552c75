// Samples of what the units do: every sample_interval cycles a word with the program counter and
// the handshakes of the links, {ready, valid} each.
//
//     bits   name in documents   valid: something is offered; without ready it waits
//     33:32  array               vectors for the array
//     35:34  acc                 operations on accumulators
//     37:36  local dataflow      anything for array and accumulators, from the decoder
//     39:38  dram1               transfer with bank 1
//     41:40  dram0               transfer with bank 0
//     43:42  port B              transfer with any bank
//     45:44  port A              rows of weights for the array
//     47:46  instruction         instruction for the decoder
//
// The first word shows the first cycle with an interval; 0: none. A word waits for tready; words
// that come meanwhile are dropped and do not count for tlast, which ends blocks of ${sample_block_size}.
// Reset: no word.
`default_nettype none

module tcu_sample (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [15:0]  sample_interval,
    input  wire [31:0]  program_counter,
    // Links that are watched
    input  wire         fetch2decode_valid,
    input  wire         fetch2decode_ready,
    input  wire         decode2load_valid,
    input  wire         decode2load_ready,
    input  wire         decode2load_bank,
    input  wire         decode2store_valid,
    input  wire         decode2store_ready,
    input  wire         decode2store_bank,
    input  wire         decode2issue_valid,
    input  wire         decode2issue_ready,
    input  wire         issue2weights_valid,
    input  wire         issue2weights_ready,
    input  wire         issue2feed_valid,
    input  wire         issue2feed_ready,
    input  wire         issue2acc_valid,
    input  wire         issue2acc_ready,
    // Samples
    output reg  [63:0]  sample_tdata,
    output reg          sample_tvalid,
    input  wire         sample_tready,
    output reg          sample_tlast
);

    localparam WORD_W = ${max(1, clog2(sample_block_size))};
    localparam [WORD_W-1:0] LAST = ${max(1, clog2(sample_block_size))}'d${sample_block_size - 1};

    // ---------------------------------------------------------------- what the word says
    // A transfer is ready if neither a load nor a store waits.
    function [1:0] transfer(input load, input load_ready, input store, input store_ready);
        transfer = {(!load || load_ready) && (!store || store_ready), load || store};
    endfunction

    wire [1:0] dram0  = transfer(decode2load_valid && !decode2load_bank, decode2load_ready,
                                 decode2store_valid && !decode2store_bank, decode2store_ready);
    wire [1:0] dram1  = transfer(decode2load_valid && decode2load_bank, decode2load_ready,
                                 decode2store_valid && decode2store_bank, decode2store_ready);
    wire [1:0] port_b = transfer(decode2load_valid, decode2load_ready,
                                 decode2store_valid, decode2store_ready);

    // ---------------------------------------------------------------- when
    reg  [15:0]       cycle_q;      // since the last sample, 0: now
    reg  [WORD_W-1:0] word_q;       // of the block
    wire              on   = sample_interval != 16'd0;
    wire              take = on && cycle_q == 16'd0 && (!sample_tvalid || sample_tready);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            cycle_q       <= 16'd0;
            word_q        <= {WORD_W{1'b0}};
            sample_tvalid <= 1'b0;
        end else begin
            cycle_q <= on && cycle_q < sample_interval - 16'd1 ? cycle_q + 16'd1 : 16'd0;
            if (take) word_q <= word_q == LAST ? {WORD_W{1'b0}} : word_q + 1'b1;
            if (take)               sample_tvalid <= 1'b1;
            else if (sample_tready) sample_tvalid <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            sample_tdata <= {16'd0, fetch2decode_ready, fetch2decode_valid,
                             issue2weights_ready, issue2weights_valid, port_b, dram0, dram1,
                             decode2issue_ready, decode2issue_valid,
                             issue2acc_ready, issue2acc_valid,
                             issue2feed_ready, issue2feed_valid, program_counter};
            sample_tlast <= word_q == LAST;
        end
    end

endmodule

`default_nettype wire
