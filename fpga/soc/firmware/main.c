/* Runs the network on its input and prints what comes out:
 *
 *     output 0: 80 80 7f ...      the bytes of each output
 *     cycles of all 123           the run of the network
 *     cycles of the programs 78   without inputs, outputs and what the processor computes
 *     cycles that these waited 45
 *     interrupts 6
 *     cycles as estimated 79      of the programs, by an accelerator that waits for nobody
 *     end 0                       or the number of an error, behind a line that tells it
 */
#include "board.h"
#include "machine.h"

static const uint32_t output_bytes[NETWORK_OUTPUTS] = {NETWORK_OUTPUT_BYTES};
static uint64_t output_words[NETWORK_OUTPUT_WORDS];
static uint64_t arena[(NETWORK_ARENA_BYTES + 7) / 8];
static struct network net;

static int finish(int error) {
    if (error) {
        board_text("error: ");
        board_text(net.failed ? net.failed : "load");
        board_text(": ");
        board_text(machine_error(error));
        board_text("\n");
    }
    board_text("end ");
    board_number((uint64_t)error);
    board_text("\n");
    return error;
}

static void print_output(uint32_t number, const uint8_t* bytes) {
    uint32_t i;
    board_text("output ");
    board_number(number);
    board_text(":");
    for (i = 0; i < output_bytes[number]; ++i)
        board_byte(bytes[i]);
    board_text("\n");
}

static void print_count(const char* what, uint64_t count) {
    board_text(what);
    board_number(count);
    board_text("\n");
}

int main(void) {
    void* outputs[NETWORK_OUTPUTS];
    uint64_t* at = output_words;
    uint64_t begin;
    uint32_t i;
    int error;
    board_begin();
    board_text(NETWORK_NAME " on ${configuration}\n");
    for (i = 0; i < NETWORK_OUTPUTS; ++i) {
        outputs[i] = at;
        at += (output_bytes[i] + 7) / 8;
    }
    error = machine_begin(&net);
    if (error) return finish(error);
    net.arena = arena;
    network_begin(&net);
    begin = board_cycles();
    error = network_run(&net, network_inputs, outputs);
    begin = board_cycles() - begin;
    if (error) return finish(error);
    for (i = 0; i < NETWORK_OUTPUTS; ++i)
        print_output(i, (const uint8_t*)outputs[i]);
    print_count("cycles of all ", begin);
    print_count("cycles of the programs ", machine_cycles);
    print_count("cycles that these waited ", board_waited);
    print_count("interrupts ", board_interrupts);
    print_count("cycles as estimated ", NETWORK_ESTIMATE);
    return finish(0);
}
