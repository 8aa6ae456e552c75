#pragma once
/// Functions of C++ for Python, by the stable part of Python's interface alone: one module serves
/// every version from 3.9 on.
///
///     PyMethodDef methods[] = {method<&some_function>("name"), ..., {}};
///
/// Arguments and results are converted by their types. Other threads of Python go on while the
/// function runs. What it throws becomes an exception.
///
///     Python     C++
///     str        std::string
///     bytes      std::string_view as argument, Bytes as result
///     int, bool  integers, bool
///     tuple      std::vector, std::pair, std::tuple
///     dict       std::map as result
///     None       no std::optional, no result
///     a handle   T& as argument, or the object of a member function; std::unique_ptr<T> as result
///
/// Arguments are immutable: views of them hold until the function has ended.

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace macrame::python {

/// An exception of Python is set.
struct Raised {};

/// A counted reference.
class Object {
public:
    /// Takes a new reference; null, as functions of Python give it, is Raised.
    explicit Object(PyObject* made) : own_(made) {
        if (made == nullptr) throw Raised{};
    }
    ~Object() { Py_XDECREF(own_); }
    Object(Object&& other) noexcept : own_(std::exchange(other.own_, nullptr)) {}
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    PyObject* get() const { return own_; }
    PyObject* release() { return std::exchange(own_, nullptr); }

private:
    PyObject* own_;
};

inline void check(bool good) {
    if (!good) throw Raised{};
}

[[noreturn]] inline void raise(PyObject* kind, const std::string& text) {
    const Object message(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                              "backslashreplace"));
    PyErr_SetObject(kind, message.get());
    throw Raised{};
}

struct Bytes {
    std::string text;
};

/// What a handle points to.
template <typename T>
struct Handle {
    T* own;
};

/// from(PyObject*) of an argument, to(value) of a result.
template <typename T, typename = void>
struct Convert;

template <>
struct Convert<std::string> {
    static std::string from(PyObject* given) {
        const Object coded(PyUnicode_AsUTF8String(given));
        char* text = nullptr;
        Py_ssize_t size = 0;
        check(PyBytes_AsStringAndSize(coded.get(), &text, &size) == 0);
        return {text, static_cast<std::size_t>(size)};
    }
    static Object to(const std::string& text) {
        return Object(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                           "backslashreplace"));
    }
};

template <>
struct Convert<std::string_view> {
    static std::string_view from(PyObject* given) {
        char* bytes = nullptr;
        Py_ssize_t size = 0;
        check(PyBytes_AsStringAndSize(given, &bytes, &size) == 0);
        return {bytes, static_cast<std::size_t>(size)};
    }
};

template <>
struct Convert<Bytes> {
    static Object to(const Bytes& bytes) {
        return Object(PyBytes_FromStringAndSize(bytes.text.data(),
                                                static_cast<Py_ssize_t>(bytes.text.size())));
    }
};

template <>
struct Convert<bool> {
    static bool from(PyObject* given) {
        const int truth = PyObject_IsTrue(given);
        check(truth >= 0);
        return truth == 1;
    }
    static Object to(bool truth) { return Object(PyBool_FromLong(truth ? 1 : 0)); }
};

template <typename T>
struct Convert<T, std::enable_if_t<std::is_integral_v<T>>> {
    using Wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
    static T from(PyObject* given) {
        const Object number(PyNumber_Index(given));
        Wide wide = 0;
        if constexpr (std::is_signed_v<T>)
            wide = PyLong_AsLongLong(number.get());
        else
            wide = PyLong_AsUnsignedLongLong(number.get());
        check(PyErr_Occurred() == nullptr);
        using Limits = std::numeric_limits<T>;
        if (wide < Limits::min() || wide > Limits::max())
            raise(PyExc_OverflowError, std::to_string(wide) + ": want " +
                                           std::to_string(Limits::min()) + " to " +
                                           std::to_string(Limits::max()));
        return static_cast<T>(wide);
    }
    static Object to(T number) {
        if constexpr (std::is_signed_v<T>)
            return Object(PyLong_FromLongLong(number));
        else
            return Object(PyLong_FromUnsignedLongLong(number));
    }
};

template <typename T>
struct Convert<std::optional<T>> {
    static Object to(const std::optional<T>& value) {
        if (value) return Convert<T>::to(*value);
        Py_INCREF(Py_None);
        return Object(Py_None);
    }
};

template <typename T>
struct Convert<std::vector<T>> {
    static std::vector<T> from(PyObject* given) {
        const Py_ssize_t size = PyTuple_Size(given);
        check(size >= 0);
        std::vector<T> all;
        for (Py_ssize_t i = 0; i < size; ++i)
            all.push_back(Convert<T>::from(PyTuple_GetItem(given, i)));
        return all;
    }
    static Object to(const std::vector<T>& all) {
        Object made(PyTuple_New(static_cast<Py_ssize_t>(all.size())));
        Py_ssize_t place = 0;
        for (const T& one : all)
            check(PyTuple_SetItem(made.get(), place++, Convert<T>::to(one).release()) == 0);
        return made;
    }
};

