//# Places of the turned bytes of a pixel, and what waits.
    wire [2*BYTES-1:0] places = {{(2*BYTES-${types.px_bytes}){1'b0}}, ones} << fill_q;
    wire [BYTES-1:0]   load   = places[BYTES-1:0] | places[2*BYTES-1:BYTES];
    wire [LSB:0]       fill   = {1'b0, fill_q} + {{(LSB-${types.px_last_w - 1}){1'b0}}, ${px_last}}
                              + {{LSB{1'b0}}, 1'b1};

    assign out_valid = in_valid && (in_flush ? |fill_q : fill[LSB]);
    assign out_last  = in_valid && in_flush;

    genvar i;
    generate
        for (i = 0; i < BYTES; i = i + 1) begin : gen_byte
            assign out_data[8*i +: 8] = places[i] ? turned[8*(i%${types.px_bytes}) +: 8] : wait_q[8*i +: 8];

            always @(posedge clk) begin
                if (in_valid${not_held} && load[i]) begin
                    wait_q[8*i +: 8] <= turned[8*(i%${types.px_bytes}) +: 8];
                end
            end
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            fill_q <= {LSB{1'b0}};
        end else if (in_valid${not_held}) begin
            fill_q <= in_flush ? {LSB{1'b0}} : fill[LSB-1:0];
        end
    end

    wire unused_bits = &{1'b0, double[${8 * types.px_bytes - 1}:0]};

endmodule

`default_nettype wire
