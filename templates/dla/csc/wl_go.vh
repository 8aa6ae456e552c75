//# Whether a load goes and whether it reads an entry.
    wire [${byte_w}:0]   end_less_1 = {1'b0, offset_q} + {1'b0, ${types16 ? "bytes" : "bytes_q"}};
    wire [${byte_w}-1:0] offset_next = end_less_1[${byte_w}-1:0] + {{(${byte_w}-1){1'b0}}, 1'b1};
    reg               prime_q;         // first read the entry in which the group begins  //% if atoms_per_entry > 1
    reg  [${byte_w}-1:0] group_offset_q;  //% if atoms_per_entry > 1
    reg               cross_q;         // the load ends in the next entry  //% if !types16 && atoms_per_entry == 1
    wire              crossing   = cross_q;  //% if !types16 && atoms_per_entry == 1
    wire              crossing   = end_less_1[${byte_w}];  //% if types16 || atoms_per_entry > 1
    reg               none_q;          // offset is 0  //% if atoms_per_entry == 1
    wire              read       = crossing || none_q;  //% if atoms_per_entry == 1
    wire              read       = prime_q || crossing || (offset_q == {${byte_w}{1'b0}});  //% if atoms_per_entry > 1
//% if atoms_per_entry == 1
    reg               some_q;          // index is announced; not before a cycle behind the start
    wire              go         = active_q && (!full_q || swap) && (!read || some_q);
//% else
    wire              go         = active_q && (!full_q || swap) && (!read || (index_q != have));
//% end

    assign row_ok = go && !prime_q;  //% if atoms_per_entry > 1
    assign row_ok = go;                         // groups begin with an entry  //% if atoms_per_entry == 1
