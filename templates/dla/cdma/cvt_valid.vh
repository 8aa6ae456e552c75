//# Valid bits of the convertor.
    // ---- valid bits of the pipeline: difference, product, shifted
    reg  diff_valid_q, prod_valid_q, shift_valid_q;

    assign out_valid = enable ? shift_valid_q : in_valid;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            diff_valid_q  <= 1'b0;
            prod_valid_q  <= 1'b0;
            shift_valid_q <= 1'b0;
        end else${if_not_held} begin
            diff_valid_q  <= in_valid && enable;
            prod_valid_q  <= diff_valid_q;
            shift_valid_q <= prod_valid_q;
        end
    end
