//# A memory port of either interface.
//% include "mcif/port.vh"
