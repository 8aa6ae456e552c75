//% if types.winograd
    // ------------------------------------------------------------------ as late as data
    wire              skew_read, skew_row_ok, skew_rewind;
    ${skew_wires}

    dla_csc_skew #(.V(3), .D(${skew_width})) u_skew (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .late      (winograd),
        ${skew_fp_pin}
        .valid     ({go && read, row_ok, rewind}),
        .data      ({${skew_in}}),
        .valid_out ({skew_read, skew_row_ok, skew_rewind}),
        .data_out  ({${skew_out}})
    );

//% end
