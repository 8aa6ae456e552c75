
    reg [N-1:0]      rsp_valid_q;
    reg [ATOM_W-1:0] rsp_data_q;      // one for all clients

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rsp_valid_q <= {N{1'b0}};
        else        rsp_valid_q <= rsp_hit & {N{rsp_atom}};
    end

    always @(posedge clk) begin
        if (rsp_atom) rsp_data_q <= atom;
    end
