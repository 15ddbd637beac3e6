// SPDX-License-Identifier: Apache-2.0
// Any bytes as a device may answer: the first four say what was asked. An answer has as many values as were asked for,
// and is the same however it is cut.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/testing/fuzz_check.h"
#include "integrations/modbus/protocol/request.h"

namespace {

namespace base = hearth::base;
namespace modbus = hearth::integrations::modbus;

std::string read(modbus::Framing framing, const modbus::Request& request, std::string_view bytes, std::size_t part) {
  modbus::AnswerReader reader(framing);
  reader.expect(0x0102, request);
  for (std::size_t at = 0; at < bytes.size(); at += std::min(part, bytes.size() - at)) {
    const auto answer = reader.put(bytes.substr(at, part));
    if (!answer) continue;
    if (!*answer) {
      base::must_be_plain(answer->error().message, "message");
      return answer->error().message;
    }
    base::must((*answer)->size() == (request.values.empty() ? request.count : 0), "as many values as were asked for");
    std::string text = "values";
    for (const std::uint16_t value : **answer) text += fmt::format(" {}", value);
    return text;
  }
  return "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const auto framing = data[0] % 2 == 0 ? modbus::Framing::tcp : modbus::Framing::rtu;
  modbus::Request request{.unit = 1, .table = static_cast<modbus::Table>(data[1] % 4), .address = data[3]};
  request.count = static_cast<std::uint16_t>(data[2] % 125 + 1);
  if (data[0] % 4 >= 2) request.values.assign(request.count, 1);
  const std::string_view bytes = base::fuzz_text(data + 4, size - 4);
  // One byte at a time, the first wrong byte ends it; so later ones are not seen.
  const std::string whole = read(framing, request, bytes, std::string::npos);
  base::must_equal(whole, read(framing, request, bytes, 1), "one byte at a time");
  base::must_equal(whole, read(framing, request, bytes, 5), "five bytes at a time");
  return 0;
}
