# SPDX-License-Identifier: Apache-2.0
"""Messages to people: over the app's own connection, by the servers of apps, to browsers, and in the page's list."""

import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from checks import assert_json, assert_message, call, set_state
from companion_app import CompanionApp
from hub_process import command, create_token, wait_until
from push_service import PushService, Subscription, check_vapid
from websocket_client import WebSocketClient

LOCAL = {"mobile_app": {"push": True, "local_services": True}}


@pytest.fixture
def service():
    made = PushService()
    yield made
    made.close()


@pytest.fixture
def hub(hub_factory):
    return hub_factory(**LOCAL)


def client_of(hub, user="admin"):
    return WebSocketClient(hub, hub.tokens[user])


def services(hub):
    domains = {each["domain"]: each["services"] for each in assert_json(hub.admin.get("/api/services"))}
    return set(domains["notify"])


def wait_for_service(hub, name):
    wait_until(lambda: name in services(hub))


def person(hub, name, user):
    with client_of(hub, user) as client:
        user_id = client.result("auth/current_user")["id"]
    with client_of(hub) as client:
        client.result("person/create", name=name, user_id=user_id, device_trackers=[])
    wait_for_service(hub, name.lower())
    return user_id


def channel(hub, app, user="admin", confirms=True):
    client = client_of(hub, user)
    client.result("mobile_app/push_notification_channel", webhook_id=app.registered["webhook_id"], support_confirm=confirms)
    return client


def listed(hub, user):
    with client_of(hub, user) as client:
        return [(note["title"], note["message"]) for note in client.result("persistent_notification/get")]


def subscribe(hub, service, user="admin", path="/push"):
    subscription = Subscription(service, path)
    with client_of(hub, user) as client:
        client.result("hearth/notifications/browser/add", **subscription.fields())
    return subscription


def send(hub, name, status=200, user="admin", **fields):
    return call(hub, f"notify.{name}", {"message": "Hello"} | fields, user=user, status=status)


@pytest.mark.contract("Companion apps: messages")
def test_a_message_goes_over_the_apps_own_connection(hub):
    app = CompanionApp(hub)
    wait_for_service(hub, "mobile_app_ann_s_phone")
    with channel(hub, app, confirms=False) as client:
        actions = [{"action": "OFF", "title": "Turn off"}, {"action": "LATER", "title": "Later"}]
        send(hub, "mobile_app_ann_s_phone", title="Iron", data={"actions": actions, "tag": "iron"})
        event = client.event(1)
        assert event == {"message": "Hello", "title": "Iron", "data": {"actions": actions, "tag": "iron"}}


def test_an_app_confirms_what_has_arrived(hub):
    app = CompanionApp(hub)
    wait_for_service(hub, "mobile_app_ann_s_phone")
    with channel(hub, app) as client, client_of(hub) as caller:
        caller.send({"id": 1, "type": "call_service", "domain": "notify", "service": "mobile_app_ann_s_phone", "service_data": {"message": "Hello"}})
        event = client.event(1)
        confirm = {"webhook_id": app.registered["webhook_id"], "confirm_id": event["hass_confirm_id"]}
        client.result("mobile_app/push_notification_confirm", **confirm)
        assert caller.receive()["success"] is True
        assert client.command("mobile_app/push_notification_confirm", **confirm)["error"]["code"] == "not_found"


def test_only_its_user_opens_an_apps_connection(hub):
    app = CompanionApp(hub)
    with client_of(hub, "ann") as client:
        answer = client.command("mobile_app/push_notification_channel", webhook_id=app.registered["webhook_id"])
        assert answer["error"]["code"] == "unauthorized"
        answer = client.command("mobile_app/push_notification_channel", webhook_id="0" * 64)
        assert answer["error"]["code"] == "not_found"


def test_a_message_that_does_not_arrive_is_told(hub_factory):
    hub = hub_factory()
    CompanionApp(hub, app_data={"push_token": "t", "push_url": "https://push.invalid/"})
    wait_for_service(hub, "mobile_app_ann_s_phone")
    assert "mobile_app: push" in send(hub, "mobile_app_ann_s_phone", status=500)


