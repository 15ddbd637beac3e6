// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>

#include "base/json/json_reader.h"

namespace hearth::base {
namespace {

// Memory from the heap, up to a bound.
class BoundedMemory final : public json::memory_resource {
 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    if (size > left_) throw std::bad_alloc();
    left_ -= size;
    return ::operator new(size, std::align_val_t(alignment));
  }
  void do_deallocate(void* place, std::size_t size, std::size_t alignment) override {
    left_ += size;
    ::operator delete(place, std::align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t left_ = kMaxJsonMemory;
};

// Builds the value as Boost.JSON's own parser does, but reads decimals exactly and with bounded memory.
class Builder final : public JsonHandler {
 public:
  explicit Builder(json::storage_ptr storage) { stack_.reset(std::move(storage)); }

  json::value release() { return stack_.release(); }

  bool on_object_begin(error_code&) { return true; }
  bool on_object_end(std::size_t n, error_code&) { return stack_.push_object(n), true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t n, error_code&) { return stack_.push_array(n), true; }
  bool on_key_part(json::string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_key(json::string_view part, std::size_t, error_code&) { return stack_.push_key(part), true; }
  bool on_string_part(json::string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_string(json::string_view part, std::size_t, error_code&) { return stack_.push_string(part), true; }
  bool on_int64(std::int64_t value, json::string_view, error_code&) { return stack_.push_int64(value), true; }
  bool on_uint64(std::uint64_t value, json::string_view, error_code&) { return stack_.push_uint64(value), true; }
  bool on_double(double value, json::string_view text, error_code& error) {
    const auto number = exact(value, text, error);
    if (number) stack_.push_double(*number);
    return number.has_value();
  }
  bool on_bool(bool value, error_code&) { return stack_.push_bool(value), true; }
  bool on_null(error_code&) { return stack_.push_null(), true; }

 private:
  std::array<unsigned char, 2048> first_memory_;  // enough for most inputs
  BoundedMemory memory_;
  json::value_stack stack_{&memory_, first_memory_.data(), first_memory_.size()};
};

// The bytes that must be escaped in a string.
constexpr auto kEscaped = [] {
  std::array<bool, 256> escaped{};
  for (std::size_t c = 0; c < 0x20; ++c) escaped[c] = true;
  escaped['"'] = escaped['\\'] = true;
  return escaped;
}();

// True if any of eight bytes must be escaped, computed on all at once: a byte below a bound borrows its top bit.
bool any_escaped(const char* eight) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones * 0x80;
  std::uint64_t bytes;
  std::memcpy(&bytes, eight, sizeof(bytes));
  const auto any_below = [](std::uint64_t in, std::uint64_t bound) { return (in - ones * bound) & ~in & tops; };
  return (any_below(bytes, 0x20) | any_below(bytes ^ ones * '"', 1) | any_below(bytes ^ ones * '\\', 1)) != 0;
}

std::size_t next_escaped(std::string_view text, std::size_t from) {
  while (text.size() - from >= sizeof(std::uint64_t) && !any_escaped(text.data() + from)) from += sizeof(std::uint64_t);
  while (from < text.size() && !kEscaped[static_cast<unsigned char>(text[from])]) ++from;
  return from;
}

void write_escaped(std::string& out, char c) {
  constexpr char hex[] = "0123456789abcdef";
  out += '\\';
  switch (c) {
    case '"':
    case '\\':
      out += c;
      break;
    case '\b':
      out += 'b';
      break;
    case '\f':
      out += 'f';
      break;
    case '\n':
      out += 'n';
      break;
    case '\r':
      out += 'r';
      break;
    case '\t':
      out += 't';
      break;
    default:
      out += {'u', '0', '0', hex[c >> 4], hex[c & 15]};
  }
}

void write_array(std::string& out, const json::array& array) {
  out += '[';
  bool first = true;
  for (const auto& element : array) {
    if (!first) out += ',';
    first = false;
    write_json(out, element);
  }
  out += ']';
}

}  // namespace

Result<json::value> parse_json(std::string_view text, json::storage_ptr storage) {
  json::basic_parser<Builder> parser(strict_json(), std::move(storage));
  if (auto read = read_json(parser, text); !read) return std::unexpected(std::move(read.error()));
  return parser.handler().release();
}

void append_json_escaped(std::string& out, std::string_view text) {
  for (std::size_t plain = 0;;) {
    const std::size_t end = next_escaped(text, plain);
    out.append(text, plain, end - plain);
    if (end == text.size()) break;
    write_escaped(out, text[end]);
    plain = end + 1;
  }
}

void write_json_string(std::string& out, std::string_view text) {
  const std::size_t plain = next_escaped(text, 0);
  const std::size_t start = out.size();
  const std::size_t end = start + plain + 2;
  out.resize_and_overwrite(end, [&](char* place, std::size_t) {
    place[start] = '"';
    text.copy(place + start + 1, plain);
    place[end - 1] = '"';
    return end;
  });
  if (plain == text.size()) return;
  out.pop_back();
  append_json_escaped(out, text.substr(plain));
  out += '"';
}

void write_json_number(std::string& out, std::int64_t value) {
  std::array<char, 20> text;
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

void write_json_number(std::string& out, std::uint64_t value) {
  std::array<char, 20> text;
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

void write_json_number(std::string& out, double value) {
  if (value == 0) {
    out += std::signbit(value) ? "-0.0" : "0.0";
    return;
  }
  // Plain digits between 1e-4 and 1e16, otherwise an exponent: the bounds of Python and JavaScript.
  const double size = std::fabs(value);
  std::array<char, 32> text;
  if (size >= 1e-4 && size < 1e16) {
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
    const std::string_view digits(text.data(), end);
    out += digits;
    if (digits.find('.') == std::string_view::npos) out += ".0";
    return;
  }
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  std::string_view digits(text.data(), end);
  const auto e = digits.find('e');
  out += digits.substr(0, e + 1);
  digits.remove_prefix(e + 1);
  if (digits.front() == '-') out += '-';
  digits.remove_prefix(1);
  out += digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

void write_json(std::string& out, const json::object& object) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : object) {
    if (!first) out += ',';
    first = false;
    write_json_string(out, key);
    out += ':';
    write_json(out, value);
  }
  out += '}';
}

void write_json(std::string& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      out += "null";
      return;
    case json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      return;
    case json::kind::int64:
      write_json_number(out, value.get_int64());
      return;
    case json::kind::uint64:
      write_json_number(out, value.get_uint64());
      return;
    case json::kind::double_:
      write_json_number(out, value.get_double());
      return;
    case json::kind::string:
      write_json_string(out, value.get_string());
      return;
    case json::kind::array:
      write_array(out, value.get_array());
      return;
    case json::kind::object:
      write_json(out, value.get_object());
      return;
  }
}

std::string to_json(const json::value& value) {
  std::string out;
  write_json(out, value);
  return out;
}

std::string to_json(const json::object& value) {
  std::string out;
  write_json(out, value);
  return out;
}

}  // namespace hearth::base
