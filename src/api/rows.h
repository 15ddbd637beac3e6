// SPDX-License-Identifier: Apache-2.0
// Declares the rows of each resource, which are defined beside their handlers. routes.cpp joins the endpoints,
// commands.cpp the commands. A new row of a resource that is listed here changes only its source.
#pragma once

#include <span>

#include "api/endpoint.h"
#include "api/gateway/command.h"

namespace hearth::api {

using Endpoints = std::span<const Endpoint>;
using Commands = std::span<const Command>;

// accounts
extern const Endpoints kAuthorizeEndpoints, kInvitationEndpoints, kLoginFlowEndpoints, kOnboardingEndpoints,
    kFirstBackupEndpoints, kTokenEndpoints;
extern const Commands kInvitationCommands, kLoginAttemptCommands, kOwnTokenCommands, kSecondFactorCommands,
    kPasskeyCommands, kUserDataCommands, kUserCommands;

// alerts
extern const Endpoints kAlertEndpoints;
extern const Commands kAlertCommands;

// audit
extern const Commands kAuditCommands;

// automations
extern const Endpoints kItemTextEndpoints;
extern const Commands kRevisionCommands, kSimulateCommands, kAutomationCommands, kSuggestionCommands, kTraceCommands;

// blueprints
extern const Commands kBlueprintCommands;

// calendars
extern const Endpoints kCalendarEndpoints;

// elsewhere
extern const Endpoints kLentFileEndpoints;
extern const Commands kElsewhereCommands;

// energy
extern const Commands kEnergyCommands, kEnergyReportCommands, kEnergyValidateCommands, kFossilEnergyCommands;

// events
extern const Endpoints kEventEndpoints, kStreamEndpoints;
extern const Commands kEventCommands;

// frontend
extern const Endpoints kLocalFileEndpoints;
extern const Commands kAbsentCommands, kFrontendCommands, kSystemDataCommands;

// gateway
extern const Endpoints kWebSocketEndpoints;
extern const Commands kSessionCommands;

// history
extern const Endpoints kLogbookEndpoints, kHistoryEndpoints;
extern const Commands kExplainCommands, kLogbookCommands, kHistoryCommands, kStatisticDuringCommands,
    kStatisticsCommands, kStatisticsImportCommands, kStatisticsMetadataCommands;

// imports
extern const Endpoints kImportEndpoints, kFirstImportEndpoints;
extern const Commands kImportCommands;

// integrations
extern const Endpoints kBridgeEndpoints, kConfigEntryEndpoints, kConfigFlowEndpoints;
extern const Commands kConfigEntryCommands, kConfigFlowCommands, kIntegrationCommands, kManifestCommands;

// lovelace
extern const Commands kDashboardConfigCommands, kDashboardCommands, kPanelCommands, kDashboardResourceCommands;

// metrics
extern const Endpoints kMetricsEndpoints;

// mqtt
extern const Endpoints kMqttDiscoveryEndpoints;
extern const Commands kMqttConfigCommands, kMqttDiscoveryCommands, kMqttCommands;

// openapi
extern const Endpoints kOpenApiEndpoints;

// phones
extern const Endpoints kPhoneEndpoints;
extern const Commands kPhoneCommands;

// registry
extern const Endpoints kRegistryEndpoints;
extern const Commands kAreaCommands, kCategoryCommands, kCollectionCommands, kDerivedCommands, kDeviceCommands,
    kEntityCommands, kFloorCommands, kLabelCommands, kRelatedCommands;

// services
extern const Endpoints kServiceEndpoints;
extern const Commands kServiceCommands, kTargetCommands;

// states
extern const Endpoints kPictureEndpoints, kStateEndpoints;
extern const Commands kStateCommands;

// system
extern const Endpoints kBackupUploadEndpoints, kBackupEndpoints, kCheckConfigEndpoints, kComponentEndpoints,
    kConfigurationEndpoints, kCoreStateEndpoints, kErrorLogEndpoints, kHealthCheckEndpoints, kIntegrationEndpoints,
    kKindEndpoints, kStatusEndpoints;
extern const Commands kBackupCommands, kConfigCommands, kDoctorCommands, kHealthCommands, kKindCommands,
    kLastRestoreCommands, kNotificationCommands, kRepairCommands, kSensorClassCommands, kSiteCommands;

// templates
extern const Endpoints kTemplateEndpoints;
extern const Commands kTemplateCommands;

// todo
extern const Commands kCalendarCommands;
extern const Commands kTodoCommands;

// webhook
extern const Endpoints kWebhookEndpoints;

// Answers of several resources.
inline constexpr Answer kMessage[] = {{200, "A confirmation.", "Message"}};
inline constexpr Answer kNames[] = {{200, "The names of integrations and domains that run.", "Names"}};

}  // namespace hearth::api
