//# A kernel of pixels may come as several rows.
//% if image_enable
    reg  [1:0]        rows_q;          // of a kernel, minus one
    reg  [1:0]        row_left_q;      // rows of this kernel after this one
    reg               row_last_q;      // none
    wire              row_ok;          // kernel_ok comes with the last row of a kernel

    assign kernel_ok = row_ok && row_last_q;

    always @(posedge ${gclk}) begin
        if (step_take) rows_q <= step_rows;
        if (step_take || row_ok) begin
            row_left_q <= step_take ? step_rows : row_last_q ? rows_q : row_left_q - 2'd1;
            row_last_q <= step_take  ? step_rows == 2'd0 :
                          row_last_q ? rows_q == 2'd0 : row_left_q == 2'd1;
        end
    end

//% else
    wire              row_ok;          // a kernel is one row

    assign kernel_ok = row_ok;

//% end
