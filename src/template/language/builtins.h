// SPDX-License-Identifier: Apache-2.0
// The tables of functions, by subject. A name may be a filter, a test and a global function at once.
#pragma once

#include <span>

#include "template/values/call.h"

namespace hearth::templates {

std::span<const Builtin> text_filters();
std::span<const Builtin> row_filters();  // of lists and other sequences
std::span<const Builtin> order_filters();
std::span<const Builtin> order_globals();
std::span<const Builtin> number_filters();
std::span<const Builtin> number_globals();
std::span<const Builtin> set_functions();  // filters and global functions
std::span<const Builtin> set_globals();
Value version(Call& call);
Value pretty_printed(Call& call);
Value dict_type();                                // `dict`
Value dict_from_keys(Call& call);                 // dict.fromkeys(keys, value)
std::span<const Builtin> collection_functions();  // filters and global functions
std::span<const Builtin> collection_globals();
std::span<const Builtin> statistics_functions();  // filters and global functions
std::span<const Builtin> bound_functions();       // clamp, wrap, remap; filters and global functions
std::span<const Builtin> plain_tests();           // of types and comparisons
std::span<const Builtin> regex_filters();
std::span<const Builtin> regex_tests();
std::span<const Builtin> code_filters();    // hashes, base64, packing; also global functions
std::span<const Builtin> json_filters();    // also global functions
std::span<const Builtin> moment_filters();  // also global functions
std::span<const Builtin> moment_globals();
std::span<const Builtin> home_tests();
// The object `states`.
const Value& states_object();

// attribute="a.b.0": the value at that path within an item; a number is an index, None the item itself. The default
// stands for each part that is missing.
Value at_path(const Value& item, const Value& path, const Value* otherwise = nullptr);
// Stable, by keys that have an order; keys[i] belongs to items[i].
Values sorted_by_keys(Values items, const Values& keys, bool reverse);
// The value that a failed conversion has: the default, or a failure of kind value that says so.
Value otherwise_or_fail(std::string_view function, const Value& value, const Parameters& in, std::size_t index);
// The number that Python's float() reads.
std::optional<double> read_number(std::string_view text);
std::optional<double> to_number(const Value& value);  // of a number or such a text

}  // namespace hearth::templates
