// SPDX-License-Identifier: Apache-2.0
// Headers of ours that many sources include, for builds that compile several sources together. Sources still include
// what they use.
#pragma once

#include "auth/accounts/gate.h"
#include "core/hub.h"
#include "core/view.h"
#include "domains/entities/entity.h"
#include "http/worker.h"
#include "recorder/history.h"
#include "recorder/recorder.h"
#include "template/values/environment.h"
