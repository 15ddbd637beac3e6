// SPDX-License-Identifier: Apache-2.0
#include "template/values/text_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "template/values/integer.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

constexpr int kMostWidth = 10'000;

std::string number_by(double number, char type, int precision, bool alternative) {
  std::string spec = alternative ? "{:#." : "{:.";
  spec += std::to_string(precision);
  spec += type;
  spec += '}';
  return fmt::format(fmt::runtime(spec), number);
}

void append_character(std::string& out, const Value& code) {
  const auto number = as_int(code);
  if (!number || *number < 0 || *number > 0x10ffff) fail(FailureKind::limit, "%c arg not in range(0x110000)");
  append_code_point(out, static_cast<char32_t>(*number));
}

std::string grouped(std::string_view digits, char separator) {
  const std::size_t whole = std::min(digits.find_first_of(".e"), digits.size());
  std::string out;
  for (std::size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % 3 == 0) out += separator;
    out += digits[i];
  }
  return out.append(digits.substr(whole));
}

struct Specification {
  std::string fill = " ";
  char align = 0, sign = '-', group = 0, type = 0;
  bool alternative = false, zero = false;
  int width = 0, precision = -1;
};

int read_size(std::string_view text, std::size_t& i) {
  int size = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    size = size * 10 + (text[i] - '0');
    if (size > kMostWidth) fail(FailureKind::limit, fmt::format("a width may be at most {}", kMostWidth));
  }
  return size;
}

Specification read_specification(std::string_view text) {
  Specification spec;
  std::size_t i = 0, second = 0;
  if (!text.empty()) next_code_point(text, second);
  const auto aligns = [](char c) { return c == '<' || c == '>' || c == '=' || c == '^'; };
  if (second > 0 && second < text.size() && aligns(text[second])) {
    spec.fill = text.substr(0, second);
    spec.align = text[second];
    i = second + 1;
  } else if (!text.empty() && aligns(text[0])) {
    spec.align = text[0];
    i = 1;
  }
  const auto at = [&](char c) { return i < text.size() && text[i] == c; };
  if (at('+') || at('-') || at(' ')) spec.sign = text[i++];
  if (at('#')) spec.alternative = true, ++i;
  if (at('0')) {
    spec.zero = true;
    if (!spec.align) spec.align = '=', spec.fill = "0";
    ++i;
  }
  spec.width = read_size(text, i);
  if (at(',') || at('_')) spec.group = text[i++];
  if (at('.')) {
    const std::size_t before = ++i;
    spec.precision = read_size(text, i);
    if (i == before) fail(FailureKind::value, "Format specifier missing precision");
  }
  if (i < text.size()) spec.type = text[i++];
  if (i != text.size()) fail(FailureKind::value, "Invalid format specifier");
  return spec;
}

std::string padded(std::string_view sign, std::string_view body, const Specification& spec, char otherwise) {
  const std::size_t length = sign.size() + count_code_points(body);
  const std::size_t missing =
      static_cast<std::size_t>(spec.width) > length ? static_cast<std::size_t>(spec.width) - length : 0;
  const char align = spec.align ? spec.align : otherwise;
  const std::size_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  std::string left, right;
  for (std::size_t k = 0; k < before; ++k) left += spec.fill;
  for (std::size_t k = before; k < missing; ++k) right += spec.fill;
  if (align == '=') return std::string(sign) + left + std::string(body);
  return left + std::string(sign) + std::string(body) + right;
}

std::string sign_text(bool negative, char sign) {
  return negative ? "-" : sign == '-' ? "" : std::string(1, sign);
}

std::string real_body(double size, const Specification& spec) {
  char type = spec.type ? spec.type : spec.precision < 0 ? 'r' : 'g';
  if (std::isnan(size) || std::isinf(size)) {
    std::string text = std::isnan(size) ? "nan" : "inf";
    if (type == 'F' || type == 'E' || type == 'G') text = upper_text(text);
    return type == '%' ? text + '%' : text;
  }
  if (type == 'r') return number_text(size);
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  if (type == '%') return number_by(size * 100, 'f', precision, spec.alternative) + '%';
  if (type == 'n') type = 'g';
  std::string text =
      number_by(size, type, type == 'g' || type == 'G' ? std::max(precision, 1) : precision, spec.alternative);
  if (!spec.type && text.find_first_of(".e") == std::string::npos) text += ".0";  // no type keeps a float a float
  return text;
}

}  // namespace

