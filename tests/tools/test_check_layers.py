# SPDX-License-Identifier: Apache-2.0
"""tools/check_layers on fake trees."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    """A tree of three layers without a violation."""
    write(tmp_path, "src/base/CMakeLists.txt", "hearth_module(base LIBRARIES sodium)")
    write(tmp_path, "src/core/CMakeLists.txt", "# a comment (with brackets)\nhearth_module(core USES base)")
    write(tmp_path, "src/app/CMakeLists.txt", "hearth_module(app USES core base\n              LIBRARIES yaml)")
    write(tmp_path, "src/base/clock.h", "#include <chrono>")
    write(tmp_path, "src/core/state.h", '#include "base/clock.h"')
    write(tmp_path, "src/app/app.h", '#include "core/state.h"\n#include "base/clock.h"')
    write(tmp_path, "src/main.cpp", '#include "app/app.h"')
    return tmp_path


def write(tree, path, text):
    (tree / path).parent.mkdir(parents=True, exist_ok=True)
    (tree / path).write_text(text + "\n")


def check(tree):
    """The lines that the check prints; its exit code must match them."""
    done = subprocess.run([ROOT / "tools/check_layers", tree], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == (1 if done.stdout else 0)
    return done.stdout.splitlines()


def test_a_tree_in_layers_passes(tree):
    assert check(tree) == []


def test_this_repository_passes():
    assert check(ROOT) == []


def test_an_include_beyond_the_modules_uses_is_reported(tree):
    write(tree, "src/http/CMakeLists.txt", "hearth_module(http USES base)")
    write(tree, "src/http/request.h", "")
    write(tree, "src/core/history.cpp", '#include "core/state.h"\n  #  include "http/request.h"')
    assert check(tree) == ["core/history.cpp includes http/request.h; core may use base"]


def test_pages_that_import_each_other_in_a_circle_are_reported(tree):
    write(tree, "web/src/main.ts", 'import { go } from "./router";\nimport "lit";')
    write(tree, "web/src/router.ts", 'export const load = () => import("./views/map/map");')
    write(tree, "web/src/views/map/map.ts", 'import {\n  go,\n} from "../../router";\nimport type { Row } from "./row";')
    write(tree, "web/src/views/map/row.ts", "export type Row = string;")
    assert check(tree) == ["files of web/src use each other in a circle: router.ts → views/map/map.ts → router.ts"]


def test_what_imports_a_view_of_others_at_once_is_reported(tree):
    write(tree, "web/src/views/map/row.ts", "")
    write(tree, "web/src/shell.ts", 'void import("./views/map/row");')
    write(tree, "web/src/views/list/list.ts", 'import "../map/row";')
    assert check(tree) == ["web/src/views/list/list.ts imports views/map/row.ts; others import views/map with import()"]


def test_a_test_may_include_only_what_its_module_may(tree):
    write(tree, "src/base/clock_test.cpp", '#include "core/state.h"')
    assert check(tree) == ["base/clock_test.cpp includes core/state.h; base may use nothing"]


@pytest.fixture
def house(tree):
    """Its module core has two rooms above its own folder."""
    write(tree, "src/core/CMakeLists.txt", "hearth_module(core USES base ROOMS . bus\n  registry)")
    write(tree, "src/core/bus/event_bus.h", '#include "core/state.h"')
    write(tree, "src/core/registry/registry.h", '#include "core/bus/event_bus.h"')
    return tree


def test_rooms_in_their_order_pass(house):
    write(house, "src/core/registry/deeper/labels.h", '#include "core/registry/registry.h"\n#include "core/state.h"')
    assert check(house) == []


def test_an_include_of_a_later_room_is_reported(house):
    write(house, "src/core/bus/timers.cpp", '#include "core/registry/registry.h"')
    write(house, "src/core/states.h", '#include "core/bus/event_bus.h"')
    assert check(house) == ["core/bus/timers.cpp includes core/registry/registry.h; in core, bus comes before registry",
                            "core/states.h includes core/bus/event_bus.h; in core, . comes before bus"]


def test_rooms_of_one_level_include_each_other(house):
    write(house, "src/core/CMakeLists.txt", "hearth_module(core USES base ROOMS . bus|states registry)")
    write(house, "src/core/states/state_machine.h", '#include "core/bus/event_bus.h"')
    write(house, "src/core/bus/event.h", '#include "core/states/state_machine.h"')
    assert check(house) == []
    write(house, "src/core/states/table.h", '#include "core/registry/registry.h"')
    assert check(house) == ["core/states/table.h includes core/registry/registry.h; in core, states comes before registry"]


def test_a_test_may_include_every_room_of_its_module(house):
    write(house, "src/core/bus/event_bus_test.cpp", '#include "core/registry/registry.h"')
    write(house, "src/core/bus/test_home.h", '#include "core/registry/registry.h"')
    assert check(house) == []


def test_a_folder_that_is_no_room_is_reported(house):
    write(house, "src/core/attic/thing.cpp", "")
    assert check(house) == ["core/attic/thing.cpp: its folder is not in the ROOMS of core"]


def test_uses_are_not_transitive(tree):
    write(tree, "src/api/CMakeLists.txt", "hearth_module(api USES core)")
    write(tree, "src/api/states/rest.cpp", '#include "base/clock.h"')
    assert check(tree) == ["api/states/rest.cpp includes base/clock.h; api may use core"]


def test_a_module_within_a_folder_is_a_module_of_its_own(tree):
    write(tree, "src/integrations/CMakeLists.txt", "add_subdirectory(demo)")
    write(tree, "src/integrations/demo/CMakeLists.txt", "hearth_module(integrations/demo USES core)")
    write(tree, "src/integrations/demo/rooms/kitchen.cpp", '#include "core/state.h"\n#include "integrations/demo/demo.h"')
    write(tree, "src/integrations/demo/demo.h", '#include "app/app.h"')
    assert check(tree) == ["integrations/demo/demo.h includes app/app.h; integrations/demo may use core"]


def test_nobody_may_use_app(tree):
    write(tree, "src/api/CMakeLists.txt", "hearth_module(api USES app)")
    assert check(tree) == ["api uses app; nobody may use app"]


def test_integrations_may_not_use_each_other(tree):
    write(tree, "src/integrations/demo/CMakeLists.txt", "hearth_module(integrations/demo USES core)")
    write(tree, "src/integrations/sun/CMakeLists.txt", "hearth_module(integrations/sun USES integrations/demo)")
    assert check(tree) == ["integrations/sun uses integrations/demo; integrations may not use each other"]


def test_an_integration_uses_its_own_bus(tree):
    write(tree, "src/integrations/sun/CMakeLists.txt", "hearth_module(integrations/sun USES core base)")
    write(tree, "src/integrations/sun/sun.cpp", "home_.hub.bus.schedule(day, rise);\nhome_.hub.bus.fire(event);\nhome_.bus.post(set);")
    write(tree, "src/integrations/sun/sun_test.cpp", "home.hub.bus.listen(type, note);")
    assert check(tree) == ["integrations/sun/sun.cpp calls schedule of the hub's bus; use the integration's own"]


def test_the_api_uses_the_home_through_the_callers_view_only(tree):
    write(tree, "src/api/CMakeLists.txt", "hearth_module(api USES core)")
    write(tree, "src/api/states/rest.cpp", "// the hub.states are not for everyone\nauto s = call.hub.states.find(id);")
    write(tree, "src/api/events/rest.cpp", 'say("The hub. It runs."); call.home.fire(type); hub_info(home);')
    write(tree, "src/api/states/lists.cpp", "auto r = sockets_.hub().registry.snapshot();")
    write(tree, "src/api/gateway/connection.cpp", "home_ = core::View(sockets_.hub(), rights); hub_.config.load();")
    write(tree, "src/api/states_test.cpp", "hub.states.set(id, write);")
    assert check(tree) == [
        "api/states/lists.cpp uses hub().registry; use the caller's core::View",
        "api/states/rest.cpp uses hub.states; use the caller's core::View",
    ]


def test_a_cycle_is_reported_once(tree):
    write(tree, "src/base/CMakeLists.txt", "hearth_module(base USES app)")
    assert check(tree) == [
        "base uses app; nobody may use app",
        "modules use each other in a circle: app → core → base → app",
    ]


def test_an_unknown_module_is_reported(tree):
    write(tree, "src/core/CMakeLists.txt", "hearth_module(core USES base storage)")
    assert check(tree) == ["core uses storage, which is no module"]


def test_a_module_is_named_like_its_folder(tree):
    write(tree, "src/http/CMakeLists.txt", "hearth_module(htpp)")
    assert check(tree) == ["http/CMakeLists.txt names its module htpp; a module is named like its folder"]


def test_a_source_without_a_module_is_reported(tree):
    write(tree, "src/stray/thing.cpp", "")
    assert check(tree) == ["stray/thing.cpp belongs to no module; its folder has no hearth_module line"]


def test_an_include_is_written_from_src(tree):
    write(tree, "src/core/event.h", '#include "state.h"')
    assert check(tree) == ["core/event.h includes state.h; there is no src/state.h"]


def test_a_folder_without_sources_is_no_success(tmp_path):
    assert check(tmp_path) == [f"{tmp_path}/src has no modules"]