template <typename... T>
struct Convert<std::tuple<T...>> {
    static std::tuple<T...> from(PyObject* given) {
        if (PyTuple_Size(given) != static_cast<Py_ssize_t>(sizeof...(T))) {
            check(PyErr_Occurred() == nullptr);
            raise(PyExc_TypeError, std::to_string(PyTuple_Size(given)) + " values: want " +
                                       std::to_string(sizeof...(T)));
        }
        return elements(given, std::index_sequence_for<T...>{});
    }
    static Object to(const std::tuple<T...>& all) {
        Object made(PyTuple_New(sizeof...(T)));
        Py_ssize_t place = 0;
        const auto add = [&](Object one) {
            check(PyTuple_SetItem(made.get(), place++, one.release()) == 0);
        };
        std::apply([&](const T&... one) { (add(Convert<T>::to(one)), ...); }, all);
        return made;
    }

private:
    template <std::size_t... places>
    static std::tuple<T...> elements([[maybe_unused]] PyObject* given,
                                     std::index_sequence<places...>) {
        return std::tuple<T...>{
            Convert<T>::from(PyTuple_GetItem(given, static_cast<Py_ssize_t>(places)))...};
    }
};

template <typename A, typename B>
struct Convert<std::pair<A, B>> {
    static std::pair<A, B> from(PyObject* given) {
        auto [first, second] = Convert<std::tuple<A, B>>::from(given);
        return {std::move(first), std::move(second)};
    }
    static Object to(const std::pair<A, B>& both) {
        return Convert<std::tuple<A, B>>::to({both.first, both.second});
    }
};

template <typename T>
struct Convert<std::map<std::string, T>> {
    static Object to(const std::map<std::string, T>& all) {
        Object made(PyDict_New());
        for (const auto& [key, value] : all)
            check(PyDict_SetItem(made.get(), Convert<std::string>::to(key).get(),
                                 Convert<T>::to(value).get()) == 0);
        return made;
    }
};

/// Capsules with the name of the type.
template <typename T>
struct Convert<Handle<T>> {
    static Handle<T> from(PyObject* given) {
        void* const own = PyCapsule_GetPointer(given, typeid(T).name());
        check(own != nullptr);
        return {static_cast<T*>(own)};
    }
};

template <typename T>
struct Convert<std::unique_ptr<T>> {
    static Object to(std::unique_ptr<T>& own) {
        Object made(PyCapsule_New(own.get(), typeid(T).name(), [](PyObject* capsule) {
            delete static_cast<T*>(PyCapsule_GetPointer(capsule, typeid(T).name()));
        }));
        static_cast<void>(own.release());
        return made;
    }
};

/// Other threads of Python run meanwhile.
class Released {
public:
    Released() : state_(PyEval_SaveThread()) {}
    ~Released() { PyEval_RestoreThread(state_); }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

private:
    PyThreadState* state_;
};

/// The class of what was thrown, beside those of C++: defined by the module.
PyObject* class_of(const std::exception& thrown);

/// What `work`, which gives an Object, has made; null and an exception set where it throws.
template <typename Work>
PyObject* guarded(const Work& work) {
    try {
        try {
            return work().release();
        } catch (const std::bad_alloc&) {
            return PyErr_NoMemory();
        } catch (const std::exception& thrown) {
            raise(class_of(thrown), thrown.what());
        }
    } catch (const Raised&) {
        return nullptr;
    }
}

/// How an argument is held during the call, and given to the function.
template <typename Arg>
struct Held {
    using Type = std::decay_t<Arg>;
    static const Type& given(const Type& value) { return value; }
};
template <typename T>
struct Held<T&> {
    using Type = std::conditional_t<std::is_const_v<T>, std::decay_t<T>, Handle<T>>;
    static T& given(const Type& value) {
        if constexpr (std::is_const_v<T>)
            return value;
        else
            return *value.own;
    }
};

template <auto function, typename Result, typename... Args>
struct Bound {
    static PyObject* call(PyObject*, PyObject* given) {
        return guarded([&] {
            const auto all = Convert<std::tuple<typename Held<Args>::Type...>>::from(given);
            const auto run = [](const typename Held<Args>::Type&... one) -> Result {
                const Released others;
                return std::invoke(function, Held<Args>::given(one)...);
            };
            if constexpr (std::is_void_v<Result>) {
                std::apply(run, all);
                return Convert<std::optional<bool>>::to(std::nullopt);
            } else {
                std::decay_t<Result> made = std::apply(run, all);
                return Convert<std::decay_t<Result>>::to(made);
            }
        });
    }
};

template <auto function, typename Type = decltype(function)>
struct Call;
template <auto function, typename Result, typename... Args>
struct Call<function, Result (*)(Args...)> : Bound<function, Result, Args...> {};
template <auto function, typename Result, typename T, typename... Args>
struct Call<function, Result (T::*)(Args...)> : Bound<function, Result, T&, Args...> {};
template <auto function, typename Result, typename T, typename... Args>
struct Call<function, Result (T::*)(Args...) const> : Bound<function, Result, T&, Args...> {};

template <auto function>
PyMethodDef method(const char* name) {
    return {name, &Call<function>::call, METH_VARARGS, nullptr};
}

}  // namespace macrame::python