def test_a_message_goes_by_the_apps_server_if_the_home_allows_it(hub, service):
    app = CompanionApp(hub, app_data={"push_token": "token-1", "push_url": service.url + "/relay"})
    wait_for_service(hub, "mobile_app_ann_s_phone")
    send(hub, "mobile_app_ann_s_phone", title="Iron", data={"tag": "iron"})
    [(path, headers, body)] = service.asked
    body = json.loads(body)
    assert path == "/relay" and body["push_token"] == "token-1" and body["message"] == "Hello" and body["data"] == {"tag": "iron"}
    assert body["registration_info"]["webhook_id"] == app.registered["webhook_id"] and body["registration_info"]["app_id"]
    limited = {"message": "The daily limit is reached", "rateLimits": {"resetsAt": "2031-01-01T00:00:00Z"}}
    service.answers["/relay"] = (429, {}, json.dumps(limited).encode())
    said = send(hub, "mobile_app_ann_s_phone", status=500)
    assert "429" in said and "daily limit" in said and "2031-01-01" in said


@pytest.mark.contract("Companion apps: push services")
@pytest.mark.parametrize("url", ["https://127.0.0.1:1/", "https://localhost:1/", "https://169.254.169.254/", "https://[::1]:1/", "https://10.0.0.1/",
                                 "https://192.168.1.1/", "http://203.0.113.1/"])
def test_an_apps_server_is_none_at_home(hub_factory, url):
    hub = hub_factory(mobile_app={"push": True})
    CompanionApp(hub, app_data={"push_token": "t", "push_url": url})
    wait_for_service(hub, "mobile_app_ann_s_phone")
    said = send(hub, "mobile_app_ann_s_phone", status=500)
    assert any(word in said for word in ("this machine", "link-local", "private network", "none with https")), said


def test_a_redirection_is_not_followed(hub, service):
    service.answers["/relay"] = (302, {"Location": hub.url + "/api/"}, b"")
    CompanionApp(hub, app_data={"push_token": "t", "push_url": service.url + "/relay"})
    wait_for_service(hub, "mobile_app_ann_s_phone")
    assert "302" in send(hub, "mobile_app_ann_s_phone", status=500)


@pytest.mark.contract("Companion apps: messages")
def test_a_person_is_told_in_the_list_on_phones_and_in_browsers(hub, service):
    person(hub, "Ann", "ann")
    app = CompanionApp(hub, "ann")
    browser = subscribe(hub, service, "ann")
    with channel(hub, app, "ann", confirms=False) as client:
        send(hub, "ann", title="Iron", data={"tag": "iron", "url": "/overview"})
        assert client.event(1)["message"] == "Hello"
    wait_until(lambda: service.messages(browser))
    assert service.messages(browser) == [{"title": "Iron", "message": "Hello", "tag": "iron", "url": "/overview"}]
    assert listed(hub, "ann") == [("Iron", "Hello")] and listed(hub, "admin") == []
    send(hub, "ann", title="Iron", message="Again", data={"tag": "iron"})
    assert listed(hub, "ann") == [("Iron", "Again")]
    send(hub, "everyone", message="All")
    assert (None, "All") in listed(hub, "ann")


def test_other_peoples_notes_stay(hub):
    person(hub, "Ann", "ann")
    send(hub, "ann", data={"tag": "iron"})
    call(hub, "persistent_notification.dismiss_all", {})
    assert listed(hub, "ann") == [(None, "Hello")]
    call(hub, "persistent_notification.dismiss_all", {}, user="ann")
    assert listed(hub, "ann") == []


@pytest.mark.contract("Companion apps: messages")
def test_a_chosen_action_is_an_event_once(hub, service, name):
    person(hub, "Ann", "ann")
    browser = subscribe(hub, service, "ann")
    send(hub, "ann", data={"tag": name, "actions": [{"action": "OFF", "title": "Turn off"}, {"action": "LATER", "title": "Later"}]})
    [message] = wait_until(lambda: service.messages(browser))
    assert message["actions"] == [{"action": "OFF", "title": "Turn off"}, {"action": "LATER", "title": "Later"}]
    assert message["reply"].startswith("/api/webhook/")
    with hub.stream() as stream:
        for wrong in (b"{}", b"nonsense", b'{"action": "OTHER"}', b'{"action": 5}'):
            assert httpx.post(hub.url + message["reply"], content=wrong, trust_env=False).status_code == 200
        for _ in range(3):
            assert httpx.post(hub.url + message["reply"], json={"action": "OFF"}, trust_env=False).content == b""
        assert hub.admin.post(f"/api/events/{name}").status_code == 200
        events = list(stream.until_type(name))
    for kind in ("notification_action", "mobile_app_notification_action"):
        [event] = [json.loads(each.data)["data"] for each in events if each.type == kind]
        assert event["action"] == "OFF" and event["tag"] == name and event["user_id"]


