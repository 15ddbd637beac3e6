// SPDX-License-Identifier: Apache-2.0
#include "base/text/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

namespace hearth::base {
namespace {

constexpr std::uint32_t kMostSteps = 200'000;
constexpr std::uint32_t kMostMemory = 16 * 1024;  // KiB

}  // namespace

struct Pattern::Code {
  pcre2_code* code;
  ~Code() { pcre2_code_free(code); }
};

Result<Pattern> Pattern::parse(std::string_view text) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* const code = pcre2_compile(
      reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
      PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_ANCHORED | PCRE2_ENDANCHORED, &error, &offset, nullptr);
  if (!code) {
    char message[160];
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(message), sizeof message);
    return fail(ErrorCode::invalid, fmt::format("the regular expression is wrong at {}: {}", offset, message));
  }
  return Pattern(std::make_shared<const Code>(code));
}

bool Pattern::matches(std::string_view text) const {
  using Data = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;
  using Context = std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)>;
  const Data data(pcre2_match_data_create(1, nullptr), pcre2_match_data_free);
  const Context context(pcre2_match_context_create(nullptr), pcre2_match_context_free);
  if (!data || !context) return false;
  pcre2_set_match_limit(context.get(), kMostSteps);
  pcre2_set_heap_limit(context.get(), kMostMemory);
  return pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0, data.get(),
                     context.get()) >= 0;
}

}  // namespace hearth::base
