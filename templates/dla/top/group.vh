//# The group `g`: its nets, if it declares some, and its units.
    // ------------------------------------------------------------------ ${g.title}  //% if g.title != ""
//% if g.declares
//%   include "top/nets.vh"

//% end
//% include "top/units.vh"
