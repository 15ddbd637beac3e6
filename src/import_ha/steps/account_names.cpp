// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/account_names.h"

#include <fmt/format.h>

#include "auth/name.h"
#include "base/text/utf8.h"

namespace hearth::import_ha {

std::string fitting_name(std::string_view wanted, std::string_view otherwise) {
  std::string name;
  std::size_t length = 0;
  for (std::size_t place = 0; place < wanted.size() && length < auth::kMaxNameLength; ++length) {
    std::size_t end = place + 1;
    while (end < wanted.size() && (static_cast<unsigned char>(wanted[end]) & 0xc0) == 0x80) ++end;
    name += wanted.substr(place, end - place);
    place = end;
  }
  return auth::check_name("A name", name) ? name : std::string(otherwise);
}

std::string free_account_name(const std::string& name, std::string_view between, const std::set<std::string>& taken) {
  std::string free = name;
  for (int number = 2; taken.contains(auth::fold_case(free)); ++number) {
    const std::string ending = fmt::format("{}{}", between, number);
    free = fitting_name(name, name);
    while (base::utf8_length(free).value_or(0) + ending.size() > auth::kMaxNameLength) {
      do {
        free.pop_back();
      } while (!free.empty() && !base::utf8_length(free));
    }
    free += ending;
  }
  return free;
}

}  // namespace hearth::import_ha
