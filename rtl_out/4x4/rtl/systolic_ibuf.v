// Made by macrame 0.1.0 from templates/systolic/array/systolic_ibuf.v
// with ibuf_entries=128 ibuf_entry_w=7 in_width=8 pad_w=8

// A row's bank of IBUF, and what the row is fed with: an input, the pad value, or zero if the row
// is not active. Steps come in the cycle of their address and go on to the next row a cycle later,
// together with x. A row is active in a fold if it has been given weights for it.
// Reset: no steps, not active.
`default_nettype none

module systolic_ibuf (
    input  wire        clk,
    input  wire        rst_n,
    // Loads
    input  wire        write,
    input  wire [ 6:0] write_entry,
    input  wire [ 7:0] write_data,
    // Weights
    input  wire        weight_read,
    input  wire        move_above,        // the row above moves weights
    output reg         move_q,
    // Steps
    input  wire        step,
    input  wire        swap,
    input  wire [ 6:0] entry,
    input  wire        padded,
    input  wire [ 7:0] pad_value,
    output reg         step_q,
    output reg         swap_q,
    output reg  [ 6:0] entry_q,
    output reg         padded_q,
    output reg  [ 7:0] pad_value_q,
    output wire [ 7:0] x
);

    reg         next_active_q;
    reg         active_q;
    wire [ 7:0] found;

    assign x = !active_q ? 8'd0 : padded_q ? pad_value_q : found;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            move_q        <= 1'b0;
            step_q        <= 1'b0;
            swap_q        <= 1'b0;
            next_active_q <= 1'b0;
            active_q      <= 1'b0;
        end else begin
            move_q        <= weight_read && move_above;
            step_q        <= step;
            swap_q        <= swap;
            next_active_q <= move_q || (next_active_q && !swap);
            if (swap) active_q <= next_active_q;
        end
    end

    always @(posedge clk) begin
        entry_q     <= entry;
        padded_q    <= padded;
        pad_value_q <= pad_value;
    end

    sram_1r1w #(.W(8), .DEPTH(128)) u_bank (
        .clk(clk), .we(write), .waddr(write_entry), .wdata(write_data),
        .re(step), .raddr(entry), .rdata(found)
    );

endmodule

`default_nettype wire
