/** What an operator's own tools see of a running service: the metrics of Temporal's workers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { choosePort } from '../../src/embedded/free-port';
import { createApiClient } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';
import { declaredIn, labelsNamed, metricsNamed } from './ops-queries';

/** What the SDK puts around the names of its source. */
const DECORATION = /^temporal_|_total$|_seconds$/g;
const OF_TEMPORAL = /\btemporal_/;
/** Where the SDK names its metrics: one is declared only once something has counted. */
const NAMES_OF_SDK = ['sdk-core/src/telemetry/metrics.rs', 'client/src/metrics.rs'].map((file) =>
  join(__dirname, '../../node_modules/@temporalio/core-bridge/sdk-core/crates', file),
);

let service: TestService;
let target: SwitchableTarget;
let ports: { readonly orchestrator: number; readonly probe: number };

beforeAll(async () => {
  ports = { orchestrator: await choosePort(undefined), probe: await choosePort(undefined) };
  target = await startSwitchableTarget();
  service = await startService({
    regions: ['eu-west'],
    environmentOf: {
      orchestrator: metricsAt(ports.orchestrator),
      'probe-eu-west': metricsAt(ports.probe),
    },
  });
  const api = createApiClient(service.url, (await service.setup()).apiKey);
  await api.createMonitor({ name: 'seen', url: `${target.url}/seen`, interval: 60 });
  await waitUntil('it is checked', () => target.countOf('/seen') > 0);
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
});

const metricsAt = (port: number) => ({ KEEPWATCH_TEMPORAL_METRICS: `127.0.0.1:${port}` });

async function readPage(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return response.text();
}

test('orchestrator and probe show what their Temporal workers count, by the names that ops uses', async () => {
  const pages = [await readPage(ports.orchestrator), await readPage(ports.probe)];
  expect(pages[1]).toContain('task_queue="probe-eu-west"');
  const text = pages.join('\n');
  const declared = declaredIn(text);
  const named = metricsNamed(OF_TEMPORAL);
  const shown = named.filter((name) => declared.has(name));
  expect(shown.length).toBeGreaterThanOrEqual(4);
  const source = NAMES_OF_SDK.map((file) => readFileSync(file, 'utf8')).join('\n');
  const isKnown = (name: string) => source.includes(`"${name.replace(DECORATION, '')}"`);
  expect(named.filter((name) => !declared.has(name) && !isKnown(name))).toEqual([]);
  const missing = labelsNamed(OF_TEMPORAL).filter((label) => !text.includes(`${label}="`));
  expect(missing.filter((label) => label !== 'le')).toEqual([]);
});
