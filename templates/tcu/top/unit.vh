//# The unit `u` of a group.
    ${u.module} u_${u.name} (
//% for line in u.lines
        ${line}
//% end
    );
