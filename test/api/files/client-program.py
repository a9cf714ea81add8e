"""Uses the generated client in generated-clients.long.test.ts: creates, patches and lists monitors, and reads a refusal."""

import json
import sys

from keepwatch_client import AuthenticatedClient
from keepwatch_client.api.alerts import create_alert_channel
from keepwatch_client.api.monitors import create_monitor, get_monitor, list_monitors, update_monitor
from keepwatch_client.api.scenarios import create_scenario
from keepwatch_client.models.heartbeat_monitor_body import HeartbeatMonitorBody
from keepwatch_client.models.http_monitor_body import HttpMonitorBody
from keepwatch_client.models.monitor_patch import MonitorPatch
from keepwatch_client.models.scenario_body import ScenarioBody
from keepwatch_client.models.webhook_alert_channel_body import WebhookAlertChannelBody

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)
TARGET = "https://shop.example.com/"


def read(response, status):
    if response.status_code != status:
        raise SystemExit(f"{response.status_code}: {response.content!r}")
    return response.parsed


def create(body, status=201):
    return read(create_monitor.sync_detailed(client=client, body=body), status)


assertions = [{"type": "status", "operator": "equals", "value": 200}]
http = {"type": "http", "name": "Made by a generated client", "url": TARGET, "assertions": assertions}
monitor = create(HttpMonitorBody.from_dict(http))
patch = MonitorPatch.from_dict({"interval": 300, "group": None})
patched = read(update_monitor.sync_detailed(monitor.id, client=client, body=patch), 200)
nightly = {"type": "heartbeat", "name": "Nightly", "schedule": {"everySeconds": 3600}}
create(HeartbeatMonitorBody.from_dict(nightly))
page = read(list_monitors.sync_detailed(client=client, limit=5), 200)

webhook = {"type": "webhook", "name": "Hook", "url": "https://hooks.example.com/"}
body = WebhookAlertChannelBody.from_dict(webhook)
channel = read(create_alert_channel.sync_detailed(client=client, body=body), 201)
steps = [{"name": "open", "url": TARGET}]
body = ScenarioBody.from_dict({"name": "Journey", "steps": steps})
scenario = read(create_scenario.sync_detailed(client=client, body=body), 201)

unknown = "mon_00000000000000000000000000"
missing = read(get_monitor.sync_detailed(unknown, client=client), 404)
refused = create(HttpMonitorBody.from_dict({**http, "interval": 1}), 400)

print(
    json.dumps(
        {
            "interval": patched.interval,
            "type": patched.type_.value,
            "names": sorted(each.name for each in page.data),
            "channel": channel.type_.value,
            "steps": [step.name for step in scenario.steps],
            "problem": missing.code,
            "refused": refused.code,
        }
    )
)
