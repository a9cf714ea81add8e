/** Tests that the service accepts the files under examples/. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Located, readDefinitions } from '../../src/cli/files/definition-files';
import { expandMatrices } from '../../src/domain/definitions/matrix';
import { alertPolicyBody } from '../../src/schemas/alert-policy';
import { alertChannelBody } from '../../src/schemas/alerts';
import { accountVariableEntry, environmentBody } from '../../src/schemas/environments/environment';
import { leaveVariablesOpen } from '../../src/schemas/environments/open-references';
import { hoursBody } from '../../src/schemas/hours/hours';
import { validate } from '../../src/schemas/issues';
import { readRecord } from '../../src/schemas/loose';
import { maintenanceWindowBody } from '../../src/schemas/maintenance';
import { monitorBody } from '../../src/schemas/monitor';
import { profileBody } from '../../src/schemas/profiles/profile';
import { scenarioBody } from '../../src/schemas/scenario';
import { statusPageEntry } from '../../src/schemas/status-pages/status-page';

const EXAMPLES = join(__dirname, '../../examples');
const ENVIRONMENT = {
  SHOP_URL: 'https://shop.example.com',
  SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T0/B0/x',
  PAGERDUTY_ROUTING_KEY: 'R0',
  STATUS_PASSWORD: 'only-for-customers',
};

/** Folders that contain scripts instead of definitions. test/examples runs the scripts. */
const SCRIPTS = ['jobs', 'pipelines'];
const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !SCRIPTS.includes(entry.name),
);

/** Removes channels, because the service resolves their keys before it validates a body. */
function withoutChannels(body: object): object {
  const { alerts, ...rest } = readRecord(body);
  const { channels: _channels, ...rule } = readRecord(alerts);
  return alerts === undefined ? rest : { ...rest, alerts: rule };
}

/** Expands matrices as apply does, and removes channels. Fails on any fault. */
function expand(list: readonly Located[]): readonly object[] {
  const expanded = expandMatrices(list.map(({ value }) => value));
  expect(expanded.flatMap(({ faults }) => faults)).toEqual([]);
  return expanded.map(({ entry }) => withoutChannels(entry));
}

it.each(folders.map(({ name }) => name))('examples/%s is accepted unchanged', async (name) => {
  const allowedNames = Object.keys(ENVIRONMENT);
  const source = { environment: ENVIRONMENT, allowedNames, readInput: async () => '' };
  const { lists } = await readDefinitions([join(EXAMPLES, name)], source);
  const checked = [
    ...expand(lists.monitors).map((body) => validate(leaveVariablesOpen(monitorBody), body)),
    ...expand(lists.scenarios).map((body) => validate(leaveVariablesOpen(scenarioBody), body)),
    ...lists.environments.map(({ value }) => validate(environmentBody, value)),
    ...lists.variables.map(({ value }) => validate(accountVariableEntry, value)),
    ...lists.alertChannels.map(({ value }) => validate(alertChannelBody, value)),
    ...lists.alertPolicies.map(({ value }) => validate(alertPolicyBody, value)),
    ...lists.profiles.map(({ value }) => validate(profileBody, value)),
    ...lists.hours.map(({ value }) => validate(hoursBody, value)),
    ...lists.maintenanceWindows.map(({ value }) => validate(maintenanceWindowBody, value)),
    ...lists.statusPages.map(({ value }) => validate(statusPageEntry, value)),
  ];
  expect(checked.length).toBeGreaterThan(0);
  expect(checked.flatMap((each) => (each.ok ? [] : each.problems))).toEqual([]);
});
