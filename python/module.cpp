/// macrame._macrame: the C++ API (generator/api/) for Python. What users see is in
/// macrame/__init__.py.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/configuration.hpp"
#include "api/session.hpp"
#include "core/version.hpp"

namespace py = pybind11;
using namespace macrame::api;

namespace {

using Release = py::call_guard<py::gil_scoped_release>;

py::bytes as_bytes(const std::string& text) { return py::bytes(text); }

/// Inputs and outputs are bytes; other threads of Python go on while a network runs.
std::vector<py::bytes> run(Session& session, const std::vector<py::bytes>& inputs,
                           std::vector<LayerTensor>* layers = nullptr) {
    std::vector<std::string_view> views;
    for (const py::bytes& input : inputs)
        views.emplace_back(input);
    std::vector<std::string> outputs;
    {
        const py::gil_scoped_release others;
        outputs = session.run(views, layers);
    }
    std::vector<py::bytes> made;
    for (const std::string& output : outputs)
        made.push_back(as_bytes(output));
    return made;
}

py::list run_layers(Session& session, const std::vector<py::bytes>& inputs) {
    std::vector<LayerTensor> layers;
    run(session, inputs, &layers);
    py::list all;
    for (const LayerTensor& layer : layers)
        all.append(py::make_tuple(layer.kind, layer.value, as_bytes(layer.elements)));
    return all;
}

py::dict as_bytes(const std::map<std::string, std::string>& files) {
    py::dict all;
    for (const auto& [name, text] : files)
        all[py::str(name)] = as_bytes(text);
    return all;
}

std::unique_ptr<Configuration> configuration(
    std::string family, std::string preset, std::string file,
    std::vector<std::pair<std::string, std::string>> values) {
    return std::make_unique<Configuration>(
        Choice{std::move(family), std::move(preset), std::move(file), std::move(values)});
}

std::unique_ptr<Session> session(const Configuration& configuration, const std::string& network,
                                 bool exact, bool no_host, bool layers, const std::string& strategy,
                                 const std::map<std::string, std::vector<int>>& shapes,
                                 bool design) {
    return std::make_unique<Session>(configuration, network,
                                     SessionOptions{exact, no_host, layers, strategy, shapes},
                                     design ? Machine::design : Machine::golden_model);
}

}  // namespace

void add_device(py::module_& m);

PYBIND11_MODULE(_macrame, m) {
    py::register_exception<Error>(m, "Error", PyExc_ValueError);
    m.attr("version") = macrame::kVersion;
    m.def("families", &families);
    m.def("presets", &presets);

    py::class_<Configuration>(m, "Configuration")
        .def(py::init(&configuration))
        .def_property_readonly("name", [](const Configuration& self) { return self.design().name; })
        .def_property_readonly(
            "family",
            [](const Configuration& self) { return std::string(self.design().family.name); })
        .def_property_readonly("values", &Configuration::values)
        .def("files", [](const Configuration& self) { return as_bytes(self.files()); })
        .def("generate", &Configuration::generate, Release());

    py::class_<Value>(m, "Value")
        .def_readonly("name", &Value::name)
        .def_readonly("shape", &Value::shape)
        .def_readonly("type", &Value::type);

    py::class_<Session>(m, "Session")
        .def(py::init(&session), Release())
        .def_property_readonly("inputs", &Session::inputs)
        .def_property_readonly("outputs", &Session::outputs)
        .def_property_readonly("cycles", &Session::cycles)
        .def("run",
             [](Session& self, const std::vector<py::bytes>& inputs) { return run(self, inputs); })
        .def("run_layers", &run_layers)
        .def("reset", &Session::reset)
        .def("estimate", &Session::estimate, Release())
        .def("programs", [](const Session& self) { return as_bytes(self.programs()); });
    add_device(m);
}
