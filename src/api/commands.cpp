// SPDX-License-Identifier: Apache-2.0
// The WebSocket commands of all resources.
#include <map>

#include "api/rows.h"

namespace hearth::api {

const std::map<std::string_view, const Command*>& commands_by_type() {
  static const auto by_type = [] {
    std::map<std::string_view, const Command*> map;
    for (const Commands& rows : {kSessionCommands,
                                 kStateCommands,
                                 kTemplateCommands,
                                 kEventCommands,
                                 kServiceCommands,
                                 kTargetCommands,
                                 kKindCommands,
                                 kDerivedCommands,
                                 kLastRestoreCommands,
                                 kConfigCommands,
                                 kPanelCommands,
                                 kDashboardCommands,
                                 kDashboardConfigCommands,
                                 kDashboardResourceCommands,
                                 kOwnTokenCommands,
                                 kSecondFactorCommands,
                                 kPasskeyCommands,
                                 kLoginAttemptCommands,
                                 kUserCommands,
                                 kInvitationCommands,
                                 kUserDataCommands,
                                 kAuditCommands,
                                 kSystemDataCommands,
                                 kFrontendCommands,
                                 kHealthCommands,
                                 kDoctorCommands,
                                 kBackupCommands,
                                 kImportCommands,
                                 kConfigEntryCommands,
                                 kConfigFlowCommands,
                                 kManifestCommands,
                                 kIntegrationCommands,
                                 kMqttDiscoveryCommands,
                                 kMqttCommands,
                                 kSiteCommands,
                                 kMqttConfigCommands,
                                 kElsewhereCommands,
                                 kEnergyCommands,
                                 kEnergyReportCommands,
                                 kEnergyValidateCommands,
                                 kFossilEnergyCommands,
                                 kAbsentCommands,
                                 kAreaCommands,
                                 kFloorCommands,
                                 kCalendarCommands,
                                 kTodoCommands,
                                 kCollectionCommands,
                                 kLabelCommands,
                                 kCategoryCommands,
                                 kDeviceCommands,
                                 kEntityCommands,
                                 kRelatedCommands,
                                 kRepairCommands,
                                 kAlertCommands,
                                 kPhoneCommands,
                                 kNotificationCommands,
                                 kHistoryCommands,
                                 kLogbookCommands,
                                 kRevisionCommands,
                                 kSuggestionCommands,
                                 kBlueprintCommands,
                                 kTraceCommands,
                                 kAutomationCommands,
                                 kSimulateCommands,
                                 kExplainCommands,
                                 kSensorClassCommands,
                                 kStatisticsCommands,
                                 kStatisticDuringCommands,
                                 kStatisticsMetadataCommands,
                                 kStatisticsImportCommands}) {
      for (const Command& command : rows) map.emplace(command.type, &command);
    }
    return map;
  }();
  return by_type;
}

const Command* find_command(std::string_view type) {
  const auto& by_type = commands_by_type();
  const auto found = by_type.find(type);
  return found == by_type.end() ? nullptr : found->second;
}

}  // namespace hearth::api
