// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>

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

// Builds the value as Boost.JSON's own parser does, but reads decimals exactly, within bounded memory, and keeps the
// text of one of the outermost object's numbers.
class Builder {
 public:
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
  using error_code = boost::system::error_code;

  Builder(std::string_view number_key, json::storage_ptr storage) : number_key_(number_key) {
    stack_.reset(std::move(storage));
  }

  JsonDocument release() { return {stack_.release(), std::move(number_text_)}; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return ++depth_, true; }
  bool on_object_end(std::size_t n, error_code&) { return --depth_, stack_.push_object(n), true; }
  bool on_array_begin(error_code&) { return ++depth_, true; }
  bool on_array_end(std::size_t n, error_code&) { return --depth_, stack_.push_array(n), true; }
  bool on_key_part(json::string_view part, std::size_t, error_code&) {
    if (depth_ == 1) key_.append(part.data(), part.size());
    return stack_.push_chars(part), true;
  }
  bool on_key(json::string_view part, std::size_t, error_code&) {
    if (depth_ == 1) {
      key_.append(part.data(), part.size());
      key_done_.swap(key_);
      key_.clear();
    }
    return stack_.push_key(part), true;
  }
  bool on_string_part(json::string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_string(json::string_view part, std::size_t, error_code&) { return stack_.push_string(part), true; }
  bool on_number_part(json::string_view part, error_code&) { return number_.append(part.data(), part.size()), true; }
  bool on_int64(std::int64_t value, json::string_view part, error_code&) {
    end_number(part);
    return stack_.push_int64(value), true;
  }
  bool on_uint64(std::uint64_t value, json::string_view part, error_code&) {
    end_number(part);
    return stack_.push_uint64(value), true;
  }
  bool on_double(double value, json::string_view part, error_code& error) {
    end_number(part);
    // The library's own conversion may miss the nearest double by an ulp, and takes 0e400 for too great.
    double exact = value;
    const auto status = std::from_chars(last_number_.data(), last_number_.data() + last_number_.size(), exact).ec;
    // Out of range is what is too great, or too small to tell from zero.
    if (status != std::errc() && !(std::fabs(value) < 1)) return error = json::error::exponent_overflow, false;
    return stack_.push_double(exact), true;
  }
  bool on_bool(bool value, error_code&) { return stack_.push_bool(value), true; }
  bool on_null(error_code&) { return stack_.push_null(), true; }
  bool on_comment_part(json::string_view, error_code&) { return true; }
  bool on_comment(json::string_view, error_code&) { return true; }

 private:
  void end_number(json::string_view part) {
    number_.append(part.data(), part.size());
    last_number_.swap(number_);
    number_.clear();
    if (depth_ == 1 && !number_key_.empty() && key_done_ == number_key_) number_text_ = last_number_;
  }

  const std::string_view number_key_;
  std::array<unsigned char, 2048> first_memory_;  // enough for most
  BoundedMemory memory_;
  json::value_stack stack_{&memory_, first_memory_.data(), first_memory_.size()};
  std::size_t depth_ = 0;
  std::string key_, key_done_, number_, last_number_, number_text_;
};

// The bytes that a string may not hold as they are.
constexpr auto kEscaped = [] {
  std::array<bool, 256> escaped{};
  for (std::size_t c = 0; c < 0x20; ++c) escaped[c] = true;
  escaped['"'] = escaped['\\'] = true;
  return escaped;
}();

// Whether any of eight bytes is one of them, by arithmetic on all at once: a byte below a bound borrows its top bit.
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

template <class Integer>
void write_integer(std::string& out, Integer value) {
  std::array<char, 20> text;
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
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

Result<JsonDocument> parse_json_document(std::string_view text, std::string_view number_key,
                                         json::storage_ptr storage) try {
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  json::basic_parser<Builder> parser(options, number_key, std::move(storage));
  boost::system::error_code error;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (!error && used < text.size()) error = json::error::extra_data;
  if (error) return fail(ErrorCode::invalid, error.message() + " at byte " + std::to_string(used));
  return parser.handler().release();
} catch (const std::bad_alloc&) {
  return fail(ErrorCode::invalid, "too many values");
}

Result<json::value> parse_json(std::string_view text, json::storage_ptr storage) {
  auto document = parse_json_document(text, {}, std::move(storage));
  if (!document) return std::unexpected(std::move(document.error()));
  return std::move(document->root);
}

void write_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t plain = 0;;) {
    const std::size_t end = next_escaped(text, plain);
    out.append(text, plain, end - plain);
    if (end == text.size()) break;
    write_escaped(out, text[end]);
    plain = end + 1;
  }
  out += '"';
}

void write_json_number(std::string& out, double value) {
  if (value == 0) {
    out += std::signbit(value) ? "-0.0" : "0.0";
    return;
  }
  // Plain digits between 1e-4 and 1e16, an exponent beyond: the bounds Python and JavaScript readers are used to.
  const double size = std::fabs(value);
  std::array<char, 32> text;
  if (size >= 1e-4 && size < 1e16) {
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr;
    const std::string_view digits(text.data(), end);
    out += digits;
    if (digits.find('.') == std::string_view::npos) out += ".0";
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
      write_integer(out, value.get_int64());
      return;
    case json::kind::uint64:
      write_integer(out, value.get_uint64());
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
