// SPDX-License-Identifier: Apache-2.0
// Any bytes as a meter may send them: the same telegrams however they are cut; objects within the bounds, of printable
// letters. If the first byte is odd, the text is put into a telegram with a right checksum.
#include <fmt/format.h>

#include <string>

#include "base/crc16.h"
#include "base/testing/fuzz_check.h"
#include "integrations/dsmr/protocol/telegram.h"
#include "integrations/dsmr/protocol/telegram_reader.h"

namespace {

namespace base = hearth::base;
namespace dsmr = hearth::integrations::dsmr;

std::string read(std::string_view bytes, std::size_t part) {
  std::string all;
  dsmr::TelegramReader reader;
  const auto found = [&](std::string_view text) {
    base::must(text.size() <= dsmr::TelegramReader::kMaxTelegram, "no telegram that is too long");
    const auto telegram = dsmr::Telegram::parse(text);
    if (!telegram) {
      all += telegram.error().message + '\n';
      return;
    }
    base::must_be_plain(telegram->header(), "header");
    base::must(telegram->objects().size() <= dsmr::Telegram::kMaxObjects, "no more objects than the bound");
    for (const dsmr::ObisObject& object : telegram->objects()) {
      base::must_be_plain(object.id, "id");
      base::must(object.id.size() <= dsmr::Telegram::kMaxId, "no id that is too long");
      base::must(object.values.size() <= dsmr::Telegram::kMaxValues, "no more values than the bound");
      all += object.id;
      for (const std::string_view value : object.values) {
        base::must_be_plain(value, "value");
        all += fmt::format("({})", value);
      }
      all += '\n';
    }
  };
  for (std::size_t at = 0; at < bytes.size(); at += std::min(part, bytes.size() - at))
    reader.put(bytes.substr(at, part), found);
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes(base::fuzz_text(data + 1, size - 1));
  if (data[0] % 2 == 1) {
    bytes = fmt::format("/{}\r\n!", bytes);
    bytes += fmt::format("{:04X}\r\n", base::crc16(bytes, 0));
  }
  const std::string whole = read(bytes, std::string::npos);
  base::must_equal(whole, read(bytes, 1), "one byte at a time");
  base::must_equal(whole, read(bytes, 7), "seven bytes at a time");
  return 0;
}
