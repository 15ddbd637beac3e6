// SPDX-License-Identifier: Apache-2.0
// The functions of libical that lists and calendars use. It brings some 30 MB of Unicode with it, so it is loaded when
// the first event recurs, or the first file is read. Any thread.
#pragma once

#include <libical/ical.h>

#include "base/net/loaded_library.h"
#include "base/result.h"

namespace hearth::domains {

struct IcalLibrary {
  base::LoadedLibrary library;
  decltype(&::icalcomponent_free) icalcomponent_free = library.find("icalcomponent_free");
  decltype(&::icalcomponent_get_description) icalcomponent_get_description =
      library.find("icalcomponent_get_description");
  decltype(&::icalcomponent_get_first_component) icalcomponent_get_first_component =
      library.find("icalcomponent_get_first_component");
  decltype(&::icalcomponent_get_first_property) icalcomponent_get_first_property =
      library.find("icalcomponent_get_first_property");
  decltype(&::icalcomponent_get_location) icalcomponent_get_location = library.find("icalcomponent_get_location");
  decltype(&::icalcomponent_get_next_component) icalcomponent_get_next_component =
      library.find("icalcomponent_get_next_component");
  decltype(&::icalcomponent_get_next_property) icalcomponent_get_next_property =
      library.find("icalcomponent_get_next_property");
  decltype(&::icalcomponent_get_status) icalcomponent_get_status = library.find("icalcomponent_get_status");
  decltype(&::icalcomponent_get_summary) icalcomponent_get_summary = library.find("icalcomponent_get_summary");
  decltype(&::icalcomponent_get_uid) icalcomponent_get_uid = library.find("icalcomponent_get_uid");
  decltype(&::icalcomponent_isa) icalcomponent_isa = library.find("icalcomponent_isa");
  decltype(&::icaldurationtype_as_int) icaldurationtype_as_int = library.find("icaldurationtype_as_int");
  decltype(&::icalmemory_free_buffer) icalmemory_free_buffer = library.find("icalmemory_free_buffer");
  decltype(&::icalparameter_get_tzid) icalparameter_get_tzid = library.find("icalparameter_get_tzid");
  decltype(&::icalparser_parse_string) icalparser_parse_string = library.find("icalparser_parse_string");
  decltype(&::icalproperty_get_duration) icalproperty_get_duration = library.find("icalproperty_get_duration");
  decltype(&::icalproperty_get_first_parameter) icalproperty_get_first_parameter =
      library.find("icalproperty_get_first_parameter");
  decltype(&::icalproperty_get_value_as_string_r) icalproperty_get_value_as_string_r =
      library.find("icalproperty_get_value_as_string_r");
  decltype(&::icalrecur_iterator_free) icalrecur_iterator_free = library.find("icalrecur_iterator_free");
  decltype(&::icalrecur_iterator_new) icalrecur_iterator_new = library.find("icalrecur_iterator_new");
  decltype(&::icalrecur_iterator_next) icalrecur_iterator_next = library.find("icalrecur_iterator_next");
  decltype(&::icalrecur_iterator_set_start) icalrecur_iterator_set_start = library.find("icalrecur_iterator_set_start");
  decltype(&::icalrecurrencetype_day_day_of_week) icalrecurrencetype_day_day_of_week =
      library.find("icalrecurrencetype_day_day_of_week");
  decltype(&::icalrecurrencetype_day_position) icalrecurrencetype_day_position =
      library.find("icalrecurrencetype_day_position");
  decltype(&::icalrecurrencetype_from_string) icalrecurrencetype_from_string =
      library.find("icalrecurrencetype_from_string");
  decltype(&::icaltime_day_of_week) icaltime_day_of_week = library.find("icaltime_day_of_week");
  decltype(&::icaltime_days_in_month) icaltime_days_in_month = library.find("icaltime_days_in_month");
  decltype(&::icaltime_from_string) icaltime_from_string = library.find("icaltime_from_string");
  decltype(&::icaltime_is_null_time) icaltime_is_null_time = library.find("icaltime_is_null_time");
};

// Fails with unsupported if it is not installed.
base::Result<void> load_ical();
// REQUIRES: load_ical succeeded.
const IcalLibrary& ical();

}  // namespace hearth::domains
