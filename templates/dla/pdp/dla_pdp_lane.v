//% if wide
//%   include "pdp/lane_wide.vh"
//% else
//%   include "pdp/lane_int8.vh"
//% end
