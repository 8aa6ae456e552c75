    function [15:0] flushed;
        input [15:0] operand;
        input        on;
        flushed = operand & ~{16{on && (&operand[14:10]) && (|operand[9:0])}};
    endfunction
