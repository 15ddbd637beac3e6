// SPDX-License-Identifier: Apache-2.0
//! A program that uses hass-rs, once through: hass-rs-client URL TOKEN EVENT. Panics if anything is not as expected.

use hass_rs::HassClient;
use serde_json::json;

const LIGHT: &str = "light.kitchen";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let mut client = HassClient::new(&given[0]).await.expect("it connects");
    client.auth_with_longlivedtoken(&given[1]).await.expect("the token is taken");
    client.ping().await.expect("it answers a ping");
    reads(&mut client).await;
    reads_the_registry(&mut client).await;
    calls_and_hears(&mut client).await;
    hears_events(&mut client, &given[2]).await;
    let mut stranger = HassClient::new(&given[0]).await.expect("it connects again");
    assert!(stranger.auth_with_longlivedtoken("wrong").await.is_err(), "a wrong token was taken");
}

async fn reads(client: &mut HassClient) {
    let config = client.get_config().await.expect("the configuration");
    assert_eq!((config.location_name.as_str(), config.elevation), ("Test home", 34));
    let states = client.get_states().await.expect("the states");
    let light = states.iter().find(|state| state.entity_id == LIGHT).expect("the light");
    assert_eq!(light.attributes["friendly_name"], "Kitchen light");
    let services = client.get_services().await.expect("the services");
    assert!(services.0["light"]["turn_on"].fields.contains_key("brightness"));
    client.get_panels().await.expect("the panels");
}

async fn reads_the_registry(client: &mut HassClient) {
    let areas = client.get_area_registry_list().await.expect("the areas");
    assert!(areas.iter().any(|area| area.name == "Kitchen"));
    let entities = client.get_entity_registry_list().await.expect("the entities");
    assert!(entities.iter().any(|entity| entity.entity_id == LIGHT));
}

async fn calls_and_hears(client: &mut HassClient) {
    let call = |service: &str, data| ("light".to_owned(), service.to_owned(), Some(data));
    let (domain, service, data) = call("turn_off", json!({"entity_id": LIGHT}));
    client.call_service(domain, service, data).await.expect("it is turned off");
    let mut changes = client.subscribe_event("state_changed").await.expect("it listens");
    let (domain, service, data) = call("turn_on", json!({"entity_id": LIGHT, "brightness": 120}));
    client.call_service(domain, service, data).await.expect("it is turned on");
    loop {
        let change = changes.recv().await.expect("a change").event.data;
        let Some(state) = change.new_state else { continue };
        if state.entity_id == LIGHT && state.attributes["brightness"] == 120 {
            break;
        }
    }
    let (domain, service, data) = call("explode", json!({}));
    assert!(client.call_service(domain, service, data).await.is_err(), "there is no such service");
}

/// The test fires the event until this has heard it.
async fn hears_events(client: &mut HassClient, name: &str) {
    let mut events = client.subscribe_event(name).await.expect("it listens");
    let event = events.recv().await.expect("an event").event;
    assert_eq!((event.event_type.as_str(), &event.data.extra["a"]), (name, &json!(1)));
}
