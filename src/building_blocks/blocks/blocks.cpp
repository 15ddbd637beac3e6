// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/blocks/blocks.h"

#include "building_blocks/command_line/command_line.h"
#include "building_blocks/files/file_sensor.h"
#include "building_blocks/hosts/hosts.h"
#include "building_blocks/rest/rest.h"
#include "building_blocks/scrape/scrape.h"
#include "building_blocks/sql/sql.h"

namespace hearth::building_blocks {
namespace {

constexpr Block kAllBlocks[] = {
    {kCommandLine, &read_command_line},
    {kFile, &read_file_sensors},
    {kPing, &read_ping},
    {kRest, &read_rest},
    {kScrape, &read_scrape},
    {kSql, &read_sql},
    {kWakeOnLan, &read_wake_on_lan, &add_wake_services},
};

}  // namespace

std::span<const Block> blocks() {
  return kAllBlocks;
}

PolledConfiguration parse_blocks(const automation::Sections& sections) {
  return parse_polled(kAllBlocks, sections);
}

}  // namespace hearth::building_blocks
