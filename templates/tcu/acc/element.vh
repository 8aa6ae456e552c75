//# Elements of the micro-operation: what they read, write and wait for.
    // ---------------------------------------------------------------- element
    reg               e_valid_q;
    reg  [STORE:1]    e_match_q;              // what is in stage s writes what it reads
    reg  [STORE-1:1]  e_next_q;               // what the second element of SIMD reads
    reg               e_adds_q;               // its left operand is all that it reads
//% if array_vectors == 2
    reg  [A-1:0]      e_addr1_q;
    reg  [STORE:1]    e_block_q;              // the same of and for second elements of pairs
//% end
    reg               e_read_q;
    reg               e_write_q;
    reg  [A-1:0]      e_write_addr_q;
//% if simd_registers_depth > 0
    reg  [R-1:0]      e_uses_q;               // registers that are factors
    wire              blocked = (e_uses_q & unknown) != {R{1'b0}};
    wire              known = early_q;        // a register gets it when it is read
//%   if lut_tables > 0
    wire              in_front     = function_q[F-1] || lookup_q;   // operands in stage 1
    wire              left_factor  = left_reg_q && in_front;
//%   else
    wire              left_factor  = left_reg_q && function_q[F-1];
//%   end
    wire              right_factor = right_reg_q && function_q[F-1];
//% else
    localparam        blocked = 1'b0;
    localparam        left_factor = 1'b0;
    localparam        known = 1'b0;
    localparam        right_factor = 1'b0;
//% end

    // The second element of SIMD goes right behind the first one, in which nobody writes.
//% if array_vectors == 2
    wire no_match = e_match_q == {STORE{1'b0}} || (e_adds_q && e_match_q[3:1] != 3'd0);
    wire no_next  = e_next_q[2:1] != 2'd0 || e_next_q[STORE-1:3] == {(STORE-3){1'b0}};

    assign of_third  = e_adds_q && e_match_q[3:1] == 3'b100;
//% else
    wire no_match = e_match_q == {STORE{1'b0}} || of_last || of_before;
    wire no_next  = e_next_q[1] || e_next_q[STORE-1:2] == {(STORE-2){1'b0}};
//% end
    assign of_last   = e_adds_q && e_match_q[1];
    assign of_before = e_adds_q && e_match_q[2] && !e_match_q[1];
    assign go = e_valid_q && no_match && no_next && !blocked && !(is_result && !some_result)
                && e_block_q == {STORE{1'b0}} && !(pair && !two_results)  //% if array_vectors == 2
                && !hold  //% if lut_tables > 0
                && !(is_move && !some_move) && !(is_local && full);

    assign advance = valid_q && wait_q == 4'd0 && (!e_valid_q || go);

    // Writes of the element and of those in stages 1 to STORE - 1, a stage on in the next cycle.
    reg  [STORE:1]       writes_q;
    reg  [A*STORE-1:0]   write_addr_q;        // stage 1 in the low bits
    wire [STORE-1:0]     under_way = {writes_q[STORE-1:1], go && e_write_q};
    wire [A*STORE-1:0]   under_way_addr = {write_addr_q[A*(STORE-1)-1:0], e_write_addr_q};
    wire [STORE:1]       match;
    wire [STORE-1:1]     next;
//% if array_vectors == 2
    reg  [STORE:1]       writes1_q;           // of second elements
    reg  [A*(STORE-1)-1:0] write_addr1_q;
    wire [STORE-1:0]     under_way1 = {writes1_q[STORE-1:1], go && pair};
    wire [A*STORE-1:0]   under_way_addr1 = {write_addr1_q, e_addr1_q};
    wire [STORE:1]       block;
//% end

    genvar s;
    generate
        for (s = 0; s < STORE; s = s + 1) begin : gen_match
            wire [A-1:0] written = under_way_addr[A*s +: A];

            assign match[s+1] = under_way[s] && read_q && written == addr_q;
            if (s < STORE - 1) begin : gen_next
                assign next[s+1] = under_way[s] && both_q && written == simd_write_q;
            end
//% if array_vectors == 2

            wire [A-1:0] written1 = under_way_addr1[A*s +: A];

            assign block[s+1] =
                (under_way[s] && pair_up && read_q && written == addr1_q) ||
                (under_way1[s] && ((read_q && (written1 == addr_q ||
                                               (pair_up && written1 == addr1_q))) ||
                                   (both_q && written1 == simd_write_q)));
//% end
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            e_valid_q <= 1'b0;
            writes_q  <= {STORE{1'b0}};
        end else begin
            e_valid_q <= advance || (e_valid_q && !go);
            writes_q  <= {writes_q[STORE-1:1], go && e_write_q};
        end
    end
//% if array_vectors == 2

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)
            writes1_q <= {STORE{1'b0}};
        else
            writes1_q <= {writes1_q[STORE-1:1], go && pair};
    end

    always @(posedge clk) begin
        write_addr1_q <= under_way_addr1[A*(STORE-1)-1:0];
        write_row1    <= under_way_addr1[A*(STORE-1)+1 +: A-1];
        e_block_q     <= advance ? block : {e_block_q[STORE-1:1], 1'b0};
        if (advance) begin
            pair      <= pair_up;
            e_addr1_q <= addr1_q;
        end
    end
//% end

    always @(posedge clk) begin
        write_addr_q <= under_way_addr;
        e_match_q    <= advance ? match : {e_match_q[STORE-1:1], 1'b0};
        e_next_q     <= advance ? next : {e_next_q[STORE-2:1], 1'b0};
        if (advance) begin
            is_result        <= is_result_q;
            is_move          <= is_move_q;
            is_local         <= is_local_q;
            last             <= !more_q;
            e_read_q         <= read_q;
//% if lut_tables > 0
            e_adds_q         <= left_read_q && !right_read_q && !is_local_q && !in_front && !known;
            lookup           <= lookup_q;
            is_lut           <= is_lut_q;
            code             <= code_q;
//% else
            e_adds_q         <= left_read_q && !right_read_q && !is_local_q && !function_q[F-1]
                                && !known;
//% end
            e_write_q        <= write_q && !both_q;
            read_addr        <= addr_q;
            e_write_addr_q   <= is_simd_q ? simd_write_q : addr_q;
            local_addr       <= local_q;
            no_left          <= !(left_read_q || left_factor);
            constant         <= !(right_read_q || is_result_q || is_move_q || right_factor);
            one              <= right_one_q;
            right            <= {is_move_q || right_factor, is_result_q || right_factor};
            element_function <= function_q;
//% if simd_registers_depth > 0
            left_early       <= left_factor;
            left_reg         <= left_reg_q;
            right_reg        <= right_reg_q;
            left_at          <= left_at_q;
            right_at         <= right_at_q;
            dest             <= dest_q;
            early            <= early_q;
            e_uses_q         <= ({{(R-1){1'b0}}, left_factor} << left_at_q) |
                                ({{(R-1){1'b0}}, right_factor} << right_at_q);
//% end
        end
    end

    assign read       = e_valid_q && e_read_q;
    assign write      = writes_q[STORE];
    assign write_addr = write_addr_q[A*(STORE-1) +: A];
//% if array_vectors == 2
    assign write1     = writes1_q[STORE];
    assign row1       = e_addr1_q[A-1:1];
//% end
    assign busy       = valid_q || !issue2acc_ready || e_valid_q;
