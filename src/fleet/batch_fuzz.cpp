// SPDX-License-Identifier: Apache-2.0
// Bytes of anybody are a batch, or are refused; a batch reads back as it was.
#include "base/testing/fuzz_check.h"
#include "fleet/batch.h"
#include "fleet/frame.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearth;
  static_cast<void>(fleet::decode_batch({data, size}));
  const auto header = fleet::read_header({data, size});
  if (!header) return 0;
  // Few inputs are frames: what is within one is tried, too.
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::string bytes = std::string(all.substr(0, size - header->frame.size())) + fleet::pack_frame(header->frame);
  const auto batch = fleet::decode_batch({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (!batch) return 0;
  recorder::TailPart part;
  part.history = batch->epoch;
  part.until = batch->until;
  part.entries = batch->entries;
  const auto again = fleet::encode_batch(batch->site, batch->after, part);
  base::must(again.has_value(), "a batch that was small enough stays so");
  const auto back = fleet::decode_batch({reinterpret_cast<const std::uint8_t*>(again->data()), again->size()});
  base::must(back.has_value() && back->entries.size() == batch->entries.size(), "a batch reads back");
  for (std::size_t i = 0; i < batch->entries.size(); ++i)
    base::must(back->entries[i].change == batch->entries[i].change, "an entry reads back");
  return 0;
}
