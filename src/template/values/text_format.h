// SPDX-License-Identifier: Apache-2.0
// Python's two ways to format: 'text' % values, and 'text'.format(values). They fail with type or value, as Python
// does.
#pragma once

#include <string>
#include <string_view>

#include "template/values/call.h"

namespace hearth::templates {

std::string format_percent(std::string_view format, const Value& values);
// The first argument of the call is the text.
std::string format_braces(Call& call);
// A value by a format specification such as >8.2f.
std::string format_by(const Value& value, std::string_view specification);

}  // namespace hearth::templates
