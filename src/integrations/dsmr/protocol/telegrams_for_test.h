// SPDX-License-Identifier: Apache-2.0
// For tests: telegrams of meters of several standards.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/crc16.h"

namespace hearth::integrations::dsmr {

// The lines, each ended by CR and LF, as a telegram with its checksum.
inline std::string telegram_of(std::string_view header, std::string_view lines) {
  std::string text = fmt::format("/{}\r\n\r\n", header);
  for (const char c : lines) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  text += '!';
  return text + fmt::format("{:04X}\r\n", base::crc16(text, 0));
}

inline constexpr std::string_view kDsmr5Lines =
    "1-3:0.2.8(50)\n"
    "0-0:1.0.0(260105093000W)\n"
    "0-0:96.1.1(4530303434303037)\n"
    "1-0:1.8.1(001581.123*kWh)\n"
    "1-0:1.8.2(001435.706*kWh)\n"
    "1-0:2.8.1(000000.000*kWh)\n"
    "1-0:2.8.2(000012.500*kWh)\n"
    "0-0:96.14.0(0002)\n"
    "1-0:1.7.0(02.027*kW)\n"
    "1-0:2.7.0(00.000*kW)\n"
    "0-0:96.7.21(00015)\n"
    "1-0:99.97.0(2)(0-0:96.7.19)(000104180320W)(0000237126*s)(000101000001W)(2147583646*s)\n"
    "0-0:96.13.0()\n"
    "1-0:32.7.0(229.0*V)\n"
    "1-0:52.7.0(226.5*V)\n"
    "1-0:72.7.0(229.1*V)\n"
    "1-0:31.7.0(000*A)\n"
    "1-0:51.7.0(008.25*A)\n"
    "1-0:71.7.0(001*A)\n"
    "1-0:21.7.0(00.378*kW)\n"
    "1-0:22.7.0(00.000*kW)\n"
    "0-1:24.1.0(003)\n"
    "0-1:96.1.0(4730303339303031)\n"
    "0-1:24.2.1(260105092500W)(00473.789*m3)\n"
    "0-2:24.1.0(007)\n"
    "0-2:96.1.0(5730303339303031)\n"
    "0-2:24.2.1(260105092500W)(00012.25*m3)\n";

inline std::string dsmr5_telegram() {
  return telegram_of("ISK5\\2M550T-1012", kDsmr5Lines);
}

// Without a checksum; the gas meter's reading is in a line of its own.
inline constexpr std::string_view kDsmr2Telegram =
    "/ISk5\\2MT382-1000\r\n"
    "\r\n"
    "0-0:96.1.1(00000000000000)\r\n"
    "1-0:1.8.1(00001.001*kWh)\r\n"
    "1-0:1.8.2(00001.001*kWh)\r\n"
    "0-0:96.14.0(0001)\r\n"
    "1-0:1.7.0(0001.01*kW)\r\n"
    "0-1:24.1.0(3)\r\n"
    "0-1:96.1.0(000000000000)\r\n"
    "0-1:24.3.0(161107190000)(00)(60)(1)(0-1:24.2.1)(m3)\r\n"
    "(00001.456)\r\n"
    "0-1:24.4.0(1)\r\n"
    "!\r\n";

}  // namespace hearth::integrations::dsmr