@pytest.mark.contract("Companion apps: push services")
@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(hub, service, status):
    person(hub, "Ann", "ann")
    subscribe(hub, service, "ann")
    service.answers["/push"] = (status, {}, b"")
    send(hub, "ann")
    with client_of(hub, "ann") as client:
        wait_until(lambda: client.result("hearth/notifications/choice")["browsers"] == [])
    send(hub, "ann", message="After")
    assert len(service.asked) == 1 and (None, "After") in listed(hub, "ann")


@pytest.mark.contract("Companion apps: push services")
def test_a_push_service_that_wants_a_pause_gets_one(hub, service):
    person(hub, "Ann", "ann")
    subscribe(hub, service, "ann")
    service.answers["/push"] = (429, {"Retry-After": "600"}, b"")
    send(hub, "ann")
    hub.logged("wants a pause")
    service.answers.clear()
    send(hub, "ann", message="After")
    hub.logged("takes no more now")
    assert len(service.asked) == 1 and (None, "After") in listed(hub, "ann")


@pytest.mark.contract("Companion apps: push services")
def test_a_push_service_that_hangs_holds_nobody_up(hub, service):
    person(hub, "Ann", "ann")
    hanging = [f"/hangs{number}" for number in range(9)]
    service.answers |= {path: (None, {}, b"") for path in hanging}
    for path in hanging:
        subscribe(hub, service, "ann", path)
    other = subscribe(hub, service, "ann", "/push")
    for number in range(3):
        send(hub, "ann", message=f"Number {number}")
    wait_until(lambda: len(service.messages(other)) == 3)
    assert [each["message"] for each in service.messages(other)] == [f"Number {number}" for number in range(3)]
    # Meanwhile each of them has been asked once at most: it hangs with its first message.
    hung = [path for path, *_ in service.asked if path != "/push"]
    assert len(hung) == len(set(hung))


@pytest.mark.contract("Companion apps: push services")
def test_an_app_whose_server_hangs_holds_no_other_app_up(hub, service):
    for name in ("hangs", "push"):
        CompanionApp(hub, device_id=name, device_name=name, app_data={"push_url": f"{service.url}/{name}", "push_token": "t"})
        wait_for_service(hub, f"mobile_app_{name}")
    service.answers["/hangs"] = (None, {}, b"")
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(send, hub, "mobile_app_hangs", 500) for _ in range(3)]
        wait_until(lambda: service.asked)
        for _ in range(3):
            send(hub, "mobile_app_push")
        assert [path for path, *_ in service.asked] == ["/hangs"] + ["/push"] * 3
        service.released.set()  # its connections end without an answer
        for each in waiting:
            each.result()


@pytest.mark.contract("Companion apps: push services")
def test_a_push_service_redirects_nobody(hub, service):
    person(hub, "Ann", "ann")
    for number, place in enumerate((hub.url + "/api/", "http://169.254.169.254/", service.url + "/elsewhere")):
        subscribe(hub, service, "ann", f"/moves{number}")
        service.answers[f"/moves{number}"] = (307, {"Location": place}, b"")
    send(hub, "ann")
    wait_until(lambda: len(service.asked) == 3)
    hub.logged("answers 307")
    assert {path for path, *_ in service.asked} == {"/moves0", "/moves1", "/moves2"}


