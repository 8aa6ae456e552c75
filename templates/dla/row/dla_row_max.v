// First pass of a row: the largest element. Elements go to the queue of the next pass.
//
// Contract: ${row_lanes} element(s) per cycle; up to 4 rows whose maximum nobody has taken. The maximum is
// there ${row_lane_w + 2} cycles behind the last beat. Reset: no row.
`default_nettype none

module dla_row_max (
    input  wire        clk,
    input  wire        rst_n,
    input  wire [7:0]  offset,                         // taken from elements

    // beats of a row
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [${8 * row_lanes - 1:3}:0] in_data,
    input  wire [${row_lanes - 1:3}:0] in_mask,
    input  wire        in_last,

    // to the queue: last, mask, elements
    output wire        out_valid,
    input  wire        out_ready,
    output wire [${10 * row_lanes:3}:0] out_data,

    // maximum of a row
    output wire        max_valid,
    input  wire        max_taken,
    output wire [7:0]  max                             // its low bits
);

    localparam LANES = ${row_lanes};

    reg  [2:0] rows_q;                                 // begun and not taken
    reg        first_q;                                // next beat is the first of a row
    wire       begins = in_valid && out_ready && first_q && !rows_q[2];
    wire       move   = in_valid && in_ready;

    assign in_ready  = out_ready && !(first_q && rows_q[2]);
    assign out_valid = move;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            rows_q  <= 3'd0;
            first_q <= 1'b1;
        end else begin
            rows_q <= rows_q + {2'd0, begins} - {2'd0, max_taken};
            if (move) first_q <= in_last;
        end
    end

    // Tree of the larger ones of a beat: node i is that of nodes 2i and 2i + 1, lanes are the last
    // nodes. What is no channel is less than all.
    wire [9*LANES-1:0] x;
    reg  [9*2*LANES-1:9] node_q;                       // 9 bits of each
    reg  [${row_lane_w:2}:0]          valid_q, last_q;                // of the levels, lanes first
    genvar             i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            assign x[9*i +: 9] = {in_data[8*i+7], in_data[8*i +: 8]} - {offset[7], offset};

            always @(posedge clk)
                node_q[9*(LANES+i) +: 9] <= in_mask[i] ? x[9*i +: 9] : 9'h100;
        end
        for (i = 1; i < LANES; i = i + 1) begin : gen_node
            always @(posedge clk)
                node_q[9*i +: 9] <= $signed(node_q[18*i +: 9]) > $signed(node_q[18*i+9 +: 9])
                                  ? node_q[18*i +: 9] : node_q[18*i+9 +: 9];
        end
    endgenerate

    assign out_data = {in_last, in_mask, x};

    // Largest of the row so far.
    reg  signed [8:0] most_q;
    reg               again_q;                         // a row begins
    wire signed [8:0] largest = node_q[17:9];
    wire signed [8:0] most    = again_q || largest > most_q ? largest : most_q;
    wire              ends    = valid_q[${row_lane_w}] && last_q[${row_lane_w}];
    wire              unused_ready;                    // rows_q counts the room

    always @(posedge clk) begin
        last_q <= in_last;  //% if row_lane_w == 0
        last_q <= {last_q[${row_lane_w - 1}:0], in_last};  //% if row_lane_w > 0
        if (valid_q[${row_lane_w}]) most_q <= most;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= ${row_lane_w + 1}'d0;
            again_q <= 1'b1;
        end else begin
            valid_q <= move;  //% if row_lane_w == 0
            valid_q <= {valid_q[${row_lane_w - 1}:0], move};  //% if row_lane_w > 0
            if (valid_q[${row_lane_w}]) again_q <= last_q[${row_lane_w}];
        end
    end

    fifo_sync #(.W(8), .DEPTH(4)) u_max (
        .clk(clk), .rst_n(rst_n),
        .in_valid(ends), .in_ready(unused_ready), .in_data(most[7:0]),
        .out_valid(max_valid), .out_ready(max_taken), .out_data(max)
    );

endmodule

`default_nettype wire
