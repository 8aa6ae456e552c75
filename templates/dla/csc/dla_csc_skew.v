// Delay of the weight loader in layers of Winograd: their data take longer to CMAC, by the tiles
// and their pre-addition, so the weights that leave with them start later.
//
// Contract: `late` changes between layers only. Latency ${skew.shortest} cycles, of fp16 ${skew.longest}, of other layers 0.  //% if types.fp_and_int
// Contract: `late` changes between layers only. Latency ${skew.longest} cycles, of other layers 0.  //% if !types.fp_and_int
// Reset: nothing valid.
`default_nettype none

module dla_csc_skew #(
    parameter V = 1,                     // bits with reset
    parameter D = 1                      // bits without
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         late,            // a layer of Winograd
    input  wire         fp,  //% if types.fp_and_int
    input  wire [V-1:0] valid,
    input  wire [D-1:0] data,
    output wire [V-1:0] valid_out,
    output wire [D-1:0] data_out
);

    localparam N = ${skew.longest};                    // cycles
    reg  [N*V-1:0] valid_q;
    reg  [N*D-1:0] data_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {(N*V){1'b0}};
        else        valid_q <= {valid_q[(N-1)*V-1:0], valid};
    end

    always @(posedge clk) begin
        data_q <= {data_q[(N-1)*D-1:0], data};
    end

//% if types.fp_and_int
    assign valid_out = late ? fp ? valid_q[N*V-1 -: V] : valid_q[${skew.shortest}*V-1 -: V] : valid;
    assign data_out  = late ? fp ? data_q[N*D-1 -: D] : data_q[${skew.shortest}*D-1 -: D] : data;
//% else
    assign valid_out = late ? valid_q[N*V-1 -: V] : valid;
    assign data_out  = late ? data_q[N*D-1 -: D] : data;
//% end

endmodule

`default_nettype wire
