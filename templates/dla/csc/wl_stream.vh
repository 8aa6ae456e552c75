//# Where in the stream of weights the next load begins: entry and byte. A group starts again in each
//# stripe.
    wire [CBUF_W:0]   index_more = index_q + {{CBUF_W{1'b0}}, 1'b1};
//% if !types.sparsity_masks && atoms_per_entry == 1
    wire [CBUF_W:0]   group_next = read ? index_more : index_q;
//% else
    // The next group begins in the newest entry if that has bytes left.
    wire              partial    = |offset_next;
    wire [CBUF_W:0]   group_next = read == partial ? index_q :
                                   read ? index_more : index_q - {{CBUF_W{1'b0}}, 1'b1};
//% end

    // A group that starts again has been read before.  //% if !types.sparsity_masks && atoms_per_entry == 1
    always @(posedge ${gclk}) begin  //% if !types.sparsity_masks && atoms_per_entry == 1
        some_q <= !start && ((rewind && !${group_end})  //% if !types.sparsity_masks && atoms_per_entry == 1
                             || (go && read ? index_more != have : index_q != have));  //% if !types.sparsity_masks && atoms_per_entry == 1
    end  //% if !types.sparsity_masks && atoms_per_entry == 1

    // `start` comes between layers: the clock runs then.
//% if !types16 && atoms_per_entry == 1
    // A load goes and reads or ends the stripe.
    wire              moves      = active_q && (!full_q || swap) && (read ? some_q : turn);

    always @(posedge ${gclk}) begin
        if (start || moves) begin
            index_q <= start ? oldest : !turn ? index_more : group_end_q ? group_next : group_q;
        end
        if (start || (rewind && group_end_q)) group_q <= start ? oldest : group_next;
    end

//% else
    always @(posedge ${gclk}) begin
        if (start) begin
            index_q <= oldest;
            group_q <= oldest;
        end else if (rewind) begin
            index_q <= ${group_end} ? group_next : group_q;
            if (${group_end}) group_q <= group_next;
        end else if (go && read) begin
            index_q <= index_more;
        end
    end

//% end
    always @(posedge ${gclk}) begin
//% if !types.sparsity_masks && atoms_per_entry == 1
        if (start || rewind) begin
            offset_q <= {${byte_w}{1'b0}};
            none_q   <= 1'b1;
        end else if (row_ok) begin
            offset_q <= offset_next;
            none_q   <= offset_next == {${byte_w}{1'b0}};
        end
//% else
        if (start) begin
            offset_q       <= {${byte_w}{1'b0}};
            group_offset_q <= {${byte_w}{1'b0}};
            prime_q        <= 1'b0;
        end else if (rewind) begin
            offset_q       <= ${group_end} ? offset_next : group_offset_q;
            group_offset_q <= ${group_end} ? offset_next : group_offset_q;
            prime_q        <= ${group_end} ? |offset_next : |group_offset_q;
        end else if (go) begin
            offset_q       <= prime_q ? offset_q : offset_next;
            prime_q        <= 1'b0;
        end
//% end
    end
