//# Elements of PDP: from SDP or from memory, in groups.
    // ------------------------------------------------------------------ input
    // Only the source of the running layer is open; what is already here waits for its layer.
    wire            take;                              // a group of elements goes in
    wire            sdp_ready, rdma_ready;
    wire            sdp_valid, rdma_valid;
    wire [${lane_bits * sdp_lanes - 1:3}:0] sdp_data;
    wire [BEAT-1:0] rdma_data;
    wire            fly_valid, fly_pop;
    wire [BEAT-1:0] fly_data;
    wire            fly_take = take && !offline_q;
    wire            in_valid = offline_q ? rdma_valid : fly_valid;
//% if fp16
    wire [BEAT-1:0] raw_data = offline_q ? rdma_data : fly_data;
    wire [${pdp_lanes - 1}:0] raw_nan, raw_inf;                  // elements
    wire [BEAT-1:0] in_data;                           // flushed
    genvar          lane;

    generate
        for (lane = 0; lane < ${pdp_lanes}; lane = lane + 1) begin : gen_raw
            wire [15:0] element = raw_data[16*lane +: 16];

            assign raw_nan[lane] = (&element[14:10]) && (|element[9:0]);
            assign raw_inf[lane] = (&element[14:10]) && !(|element[9:0]);
            assign in_data[16*lane +: 16] = element & {16{!(flush_q && raw_nan[lane])}};
        end
    endgenerate
//% else
    wire [BEAT-1:0] in_data  = offline_q ? rdma_data : fly_data;
//% end

    // running_q with offline_q, in flops for the way to the sources.
    reg             sdp_open_q, rdma_open_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            sdp_open_q  <= 1'b0;
            rdma_open_q <= 1'b0;
        end else begin
            sdp_open_q  <= running && !offline;
            rdma_open_q <= running && offline;
        end
    end

    assign sdp2pdp_ready      = sdp_ready && sdp_open_q;
    assign pdp_rdma2pdp_ready = rdma_ready && rdma_open_q;

    fifo_sync #(.W(${lane_bits * sdp_lanes}), .DEPTH(2)) u_sdp (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .in_valid  (sdp2pdp_valid && sdp_open_q),
        .in_ready  (sdp_ready),
        .in_data   (sdp2pdp_data),
        .out_valid (sdp_valid),
        .out_ready (fly_pop),
        .out_data  (sdp_data)
    );

    fifo_sync #(.W(BEAT), .DEPTH(2)) u_rdma (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .in_valid  (pdp_rdma2pdp_valid && rdma_open_q),
        .in_ready  (rdma_ready),
        .in_data   (pdp_rdma2pdp_data),
        .out_valid (rdma_valid),
        .out_ready (take && offline_q),
        .out_data  (rdma_data)
    );

//% if types16 && int8 && 2 * sdp_lanes <= pdp_throughput
    // A group is ${pdp_throughput / sdp_lanes} beats of SDP, or ${pdp_throughput / sdp_lanes / 2} of 16 bits. What is gathered may be of the next layer,
    // of another type.
    localparam WORDS = ${pdp_throughput / sdp_lanes};
    localparam CNT_W = ${clog2(pdp_throughput / sdp_lanes) + 1};
    localparam W     = ${16 * sdp_lanes};
    reg  [CNT_W-1:0]   words_q;
    reg  [WORDS*W-1:0] store_q;                        // oldest low
    wire [CNT_W-1:0]   need   = narrow_q ? WORDS[CNT_W-1:0] : WORDS[CNT_W:1];
    wire               gather = sdp_valid && fly_pop;
    wire [CNT_W-1:0]   rest   = words_q - (fly_take ? need : {CNT_W{1'b0}});
    wire [WORDS*W-1:0] stored = !fly_take ? store_q : store_q >> (WORDS*W/2);
    wire [BEAT-1:0]    low;                            // of elements of 8 bits
    genvar             e;
    integer            n;

    generate
        for (e = 0; e < ${pdp_throughput}; e = e + 1) begin : gen_low
            assign low[8*e +: 8] = store_q[16*e +: 8];
        end
    endgenerate

    assign fly_valid = words_q >= need;
    assign fly_data  = narrow_q ? low : store_q[BEAT-1:0];
    assign fly_pop   = words_q != WORDS[CNT_W-1:0] || fly_take;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) words_q <= {CNT_W{1'b0}};
        else        words_q <= rest + {{(CNT_W-1){1'b0}}, gather};
    end

    always @(posedge ${gclk}) begin
        for (n = 0; n < WORDS; n = n + 1) begin
            store_q[W*n +: W] <= n[CNT_W-1:0] == rest ? sdp_data : stored[W*n +: W];
        end
    end
//% elif types16 && int8
    // A beat of SDP is ${2 * sdp_lanes / pdp_throughput} groups, or half as many of 8 bits.
    localparam PART_W = ${clog2(2 * sdp_lanes / pdp_throughput)};
    reg [PART_W-1:0] part_q;
    wire             last = &(part_q | {narrow_q, {(PART_W-1){1'b0}}});
    wire [${16 * sdp_lanes - 1}:0] bytes;
    genvar           e;

    generate
        for (e = 0; e < ${sdp_lanes}; e = e + 1) begin : gen_low
            assign bytes[8*e +: 8] = narrow_q ? sdp_data[16*e +: 8] : sdp_data[8*e +: 8];
        end
    endgenerate

    assign bytes[${16 * sdp_lanes - 1}:${8 * sdp_lanes}] = sdp_data[${16 * sdp_lanes - 1}:${8 * sdp_lanes}];
    assign fly_valid = sdp_valid;
    assign fly_data  = bytes[BEAT*part_q +: BEAT];
    assign fly_pop   = fly_take && last;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n)        part_q <= {PART_W{1'b0}};
        else if (fly_take) part_q <= last ? {PART_W{1'b0}} : part_q + {{(PART_W-1){1'b0}}, 1'b1};
    end
//% elif sdp_bytes == pdp_throughput
    assign fly_valid = sdp_valid;
    assign fly_data  = sdp_data;
    assign fly_pop   = fly_take;
//% elif sdp_bytes > pdp_throughput
    // A beat of SDP is ${sdp_bytes / pdp_throughput} groups.
    localparam PART_W = ${clog2(sdp_bytes / pdp_throughput)};
    reg [PART_W-1:0] part_q;

    assign fly_valid = sdp_valid;
    assign fly_data  = sdp_data[BEAT*part_q +: BEAT];
    assign fly_pop   = fly_take && (&part_q);

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n)        part_q <= {PART_W{1'b0}};
        else if (fly_take) part_q <= part_q + {{(PART_W-1){1'b0}}, 1'b1};
    end
//% else
    // A group is ${pdp_throughput / sdp_bytes} beats of SDP.
    localparam PART_W = ${clog2(pdp_throughput / sdp_bytes)};
    reg [PART_W-1:0] part_q;
    reg              whole_q;
    reg [BEAT-1:0]   whole_data_q;
    wire             gather = sdp_valid && fly_pop;

    assign fly_valid = whole_q;
    assign fly_data  = whole_data_q;
    assign fly_pop   = !whole_q || fly_take;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            part_q  <= {PART_W{1'b0}};
            whole_q <= 1'b0;
        end else begin
            if (gather) part_q <= part_q + {{(PART_W-1){1'b0}}, 1'b1};
            whole_q <= (gather && (&part_q)) || (whole_q && !fly_take);
        end
    end

    always @(posedge ${gclk}) begin
        if (gather) whole_data_q <= {sdp_data, whole_data_q[BEAT-1:${8 * sdp_bytes}]};
    end
//% end