std::string format_by(const Value& value, std::string_view specification) {
  if (specification.empty()) return to_text(value);
  if (const auto* time = value.get<DateTime>()) return format_time(*time, specification);
  if (const auto* day = value.get<Date>()) return format_time({day->days * kDay}, specification);
  if (const auto* clock = value.get<TimeOfDay>())
    return format_time({*local_of({1900, 1, 1, 0, 0, 0, 0}) + clock->microseconds}, specification);
  Specification spec = read_specification(specification);
  constexpr std::string_view real_types = "eEfFgGn%", integer_types = "bcdoxXn";
  const auto refuse = [&] {
    fail(FailureKind::value,
         fmt::format("Unknown format code '{}' for object of type '{}'", spec.type, type_name(value)));
  };
  const bool integral = value.is_integer() || (value.get<bool>() && spec.type && spec.type != 's');
  if (integral && (!spec.type || integer_types.find(spec.type) != std::string_view::npos)) {
    if (spec.precision >= 0) fail(FailureKind::value, "Precision not allowed in integer format specifier");
    if (spec.type == 'c') {
      std::string c;
      append_character(c, value);
      return padded("", c, spec, '<');
    }
    const char kind = static_cast<char>(spec.type | 0x20);
    const int base = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    std::string body = integer_digits(value, base, spec.type == 'X');
    if (spec.group) body = grouped(body, spec.group);
    std::string sign = sign_text(is_negative(value), spec.sign);
    if (spec.alternative && base != 10) sign += std::string("0") + spec.type;
    return padded(sign, body, spec, '>');
  }
  if ((value.get<double>() || integral) && (!spec.type || real_types.find(spec.type) != std::string_view::npos)) {
    const double number = *as_double(value);
    std::string body = real_body(std::abs(number), spec);
    if (spec.group) body = grouped(body, spec.group);
    return padded(sign_text(std::signbit(number) && !std::isnan(number), spec.sign), body, spec, '>');
  }
  if (value.is_number() && !value.get<bool>()) refuse();
  if (!value.is_text() && !value.get<bool>() && !value.is_undefined()) {
    fail(FailureKind::type, fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
  }
  if (spec.type && spec.type != 's') refuse();
  if (spec.align == '=' && !spec.zero) fail(FailureKind::value, "'=' alignment not allowed in string format specifier");
  if (spec.align == '=') spec.align = '<';
  std::string text = to_text(value);
  if (spec.precision >= 0) text = to_utf8(to_code_points(text).substr(0, static_cast<std::size_t>(spec.precision)));
  return padded("", text, spec, '<');
}

std::string format_percent(std::string_view format, const Value& given) {
  const Value values = unfolded(given);
  const auto* const tuple = values.get<Tuple>();
  std::size_t next = 0;
  const auto take = [&]() -> Value {
    if (tuple) {
      if (next >= tuple->items->size()) fail(FailureKind::type, "not enough arguments for format string");
      return (*tuple->items)[next++];
    }
    if (next++ > 0) fail(FailureKind::type, "not enough arguments for format string");
    return values;
  };
  std::string out;
  std::size_t charged = 0;
  bool by_name = false;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (++i == format.size()) fail(FailureKind::value, "incomplete format");
    if (format[i] == '%') {
      out += '%';
      continue;
    }
    std::optional<Value> value;
    if (format[i] == '(') {
      const std::size_t end = format.find(')', i);
      if (end == std::string_view::npos) fail(FailureKind::value, "incomplete format key");
      if (!values.is_mapping()) fail(FailureKind::type, "format requires a mapping");
      value = item_of(values, Value(format.substr(i + 1, end - i - 1)));
      if (value->is_undefined()) fail(FailureKind::value, std::string(format.substr(i + 1, end - i - 1)));
      by_name = true;
      i = end + 1;
    }
    Specification spec;
    for (; i < format.size(); ++i) {
      if (format[i] == '-')
        spec.align = '<';
      else if (format[i] == '+' || format[i] == ' ')
        spec.sign = spec.sign == '+' ? '+' : format[i];
      else if (format[i] == '#')
        spec.alternative = true;
      else if (format[i] == '0')
        spec.zero = true;
      else
        break;
    }
    const auto read = [&] {
      if (i < format.size() && format[i] == '*') {
        ++i;
        const auto size = as_int(take());
        if (!size) fail(FailureKind::type, "* wants int");
        if (std::abs(*size) > kMostWidth)
          fail(FailureKind::limit, fmt::format("a width may be at most {}", kMostWidth));
        return static_cast<int>(*size);
      }
      return read_size(format, i);
    };
    spec.width = read();
    if (spec.width < 0) spec.width = -spec.width, spec.align = '<';
    if (i < format.size() && format[i] == '.') ++i, spec.precision = std::max(read(), 0);
    while (i < format.size() && (format[i] == 'l' || format[i] == 'h' || format[i] == 'L')) ++i;
    if (i == format.size()) fail(FailureKind::value, "incomplete format");
    spec.type = format[i] == 'i' || format[i] == 'u' ? 'd' : format[i];
    if (!value) value = take();
    if (spec.type == 's' || spec.type == 'r' || spec.type == 'a') {
      std::string text;
      if (spec.type == 's')
        print(text, *value);
      else
        print_quoted(text, *value);
      if (spec.precision >= 0) text = to_utf8(to_code_points(text).substr(0, static_cast<std::size_t>(spec.precision)));
      out += padded("", text, spec, '>');
    } else if (std::string_view("dxXo").find(spec.type) != std::string_view::npos) {
      const auto* const real = spec.type == 'd' ? value->get<double>() : nullptr;
      const auto number = real                                        ? truncated(*real)
                          : value->is_integer() || value->get<bool>() ? std::optional(*value)
                                                                      : std::nullopt;
      if (real && !number)
        fail(std::isnan(*real) ? FailureKind::value : FailureKind::limit,
             fmt::format("cannot convert float {} to integer", std::isnan(*real) ? "NaN" : "infinity"));
      if (!number) {
        fail(FailureKind::type, fmt::format("%{} format: {} is required, not {}", spec.type,
                                            spec.type == 'd' ? "a real number" : "an integer", type_name(*value)));
      }
      const char kind = static_cast<char>(spec.type | 0x20);
      std::string body = integer_digits(*number, kind == 'x' ? 16 : kind == 'o' ? 8 : 10, spec.type == 'X');
      if (spec.precision > static_cast<int>(body.size()))
        body.insert(0, static_cast<std::size_t>(spec.precision) - body.size(), '0');
      std::string sign = sign_text(is_negative(*number), spec.sign);
      if (spec.alternative && kind != 'd') sign += std::string("0") + spec.type;
      if (spec.zero && !spec.align) spec.align = '=', spec.fill = "0";
      out += padded(sign, body, spec, '>');
    } else if (std::string_view("eEfFgG").find(spec.type) != std::string_view::npos) {
      const auto number = as_double(*value);
      if (!number) fail(FailureKind::type, fmt::format("must be real number, not {}", type_name(*value)));
      const std::string body = real_body(std::abs(*number), spec);
      if (spec.zero && !spec.align && std::isfinite(*number)) spec.align = '=', spec.fill = "0";
      out += padded(sign_text(std::signbit(*number) && !std::isnan(*number), spec.sign), body, spec, '>');
    } else if (spec.type == 'c') {
      std::string c;
      if (value->is_integer() || value->get<bool>())
        append_character(c, *value);
      else if (value->is_text() && count_code_points(value->text()) == 1)
        c = value->text();
      else
        fail(FailureKind::type, "%c requires int or char");
      out += padded("", c, spec, '>');
    } else {
      fail(FailureKind::value, fmt::format("unsupported format character '{}'", spec.type));
    }
    charge_piece(out.size() - charged, out.size());
    charged = out.size();
  }
  if (!by_name &&
      ((tuple && next < tuple->items->size()) || (!tuple && next == 0 && !values.is_mapping() && !values.get<List>() &&
                                                  !values.get<Range>() && !values.is_undefined()))) {
    fail(FailureKind::type, "not all arguments converted during string formatting");
  }
  return out;
}

