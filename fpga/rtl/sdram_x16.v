// Controller of an SDR SDRAM of 16 bits, 4 banks: one request is a burst of four words of 16 bits.
//
// Rows stay open. A request that finds its row open takes 4 cycles back to back; else the row is
// opened first, and an other one of the bank closed before. Answers, of writes too, come in order,
// 5 + CAS cycles behind the command, and cannot stall. All times are those of JEDEC parts of the
// speed grades -6, -7 and -75, rounded up to cycles. Refresh every 7 us.
//
// The clock of the SDRAM is clk inverted: what leaves here at a rising edge of clk is taken half a
// cycle later, and read data are taken with the falling edge of clk.
// Reset: the SDRAM is set up once more, its contents are lost.
`default_nettype none

module sdram_x16 #(
    parameter MHZ     = 60,           // of clk, at most 100
    parameter CAS     = 2,            // 2 or 3
    parameter ROW_W   = 13,
    parameter COL_W   = 9,
    parameter INIT_US = 200           // wait after reset
) (
    input  wire             clk,
    input  wire             rst_n,

    input  wire             in_valid,
    output wire             in_ready,
    input  wire             in_write,
    input  wire             in_id,
    input  wire [24:0]      in_addr,  // beats of 8 bytes
    input  wire [63:0]      in_wdata,
    input  wire [7:0]       in_wstrb,
    output wire             out_valid,
    output wire             out_id,
    output wire [63:0]      out_rdata,

    output wire             sdram_cke,
    output wire             sdram_cs_n,
    output reg              sdram_ras_n,
    output reg              sdram_cas_n,
    output reg              sdram_we_n,
    output reg  [1:0]       sdram_ba,
    output reg  [ROW_W-1:0] sdram_a,
    output wire [1:0]       sdram_dqm,
    output wire [15:0]      sdram_dq_o,
    output wire             sdram_dq_oe,
    input  wire [15:0]      sdram_dq_i
);

    // ------------------------------------------------------------------ times in cycles
    localparam [31:0] T_RP  = 20 * MHZ > 2000 ? (20 * MHZ + 999) / 1000 : 2;
    localparam [31:0] T_RCD = T_RP;
    localparam [31:0] T_RC  = (67 * MHZ + 999) / 1000;
    localparam [31:0] RAS   = (45 * MHZ + 999) / 1000;
    localparam [31:0] T_RAS = RAS + T_RP > T_RC ? RAS : T_RC - T_RP;
    localparam [31:0] T_WR  = 2;
    localparam [31:0] T_RFC = (67 * MHZ + 999) / 1000 + 1;
    localparam [31:0] T_MRD = 2;
    localparam [31:0] INIT    = INIT_US * MHZ;
    localparam [31:0] REFRESH = 7 * MHZ;
    // Cycles to let pass behind a command.
    localparam [31:0] AFTER_PRE   = T_RP - 1;
    localparam [31:0] AFTER_ACT   = T_RCD - 1;
    localparam [31:0] AFTER_REF   = T_RFC - 1;
    localparam [31:0] AFTER_MODE  = T_MRD - 1;
    localparam [31:0] AFTER_BURST = 3;
    // Cycles between commands that are not neighbours.
    localparam [31:0] ACT_TO_PRE    = T_RAS - 1;
    localparam [31:0] WRITE_TO_PRE  = 4 + T_WR - 1;
    localparam [31:0] READ_TO_PRE   = 3;
    localparam [31:0] READ_TO_WRITE = CAS + 5;

    // {ras_n, cas_n, we_n}
    localparam [2:0] NOP       = 3'b111;
    localparam [2:0] ACTIVATE  = 3'b011;
    localparam [2:0] READ      = 3'b101;
    localparam [2:0] WRITE     = 3'b100;
    localparam [2:0] PRECHARGE = 3'b010;
    localparam [2:0] DO_REFRESH = 3'b001;
    localparam [2:0] SET_MODE  = 3'b000;
    localparam [31:0] MODE      = 32'd16 * CAS + 32'd2;       // bursts of 4, sequential
    localparam [31:0] ALL_BANKS = 32'd1024;                   // A10

    // ------------------------------------------------------------------ the request
    // Held until its burst is commanded. Whether its row is open is known one cycle after anything
    // changes; behind every change at least one more cycle passes.
    reg             have_q;
    reg             known_q;          // hit_q belongs to the request
    reg             hit_q;
    reg             open_q;           // some row of the bank is open
    reg             write_q;
    reg             id_q;
    reg  [1:0]      bank_q;
    reg  [ROW_W-1:0] row_q;
    reg  [COL_W-1:0] col_q;
    reg  [63:0]     wdata_q;
    reg  [7:0]      wstrb_q;
    reg  [3:0]      bank_open_q;
    reg  [ROW_W-1:0] bank_row_q [0:3];

    wire            burst;            // READ or WRITE in this cycle
    wire            take = in_valid && in_ready;

    localparam BANK_LSB = COL_W - 2;
    localparam ROW_LSB  = COL_W;
    generate
        if (ROW_LSB + ROW_W < 25) begin : gen_unused
            wire unused_addr = &{in_addr[24:ROW_LSB+ROW_W]};
        end
    endgenerate

    assign in_ready = !have_q || burst;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            have_q  <= 1'b0;
            known_q <= 1'b0;
        end else begin
            if (in_ready) have_q <= in_valid;
            known_q <= have_q && !burst;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            write_q <= in_write;
            id_q    <= in_id;
            col_q   <= {in_addr[BANK_LSB-1:0], 2'd0};
            bank_q  <= in_addr[BANK_LSB +: 2];
            row_q   <= in_addr[ROW_LSB +: ROW_W];
            wdata_q <= in_wdata;
            wstrb_q <= in_wstrb;
        end
        open_q <= bank_open_q[bank_q];
        hit_q  <= bank_open_q[bank_q] && bank_row_q[bank_q] == row_q;
    end

    // ------------------------------------------------------------------ commands
    localparam [2:0] POWER_UP = 3'd0;
    localparam [2:0] CLOSE    = 3'd1;  // all banks
    localparam [2:0] REFRESHES = 3'd2; // eight at first, then one
    localparam [2:0] MODE_SET = 3'd3;
    localparam [2:0] RUN      = 3'd4;

    reg  [2:0]  state_q;
    reg         up_q;                 // the mode is set
    reg  [15:0] time_q;               // to the end of POWER_UP, to the next refresh
    reg         refresh_q;            // it is due
    reg  [2:0]  count_q;              // refreshes to go
    reg  [3:0]  wait_q;               // cycles without a command
    reg  [3:0]  act_q;                // cycles until a row may be closed, since it was opened
    reg  [3:0]  pre_q;                // the same since the last burst
    reg  [3:0]  turn_q;               // cycles until the data pins may be driven
    wire        free     = wait_q == 4'd0;
    wire        may_close = act_q == 4'd0 && pre_q == 4'd0;
    wire        may_write = turn_q == 4'd0;
    wire        serve    = state_q == RUN && free && !refresh_q && known_q;

    reg  [2:0]  cmd;
    assign      burst = cmd == READ || cmd == WRITE;

    always @* begin
        cmd = NOP;
        if (free) begin
            case (state_q)
                CLOSE:     if (may_close) cmd = PRECHARGE;
                REFRESHES: cmd = DO_REFRESH;
                MODE_SET:  cmd = SET_MODE;
                default:   ;
            endcase
        end
        if (serve) begin
            if (hit_q)                    cmd = !write_q ? READ : may_write ? WRITE : NOP;
            else if (!open_q)             cmd = ACTIVATE;
            else if (may_close)           cmd = PRECHARGE;
        end
    end

    function [3:0] down(input [3:0] n);
        down = (n == 4'd0) ? 4'd0 : n - 4'd1;
    endfunction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q     <= POWER_UP;
            up_q        <= 1'b0;
            time_q      <= INIT[15:0];
            refresh_q   <= 1'b0;
            count_q     <= 3'd7;
            wait_q      <= 4'd0;
            act_q       <= 4'd0;
            pre_q       <= 4'd0;
            turn_q      <= 4'd0;
            bank_open_q <= 4'd0;
        end else begin
            time_q <= time_q == 16'd0 ? REFRESH[15:0] : time_q - 16'd1;
            if (time_q == 16'd0) refresh_q <= up_q;
            else if (cmd == DO_REFRESH) refresh_q <= 1'b0;

            case (state_q)
                POWER_UP: if (time_q == 16'd0) state_q <= CLOSE;
                CLOSE:    if (cmd == PRECHARGE) state_q <= REFRESHES;
                REFRESHES: if (free) begin
                    count_q <= (count_q == 3'd0) ? 3'd0 : count_q - 3'd1;
                    if (count_q == 3'd0) state_q <= up_q ? RUN : MODE_SET;
                end
                MODE_SET: if (free) begin
                    state_q <= RUN;
                    up_q    <= 1'b1;
                end
                default:  if (free && refresh_q) state_q <= CLOSE;
            endcase

            act_q  <= down(act_q);
            pre_q  <= down(pre_q);
            turn_q <= down(turn_q);
            wait_q <= down(wait_q);
            case (cmd)
                ACTIVATE: begin
                    wait_q <= AFTER_ACT[3:0];
                    act_q  <= ACT_TO_PRE[3:0];
                    bank_open_q[bank_q] <= 1'b1;
                end
                READ: begin
                    wait_q <= AFTER_BURST[3:0];
                    pre_q  <= READ_TO_PRE[3:0];
                    turn_q <= READ_TO_WRITE[3:0];
                end
                WRITE: begin
                    wait_q <= AFTER_BURST[3:0];
                    pre_q  <= WRITE_TO_PRE[3:0];
                end
                PRECHARGE: begin
                    wait_q <= AFTER_PRE[3:0];
                    if (state_q == CLOSE) bank_open_q <= 4'd0;
                    else                  bank_open_q[bank_q] <= 1'b0;
                end
                DO_REFRESH: wait_q <= AFTER_REF[3:0];
                SET_MODE:   wait_q <= AFTER_MODE[3:0];
                default:    ;
            endcase
        end
    end

    always @(posedge clk) begin
        if (cmd == ACTIVATE) bank_row_q[bank_q] <= row_q;
    end

    // ------------------------------------------------------------------ pins
    assign sdram_cke  = 1'b1;
    assign sdram_cs_n = 1'b0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) {sdram_ras_n, sdram_cas_n, sdram_we_n} <= NOP;
        else        {sdram_ras_n, sdram_cas_n, sdram_we_n} <= cmd;
    end

    always @(posedge clk) begin
        sdram_ba <= state_q == RUN ? bank_q : 2'd0;
        case (cmd)
            ACTIVATE:    sdram_a <= row_q;
            READ, WRITE: sdram_a <= {{(ROW_W-COL_W){1'b0}}, col_q};
            SET_MODE:    sdram_a <= MODE[ROW_W-1:0];
            default:     sdram_a <= state_q == CLOSE ? ALL_BANKS[ROW_W-1:0] : {ROW_W{1'b0}};
        endcase
    end

    // Words on their way out, next one low.
    reg  [3:0]  drive_q;
    reg  [63:0] send_q;
    reg  [7:0]  mask_q;

    assign sdram_dq_o  = send_q[15:0];
    assign sdram_dq_oe = drive_q[0];
    assign sdram_dqm   = mask_q[1:0];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            drive_q <= 4'd0;
            mask_q  <= 8'd0;
        end else begin
            drive_q <= cmd == WRITE ? 4'hf : {1'b0, drive_q[3:1]};
            mask_q  <= cmd == WRITE ? ~wstrb_q : {2'd0, mask_q[7:2]};
        end
    end

    always @(posedge clk) send_q <= cmd == WRITE ? wdata_q : {16'd0, send_q[63:16]};

    // Bursts on their way: behind the command CAS cycles, half a one, four words, two registers.
    localparam LATENCY = CAS + 5;
    reg  [LATENCY-1:0] burst_q;
    reg  [LATENCY-1:0] burst_id_q;
    reg  [15:0] early_q;              // as the pins are at the falling edge
    reg  [63:0] words_q;

    assign out_valid = burst_q[LATENCY-1];
    assign out_id    = burst_id_q[LATENCY-1];
    assign out_rdata = words_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) burst_q <= {LATENCY{1'b0}};
        else        burst_q <= {burst_q[LATENCY-2:0], burst};
    end

    always @(negedge clk) early_q <= sdram_dq_i;

    always @(posedge clk) begin
        burst_id_q <= {burst_id_q[LATENCY-2:0], id_q};
        words_q    <= {early_q, words_q[63:16]};
    end

endmodule

`default_nettype wire
