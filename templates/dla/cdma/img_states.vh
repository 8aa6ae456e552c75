//# States of the way through a line of pixels.
    // ------------------------------------------------------------------ pixels of a line
    //
    //     LEFT (padding) --> PIXEL --> RIGHT (padding) --> FLUSH --> next line
    localparam [1:0] LEFT = 2'd0, PIXEL = 2'd1, RIGHT = 2'd2, FLUSH = 2'd3;

    reg  [1:0]         state_q;
    reg  [12:0]        count_q;        // pixels of this state after this one
    reg  [LSB-1:0]     at_q;           // pixel inside the atom of plane 0
    reg  [${atom_bits - 1:3}:0]        luma_q;         // atom of plane 0 if there are two
    reg                luma_valid_q;

    wire in_pixel = state_q == PIXEL;
    wire load     = in_pixel && two_planes_q && !luma_valid_q && atom_valid;
