//# Next state of what writes into CBUF, with images. A packed atom goes into the register of the
//# write, which keeps it while weights are written.
//% if secondary_memif_enable
            wr_valid_q  <= image ? pack_valid : next_valid;
            pack_last_q <= pack_last;
//% else
            hold_q      <= (pack_valid || hold_q) && wt_wr_next;
            wr_valid_q  <= image ? (pack_valid || hold_q) && !wt_wr_next : next_valid;
            pack_last_q <= (hold_q ? wait_last_q : pack_last)
                           && !((pack_valid || hold_q) && wt_wr_next);
//% end
