// Fetch: takes instructions of ${instruction_bytes} bytes out of beats of ${axi_bytes} bytes.
//
// The first byte of a program is in the lowest bits of a beat; instructions follow each other
// without gaps, across beats. Bytes of an incomplete instruction wait for the next beat.
// Latency: ${fetch_latency} cycles. Throughput: an instruction per cycle, if the beats suffice.
// Stalls with decode; takes no beat while control says stop. Reset: empty.
`default_nettype none

module tcu_fetch (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        control2all_stop,

    // beats, from the pins
    input  wire [${axi_data_width - 1}:0] instruction_tdata,
    input  wire        instruction_tvalid,
    output wire        instruction_tready,

    // instructions
    output wire        fetch2decode_valid,
    input  wire        fetch2decode_ready,
    output wire [${instruction_w - 1}:0] fetch2decode_data,

    output wire        fetch_busy     // a beat or an instruction is here
);

    localparam BEAT_W = ${axi_data_width};
    localparam WORD_W = ${8 * fetch_word_bytes};         // bits that are joined at a time
    localparam UNIT_W = ${8 * fetch_unit_bytes};         // words and instructions are multiples of it
    localparam ADD    = ${fetch_word_bytes / fetch_unit_bytes};          // units of a word
    localparam TAKE   = ${instruction_bytes / fetch_unit_bytes};          // units of an instruction
    localparam FILL_W = $clog2(ADD + TAKE);
    localparam HELD_W = (ADD + TAKE - 1) * UNIT_W;

    // Beats.
    wire              beat_valid;
    wire              beat_ready;
    wire [BEAT_W-1:0] beat;

    // Not ready in reset: the sender may be out of it before.
    reg               open_q;
    wire              room;

    assign instruction_tready = room && open_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) open_q <= 1'b0;
        else        open_q <= !control2all_stop;
    end

    fifo_sync #(.W(BEAT_W), .DEPTH(2)) u_beat (
        .clk(clk), .rst_n(rst_n),
        .in_valid(instruction_tvalid && open_q), .in_ready(room), .in_data(instruction_tdata),
        .out_valid(beat_valid), .out_ready(beat_ready), .out_data(beat)
    );

    // Words.
    wire              word_valid;
    wire              word_ready;
    wire [WORD_W-1:0] word;

//% if fetch_words == 1
    assign word_valid = beat_valid;
    assign beat_ready = word_ready;
    assign word       = beat;
//% else
    localparam WORDS   = ${fetch_words};                // words of a beat
    localparam COUNT_W = $clog2(WORDS);

    reg               word_q;         // a word is here
    reg [COUNT_W-1:0] count_q;        // words behind it
    reg [BEAT_W-1:0]  beat_q;

    assign word_valid = word_q;
    assign beat_ready = !word_q || (word_ready && count_q == {COUNT_W{1'b0}});
    assign word       = beat_q[WORD_W-1:0];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)          word_q <= 1'b0;
        else if (beat_ready) word_q <= beat_valid;
    end

    always @(posedge clk) begin
        if (beat_ready) begin
            count_q <= {COUNT_W{1'b1}};
            beat_q  <= beat;
        end else if (word_ready) begin
            count_q <= count_q - 1'b1;
            beat_q  <= beat_q >> WORD_W;
        end
    end
//% end

    // Instructions: words are put behind the bytes that are left over.
    reg               valid_q;
    reg  [FILL_W-1:0] fill_q;         // units held; those above are 0 unless there are none
    reg  [HELD_W-1:0] held_q;

    wire              take = valid_q && fetch2decode_ready;
    wire [FILL_W-1:0] left = take ? fill_q - TAKE[FILL_W-1:0] : fill_q;
    wire              add  = word_valid && word_ready;
    wire [FILL_W-1:0] fill = add ? left + ADD[FILL_W-1:0] : left;
    wire [HELD_W-1:0] kept = take ? held_q >> (TAKE * UNIT_W) : held_q;
//% if instruction_bytes == fetch_unit_bytes
    wire [HELD_W-1:0] held = add ? word : kept;
//% else
    localparam LEFT_W = $clog2(TAKE);
    wire [HELD_W-1:0] above = {{(HELD_W-WORD_W){1'b0}}, word} << {left[LEFT_W-1:0], ${3 + clog2(fetch_unit_bytes)}'d0};
    wire [HELD_W-1:0] below = left == {FILL_W{1'b0}} ? {HELD_W{1'b0}} : kept;
    wire [HELD_W-1:0] held  = add ? below | above : kept;
//% end

    assign word_ready         = left < TAKE[FILL_W-1:0];
    assign fetch2decode_valid = valid_q;
    assign fetch2decode_data  = held_q[TAKE*UNIT_W-1:0];
    assign fetch_busy         = beat_valid || word_valid || valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            fill_q  <= {FILL_W{1'b0}};
        end else begin
            valid_q <= fill >= TAKE[FILL_W-1:0];
            fill_q  <= fill;
        end
    end

    always @(posedge clk) begin
        held_q <= held;
    end

endmodule

`default_nettype wire
