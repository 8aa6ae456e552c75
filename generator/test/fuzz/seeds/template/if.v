//# note
//% if n == 4 && name != "x"
  ${lines};
//% elif max(n, 2) << 1
//% else
//% end
