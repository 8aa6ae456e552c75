//# The units of the group `g`.
//% for u in g.units
//%   include "top/unit.vh"

//% end
