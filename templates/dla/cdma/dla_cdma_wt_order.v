// Compressed weights: the streams of weights and of masks share a memory client. Requests of both
// take turns; answers come in request order, so a FIFO notes whose they are.
//
//% if wt.atoms > 1
//     weights --.
//               +--> client -- memory --> whose? --> dla_cdma_pairs
//     masks ----'        '--> FIFO -------'
//
// Contract: a request on offer stays until it is taken. Answers never stall: pairs of atoms, of
// which both or one are there. Up to ${wt_requests} requests are under way. Reset: none.
//% else
//     weights --.                                    .--> weights
//               +--> client -- memory --> whose? ----+               (an atom of either:
//     masks ----'        '--> FIFO -------'          '--> masks       `wr_data_q`)
//
// Contract: a request on offer stays until it is taken. Answers never stall; they leave a cycle
// after they came, with `rsp_late` as much later as data that spends its time in the convertor.
// Up to ${wt_requests} requests are under way. Reset: none.
//% end
`default_nettype none

module dla_cdma_wt_order (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // requests of weights
    input  wire                       wt_valid,
    output wire                       wt_ready,
    input  wire [${addr_w - 1:2}:0]                wt_addr,
    input  wire [14:0]                wt_size,        // atoms - 1

    // requests of masks
    input  wire                       wmb_valid,
    output wire                       wmb_ready,
    input  wire [${addr_w - 1:2}:0]                wmb_addr,
    input  wire [14:0]                wmb_size,       // atoms - 1

    // memory requests and responses
    output wire                       req_valid,
    input  wire                       req_ready,
    output wire [${addr_w - 1:2}:0]                req_addr,
    output wire [14:0]                req_size,       // atoms - 1
//% if wt.atoms > 1
    input  wire [1:0]                 rsp_valid,      // atoms that are there
    output wire                       rsp_wmb         // this response has masks
//% else
    input  wire                       rsp_late,
    input  wire                       rsp_valid,
    output wire                       rsp_wmb,        // this response has masks
    input  wire [${atom_bits - 1:3}:0]               rsp_data,

    // an atom for one of them; it is in wr_data_q in the next cycle
    output wire                       wt_rsp_valid,
    output wire                       wmb_rsp_valid,
    output reg  [${atom_bits - 1:3}:0]               wr_data_q
//% end
);

    localparam SIZE_W = ${clog2(wt_req_atoms)};          // a request has up to 2**SIZE_W atoms
//% if wt.atoms == 1
    localparam CVT    = 3;          // cycles more with the convertor than without
    localparam ATOM_W = ${atom_bits};
//% end

    // ------------------------------------------------------------------ requests
    reg  held_q;                       // the request on offer was there in the cycle before
    reg  wmb_q;                        // and whose it was; the other one is next
    wire room;
    wire wmb = held_q ? wmb_q : wmb_valid && !(wmb_q && wt_valid);

    assign req_valid = room && (wt_valid || wmb_valid);
    assign req_addr  = wmb ? wmb_addr : wt_addr;
    assign req_size  = wmb ? wmb_size : wt_size;
    assign wt_ready  = req_ready && room && !wmb;
    assign wmb_ready = req_ready && room && wmb;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            held_q <= 1'b0;
            wmb_q  <= 1'b0;
        end else if (req_valid) begin
            held_q <= !req_ready;
            wmb_q  <= wmb;
        end
    end

    // ------------------------------------------------------------------ responses
    reg  [SIZE_W-1:0] count_q;         // atoms of the oldest request that came
    wire [SIZE_W-1:0] size;            // its atoms - 1
    wire              unused_valid;    // a request came before its answer
//% if wt.atoms > 1
    wire              coming  = |rsp_valid;
    wire [SIZE_W-1:0] more    = {{(SIZE_W-1){1'b0}}, &rsp_valid};    // atoms - 1
    wire              rsp_end = coming && (count_q + more == size);
//% else
    wire              rsp_end = rsp_valid && (count_q == size);
//% end

    fifo_sync #(.W(SIZE_W+1), .DEPTH(${wt_requests})) u_order (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (req_valid && req_ready),
        .in_ready  (room),
        .in_data   ({wmb, req_size[SIZE_W-1:0]}),
        .out_valid (unused_valid),
        .out_ready (rsp_end),
        .out_data  ({rsp_wmb, size})
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)         count_q <= {SIZE_W{1'b0}};
        else if (rsp_end)   count_q <= {SIZE_W{1'b0}};
//% if wt.atoms > 1
        else if (coming)    count_q <= count_q + more + {{(SIZE_W-1){1'b0}}, 1'b1};
    end
//% else
        else if (rsp_valid) count_q <= count_q + {{(SIZE_W-1){1'b0}}, 1'b1};
    end
//% end
//% if wt.atoms == 1

    // ------------------------------------------------------------------ atoms, as late as data
    reg  [CVT-1:0]        late_wt_q, late_wmb_q;
    reg  [CVT*ATOM_W-1:0] late_data_q;

    assign wt_rsp_valid  = rsp_late ? late_wt_q[CVT-1] : rsp_valid && !rsp_wmb;
    assign wmb_rsp_valid = rsp_late ? late_wmb_q[CVT-1] : rsp_valid && rsp_wmb;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            late_wt_q  <= {CVT{1'b0}};
            late_wmb_q <= {CVT{1'b0}};
        end else begin
            late_wt_q  <= {late_wt_q[CVT-2:0], rsp_late && rsp_valid && !rsp_wmb};
            late_wmb_q <= {late_wmb_q[CVT-2:0], rsp_late && rsp_valid && rsp_wmb};
        end
    end

    always @(posedge clk) begin
        if (rsp_late) late_data_q <= {late_data_q[(CVT-1)*ATOM_W-1:0], rsp_data};
        if (wt_rsp_valid || wmb_rsp_valid) begin
            wr_data_q <= rsp_late ? late_data_q[CVT*ATOM_W-1 -: ATOM_W] : rsp_data;
        end
    end

//% end
endmodule

`default_nettype wire
