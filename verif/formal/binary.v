// Gray code to binary.
`default_nettype none

module binary (
    input  wire [2:0] gray,
    output wire [2:0] bin
);

    assign bin = {gray[2], gray[2] ^ gray[1], ^gray};

endmodule

`default_nettype wire
