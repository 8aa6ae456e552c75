// The two switches of dla_cvif as one module; 32 bits of an atom are enough to tell atoms apart.
`default_nettype none

module cvif_route_dut #(
    parameter W = 128,                 // bits of an atom
    parameter RSP = 1                  // atoms that a read may bring in a cycle; 2 only with PAIRS
) (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        rd_primary,
    input  wire        rd_req_valid,
    output wire        rd_req_ready,
    input  wire [31:0] rd_req_addr,
    input  wire [14:0] rd_req_size,
    output wire [31:0] rd_port_addr,
    output wire [14:0] rd_port_size,
    output wire [RSP-1:0] rd_rsp_valid,
    output wire [32*RSP-1:0] rd_rsp_tag,
    output wire        rd_rsp_whole,   // all of the atoms carry their tags
    output wire        rd_pri_req_valid,
    input  wire        rd_pri_req_ready,
    input  wire [RSP-1:0] rd_pri_rsp_valid,
    input  wire [32*RSP-1:0] rd_pri_rsp_tag,
    output wire        rd_sec_req_valid,
    input  wire        rd_sec_req_ready,
    input  wire [RSP-1:0] rd_sec_rsp_valid,
    input  wire [32*RSP-1:0] rd_sec_rsp_tag,

    input  wire        wr_primary,
    input  wire        wr_req_valid,
    output wire        wr_req_ready,
    input  wire [31:0] wr_req_addr,
    input  wire        wr_req_last,
    output wire [31:0] wr_port_addr,
    output wire        wr_port_whole,  // all of the data are copies of the address
    output wire        wr_port_last,
    output wire        wr_rsp_complete,
    output wire        wr_pri_req_valid,
    input  wire        wr_pri_req_ready,
    input  wire        wr_pri_rsp_complete,
    output wire        wr_sec_req_valid,
    input  wire        wr_sec_req_ready,
    input  wire        wr_sec_rsp_complete
);

    wire [RSP*W-1:0] rsp_data, pri_data, sec_data;
    wire [RSP-1:0] whole;
    wire [W-1:0] wr_port_data;

    assign wr_port_whole = wr_port_data == {(W/32){wr_port_addr}};
    assign rd_rsp_whole  = &whole;

    genvar i;
    generate
        for (i = 0; i < RSP; i = i + 1) begin : gen_atom
            assign rd_rsp_tag[32*i +: 32] = rsp_data[W*i +: 32];
            assign whole[i] = rsp_data[W*i +: W] == {(W/32){rsp_data[W*i +: 32]}};
            assign pri_data[W*i +: W] = {(W/32){rd_pri_rsp_tag[32*i +: 32]}};
            assign sec_data[W*i +: W] = {(W/32){rd_sec_rsp_tag[32*i +: 32]}};
        end
    endgenerate

`ifdef PAIRS
    dla_route_rd #(.RSP(RSP)) u_rd (
`else
    dla_route_rd u_rd (
`endif
        .clk           (clk),
        .rst_n         (rst_n),
        .primary       (rd_primary),
        .req_valid     (rd_req_valid),
        .req_ready     (rd_req_ready),
        .req_addr      (rd_req_addr),
        .req_size      (rd_req_size),
        .rsp_valid     (rd_rsp_valid),
        .rsp_data      (rsp_data),
        .port_req_addr (rd_port_addr),
        .port_req_size (rd_port_size),
        .pri_req_valid (rd_pri_req_valid),
        .pri_req_ready (rd_pri_req_ready),
        .pri_rsp_valid (rd_pri_rsp_valid),
        .pri_rsp_data  (pri_data),
        .sec_req_valid (rd_sec_req_valid),
        .sec_req_ready (rd_sec_req_ready),
        .sec_rsp_valid (rd_sec_rsp_valid),
        .sec_rsp_data  (sec_data)
    );

    dla_route_wr u_wr (
        .clk              (clk),
        .rst_n            (rst_n),
        .primary          (wr_primary),
        .req_valid        (wr_req_valid),
        .req_ready        (wr_req_ready),
        .req_addr         (wr_req_addr),
        .req_data         ({(W/32){wr_req_addr}}),
        .req_last         (wr_req_last),
        .rsp_complete     (wr_rsp_complete),
        .port_req_addr    (wr_port_addr),
        .port_req_data    (wr_port_data),
        .port_req_last    (wr_port_last),
        .pri_req_valid    (wr_pri_req_valid),
        .pri_req_ready    (wr_pri_req_ready),
        .pri_rsp_complete (wr_pri_rsp_complete),
        .sec_req_valid    (wr_sec_req_valid),
        .sec_req_ready    (wr_sec_req_ready),
        .sec_rsp_complete (wr_sec_rsp_complete)
    );

endmodule

`default_nettype wire
