// Made by macrame 0.1.0 from templates/dla/cfgrom/dla_cfgrom.v

// CFGROM: read-only list of what this accelerator can do, one descriptor per unit.
//
// Reads are answered one cycle later, 0 in every other cycle and where there is no word. Writes
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

    reg  [31:0] word;

    // Words that are 0 are not listed.
    always @* begin
        case (csb_addr)
            10'h000: word = 32'h00010001; // CFGROM_HW_VERSION
            10'h001: word = 32'h00000001; // CFGROM_GLB_DESC
            10'h002: word = 32'h00180002; // CFGROM_CIF_DESC
            10'h005: word = 32'h00000008; // CFGROM_CIF_BASE_WIDTH
            10'h006: word = 32'h00000032; // CFGROM_CIF_BASE_LATENCY
            10'h007: word = 32'h00000080; // CFGROM_CIF_BASE_BURST_LENGTH_MAX
            10'h008: word = 32'h00000400; // CFGROM_CIF_BASE_MEM_ADDR_WIDTH
            10'h009: word = 32'h00340003; // CFGROM_CDMA_DESC
            10'h00b: word = 32'h00000010; // CFGROM_CDMA_CAP_COMPAT
            10'h00c: word = 32'h00000010; // CFGROM_CDMA_BASE_FEATURE_TYPES
            10'h00d: word = 32'h00000010; // CFGROM_CDMA_BASE_WEIGHT_TYPES
            10'h00e: word = 32'h00000008; // CFGROM_CDMA_BASE_ATOMIC_C
            10'h00f: word = 32'h00000008; // CFGROM_CDMA_BASE_ATOMIC_K
            10'h010: word = 32'h00000008; // CFGROM_CDMA_BASE_ATOMIC_M
            10'h011: word = 32'h00000020; // CFGROM_CDMA_BASE_CBUF_BANK_NUM
            10'h012: word = 32'h00000008; // CFGROM_CDMA_BASE_CBUF_BANK_WIDTH
            10'h013: word = 32'h00000200; // CFGROM_CDMA_BASE_CBUF_BANK_DEPTH
            10'h015: word = 32'h0cfff001; // CFGROM_CDMA_IMAGE_IN_FORMATS_PACKED
            10'h016: word = 32'h00000003; // CFGROM_CDMA_IMAGE_IN_FORMATS_SEMI
            10'h017: word = 32'h00180004; // CFGROM_CBUF_DESC
            10'h01a: word = 32'h00000020; // CFGROM_CBUF_BASE_CBUF_BANK_NUM
            10'h01b: word = 32'h00000008; // CFGROM_CBUF_BASE_CBUF_BANK_WIDTH
            10'h01c: word = 32'h00000200; // CFGROM_CBUF_BASE_CBUF_BANK_DEPTH
            10'h01d: word = 32'h00000003; // CFGROM_CBUF_BASE_CDMA_ID
            10'h01e: word = 32'h00300005; // CFGROM_CSC_DESC
            10'h020: word = 32'h00000010; // CFGROM_CSC_CAP_COMPAT
            10'h021: word = 32'h00000010; // CFGROM_CSC_BASE_FEATURE_TYPES
            10'h022: word = 32'h00000010; // CFGROM_CSC_BASE_WEIGHT_TYPES
            10'h023: word = 32'h00000008; // CFGROM_CSC_BASE_ATOMIC_C
            10'h024: word = 32'h00000008; // CFGROM_CSC_BASE_ATOMIC_K
            10'h025: word = 32'h00000008; // CFGROM_CSC_BASE_ATOMIC_M
            10'h026: word = 32'h00000020; // CFGROM_CSC_BASE_CBUF_BANK_NUM
            10'h027: word = 32'h00000008; // CFGROM_CSC_BASE_CBUF_BANK_WIDTH
            10'h028: word = 32'h00000200; // CFGROM_CSC_BASE_CBUF_BANK_DEPTH
            10'h029: word = 32'h00000003; // CFGROM_CSC_BASE_CDMA_ID
            10'h02b: word = 32'h001c0006; // CFGROM_CMAC_A_DESC
            10'h02d: word = 32'h00000010; // CFGROM_CMAC_A_CAP_COMPAT
            10'h02e: word = 32'h00000010; // CFGROM_CMAC_A_BASE_FEATURE_TYPES
            10'h02f: word = 32'h00000010; // CFGROM_CMAC_A_BASE_WEIGHT_TYPES
            10'h030: word = 32'h00000008; // CFGROM_CMAC_A_BASE_ATOMIC_C
            10'h031: word = 32'h00000008; // CFGROM_CMAC_A_BASE_ATOMIC_K
            10'h032: word = 32'h00000003; // CFGROM_CMAC_A_BASE_CDMA_ID
            10'h033: word = 32'h001c0006; // CFGROM_CMAC_B_DESC
            10'h035: word = 32'h00000010; // CFGROM_CMAC_B_CAP_COMPAT
            10'h036: word = 32'h00000010; // CFGROM_CMAC_B_BASE_FEATURE_TYPES
            10'h037: word = 32'h00000010; // CFGROM_CMAC_B_BASE_WEIGHT_TYPES
            10'h038: word = 32'h00000008; // CFGROM_CMAC_B_BASE_ATOMIC_C
            10'h039: word = 32'h00000008; // CFGROM_CMAC_B_BASE_ATOMIC_K
            10'h03a: word = 32'h00000003; // CFGROM_CMAC_B_BASE_CDMA_ID
            10'h03b: word = 32'h00200007; // CFGROM_CACC_DESC
            10'h03e: word = 32'h00000010; // CFGROM_CACC_BASE_FEATURE_TYPES
            10'h03f: word = 32'h00000010; // CFGROM_CACC_BASE_WEIGHT_TYPES
            10'h040: word = 32'h00000008; // CFGROM_CACC_BASE_ATOMIC_C
            10'h041: word = 32'h00000008; // CFGROM_CACC_BASE_ATOMIC_K
            10'h042: word = 32'h00000003; // CFGROM_CACC_BASE_CDMA_ID
            10'h044: word = 32'h000e0008; // CFGROM_SDP_RDMA_DESC
            10'h047: word = 32'h00000008; // CFGROM_SDP_RDMA_BASE_ATOMIC_M
            10'h048: word = 32'h00000009; // CFGROM_SDP_RDMA_BASE_SDP_ID
            10'h049: word = 32'h00200009; // CFGROM_SDP_DESC
            10'h04b: word = 32'h00000018; // CFGROM_SDP_CAP_COMPAT
            10'h04c: word = 32'h00000010; // CFGROM_SDP_BASE_FEATURE_TYPES
            10'h04d: word = 32'h00000010; // CFGROM_SDP_BASE_WEIGHT_TYPES
            10'h04e: word = 32'h00000003; // CFGROM_SDP_BASE_CDMA_ID
            10'h050: word = 32'h00000001; // CFGROM_SDP_BS_THROUGHPUT
            10'h051: word = 32'h00000001; // CFGROM_SDP_BN_THROUGHPUT
            10'h053: word = 32'h000e000a; // CFGROM_PDP_RDMA_DESC
            10'h056: word = 32'h00000008; // CFGROM_PDP_RDMA_BASE_ATOMIC_M
            10'h057: word = 32'h0000000b; // CFGROM_PDP_RDMA_BASE_PDP_ID
            10'h058: word = 32'h0010000b; // CFGROM_PDP_DESC
            10'h05b: word = 32'h00000010; // CFGROM_PDP_BASE_FEATURE_TYPES
            10'h05c: word = 32'h00000001; // CFGROM_PDP_BASE_THROUGHPUT
            10'h05d: word = 32'h000e000c; // CFGROM_CDP_RDMA_DESC
            10'h060: word = 32'h00000008; // CFGROM_CDP_RDMA_BASE_ATOMIC_M
            10'h061: word = 32'h0000000d; // CFGROM_CDP_RDMA_BASE_CDP_ID
            10'h062: word = 32'h0010000d; // CFGROM_CDP_DESC
            10'h065: word = 32'h00000010; // CFGROM_CDP_BASE_FEATURE_TYPES
            10'h066: word = 32'h00000001; // CFGROM_CDP_BASE_THROUGHPUT
            default: word = 32'd0;
        endcase
    end

    always @(posedge clk) begin
        cfgrom2csb_rdata <= csb2cfgrom_valid && !csb_write ? word : 32'd0;
    end

endmodule

`default_nettype wire
