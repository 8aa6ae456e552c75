/// Unit test of dla_cvif: the one of dla_mcif with the names and sizes of the second port.

#define MIF cvif
#define AXI_PORT cvsram
#define BUS_BYTES secondary_bus_bytes
#define MAX_BURST secondary_max_burst
#include "mcif_tb.cpp"
