//# The nets of the group `g`.
//% for w in g.nets
    wire [${w.bits - 1:3}:0] ${w.name};  //% if w.ranged && !w.loose
    wire [${w.bits - 1}:0]   ${w.name};  //% if w.ranged && w.loose
    wire         ${w.name};  //% if !w.ranged
//% end
