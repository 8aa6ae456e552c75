//# The links of the group `g`.
    // ${g.title}  //% if g.title != ""
//% for w in g.nets
//%   let watched = w.name == "acc2all_moved" ? " /*verilator public_flat_rd*/" : ""
    wire [${w.bits - 1}:0] ${w.name}${watched};  //% if w.ranged
    wire ${w.name};  //% if !w.ranged
//% end
