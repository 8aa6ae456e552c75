//# What requests of weights and masks give way to.
//% let waits = !image_enable ? "" : types.winograd ? " || dat_waits" : " || (image && img_pending)"
        .yield_to      (cdma_dat2mcif_rd_req_valid${waits}),  //% if !secondary_memif_enable
        .yield_to      (same_memory && cdma_dat2mcif_rd_req_valid),  //% if secondary_memif_enable && !image_enable
        .yield_to      (same_memory && (cdma_dat2mcif_rd_req_valid${waits})),  //% if secondary_memif_enable && image_enable
        .pixels        (${types.winograd ? "dat_waits" : "image && img_pending"}),  //% if pixels_wait
