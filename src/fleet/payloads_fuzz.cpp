// SPDX-License-Identifier: Apache-2.0
// Bytes of anybody are a snapshot, a registry, a request or an answer, or are refused.
#include <cstdint>

#include "base/testing/fuzz_check.h"
#include "fleet/frame.h"
#include "fleet/site_call.h"
#include "fleet/site_registry.h"
#include "fleet/snapshot.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearth;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(fleet::decode_snapshot(text));
  static_cast<void>(fleet::decode_answer(text));
  if (const auto registry = fleet::decode_registry(fleet::pack_frame(text))) {
    const auto back = fleet::decode_registry(fleet::encode_registry(*registry));
    base::must(back && *back == *registry, "a registry reads back");
  }
  if (const auto request = fleet::decode_request(text))
    base::must(fleet::decode_request(fleet::encode_request(*request)).has_value(), "a request reads back");
  return 0;
}
