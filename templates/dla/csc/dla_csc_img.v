// Reads of image layers: which entries a position needs that are not in the windows yet.
//
// The bytes of a position lie in one entry of a line or in two that follow each other; kernel rows
// that share an operation have the same place in lines below each other. The window of a row keeps
// the newest entry and the one before it, so a position next to the one before mostly needs one
// new entry per row, or none.
//
//     not there: first entry, row by row --> crosses the end: second entry, row by row --> complete
//
// Contract: one slot per cycle in which `go` is high; a slot reads one entry or completes the
// position, or both. `restart` with the completing slot: the next position shares no entry.
// Reset: nothing in the windows.
`default_nettype none

module dla_csc_img (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       image,          // else every slot completes a position
    input  wire [1:0]                 rows,           // of this step, minus one
    input  wire [${clog2(atomic_c) + types16 - 1:2}:0]                bytes,          // of a row, minus one
    input  wire [${clog2(atomic_c) + types16 + 2:2}:0]                x,              // byte in the line, low bits are enough
    input  wire                       go,
    input  wire                       restart,

    output wire                       complete,
    output wire                       read,
    output reg  [1:0]                 row_q,          // that is read
    output wire                       second,         // the entry behind x is read
    output wire                       crossing        // the position ends in that entry
);

    localparam LSB = ${clog2(atomic_c) + types16};

    reg        have_q;                   // newest_q is in the windows
    reg  [2:0] newest_q;                 // entry, modulo 8: a step is at most 4 entries wide
    reg  [2:0] before_q;                 // the one before it, in the windows as well

    wire [LSB:0] last_byte = {1'b0, x[LSB-1:0]} + {1'b0, bytes};
    wire [2:0]   entry     = x[LSB+2:LSB];
    wire         is_newest = newest_q == entry;
    wire         first     = !have_q || !(is_newest || before_q == entry);
    wire         row_last  = row_q == rows;

    assign crossing = last_byte[LSB];
    assign second   = image && !first && crossing && is_newest;
    assign read     = !image || first || second;
    assign complete = !image || !read || (row_last && !(first && crossing));

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            have_q   <= 1'b0;
            row_q    <= 2'd0;
        end else if (go && image) begin
            have_q <= (have_q || (read && row_last)) && !(complete && restart);
            if (read) begin
                row_q <= row_last ? 2'd0 : row_q + 2'd1;
            end
        end
    end

    always @(posedge clk) begin
        if (go && read && row_last) begin
            newest_q <= entry + {2'd0, second};
            before_q <= entry + {3{!second}};
        end
    end

    wire unused_bits = &{1'b0, last_byte[LSB-1:0]};

endmodule

`default_nettype wire
