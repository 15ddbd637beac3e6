// SPDX-License-Identifier: Apache-2.0
#include "template/values/character_names.h"

#include <uniname.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace hearth::templates {
namespace {

constexpr std::size_t kLongestName = 255;  // Unicode's own have at most 88 characters

// Control characters have no names of their own, only these aliases (NameAliases of the Unicode Character Database),
// which libunistring leaves out.
struct ControlCharacter {
  std::string_view name;
  char32_t code;
};
constexpr ControlCharacter kControls[] = {
    {"NULL", 0x0},
    {"NUL", 0x0},
    {"START OF HEADING", 0x1},
    {"SOH", 0x1},
    {"START OF TEXT", 0x2},
    {"STX", 0x2},
    {"END OF TEXT", 0x3},
    {"ETX", 0x3},
    {"END OF TRANSMISSION", 0x4},
    {"EOT", 0x4},
    {"ENQUIRY", 0x5},
    {"ENQ", 0x5},
    {"ACKNOWLEDGE", 0x6},
    {"ACK", 0x6},
    {"ALERT", 0x7},
    {"BEL", 0x7},
    {"BACKSPACE", 0x8},
    {"BS", 0x8},
    {"CHARACTER TABULATION", 0x9},
    {"HORIZONTAL TABULATION", 0x9},
    {"HT", 0x9},
    {"TAB", 0x9},
    {"LINE FEED", 0xa},
    {"NEW LINE", 0xa},
    {"END OF LINE", 0xa},
    {"LF", 0xa},
    {"NL", 0xa},
    {"EOL", 0xa},
    {"LINE TABULATION", 0xb},
    {"VERTICAL TABULATION", 0xb},
    {"VT", 0xb},
    {"FORM FEED", 0xc},
    {"FF", 0xc},
    {"CARRIAGE RETURN", 0xd},
    {"CR", 0xd},
    {"SHIFT OUT", 0xe},
    {"LOCKING-SHIFT ONE", 0xe},
    {"SO", 0xe},
    {"SHIFT IN", 0xf},
    {"LOCKING-SHIFT ZERO", 0xf},
    {"SI", 0xf},
    {"DATA LINK ESCAPE", 0x10},
    {"DLE", 0x10},
    {"DEVICE CONTROL ONE", 0x11},
    {"DC1", 0x11},
    {"DEVICE CONTROL TWO", 0x12},
    {"DC2", 0x12},
    {"DEVICE CONTROL THREE", 0x13},
    {"DC3", 0x13},
    {"DEVICE CONTROL FOUR", 0x14},
    {"DC4", 0x14},
    {"NEGATIVE ACKNOWLEDGE", 0x15},
    {"NAK", 0x15},
    {"SYNCHRONOUS IDLE", 0x16},
    {"SYN", 0x16},
    {"END OF TRANSMISSION BLOCK", 0x17},
    {"ETB", 0x17},
    {"CANCEL", 0x18},
    {"CAN", 0x18},
    {"END OF MEDIUM", 0x19},
    {"EOM", 0x19},
    {"SUBSTITUTE", 0x1a},
    {"SUB", 0x1a},
    {"ESCAPE", 0x1b},
    {"ESC", 0x1b},
    {"INFORMATION SEPARATOR FOUR", 0x1c},
    {"FILE SEPARATOR", 0x1c},
    {"FS", 0x1c},
    {"INFORMATION SEPARATOR THREE", 0x1d},
    {"GROUP SEPARATOR", 0x1d},
    {"GS", 0x1d},
    {"INFORMATION SEPARATOR TWO", 0x1e},
    {"RECORD SEPARATOR", 0x1e},
    {"RS", 0x1e},
    {"INFORMATION SEPARATOR ONE", 0x1f},
    {"UNIT SEPARATOR", 0x1f},
    {"US", 0x1f},
    {"DELETE", 0x7f},
    {"DEL", 0x7f},
    {"PADDING CHARACTER", 0x80},
    {"PAD", 0x80},
    {"HIGH OCTET PRESET", 0x81},
    {"HOP", 0x81},
    {"BREAK PERMITTED HERE", 0x82},
    {"BPH", 0x82},
    {"NO BREAK HERE", 0x83},
    {"NBH", 0x83},
    {"INDEX", 0x84},
    {"IND", 0x84},
    {"NEXT LINE", 0x85},
    {"NEL", 0x85},
    {"START OF SELECTED AREA", 0x86},
    {"SSA", 0x86},
    {"END OF SELECTED AREA", 0x87},
    {"ESA", 0x87},
    {"CHARACTER TABULATION SET", 0x88},
    {"HORIZONTAL TABULATION SET", 0x88},
    {"HTS", 0x88},
    {"CHARACTER TABULATION WITH JUSTIFICATION", 0x89},
    {"HORIZONTAL TABULATION WITH JUSTIFICATION", 0x89},
    {"HTJ", 0x89},
    {"LINE TABULATION SET", 0x8a},
    {"VERTICAL TABULATION SET", 0x8a},
    {"VTS", 0x8a},
    {"PARTIAL LINE FORWARD", 0x8b},
    {"PARTIAL LINE DOWN", 0x8b},
    {"PLD", 0x8b},
    {"PARTIAL LINE BACKWARD", 0x8c},
    {"PARTIAL LINE UP", 0x8c},
    {"PLU", 0x8c},
    {"REVERSE LINE FEED", 0x8d},
    {"REVERSE INDEX", 0x8d},
    {"RI", 0x8d},
    {"SINGLE SHIFT TWO", 0x8e},
    {"SINGLE-SHIFT-2", 0x8e},
    {"SS2", 0x8e},
    {"SINGLE SHIFT THREE", 0x8f},
    {"SINGLE-SHIFT-3", 0x8f},
    {"SS3", 0x8f},
    {"DEVICE CONTROL STRING", 0x90},
    {"DCS", 0x90},
    {"PRIVATE USE ONE", 0x91},
    {"PRIVATE USE-1", 0x91},
    {"PU1", 0x91},
    {"PRIVATE USE TWO", 0x92},
    {"PRIVATE USE-2", 0x92},
    {"PU2", 0x92},
    {"SET TRANSMIT STATE", 0x93},
    {"STS", 0x93},
    {"CANCEL CHARACTER", 0x94},
    {"CCH", 0x94},
    {"MESSAGE WAITING", 0x95},
    {"MW", 0x95},
    {"START OF GUARDED AREA", 0x96},
    {"START OF PROTECTED AREA", 0x96},
    {"SPA", 0x96},
    {"END OF GUARDED AREA", 0x97},
    {"END OF PROTECTED AREA", 0x97},
    {"EPA", 0x97},
    {"START OF STRING", 0x98},
    {"SOS", 0x98},
    {"SINGLE GRAPHIC CHARACTER INTRODUCER", 0x99},
    {"SGC", 0x99},
    {"SINGLE CHARACTER INTRODUCER", 0x9a},
    {"SCI", 0x9a},
    {"CONTROL SEQUENCE INTRODUCER", 0x9b},
    {"CSI", 0x9b},
    {"STRING TERMINATOR", 0x9c},
    {"ST", 0x9c},
    {"OPERATING SYSTEM COMMAND", 0x9d},
    {"OSC", 0x9d},
    {"PRIVACY MESSAGE", 0x9e},
    {"PM", 0x9e},
    {"APPLICATION PROGRAM COMMAND", 0x9f},
    {"APC", 0x9f},
};

// Names that are made of the code: libunistring leaves these out, too. The blocks that Unicode 14 has filled.
constexpr std::string_view kIdeograph = "CJK UNIFIED IDEOGRAPH-";
constexpr struct {
  char32_t first, last;
} kIdeographs[] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0x20000, 0x2a6df}, {0x2a700, 0x2b738},
                   {0x2b740, 0x2b81d}, {0x2b820, 0x2cea1}, {0x2ceb0, 0x2ebe0}, {0x30000, 0x3134a}};

std::optional<char32_t> ideograph(std::string_view digits) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  const char32_t code = number;
  const bool whole = error == std::errc{} && end == digits.data() + digits.size() && digits.size() >= 4;
  const bool exists =
      std::ranges::any_of(kIdeographs, [code](const auto& block) { return code >= block.first && code <= block.last; });
  return whole && exists && digits.front() != '0' ? std::optional(code) : std::nullopt;
}

}  // namespace

std::optional<char32_t> character_named(std::string_view name) {
  if (name.size() > kLongestName || name.contains('\0')) return std::nullopt;
  std::string capitals(name);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
  if (const auto control = std::ranges::find(kControls, capitals, &ControlCharacter::name);
      control != std::end(kControls))
    return control->code;
  if (capitals.starts_with(kIdeograph)) return ideograph(std::string_view(capitals).substr(kIdeograph.size()));
  const ucs4_t code = unicode_name_character(capitals.c_str());
  return code == UNINAME_INVALID ? std::nullopt : std::optional<char32_t>(code);
}

}  // namespace hearth::templates
