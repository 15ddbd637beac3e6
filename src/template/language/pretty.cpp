// SPDX-License-Identifier: Apache-2.0
// The filter pprint: as Python's module of that name prints a value, in lines of 80 characters.
#include "template/language/builtins.h"
#include "template/language/collections.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

constexpr std::size_t kWidth = 80;

// In their order; by type if they have none.
Values in_order(const Values& items) {
  Values ordered = items;
  const auto before = [](const Value& a, const Value& b) {
    try {
      return compare(a, b, "<") == -1;
    } catch (const Failure& failure) {
      if (failure.kind != FailureKind::type) throw;
      return type_name(a) < type_name(b);
    }
  };
  // By insertion, because such an order need not be consistent.
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    for (std::size_t k = i; k > 0 && before(ordered[k], ordered[k - 1]); --k) std::swap(ordered[k], ordered[k - 1]);
  }
  return ordered;
}

// The same value with dicts and sets in order, down to the last.
Value with_order(const Value& value) {
  const Deeper deeper;
  const Value whole = unfolded(value);
  if (const auto* dict = whole.get<DictPtr>()) {
    Values keys;
    for (const auto& [key, item] : (*dict)->entries()) keys.push_back(key);
    Dict ordered;
    for (const Value& key : in_order(keys)) ordered.set(key, with_order(*(*dict)->find(key)));
    return Value::dict(std::move(ordered));
  }
  if (!whole.get<List>() && !whole.get<Tuple>()) return whole;
  Values items = items_of(whole);
  for (Value& item : items) item = with_order(item);
  return whole.get<List>() ? Value::list(std::move(items)) : Value::tuple(std::move(items), whole.get<Tuple>()->names);
}

std::string shown_in_quotes(const Value& value) {
  std::string out;
  print_quoted(out, value);
  return out;
}

class PrettyPrinter {
 public:
  // `allowance`: what follows on the last line.
  void print(const Value& value, std::size_t indent, std::size_t allowance, int level) {
    const Deeper deeper;
    std::string plain = shown_in_quotes(value);
    if (count_code_points(plain) + indent + allowance <= kWidth) {
      out += plain;
    } else if (const auto* dict = value.get<DictPtr>(); dict && !(*dict)->entries().empty()) {
      out += '{';
      std::size_t left = (*dict)->entries().size();
      for (const auto& [key, item] : (*dict)->entries()) {
        const std::string shown = shown_in_quotes(key) + ": ";
        out += shown;
        print(item, indent + 1 + count_code_points(shown), --left ? 1 : allowance + 1, level + 1);
        if (left) break_line(indent + 1);
      }
      out += '}';
    } else if (value.get<List>()) {
      print_row(*value.get<List>()->items, indent, allowance, level, "[", "]");
    } else if (const auto* tuple = value.get<Tuple>()) {
      print_row(*tuple->items, indent, allowance, level, "(", tuple->items->size() == 1 ? ",)" : ")");
    } else if (is_set(value)) {
      print_row(in_order(items_of(value)), indent, allowance, level, "{", "}");
    } else if (value.is_text()) {
      print_text(value.text(), plain, indent, allowance, level);
    } else {
      out += plain;
    }
    charge_text(out.size());
  }

  std::string out;

 private:
  void break_line(std::size_t indent) {
    out += ",\n";
    out.append(indent, ' ');
  }

  void print_row(const Values& items, std::size_t indent, std::size_t allowance, int level, std::string_view open,
                 std::string_view close) {
    out += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool last = i + 1 == items.size();
      print(items[i], indent + 1, last ? allowance + close.size() : 1, level + 1);
      if (!last) break_line(indent + 1);
    }
    out += close;
  }

  // In pieces: a long line of it is broken between words.
  void print_text(std::string_view text, const std::string& plain, std::size_t indent, std::size_t allowance,
                  int level) {
    const bool alone = level == 0;
    if (alone) ++indent, ++allowance;
    const std::size_t width = kWidth - std::min(indent, kWidth);
    const auto fits = [&](std::string_view piece, bool last) {
      return count_code_points(shown_in_quotes(Value(piece))) + (last ? allowance : 0) <= width;
    };
    std::vector<std::string> pieces;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
      const std::string_view line = text.substr(start, end - start);
      start = end;
      const bool last_line = end == text.size();
      if (fits(line, last_line)) {
        pieces.push_back(shown_in_quotes(Value(line)));
        continue;
      }
      std::string current;
      for (std::size_t i = 0; i < line.size();) {
        std::size_t stop = i;
        while (stop < line.size() && !is_space(static_cast<unsigned char>(line[stop]))) ++stop;
        while (stop < line.size() && is_space(static_cast<unsigned char>(line[stop]))) ++stop;
        const std::string_view part = line.substr(i, stop - i);
        i = stop;
        charge_size(current.size());
        if (!fits(current + std::string(part), last_line && i == line.size())) {
          if (!current.empty()) pieces.push_back(shown_in_quotes(Value(current)));
          current = part;
        } else {
          current += part;
        }
      }
      if (!current.empty()) pieces.push_back(shown_in_quotes(Value(current)));
    }
    if (pieces.size() == 1) {
      out += plain;
      return;
    }
    if (alone) out += '(';
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0) (out += '\n').append(indent, ' ');
      out += pieces[i];
    }
    if (alone) out += ')';
  }
};

}  // namespace

Value pretty_printed(Call& call) {
  const Parameters in(call, "pprint", {"value"}, 1);
  PrettyPrinter printer;
  printer.print(with_order(in[0]), 0, 0, 0);
  return Value(std::move(printer.out));
}

}  // namespace hearth::templates
