// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_members.h"

#include <algorithm>
#include <functional>

#include "base/json/json_reader.h"

namespace hearth::base {

namespace {

// A buffer that grows at its end and starts with enough room for most texts.
class Output {
 public:
  explicit Output(std::size_t room) { grow(room); }

  void append(char c) {
    make_room(1);
    text_[size_++] = c;
  }
  void append(std::string_view more) {
    make_room(more.size());
    size_ += more.copy(text_.data() + size_, more.size());
  }
  char& back() { return text_[size_ - 1]; }
  std::size_t size() const { return size_; }
  operator std::string_view() const { return {text_.data(), size_}; }
  std::string release() {
    text_.resize(size_);
    return std::move(text_);
  }

 private:
  void make_room(std::size_t more) {
    if (text_.size() - size_ < more) grow(2 * text_.size() + more);
  }
  void grow(std::size_t room) {
    text_.resize_and_overwrite(room, [room](char*, std::size_t) { return room; });
  }

  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace

// Writes each value as it is read, followed by a comma, which the end of the enclosing array or object overwrites.
class JsonMembers::Writer final : public JsonHandler {
 public:
  Writer(JsonMembers& members, std::string_view text)
      : to_(members), out_(text.size() + text.size() / 8 + 32), text_(text) {}

  // True if the text must be parsed into values: a key occurs twice, so that the last counts, or there may be too many
  // values.
  bool doubtful() const { return repeated_key_ || count_ > kMaxJsonMemory / 256; }

  bool on_document_end(error_code&) {
    to_.json_ = out_.release();
    to_.json_.pop_back();
    return true;
  }
  bool on_object_begin(error_code&) {
    starts_.push_back(keys_.size());
    out_.append('{');
    return true;
  }
  bool on_object_end(std::size_t, error_code&) {
    const std::size_t start = starts_.back();
    starts_.pop_back();
    repeated_key_ = repeated_key_ || has_repeated_key(start);
    keys_.resize(start);
    return close('}', json::kind::object);
  }
  bool on_array_begin(error_code&) {
    starts_.push_back(keys_.size());
    out_.append('[');
    return true;
  }
  bool on_array_end(std::size_t, error_code&) {
    starts_.pop_back();
    return close(']', json::kind::array);
  }
  bool on_key_part(json::string_view part, std::size_t, error_code&) { return append_part(part); }
  bool on_key(json::string_view part, std::size_t, error_code&) {
    append_part(part);
    const Span key{string_start_, out_.size() - string_start_};
    end_string();
    out_.append(':');
    count();
    keys_.push_back(key);
    if (starts_.size() == 1) {
      to_.members_.emplace_back().key = key;
      to_.members_.back().json.start = out_.size();
    }
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, error_code&) { return keep_text(part), append_part(part); }
  bool on_string(json::string_view part, std::size_t, error_code&) {
    keep_text(part);
    append_part(part);
    end_string();
    return end_value(json::kind::string);
  }
  bool on_int64(std::int64_t value, json::string_view text, error_code&) {
    keep_text(text);
    append_scratch([&] { write_json_number(scratch_, value); });
    return end_value(json::kind::int64);
  }
  bool on_uint64(std::uint64_t value, json::string_view text, error_code&) {
    keep_text(text);
    append_scratch([&] { write_json_number(scratch_, value); });
    return end_value(json::kind::uint64);
  }
  bool on_double(double value, json::string_view text, error_code& error) {
    const auto number = exact(value, text, error);
    if (!number) return false;
    keep_text(text);
    append_scratch([&] { write_json_number(scratch_, *number); });
    return end_value(json::kind::double_);
  }
  bool on_bool(bool value, error_code&) {
    out_.append(value ? std::string_view("true") : std::string_view("false"));
    return end_value(json::kind::bool_);
  }
  bool on_null(error_code&) {
    out_.append(std::string_view("null"));
    return end_value(json::kind::null);
  }

 private:
  // True if this is a member of the outermost object.
  bool is_member() const { return starts_.size() == 1 && !to_.members_.empty(); }