@pytest.mark.contract("Companion apps: push services")
def test_a_push_service_is_none_at_home(hub_factory, service):
    hub = hub_factory(mobile_app={"push": True})
    person(hub, "Ann", "ann")
    at_home = [f"https://127.0.0.1:{service.server.server_address[1]}/", hub.url.replace("http:", "https:") + "/api/", "https://localhost/",
               "https://169.254.169.254/", "https://[::1]/", "https://192.168.1.1/"]
    with client_of(hub, "ann") as client:
        for endpoint in at_home:
            client.result("hearth/notifications/browser/add", **(Subscription(service).fields() | {"endpoint": endpoint, "name": endpoint}))
    send(hub, "ann")
    for endpoint in at_home:
        hub.logged(f"a message to the browser {endpoint} does not arrive")
    assert service.asked == [] and (None, "Hello") in listed(hub, "ann")


def test_wrong_subscriptions_are_refused(hub_factory, service):
    hub = hub_factory()
    good = Subscription(service).fields() | {"endpoint": "https://push.example/a"}
    off_the_curve = good["p256dh"][:-1] + ("Q" if good["p256dh"].endswith("A") else "A")
    wrong = [{"endpoint": "http://push.example/a"}, {"endpoint": "nowhere"}, {"endpoint": "https://a:b@push.example/"}, {"endpoint": "https://push.example/" + "a" * 20_480},
             {"p256dh": "AAAA"}, {"p256dh": off_the_curve}, {"auth": "AAAA"}, {"auth": "?"}, {"name": "x" * 2_560}]
    with client_of(hub, "ann") as client:
        for change in wrong:
            answer = client.command("hearth/notifications/browser/add", **(good | change))
            assert answer["success"] is False and answer["error"]["code"] == "invalid_format", change
        for number in range(10):
            client.result("hearth/notifications/browser/add", **(good | {"endpoint": f"https://push.example/{number}"}))
        for number in range(100):
            assert client.command("hearth/notifications/browser/add", **(good | {"endpoint": f"https://push.example/x{number}"}))["success"] is False
        assert len(client.result("hearth/notifications/choice")["browsers"]) == 10


def test_a_browser_ends_with_its_session_and_belongs_to_its_user(hub_factory, service):
    folder = hub_factory.folder(**LOCAL)
    token = create_token(folder, "ann", "browser")
    hub = hub_factory(folder)
    with WebSocketClient(hub, token) as client:
        client.result("hearth/notifications/browser/add", **Subscription(service).fields())
        [browser] = client.result("hearth/notifications/choice")["browsers"]
    with client_of(hub) as client:
        assert client.result("hearth/notifications/choice")["browsers"] == []
        assert client.command("hearth/notifications/browser/remove", browser_id=browser["browser_id"])["error"]["code"] == "not_found"
    command(folder, "token", "revoke", "--user", "ann", "--name", "browser")
    with client_of(hub, "ann") as client:
        wait_until(lambda: client.result("hearth/notifications/choice")["browsers"] == [])


def test_key_choices_and_browsers_survive_a_restart(hub_factory, service):
    folder = hub_factory.folder(**LOCAL)
    hub = hub_factory(folder)
    person(hub, "Ann", "ann")
    browser = subscribe(hub, service, "ann")
    chosen = {"alerts": "all", "logins": False, "quiet_from": "22:00", "quiet_to": "07:00"}
    with client_of(hub, "ann") as client:
        client.result("hearth/notifications/choose", **chosen)
        key = client.result("hearth/notifications/push_key")["key"]
    hub.stop()
    hub = hub_factory(folder)
    with client_of(hub, "ann") as client:
        answer = client.result("hearth/notifications/choice")
        assert chosen.items() <= answer.items() and len(answer["browsers"]) == 1
        assert client.result("hearth/notifications/push_key")["key"] == key
        client.result("hearth/notifications/test", message="Test")
    wait_until(lambda: service.messages(browser))
    assert check_vapid(service.asked[0][1]["Authorization"], service.url) == key


def test_wrong_choices_are_refused(hub):
    good = {"alerts": "all", "logins": True, "quiet_from": None, "quiet_to": None}
    with client_of(hub, "ann") as client:
        for change in ({"alerts": "some"}, {"logins": 5}, {"quiet_from": "22:00"}, {"quiet_from": "25:00", "quiet_to": "07:00"},
                       {"quiet_from": "x" * 1_000, "quiet_to": "07:00"}):
            assert client.command("hearth/notifications/choose", **(good | change))["error"]["code"] == "invalid_format", change
        client.result("hearth/notifications/choose", **good)


