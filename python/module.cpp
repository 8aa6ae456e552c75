/// macrame._macrame: the C++ API (generator/api/) for Python. What users see is in
/// macrame/__init__.py.
#include "module.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "api/configuration.hpp"
#include "api/session.hpp"
#include "core/version.hpp"
#include "stable.hpp"

using namespace macrame::api;
using macrame::python::Bytes;
using macrame::python::method;
using macrame::python::Object;

namespace {

using Files = std::map<std::string, Bytes>;
using Description = std::tuple<std::string, std::vector<int>, std::string>;  ///< of a Value
using Layer = std::tuple<std::string, Description, Bytes>;
template <typename T>
using Named = std::vector<std::pair<std::string, T>>;

PyObject* error = nullptr;  ///< macrame.Error

Files as_bytes(std::map<std::string, std::string> files) {
    Files all;
    for (auto& [name, text] : files)
        all.emplace(name, Bytes{std::move(text)});
    return all;
}

std::vector<Bytes> as_bytes(std::vector<std::string> texts) {
    std::vector<Bytes> all;
    for (std::string& text : texts)
        all.push_back({std::move(text)});
    return all;
}

Description description(const Value& value) { return {value.name, value.shape, value.type}; }

std::vector<Description> descriptions(const std::vector<Value>& values) {
    std::vector<Description> all;
    for (const Value& value : values)
        all.push_back(description(value));
    return all;
}

std::unique_ptr<Configuration> configuration(const std::string& family, const std::string& preset,
                                             const std::string& file,
                                             const Named<std::string>& values) {
    return std::make_unique<Configuration>(Choice{family, preset, file, values});
}

Files files_of(Configuration& self) { return as_bytes(self.files()); }

std::unique_ptr<Session> session(Configuration& configuration, const std::string& network,
                                 bool exact, bool no_host, bool layers, const std::string& strategy,
                                 const Named<std::vector<int>>& shapes, bool design) {
    return std::make_unique<Session>(
        configuration, network,
        SessionOptions{exact, no_host, layers, strategy, {shapes.begin(), shapes.end()}},
        design ? Machine::design : Machine::golden_model);
}

std::vector<Description> inputs_of(Session& self) { return descriptions(self.inputs()); }
std::vector<Description> outputs_of(Session& self) { return descriptions(self.outputs()); }
Files programs_of(Session& self) { return as_bytes(self.programs()); }

std::vector<Bytes> run(Session& self, const std::vector<std::string_view>& inputs) {
    return as_bytes(self.run(inputs));
}

std::vector<Layer> run_layers(Session& self, const std::vector<std::string_view>& inputs) {
    std::vector<LayerTensor> layers;
    self.run(inputs, &layers);
    std::vector<Layer> all;
    for (LayerTensor& layer : layers)
        all.emplace_back(layer.kind, description(layer.value), Bytes{std::move(layer.elements)});
    return all;
}

std::vector<PyMethodDef> methods() {
    std::vector<PyMethodDef> all{
        method<&families>("families"),
        method<&presets>("presets"),
        method<&configuration>("configuration"),
        method<&Configuration::name>("configuration_name"),
        method<&Configuration::family>("configuration_family"),
        method<&Configuration::values>("configuration_values"),
        method<&files_of>("configuration_files"),
        method<&Configuration::generate>("configuration_generate"),
        method<&session>("session"),
        method<&inputs_of>("session_inputs"),
        method<&outputs_of>("session_outputs"),
        method<&Session::cycles>("session_cycles"),
        method<&run>("session_run"),
        method<&run_layers>("session_run_layers"),
        method<&Session::reset>("session_reset"),
        method<&Session::estimate>("session_estimate"),
        method<&programs_of>("session_programs"),
    };
    for (const PyMethodDef& one : device_methods())
        all.push_back(one);
    all.push_back({nullptr, nullptr, 0, nullptr});
    return all;
}

}  // namespace

PyObject* macrame::python::class_of(const std::exception& thrown) {
    return dynamic_cast<const Error*>(&thrown) != nullptr ? error : PyExc_RuntimeError;
}

PyMODINIT_FUNC PyInit__macrame() {
    static std::vector<PyMethodDef> all = methods();
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                     "_macrame",
                                     nullptr,
                                     -1,
                                     all.data(),
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr};
    return macrame::python::guarded([] {
        Object module(PyModule_Create(&definition));
        const auto add = [&](const char* name, PyObject* value) {
            macrame::python::check(PyObject_SetAttrString(module.get(), name, value) == 0);
        };
        error = Object(PyErr_NewException("macrame.Error", PyExc_ValueError, nullptr)).release();
        add("Error", error);
        add("version",
            macrame::python::Convert<std::string>::to(std::string(macrame::kVersion)).get());
        return module;
    });
}
