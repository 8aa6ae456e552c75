#pragma once
/// Bytes of a constant tensor.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace macrame::graph {

/// A vector of bytes. Copies share their bytes until one of them is changed: tensors of a file may
/// name the same data, and graphs of one operator are cut out of a network.
class Data {
public:
    using Bytes = std::vector<std::uint8_t>;

    Data() = default;
    Data(Bytes bytes) : bytes_(std::make_shared<Bytes>(std::move(bytes))) {}  // NOLINT: as a vector

    const Bytes& bytes() const {
        static const Bytes kNone;
        return bytes_ == nullptr ? kNone : *bytes_;
    }
    operator const Bytes&() const { return bytes(); }  // NOLINT: as a vector
    std::size_t size() const { return bytes().size(); }
    const std::uint8_t* data() const { return bytes().data(); }
    const std::uint8_t& operator[](std::size_t i) const { return bytes()[i]; }
    Bytes::const_iterator begin() const { return bytes().begin(); }
    Bytes::const_iterator end() const { return bytes().end(); }

    /// The bytes to be changed, of this one alone.
    Bytes& own() {
        if (bytes_ == nullptr)
            bytes_ = std::make_shared<Bytes>();
        else if (bytes_.use_count() > 1)
            bytes_ = std::make_shared<Bytes>(*bytes_);
        return *bytes_;
    }
    std::uint8_t& operator[](std::size_t i) { return own()[i]; }
    Bytes::iterator begin() { return own().begin(); }
    Bytes::iterator end() { return own().end(); }
    void assign(std::size_t count, std::uint8_t value) { *this = Bytes(count, value); }
    void resize(std::size_t count, std::uint8_t value = 0) { own().resize(count, value); }
    void push_back(std::uint8_t value) { own().push_back(value); }
    void pop_back() { own().pop_back(); }
    void clear() { bytes_.reset(); }

private:
    std::shared_ptr<Bytes> bytes_;
};

inline bool operator==(const Data& a, const Data& b) { return a.bytes() == b.bytes(); }
inline bool operator!=(const Data& a, const Data& b) { return !(a == b); }

}  // namespace macrame::graph
