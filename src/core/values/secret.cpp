// SPDX-License-Identifier: Apache-2.0
#include "core/values/secret.h"

#include <sodium.h>

#include <algorithm>
#include <vector>

namespace hearth::core {
namespace {

constexpr std::size_t kShortest = 3;  // bytes; a shorter one would hide half of any text

std::string in_hexadecimal(std::string_view bytes) {
  std::string digits(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  digits.pop_back();
  return digits;
}

std::string in_base64(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL_NO_PADDING), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    sodium_base64_VARIANT_ORIGINAL_NO_PADDING);
  text.pop_back();
  return text;
}

void replace_all(std::string& text, std::string_view what) {
  constexpr std::string_view kHidden = "**";
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + kHidden.size()))
    text.replace(at, what.size(), kHidden);
}

}  // namespace

Secret::Secret(std::string bytes)
    : bytes_(new std::string(std::move(bytes)), [](std::string* kept) {
        sodium_memzero(kept->data(), kept->size());
        delete kept;
      }) {}

std::string without_secrets(std::string text, const Secrets& secrets) {
  std::vector<std::string> forms;
  for (const auto& [name, secret] : secrets) {
    const std::string_view bytes = secret.reveal();
    if (bytes.size() < kShortest) continue;
    forms.insert(forms.end(), {std::string(bytes), in_base64(bytes), in_hexadecimal(bytes)});
  }
  // One may be a part of another.
  std::ranges::sort(forms, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  for (const std::string& form : forms) replace_all(text, form);
  return text;
}

}  // namespace hearth::core
