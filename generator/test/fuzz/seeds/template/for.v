//% for p in ports
wire [${p.w - 1:4}:0] ${p.name};  // $${n}
//% for i in range(1, n)
assign a[${i}] = ${clog2(p.w) * i % 3};
//% end
//% end
