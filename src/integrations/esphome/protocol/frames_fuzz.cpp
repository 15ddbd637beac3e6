// SPDX-License-Identifier: Apache-2.0
// Any bytes as a node may send them: plain if the first byte is even; otherwise after a handshake, the others as the
// inside of a sealed frame or, if it is divisible by three, as they are. The same frames however they are cut, payloads
// that have come, and no frame that the key does not open.
#include <string>

#include "base/testing/fuzz_check.h"
#include "integrations/esphome/protocol/frames_for_test.h"

namespace {

namespace base = hearth::base;
namespace esphome = hearth::integrations::esphome;

std::string read_encrypted(std::string_view bytes, bool sealed, std::size_t part) {
  static const esphome::NodeKey key = esphome::random_secret();
  esphome::NoiseFrames frames(key, key);
  esphome::SealingNode node(key);
  std::string all = node.answer(frames.opening());
  all += sealed ? node.sealed(bytes.substr(0, 60'000)) : std::string(bytes);
  return esphome::frames_text(frames, all, part);
}

std::string read(std::string_view bytes, unsigned char how, std::size_t part) {
  if (how % 2 == 1) return read_encrypted(bytes, how % 3 != 0, part);
  esphome::PlainFrames frames;
  return esphome::frames_text(frames, bytes, part);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = base::fuzz_text(data + 1, size - 1);
  const std::string whole = read(bytes, data[0], std::string::npos);
  base::must_equal(whole, read(bytes, data[0], 1), "one byte at a time");
  base::must_equal(whole, read(bytes, data[0], 7), "seven bytes at a time");
  base::must(whole.size() <= 20 * size + 200, "no more text than frames");
  if (data[0] % 2 == 1 && data[0] % 3 == 0 && size > 1)
    base::must(whole.empty() || whole.starts_with("The node "), "no frame that the key does not open");
  return 0;
}
