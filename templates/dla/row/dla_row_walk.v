// Atoms of a cube, pixel by pixel: line, column, then all surfaces.
//
// Contract: `start` loads the first atom, `step` goes on to the next one; both show in the next
// cycle. Sizes are less 1 and stand still. No reset.
`default_nettype none

module dla_row_walk #(
    parameter ADDR_W = 29,                             // of atoms
    parameter SURF_W = 13
) (
    input  wire              clk,
    input  wire              start,
    input  wire              step,
    input  wire [ADDR_W-1:0] base,
    input  wire [ADDR_W-1:0] line_step,
    input  wire [ADDR_W-1:0] surf_step,
    input  wire [12:0]       width,
    input  wire [12:0]       height,
    input  wire [SURF_W-1:0] surfaces,
    output wire [ADDR_W-1:0] addr,
    output wire              last                      // of the cube
);

    reg  [ADDR_W-1:0] addr_q;
    reg  [ADDR_W-1:0] pixel_q;                         // first atom of this pixel
    reg  [ADDR_W-1:0] line_q;                          // first atom of this line
    reg  [SURF_W-1:0] surf_left_q;                     // count down beside flags for the last one
    reg  [12:0]       col_left_q, row_left_q;
    reg               last_surf_q, last_col_q, last_row_q;

    wire pixel_end = step && last_surf_q;
    wire line_end  = pixel_end && last_col_q;

    // One adder for the three kinds of step.
    wire [ADDR_W-1:0] from   = !last_surf_q ? addr_q : !last_col_q ? pixel_q : line_q;
    wire [ADDR_W-1:0] amount = !last_surf_q ? surf_step
                             : !last_col_q  ? {{(ADDR_W-1){1'b0}}, 1'b1} : line_step;
    wire [ADDR_W-1:0] next   = start ? base : from + amount;

    assign addr = addr_q;
    assign last = last_surf_q && last_col_q && last_row_q;

    always @(posedge clk) begin
        if (start || step)      addr_q  <= next;
        if (start || pixel_end) pixel_q <= next;
        if (start || line_end)  line_q  <= next;
        if (start || pixel_end) begin
            surf_left_q <= surfaces;
            last_surf_q <= surfaces == {SURF_W{1'b0}};
        end else if (step) begin
            surf_left_q <= surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            last_surf_q <= surf_left_q == {{(SURF_W-1){1'b0}}, 1'b1};
        end
        if (start || line_end) begin
            col_left_q <= width;
            last_col_q <= width == 13'd0;
        end else if (pixel_end) begin
            col_left_q <= col_left_q - 13'd1;
            last_col_q <= col_left_q == 13'd1;
        end
        if (start) begin
            row_left_q <= height;
            last_row_q <= height == 13'd0;
        end else if (line_end) begin
            row_left_q <= row_left_q - 13'd1;
            last_row_q <= row_left_q == 13'd1;
        end
    end

endmodule

`default_nettype wire
