// A column of OBUF: a bank per half, and the adder at the end of the array's column.
//
//     read --> bank --> base --+
//     sum ---------------------+--> sum_q --> bank, 3 cycles after the read
//
// Reads and writes of steps are registers here, and go on to the next column from there. A half
// without one takes the accesses of all columns, in the cycle in which they come. What is read is
// there a cycle later. Reset: no accesses.
`default_nettype none

module systolic_obuf_column (
    input  wire        clk,
    input  wire        rst_n,
    // Steps
    input  wire        read,
    input  wire [${obuf_entry_w - 1:2}:0] read_entry,
    input  wire [${columns_w - 1:2}:0] columns,           // to write, from this one on
    input  wire [${obuf_entry_w - 1:2}:0] write_entry,
    input  wire        last,
    output reg         read_q,
    output reg  [${obuf_entry_w - 1:2}:0] read_entry_q,
    output wire [${columns_w - 1:2}:0] columns_left,
    output reg  [${obuf_entry_w - 1:2}:0] write_entry_q,
    output reg         last_q,
    input  wire [${sum_w - 1:2}:0] sum,        // 2 cycles after read_q
    // All columns; a bit per half
    input  wire [1:0]  all_read,
    input  wire [${obuf_entry_w - 2:2}:0] all_read_entry0,
    input  wire [${obuf_entry_w - 2:2}:0] all_read_entry1,
    input  wire [1:0]  alu_write,         // goes before load
    input  wire [1:0]  load_write,
    input  wire [${obuf_entry_w - 2:2}:0] all_write_entry0,
    input  wire [${obuf_entry_w - 2:2}:0] all_write_entry1,
    input  wire [${out_width - 1:2}:0] alu_data,
    input  wire [${out_width - 1:2}:0] load_data,
    output wire [${out_width - 1:2}:0] half0,
    output wire [${out_width - 1:2}:0] half1
);

    localparam HW = ${obuf_entry_w - 1};              // entries of a half
    localparam W  = ${out_width};

    // ---------------------------------------------------------------- sum
    reg         from0_q;                  // the base is there now
    reg         from1_q;
    reg [W-1:0] base_q;
    reg [W-1:0] sum_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            read_q  <= 1'b0;
            from0_q <= 1'b0;
            from1_q <= 1'b0;
        end else begin
            read_q  <= read;
            from0_q <= read_q && !read_entry_q[HW];
            from1_q <= read_q && read_entry_q[HW];
        end
    end

    always @(posedge clk) begin
        read_entry_q <= read_entry;
        base_q       <= (half0 & {W{from0_q}}) | (half1 & {W{from1_q}});
        sum_q        <= base_q + {{${out_width - sum_w}{sum[${sum_w - 1}]}}, sum};  //% if out_width > sum_w
        sum_q        <= base_q + sum;  //% if out_width <= sum_w
    end

    // ---------------------------------------------------------------- writes of steps
    reg  [${columns_w - 1:2}:0] columns_q;
    wire       writes = columns_q != ${columns_w}'d0;

    assign columns_left = writes ? columns_q - 1'b1 : ${columns_w}'d0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            columns_q <= ${columns_w}'d0;
            last_q    <= 1'b0;
        end else begin
            columns_q <= columns;
            last_q    <= last;
        end
    end

    always @(posedge clk) write_entry_q <= write_entry;

    // ---------------------------------------------------------------- banks
    wire read0  = read_q && !read_entry_q[HW];
    wire read1  = read_q && read_entry_q[HW];
    wire write0 = writes && !write_entry_q[HW];
    wire write1 = writes && write_entry_q[HW];

    sram_1r1w #(.W(W), .DEPTH(${obuf_entries / 2})) u_half0 (
        .clk   (clk),
        .we    (write0 || alu_write[0] || load_write[0]),
        .waddr (write0 ? write_entry_q[HW-1:0] : all_write_entry0),
        .wdata (write0 ? sum_q : alu_write[0] ? alu_data : load_data),
        .re    (read0 || all_read[0]),
        .raddr (read0 ? read_entry_q[HW-1:0] : all_read_entry0),
        .rdata (half0)
    );

    sram_1r1w #(.W(W), .DEPTH(${obuf_entries / 2})) u_half1 (
        .clk   (clk),
        .we    (write1 || alu_write[1] || load_write[1]),
        .waddr (write1 ? write_entry_q[HW-1:0] : all_write_entry1),
        .wdata (write1 ? sum_q : alu_write[1] ? alu_data : load_data),
        .re    (read1 || all_read[1]),
        .raddr (read1 ? read_entry_q[HW-1:0] : all_read_entry1),
        .rdata (half1)
    );

endmodule

`default_nettype wire