std::string format_braces(Call& call) {
  const std::string format(call.positional[0].text());
  std::size_t next = 1;
  // A field's value: 0, name, name.attribute, name[key].
  const auto find = [&](std::string_view field) -> Value {
    const std::size_t end = std::min(field.find_first_of(".["), field.size());
    const std::string_view first = field.substr(0, end);
    Value value;
    if (first.empty() || std::all_of(first.begin(), first.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      std::size_t index = next;
      if (first.empty())
        ++next;
      else
        index =
            first.size() > 6 ? call.positional.size() : static_cast<std::size_t>(std::stoul(std::string(first))) + 1;
      if (index >= call.positional.size())
        fail(FailureKind::value, "Replacement index out of range for positional args tuple");
      value = call.positional[index];
    } else {
      const auto found =
          std::find_if(call.named.begin(), call.named.end(), [&](const auto& named) { return named.first == first; });
      if (found == call.named.end()) fail(FailureKind::value, fmt::format("'{}'", first));
      value = found->second;
    }
    std::string_view rest = field.substr(end);
    while (!rest.empty()) {
      if (rest[0] == '.') {
        const std::size_t stop = std::min(rest.find_first_of(".[", 1), rest.size());
        value = attribute_of(value, rest.substr(1, stop - 1));
        rest.remove_prefix(stop);
      } else {
        const std::size_t stop = rest.find(']');
        if (stop == std::string_view::npos) fail(FailureKind::value, "expected '}' before end of string");
        const std::string_view key = rest.substr(1, stop - 1);
        const bool number = !key.empty() && key.size() < 10 &&
                            std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
        value = item_of(value, number ? Value(std::int64_t{std::stoll(std::string(key))}) : Value(key));
        rest.remove_prefix(stop + 1);
      }
      if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
    }
    return value;
  };
  // `depth` allows for fields within specifications: {:{width}}.
  const auto run = [&](auto&& self, std::string_view text, int depth) -> std::string {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c && depth == 0) {
        out += c;
        ++i;
      } else if (c == '}') {
        fail(FailureKind::value, "Single '}' encountered in format string");
      } else if (c != '{') {
        out += c;
      } else {
        std::size_t end = i + 1;
        for (int open = 1; end < text.size(); ++end) {
          if (text[end] == '{') ++open;
          if (text[end] == '}' && --open == 0) break;
        }
        if (end >= text.size()) fail(FailureKind::value, "Single '{' encountered in format string");
        if (depth > 1) fail(FailureKind::value, "Max string recursion exceeded");
        std::string_view inner = text.substr(i + 1, end - i - 1);
        const std::size_t colon = std::min(inner.find(':'), inner.size());
        std::string_view field = inner.substr(0, colon);
        char conversion = 0;
        if (field.size() >= 2 && field[field.size() - 2] == '!') {
          conversion = field.back();
          field.remove_suffix(2);
        }
        Value value = find(field);
        const std::string specification =
            colon < inner.size() ? self(self, inner.substr(colon + 1), depth + 1) : std::string();
        if (conversion == 'r' || conversion == 'a') {
          std::string quoted;
          print_quoted(quoted, value);
          value = Value(std::move(quoted));
        } else if (conversion == 's') {
          value = Value(to_text(value));
        } else if (conversion) {
          fail(FailureKind::value, fmt::format("Unknown conversion specifier '{}'", conversion));
        }
        const std::size_t before = out.size();
        out += format_by(value, specification);
        charge_piece(out.size() - before, out.size());
        i = end;
      }
    }
    return out;
  };
  return run(run, format, 0);
}

}  // namespace hearth::templates
