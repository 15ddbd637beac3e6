// SPDX-License-Identifier: Apache-2.0
// The connection to the MQTT broker, of the entry of mqtt in core.config_entries. One thread.
#pragma once

#include "base/result.h"
#include "import_ha/files/settings_step.h"
#include "import_ha/report/report.h"

namespace hearth::import_ha {

// Fails as carry_settings.
base::Result<void> carry_mqtt_entry(const SettingsPlan& plan, CarriedSettings& carried, Report& report);

}  // namespace hearth::import_ha
