// The golden model in SystemVerilog, by DPI-C: macrame_dpi.c, linked with libmacrame_device.
package macrame_dpi;

    // The words are options of `macrame simulate`: "--preset nv_small". Null: there is none.
    import "DPI-C" function chandle macrame_dpi_create(input string words);
    import "DPI-C" function void macrame_dpi_destroy(input chandle device);
    import "DPI-C" function void macrame_dpi_reset(input chandle device);
    // Registers, by addresses in bytes.
    import "DPI-C" function void macrame_dpi_write(input chandle device, input int unsigned address,
                                                   input int unsigned value);
    import "DPI-C" function int unsigned macrame_dpi_read(input chandle device,
                                                          input int unsigned address);
    // Is the interrupt line high, after so many cycles at most?
    import "DPI-C" function int unsigned macrame_dpi_wait(input chandle device,
                                                          input longint unsigned cycles);
    // Lets cycles pass, whatever the interrupt line does.
    import "DPI-C" function void macrame_dpi_advance(input chandle device,
                                                     input longint unsigned cycles);
    // Memory of a port (0: primary, 1: secondary), 8 bytes at an address.
    import "DPI-C" function void macrame_dpi_put(input chandle device, input int unsigned memory,
                                                 input longint unsigned address,
                                                 input longint unsigned data);
    import "DPI-C" function longint unsigned macrame_dpi_get(input chandle device,
                                                             input int unsigned memory,
                                                             input longint unsigned address);
    // What the model has said of errors, "" if there are none.
    import "DPI-C" function string macrame_dpi_error(input chandle device);

    // Plays what monitors see at the pins of a design on the golden model, and compares memory.
    class scoreboard;

        localparam int     SHOWN   = 10;           // differences that are printed
        localparam longint LONGEST = 64'd1000000;  // cycles of a layer

        int unsigned  compared, differences;
        local chandle model;
        // What memory holds by what the design wrote, by address / 8.
        local longint unsigned image[longint unsigned];

        function new(input string words);
            model = macrame_dpi_create(words);
            if (model == null) $fatal(1, "no golden model of %s", words);
            compared = 0;
            differences = 0;
        endfunction

        function void close();
            macrame_dpi_destroy(model);
        endfunction

        // Memory before the program begins, and what a processor writes later.
        function void load(input longint unsigned address, input longint unsigned data);
            image[address / 8] = data;
            macrame_dpi_put(model, 0, address, data);
        endfunction

        // A register write at the control port.
        function void register_write(input int unsigned address, input int unsigned value);
            macrame_dpi_write(model, address, value);
        endfunction

        // A rise of the interrupt pin: the model, which takes no time, gets as far.
        function void interrupt();
            macrame_dpi_advance(model, LONGEST);
            if (macrame_dpi_wait(model, 0) == 0) begin
                differences++;
                $display("an interrupt that the golden model does not have");
            end
        endfunction

        // 8 bytes at the memory port of the design.
        function void memory_write(input longint unsigned address, input longint unsigned data,
                                   input byte unsigned strobe);
            longint unsigned word;
            word = image.exists(address / 8) ? image[address / 8] : 64'd0;
            for (int i = 0; i < 8; i++) begin
                if (strobe[i]) word[8*i +: 8] = data[8*i +: 8];
            end
            image[address / 8] = word;
        endfunction

        // When the design is idle: all of its memory is that of the model.
        function void compare();
            longint unsigned wanted;
            macrame_dpi_advance(model, LONGEST);
            foreach (image[at]) begin
                wanted = macrame_dpi_get(model, 0, 8 * at);
                compared++;
                if (image[at] != wanted) begin
                    differences++;
                    if (differences <= SHOWN) begin
                        $display("8 bytes at %h: %h, want %h", 8 * at, image[at], wanted);
                    end
                end
            end
            if (macrame_dpi_error(model) != "") begin
                differences++;
                $display("golden model: %s", macrame_dpi_error(model));
            end
        endfunction

    endclass

endpackage
