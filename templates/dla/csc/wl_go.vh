//# Whether a load goes and whether it reads an entry.
    wire [${byte_w}:0]   end_less_1 = {1'b0, offset_q} + {1'b0, ${bytes}};
    wire [${byte_w}-1:0] offset_next = end_less_1[${byte_w}-1:0] + {{(${byte_w}-1){1'b0}}, 1'b1};
    ${prime_regs}
    wire              crossing   = end_less_1[${byte_w}];
    wire              read       = ${prime_or}crossing || (offset_q == {${byte_w}{1'b0}});
    wire              go         = active_q && (!full_q || swap) && (!read || (index_q != have));

    ${assign_row_ok}