def all_day(hub, user, **choice):
    with client_of(hub, user) as client:
        client.result("hearth/notifications/choose", **({"alerts": "all", "logins": True, "quiet_from": "00:00", "quiet_to": "23:59"} | choice))


def test_quiet_hours_leave_messages_in_the_list_but_dangers_come(hub, service):
    person(hub, "Ann", "ann")
    browser = subscribe(hub, service, "ann")
    all_day(hub, "ann", quiet_from="00:00", quiet_to="23:59")
    send(hub, "ann", message="Quiet")
    assert (None, "Quiet") in listed(hub, "ann")
    set_state(hub, "binary_sensor.leak", "on", {"device_class": "moisture", "friendly_name": "Leak"})
    wait_until(lambda: service.messages(browser))
    send(hub, "ann", message="Urgent", data={"urgent": True})
    wait_until(lambda: len(service.messages(browser)) == 2)
    assert [message["message"] for message in service.messages(browser)] == ["Leak", "Urgent"]


def test_of_a_kind_one_comes_in_a_minute(hub, service):
    browser = subscribe(hub, service, "ann")
    for number in range(20):
        set_state(hub, f"binary_sensor.leak_{number}", "on", {"device_class": "moisture", "friendly_name": f"Leak {number}"})
    set_state(hub, "binary_sensor.smoke", "on", {"device_class": "smoke", "friendly_name": "Smoke"})
    wait_until(lambda: "Smoke" in [message["message"] for message in service.messages(browser)])
    assert [message["title"] for message in service.messages(browser)] == ["Water", "Smoke"]


def test_alerts_go_to_those_who_may_see_them_and_want_them(hub_factory, service):
    folder = hub_factory.folder(**LOCAL)
    hub = hub_factory(folder)
    admin, ann = subscribe(hub, service, "admin", "/admin"), subscribe(hub, service, "ann", "/ann")
    with client_of(hub) as client:
        client.result("hearth/notifications/choose", alerts="none", logins=True, quiet_from=None, quiet_to=None)
    set_state(hub, "binary_sensor.leak", "on", {"device_class": "moisture", "friendly_name": "Leak"})
    wait_until(lambda: service.messages(ann))
    assert service.messages(admin) == []


def test_failed_logins_go_to_administrators_who_want_them(hub, service):
    admin, ann = subscribe(hub, service, "admin", "/admin"), subscribe(hub, service, "ann", "/ann")
    for _ in range(3):
        flow = hub.anonymous.post("/auth/login_flow", json={"client_id": f"{hub.url}/", "handler": ["homeassistant", None], "redirect_uri": f"{hub.url}/"}).json()
        hub.anonymous.post(f"/auth/login_flow/{flow['flow_id']}", json={"client_id": f"{hub.url}/", "username": "ann", "password": "wrong"})
    [message] = wait_until(lambda: service.messages(admin))
    assert message["title"] == "Failed login" and message["message"].endswith(" from 127.0.0.1") and service.messages(ann) == []


def test_who_floods_a_person_is_told(hub, service):
    person(hub, "Ann", "ann")
    answers = [hub.admin.post("/api/services/notify/ann", json={"message": f"Number {number}"}).status_code for number in range(70)]
    assert answers[:60] == [200] * 60 and set(answers[60:]) == {500}
    for text in ({"message": "x" * 81_920}, {"message": "x", "title": "x" * 2_550}, {"message": "x", "data": {"a": "x" * 163_840}},
                 {"message": "x", "data": {"actions": [{"action": "a"}] * 100}}, {"message": "x", "data": {"actions": "x"}}):
        assert_message(hub.admin.post("/api/services/notify/ann", json=text), 400)


def test_plain_users_tell_nobody_they_may_not(hub):
    person(hub, "Ann", "ann")
    assert hub.display.post("/api/services/notify/ann", json={"message": "x"}).status_code == 403
    assert hub.ann.post("/api/services/notify/ann", json={"message": "x"}).status_code == 200


def test_the_service_worker_is_served_at_the_root(hub):
    response = hub.anonymous.get("/service_worker.js")
    assert response.status_code == 200 and response.headers["content-type"].startswith("text/javascript")
    assert response.headers["cache-control"] == "no-cache" and "fetch\"" not in response.text
    assert len(response.text.splitlines()) <= 60