  bool append_part(json::string_view part) {
    if (!in_string_) {
      out_.append('"');
      string_start_ = out_.size();
      in_string_ = true;
    }
    // A string that needs no escaping points into the input; one that was unescaped points elsewhere.
    const std::less_equal<const char*> before;
    if (before(text_.data(), part.data()) && before(part.data(), text_.data() + text_.size()))
      out_.append(part);
    else
      append_scratch([&] { append_json_escaped(scratch_, part); });
    return true;
  }
  void end_string() {
    out_.append('"');
    in_string_ = false;
  }
  void keep_text(std::string_view part) {
    if (!is_member()) return;
    Span& text = to_.members_.back().text;
    if (!in_string_) text.start = to_.texts_.size();
    text.size += part.size();
    to_.texts_ += part;
  }

  void append_scratch(auto&& write) {
    scratch_.clear();
    write();
    out_.append(scratch_);
  }

  bool close(char bracket, json::kind kind) {
    if (out_.back() == ',')
      out_.back() = bracket;
    else
      out_.append(bracket);
    return end_value(kind);
  }
  void count() {
    constexpr std::size_t kAtLeast = 64;  // bytes that one value would take
    if (++count_ > kMaxJsonMemory / kAtLeast) throw std::bad_alloc();
  }
  bool end_value(json::kind kind) {
    count();
    if (is_member()) {
      Member& member = to_.members_.back();
      member.kind = kind;
      member.json.size = out_.size() - member.json.start;
    } else if (starts_.empty()) {
      to_.kind_ = kind;
    }
    out_.append(',');
    return true;
  }

  // True if a key repeats among those from `start` on.
  bool has_repeated_key(std::size_t start) {
    constexpr std::size_t kFew = 8;
    if (keys_.size() - start > kFew) return has_repeated_of_many(start);
    const auto key = [&](std::size_t i) { return keys_[i].of(out_); };
    for (std::size_t i = start; i < keys_.size(); ++i) {
      for (std::size_t j = start; j < i; ++j) {
        if (key(i) == key(j)) return true;
      }
    }
    return false;
  }
  [[gnu::noinline]] bool has_repeated_of_many(std::size_t start) {
    const auto less = [&](const Span& a, const Span& b) { return a.of(out_) < b.of(out_); };
    const auto same = [&](const Span& a, const Span& b) { return a.of(out_) == b.of(out_); };
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(start);
    std::sort(first, keys_.end(), less);
    return std::adjacent_find(first, keys_.end(), same) != keys_.end();
  }

  JsonMembers& to_;
  Output out_;
  const std::string_view text_;
  boost::container::small_vector<Span, 16> keys_;          // of the open objects
  boost::container::small_vector<std::size_t, 8> starts_;  // where each open array or object starts in keys_
  std::string scratch_;
  std::size_t string_start_ = 0;
  std::size_t count_ = 0;  // keys and values
  bool in_string_ = false;
  bool repeated_key_ = false;
};

Result<void> JsonMembers::read(std::string_view text, bool& doubtful) {
  json::basic_parser<Writer> parser(strict_json(), *this, text);
  auto read = read_json(parser, text);
  doubtful = parser.handler().doubtful();
  return read;
}

Result<JsonMembers> JsonMembers::parse(std::string_view text) {
  Result<JsonMembers> members;
  bool doubtful = false;
  auto read = members->read(text, doubtful);
  if (read && doubtful) read = members->read_again(text);
  if (!read) members = std::unexpected(std::move(read.error()));
  return members;
}

// Through parsed values.
Result<void> JsonMembers::read_again(std::string_view text) {
  const auto value = parse_json(text);
  if (!value) return std::unexpected(value.error());
  JsonMembers sure;
  bool doubtful = false;
  if (auto read = sure.read(to_json(*value), doubtful); !read) return read;
  sure.keep_texts(*this);
  *this = std::move(sure);
  return {};
}

// Keeps the digits of numbers as they came.
void JsonMembers::keep_texts(const JsonMembers& other) {
  texts_ = other.texts_;
  for (Member& member : members_) member.text = other.last(member.key.of(json_))->text;
}

const JsonMembers::Member* JsonMembers::last(std::string_view escaped_key) const {
  for (std::size_t i = members_.size(); i-- > 0;) {
    if (members_[i].key.of(json_) == escaped_key) return &members_[i];
  }
  return nullptr;
}

std::optional<JsonMember> JsonMembers::find(std::string_view key) const {
  const Member* const member = last(key);
  if (!member) return {};
  return JsonMember{member->kind, member->json.of(json_), member->text.of(texts_)};
}

}  // namespace hearth::base
