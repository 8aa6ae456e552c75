//% if types16
//%   include "pdp/lane_types16.vh"
//% else
//%   include "pdp/lane_int8.vh"
//% end
