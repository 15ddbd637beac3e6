// SPDX-License-Identifier: Apache-2.0
// Changes before the records here, as other hubs tell them. Values.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "api/history/earlier.h"
#include "api/history/query.h"

namespace hearth::api {

// Sets HistoryOptions::earlier, if there is anything, and calls `done` with the options; see ask_earlier.
void with_earlier_changes(const core::View& home, recorder::History* history, HistoryOptions options,
                          std::function<void(HistoryOptions options)> done);

// [{"s":"on","a":{…},"lc":…,"lu":…},…] as changes before `until`; what is no such change is left out.
recorder::ChangeList changes_of(const Earlier& earlier);

}  // namespace hearth::api
