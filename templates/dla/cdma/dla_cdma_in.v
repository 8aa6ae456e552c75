//# Around the convertor of bytes, or around that of 16-bit words.
//% let not_held = image_enable && !secondary_memif_enable ? " && !hold_q" : ""
//% let if_not_held = image_enable && !secondary_memif_enable ? " if (!hold_q)" : ""
//% if types16
//%   include "cdma/in_types16.vh"
//% else
//%   include "cdma/in_int8.vh"
//% end
