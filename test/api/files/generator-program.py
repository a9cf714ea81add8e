"""Uses the client of openapi-generator in generated-clients.long.test.ts: creates a monitor and lists it."""

import json
import sys

from keepwatch_generated import ApiClient, Configuration
from keepwatch_generated.api.monitors_api import MonitorsApi
from keepwatch_generated.models.http_monitor_body import HttpMonitorBody
from keepwatch_generated.models.monitor_body import MonitorBody

url, key = sys.argv[1:]
NAME = "Made by openapi-generator"

with ApiClient(Configuration(host=url, access_token=key)) as client:
    monitors = MonitorsApi(client)
    http = HttpMonitorBody(type="http", name=NAME, url="https://shop.example.com/")
    made = monitors.create_monitor(MonitorBody(http)).actual_instance
    named = [each.actual_instance.name for each in monitors.list_monitors(q=NAME).data]
    print(json.dumps({"type": made.type, "name": made.name, "total": len(named)}))
