// Made by macrame 0.1.0 from templates/dla/cfgrom/dla_cfgrom.v

// CFGROM: read-only list of what this accelerator can do, one descriptor per unit.
//
// Reads are answered two cycles later, 0 in every other cycle and where there is no word. Writes
// are ignored. Nothing stalls. No reset is needed.
// Words: those of the reference nv_small ROM, in every configuration.
`default_nettype none

module dla_cfgrom (
    input  wire        clk,

    // register access
    input  wire        csb2cfgrom_valid,
    input  wire [9:0]  csb_addr,             // word offset
    input  wire        csb_write,
    output reg  [31:0] cfgrom2csb_rdata      // 0 unless a read was requested
);

    reg         rd_q;
    reg  [9:0]  word_q;
    reg  [31:0] value;

    // Words that are 0 are not listed.
    always @* begin
        case (word_q)
            10'h000: value = 32'h00010001; // CFGROM_HW_VERSION
            10'h001: value = 32'h00000001; // CFGROM_GLB_DESC
            10'h002: value = 32'h00180002; // CFGROM_CIF_DESC
            10'h005: value = 32'h00000008; // CFGROM_CIF_BASE_WIDTH
            10'h006: value = 32'h00000032; // CFGROM_CIF_BASE_LATENCY
            10'h007: value = 32'h00000080; // CFGROM_CIF_BASE_BURST_LENGTH_MAX
            10'h008: value = 32'h00000400; // CFGROM_CIF_BASE_MEM_ADDR_WIDTH
            10'h009: value = 32'h00340003; // CFGROM_CDMA_DESC
            10'h00b: value = 32'h00000010; // CFGROM_CDMA_CAP_COMPAT
            10'h00c: value = 32'h00000010; // CFGROM_CDMA_BASE_FEATURE_TYPES
            10'h00d: value = 32'h00000010; // CFGROM_CDMA_BASE_WEIGHT_TYPES
            10'h00e: value = 32'h00000008; // CFGROM_CDMA_BASE_ATOMIC_C
            10'h00f: value = 32'h00000008; // CFGROM_CDMA_BASE_ATOMIC_K
            10'h010: value = 32'h00000008; // CFGROM_CDMA_BASE_ATOMIC_M
            10'h011: value = 32'h00000020; // CFGROM_CDMA_BASE_CBUF_BANK_NUM
            10'h012: value = 32'h00000008; // CFGROM_CDMA_BASE_CBUF_BANK_WIDTH
            10'h013: value = 32'h00000200; // CFGROM_CDMA_BASE_CBUF_BANK_DEPTH
            10'h015: value = 32'h0cfff001; // CFGROM_CDMA_IMAGE_IN_FORMATS_PACKED
            10'h016: value = 32'h00000003; // CFGROM_CDMA_IMAGE_IN_FORMATS_SEMI
            10'h017: value = 32'h00180004; // CFGROM_CBUF_DESC
            10'h01a: value = 32'h00000020; // CFGROM_CBUF_BASE_CBUF_BANK_NUM
            10'h01b: value = 32'h00000008; // CFGROM_CBUF_BASE_CBUF_BANK_WIDTH
            10'h01c: value = 32'h00000200; // CFGROM_CBUF_BASE_CBUF_BANK_DEPTH
            10'h01d: value = 32'h00000003; // CFGROM_CBUF_BASE_CDMA_ID
            10'h01e: value = 32'h00300005; // CFGROM_CSC_DESC
            10'h020: value = 32'h00000010; // CFGROM_CSC_CAP_COMPAT
            10'h021: value = 32'h00000010; // CFGROM_CSC_BASE_FEATURE_TYPES
            10'h022: value = 32'h00000010; // CFGROM_CSC_BASE_WEIGHT_TYPES
            10'h023: value = 32'h00000008; // CFGROM_CSC_BASE_ATOMIC_C
            10'h024: value = 32'h00000008; // CFGROM_CSC_BASE_ATOMIC_K
            10'h025: value = 32'h00000008; // CFGROM_CSC_BASE_ATOMIC_M
            10'h026: value = 32'h00000020; // CFGROM_CSC_BASE_CBUF_BANK_NUM
            10'h027: value = 32'h00000008; // CFGROM_CSC_BASE_CBUF_BANK_WIDTH
            10'h028: value = 32'h00000200; // CFGROM_CSC_BASE_CBUF_BANK_DEPTH
            10'h029: value = 32'h00000003; // CFGROM_CSC_BASE_CDMA_ID
            10'h02b: value = 32'h001c0006; // CFGROM_CMAC_A_DESC
            10'h02d: value = 32'h00000010; // CFGROM_CMAC_A_CAP_COMPAT
            10'h02e: value = 32'h00000010; // CFGROM_CMAC_A_BASE_FEATURE_TYPES
            10'h02f: value = 32'h00000010; // CFGROM_CMAC_A_BASE_WEIGHT_TYPES
            10'h030: value = 32'h00000008; // CFGROM_CMAC_A_BASE_ATOMIC_C
            10'h031: value = 32'h00000008; // CFGROM_CMAC_A_BASE_ATOMIC_K
            10'h032: value = 32'h00000003; // CFGROM_CMAC_A_BASE_CDMA_ID
            10'h033: value = 32'h001c0006; // CFGROM_CMAC_B_DESC
            10'h035: value = 32'h00000010; // CFGROM_CMAC_B_CAP_COMPAT
            10'h036: value = 32'h00000010; // CFGROM_CMAC_B_BASE_FEATURE_TYPES
            10'h037: value = 32'h00000010; // CFGROM_CMAC_B_BASE_WEIGHT_TYPES
            10'h038: value = 32'h00000008; // CFGROM_CMAC_B_BASE_ATOMIC_C
            10'h039: value = 32'h00000008; // CFGROM_CMAC_B_BASE_ATOMIC_K
            10'h03a: value = 32'h00000003; // CFGROM_CMAC_B_BASE_CDMA_ID
            10'h03b: value = 32'h00200007; // CFGROM_CACC_DESC
            10'h03e: value = 32'h00000010; // CFGROM_CACC_BASE_FEATURE_TYPES
            10'h03f: value = 32'h00000010; // CFGROM_CACC_BASE_WEIGHT_TYPES
            10'h040: value = 32'h00000008; // CFGROM_CACC_BASE_ATOMIC_C
            10'h041: value = 32'h00000008; // CFGROM_CACC_BASE_ATOMIC_K
            10'h042: value = 32'h00000003; // CFGROM_CACC_BASE_CDMA_ID
            10'h044: value = 32'h000e0008; // CFGROM_SDP_RDMA_DESC
            10'h047: value = 32'h00000008; // CFGROM_SDP_RDMA_BASE_ATOMIC_M
            10'h048: value = 32'h00000009; // CFGROM_SDP_RDMA_BASE_SDP_ID
            10'h049: value = 32'h00200009; // CFGROM_SDP_DESC
            10'h04b: value = 32'h00000018; // CFGROM_SDP_CAP_COMPAT
            10'h04c: value = 32'h00000010; // CFGROM_SDP_BASE_FEATURE_TYPES
            10'h04d: value = 32'h00000010; // CFGROM_SDP_BASE_WEIGHT_TYPES
            10'h04e: value = 32'h00000003; // CFGROM_SDP_BASE_CDMA_ID
            10'h050: value = 32'h00000001; // CFGROM_SDP_BS_THROUGHPUT
            10'h051: value = 32'h00000001; // CFGROM_SDP_BN_THROUGHPUT
            10'h053: value = 32'h000e000a; // CFGROM_PDP_RDMA_DESC
            10'h056: value = 32'h00000008; // CFGROM_PDP_RDMA_BASE_ATOMIC_M
            10'h057: value = 32'h0000000b; // CFGROM_PDP_RDMA_BASE_PDP_ID
            10'h058: value = 32'h0010000b; // CFGROM_PDP_DESC
            10'h05b: value = 32'h00000010; // CFGROM_PDP_BASE_FEATURE_TYPES
            10'h05c: value = 32'h00000001; // CFGROM_PDP_BASE_THROUGHPUT
            10'h05d: value = 32'h000e000c; // CFGROM_CDP_RDMA_DESC
            10'h060: value = 32'h00000008; // CFGROM_CDP_RDMA_BASE_ATOMIC_M
            10'h061: value = 32'h0000000d; // CFGROM_CDP_RDMA_BASE_CDP_ID
            10'h062: value = 32'h0010000d; // CFGROM_CDP_DESC
            10'h065: value = 32'h00000010; // CFGROM_CDP_BASE_FEATURE_TYPES
            10'h066: value = 32'h00000001; // CFGROM_CDP_BASE_THROUGHPUT
            default: value = 32'd0;
        endcase
    end

    always @(posedge clk) begin
        rd_q             <= csb2cfgrom_valid && !csb_write;
        word_q           <= csb_addr;
        cfgrom2csb_rdata <= rd_q ? value : 32'd0;
    end

endmodule

`default_nettype wire
