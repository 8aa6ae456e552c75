//# The bytes of a load out of the newest entry and the one before, byte `offset` first.
    wire [${byte_w}-1:0]  offset = offset_dly_q[DATA*${byte_w}-1 -: ${byte_w}];
    wire [${byte_w}-1:0]  fine   = offset_dly_q[(DATA+1)*${byte_w}-1 -: ${byte_w}];   // a cycle later
    reg  [${byte_n}-1:0]   old_q;              // bytes of before_q
    wire [8*${byte_n}-1:0] ${whole};
    reg  [8*${byte_n}-1:0] coarse, turned;
    integer            s;

    genvar i;
    generate
        for (i = 0; i < ${byte_n}; i = i + 1) begin : gen_byte
            assign ${whole}[8*i +: 8] = old_q[i] ? before_q[8*i +: 8] : rd_rsp_data[8*i +: 8];
        end
    endgenerate

    // Rotation: byte `offset` becomes byte 0; first by many bytes, then by few.
    always @* begin
        coarse = ${whole};
        for (s = ${byte_w} - 1; s >= HALF; s = s - 1) begin
            if (offset[s]) coarse = (coarse >> (8 << s)) | (coarse << (8*${byte_n} - (8 << s)));
        end
    end

    always @* begin
        turned = turned_q;
        for (s = HALF - 1; s >= 0; s = s - 1) begin
            if (fine[s]) turned = (turned >> (8 << s)) | (turned << (8*${byte_n} - (8 << s)));
        end
    end
