#include "verif/systolic/cycles/top.hpp"

namespace macrame::systolic::cycles {

namespace {

Control::Inputs control_inputs(const Software& software, const Fetch::Outputs& fetch,
                               const Resolver::Outputs& resolver, const Load::Outputs& load,
                               const Store::Outputs& store) {
    Control::Inputs to_control = software;
    to_control.control2fetch_ready = fetch.control2fetch_ready;
    to_control.fetch2control_idle = fetch.fetch2control_idle;
    to_control.fetch2control_error = fetch.fetch2control_error;
    to_control.fetch2control_address = fetch.fetch2control_address;
    to_control.load2control_error = load.load2control_error;
    to_control.load2control_address = load.load2control_address;
    to_control.store2control_error = store.store2control_error;
    to_control.store2control_address = store.store2control_address;
    to_control.resolver2control_idle = resolver.resolver2control_idle;
    to_control.resolver2control_error = resolver.resolver2control_error;
    to_control.resolver2control_running = resolver.resolver2control_running;
    to_control.resolver2control_waiting = resolver.resolver2control_waiting;
    to_control.resolver2control_ended = resolver.resolver2control_ended;
    return to_control;
}

Obuf::Inputs obuf_inputs(const Load::Outputs& load, const Gemm::Outputs& gemm,
                         const Alu::Outputs& alu, const Store::Outputs& store) {
    Obuf::Inputs to_obuf;
    to_obuf.gemm2obuf_step = gemm.gemm2obuf_step;
    to_obuf.gemm2obuf_last = gemm.gemm2obuf_last;
    to_obuf.gemm2obuf_entry = gemm.gemm2obuf_entry;
    to_obuf.load2obuf_valid = load.load2obuf_valid;
    to_obuf.load2obuf_entry = load.entry;
    to_obuf.store2obuf_valid = store.store2obuf_valid;
    to_obuf.store2obuf_entry = store.store2obuf_entry;
    to_obuf.alu2obuf_valid = alu.alu2obuf_valid;
    to_obuf.alu2obuf_write = alu.alu2obuf_write;
    to_obuf.alu2obuf_last = alu.alu2obuf_last;
    to_obuf.alu2obuf_read_entry = alu.alu2obuf_read_entry;
    to_obuf.alu2obuf_write_entry = alu.alu2obuf_write_entry;
    return to_obuf;
}

}  // namespace

Top::Top(const Architecture& architecture, std::uint32_t config_address)
    : control_(architecture, config_address),
      fetch_(architecture),
      resolver_(architecture),
      load_(architecture),
      gemm_(architecture),
      obuf_(architecture),
      store_(architecture) {}

/// A module that works at none.
Top::Doing Top::waiting(std::size_t module) const {
    const Activity why = resolver_.waits(module);
    if (why != Activity::instructions && why != Activity::stream)
        return {why, progress().begun[module]};
    const bool fetches = control_.outputs().control2fetch_valid ||
                         !fetch_.outputs().fetch2control_idle || !resolver_.idle();
    return {fetches ? why : Activity::none, std::nullopt};
}

/// The next fold counts before the drain of those that have made their steps.
Top::Doing Top::gemm_doing() const {
    constexpr auto kGemm = number(Module::gemm);
    const Resolver::Progress& all = progress();
    const Activity activity = gemm_.activity();
    if (activity != Activity::drain) return {activity, all.begun[kGemm] - gemm_.folds()};
    const Doing next = waiting(kGemm);
    if (next.instruction || all.begun[kGemm] == all.ended[kGemm]) return next;
    return {resolver_.lacks_room(kGemm) ? Activity::room : activity, all.ended[kGemm]};
}

/// A module other than gemm, with an instruction in flight.
Activity Top::working(Module module, const WriteAnswer& store) const {
    if (resolver_.lacks_room(number(module))) return Activity::room;
    if (module == Module::alu) return obuf_.holds_alu() ? Activity::obuf : Activity::work;
    if (module == Module::load) {
        if (obuf_.holds_load()) return Activity::obuf;
        return load_.waits_for_memory() ? Activity::memory : Activity::work;
    }
    if (store_.waits_for_memory(store.wready)) return Activity::memory;
    return obuf_.holds_store() && !store_.has_rows() ? Activity::obuf : Activity::work;
}

Top::Doing Top::doing(Module module, const WriteAnswer& store) const {
    if (module == Module::gemm) return gemm_doing();
    const std::size_t m = number(module);
    if (progress().begun[m] == progress().ended[m]) return waiting(m);
    return {working(module, store), progress().ended[m]};
}

void Top::clock_fetch(const Control::Outputs& control, const Resolver::Outputs& resolver,
                      const ReadAnswer& memory) {
    Fetch::Inputs to_fetch;
    to_fetch.control2fetch_valid = control.control2fetch_valid;
    to_fetch.control2fetch_address = control.control2fetch_address;
    to_fetch.control2fetch_count = control.control2fetch_count;
    to_fetch.control2fetch_run = control.control2fetch_run;
    to_fetch.fetch2resolver_ready = resolver.fetch2resolver_ready;
    to_fetch.arready = memory.arready;
    to_fetch.rvalid = memory.rvalid;
    to_fetch.rlast = memory.rlast;
    to_fetch.rresp = memory.rresp;
    to_fetch.rdata = memory.rdata;
    fetch_.clock(to_fetch);
}

void Top::clock(const Software& software, const ReadAnswer& fetch_memory,
                const ReadAnswer& load_memory, const WriteAnswer& store_memory) {
    const Control::Outputs control = control_.outputs();
    const Fetch::Outputs fetch = fetch_.outputs();
    const Resolver::Outputs resolver = resolver_.outputs();
    const Load::Outputs load = load_.outputs();
    const Gemm::Outputs gemm = gemm_.outputs();
    const Obuf::Outputs obuf = obuf_.outputs();
    const Alu::Outputs alu = alu_.outputs();
    const Store::Outputs store = store_.outputs();
    constexpr auto kLoad = number(Module::load), kGemm = number(Module::gemm);
    constexpr auto kAlu = number(Module::alu), kStore = number(Module::store);

    const bool happens = fetch.fetch2control_error || resolver.resolver2control_error ||
                         load.load2control_error || store.store2control_error ||
                         (fetch.fetch2control_idle && resolver.resolver2control_idle);
    if (happens || !control_.is_left_alone(software)) {
        control_.clock(control_inputs(software, fetch, resolver, load, store));
    } else {
        control_.count(resolver.resolver2control_running, resolver.resolver2control_waiting,
                       resolver.resolver2control_ended);
    }

    clock_fetch(control, resolver, fetch_memory);

    Resolver::Inputs to_resolver;
    to_resolver.fetch2resolver_valid = fetch.fetch2resolver_valid;
    to_resolver.fetch2resolver_word = fetch.fetch2resolver_word;
    to_resolver.control2resolver_run = control.control2resolver_run;
    to_resolver.ready = {load.resolver2load_ready, gemm.resolver2gemm_ready, alu.resolver2alu_ready,
                         store.resolver2store_ready};
    to_resolver.done = {load.load2resolver_done, gemm.gemm2resolver_done, alu.alu2resolver_done,
                        store.store2resolver_done};
    resolver_.clock(to_resolver);

    Load::Inputs to_load;
    to_load.resolver2load_valid = resolver.valid[kLoad];
    to_load.resolver2load_parameters = resolver.parameters[kLoad];
    to_load.load2obuf_ready = obuf.load2obuf_ready;
    to_load.arready = load_memory.arready;
    to_load.rvalid = load_memory.rvalid;
    to_load.rresp = load_memory.rresp;
    load_.clock(to_load);

    Gemm::Inputs to_gemm;
    to_gemm.resolver2gemm_valid = resolver.valid[kGemm];
    to_gemm.resolver2gemm_parameters = resolver.parameters[kGemm];
    to_gemm.obuf2gemm_done = obuf.obuf2gemm_done;
    gemm_.clock(to_gemm);

    obuf_.clock(obuf_inputs(load, gemm, alu, store));

    cycles::Alu::Inputs to_alu;
    to_alu.resolver2alu_valid = resolver.valid[kAlu];
    to_alu.resolver2alu_parameters = resolver.parameters[kAlu];
    to_alu.alu2obuf_ready = obuf.alu2obuf_ready;
    to_alu.obuf2alu_last = obuf.obuf2alu_last;
    alu_.clock(to_alu);

    Store::Inputs to_store;
    to_store.resolver2store_valid = resolver.valid[kStore];
    to_store.resolver2store_parameters = resolver.parameters[kStore];
    to_store.store2obuf_ready = obuf.store2obuf_ready;
    to_store.obuf2store_valid = obuf.obuf2store_valid;
    to_store.awready = store_memory.awready;
    to_store.wready = store_memory.wready;
    to_store.bvalid = store_memory.bvalid;
    to_store.bresp = store_memory.bresp;
    store_.clock(to_store);
}

/// All but gemm and obuf, as long as these tell them nothing and memory does not answer.
bool Top::is_still(const Software& software) const {
    const Resolver::Outputs& resolver = resolver_.outputs();
    const Fetch::Outputs fetch = fetch_.outputs();
    if (!load_.is_still() || !store_.is_still() || !alu_.is_still() || !control_.is_still() ||
        !control_.is_left_alone(software) || resolver.resolver2control_error ||
        (fetch.fetch2control_idle && resolver.resolver2control_idle))
        return false;
    const bool run = control_.outputs().control2fetch_run;
    Resolver::Inputs to_resolver;
    to_resolver.fetch2resolver_valid = fetch.fetch2resolver_valid;
    to_resolver.control2resolver_run = run;
    to_resolver.ready = {load_.outputs().resolver2load_ready, false,
                         alu_.outputs().resolver2alu_ready, store_.outputs().resolver2store_ready};
    return fetch_.is_still(resolver.fetch2resolver_ready, run) && !resolver_.moves(to_resolver);
}

std::uint32_t Top::clock_gemm(const Software& software, std::uint32_t most) {
    if (!is_still(software)) return 0;
    const Resolver::Outputs& resolver = resolver_.outputs();
    const bool next = resolver.valid[number(Module::gemm)];
    const Store::Outputs store = store_.outputs();
    Gemm::Inputs to_gemm;
    std::uint32_t edges = 0;
    for (; edges < most; ++edges) {
        const Gemm::Outputs gemm = gemm_.outputs();
        const Obuf::Outputs obuf = obuf_.outputs();
        if (gemm.gemm2resolver_done || (next && gemm.resolver2gemm_ready)) break;
        if (obuf.obuf2store_valid || (store.store2obuf_valid && obuf.store2obuf_ready)) break;
        to_gemm.obuf2gemm_done = obuf.obuf2gemm_done;
        gemm_.clock(to_gemm);
        obuf_.clock(obuf_inputs({}, gemm, {}, store));
    }
    control_.count(resolver.resolver2control_running, resolver.resolver2control_waiting,
                   resolver.resolver2control_ended, edges);
    return edges;
}

}  // namespace macrame::systolic::cycles
