// SPDX-License-Identifier: Apache-2.0
#include "template/language/builtins.h"

#include <limits>
#include <map>
#include <numbers>

#include "template/language/home.h"

namespace hearth::templates {
namespace {

using Table = std::map<std::string_view, Function>;

Table table_of(std::initializer_list<std::span<const Builtin>> parts) {
  Table table;
  for (const auto part : parts) {
    for (const Builtin& builtin : part) table.emplace(builtin.name, builtin.function);
  }
  return table;
}

Function find_in_table(const Table& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

Function find_filter(std::string_view name) {
  static const Table table = table_of(
      {text_filters(), row_filters(), order_filters(), number_filters(), set_functions(), collection_functions(),
       bound_functions(), statistics_functions(), regex_filters(), code_filters(), json_filters(), moment_filters(),
       state_functions(), registry_functions(), detail_functions(), place_filters()});
  if (name == "contains") return find_test(name);
  if (name == "version") return version;
  return find_in_table(table, name);
}

Function find_test(std::string_view name) {
  static const Table table = table_of({plain_tests(), regex_tests(), home_tests()});
  for (const std::string_view also : {"apply", "is_device_attr", "is_hidden_entity", "is_number"}) {
    if (name == also) return find_filter(name);
  }
  return find_in_table(table, name);
}

const Value* find_global(std::string_view name) {
  static const std::map<std::string_view, Value> table = [] {
    std::map<std::string_view, Value> values;
    for (const auto part : {number_globals(), order_globals(), set_functions(), set_globals(), collection_functions(),
                            collection_globals(), bound_functions(), statistics_functions(), code_filters(),
                            json_filters(), moment_filters(), moment_globals(), state_functions(), registry_functions(),
                            detail_functions(), place_functions()}) {
      for (const Builtin& builtin : part) {
        values.emplace(builtin.name, ObjectPtr(std::make_shared<const FunctionObject>(builtin.name, builtin.function)));
      }
    }
    for (const std::string_view also : {"slugify", "ordinal", "version", "bitwise_and", "bitwise_or", "bitwise_xor"}) {
      values.emplace(also, ObjectPtr(std::make_shared<const FunctionObject>(also, find_filter(also))));
    }
    values.emplace("urlencode",
                   ObjectPtr(std::make_shared<const FunctionObject>("urlencode", find_filter("urlencode"))));
    values.emplace("dict", dict_type());
    values.insert_or_assign("states", states_object());
    values.emplace("pi", std::numbers::pi);
    values.emplace("e", std::numbers::e);
    values.emplace("tau", 2 * std::numbers::pi);
    values.emplace("inf", std::numeric_limits<double>::infinity());
    return values;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace hearth::templates
