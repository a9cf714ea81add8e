/** Tests that the made-up history of the demo reads like a real one. */

import { buildPast, type Seeded } from '../../src/main/seed-demo';
import { seedHistory } from '../../src/models';
import type { AlertChannel } from '../../src/models/alerting/alert-channels';
import { explainStoredIncident } from '../../src/services/alerting/explain-incident';
import { getIncident } from '../../src/services/alerting/incidents';
import {
  monitorRow,
  newId,
  pendingStatus,
  scenarioRow,
  stepDefinition,
} from '../models/example-records';
import { withStores } from '../models/with-stores';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 31, 12, 34);
const clock = { now: () => NOW_MS };
const db = withStores(clock);

function channelRow(accountId: string, key: string): AlertChannel {
  return {
    id: newId('channel'),
    accountId,
    version: 1,
    name: key === 'chat' ? 'Chat' : 'Phone',
    key,
    type: 'webhook',
    isDefault: key === 'chat',
    onlyKinds: null,
    fallbackId: null,
    fallbackAfterMinutes: 5,
    config: {},
    places: [{ shown: `http://127.0.0.1/${key}`, sealed: '' }],
    createdAtMs: NOW_MS,
    updatedAtMs: NOW_MS,
  };
}

/** Creates a monitor and writes its past. */
async function seedMonitor(policy: string | null) {
  const accountId = newId('account');
  const [chat, phone] = [channelRow(accountId, 'chat'), channelRow(accountId, 'phone')];
  for (const channel of [chat, phone]) await db.stores.alertChannels.create(accountId, channel);
  const times = { until: 'acknowledged', repeat: null } as const;
  await db.stores.alertPolicies.create(accountId, {
    id: newId('alertPolicy'),
    accountId,
    version: 1,
    key: 'duty',
    name: 'Duty',
    steps: [
      { ...times, afterMinutes: 0, notify: [chat.id] },
      { ...times, afterMinutes: 1, notify: [phone.id] },
    ],
    quietHours: null,
    lastResort: null,
    createdAtMs: NOW_MS,
    updatedAtMs: NOW_MS,
  });
  const row = monitorRow(accountId, { createdAtMs: NOW_MS, step: stepDefinition() });
  const monitor = { ...row, regions: ['eu-west'], alerts: { ...row.alerts, policy } };
  await db.stores.monitors.create(accountId, monitor);
  await db.stores.statuses.create(accountId, pendingStatus(accountId, monitor.id));
  const seeded: Seeded = {
    kind: 'monitor',
    id: monitor.id,
    name: 'Storefront',
    usualMs: 120,
    isJob: false,
    everySeconds: 60,
  };
  const past = buildPast(seeded, NOW_MS);
  await seedHistory(db.database.models, past);
  return { accountId, id: monitor.id, past };
}

/** Reads the seeded incidents with their explanations, oldest first. */
async function readIncidents(accountId: string) {
  const query = { resourceId: null, limit: 50, beforeId: null };
  const { items } = await db.stores.incidents.page(accountId, query);
  const needs = { stores: db.stores, clock };
  return Promise.all(
    items.toReversed().map(async ({ id }) => ({
      shown: await getIncident(needs, accountId, id),
      explained: await explainStoredIncident(needs, accountId, id),
    })),
  );
}

test('past incidents of a check with a policy show who was notified by which step, and who acknowledged', async () => {
  const { accountId, past } = await seedMonitor('duty');
  const incidents = await readIncidents(accountId);
  expect(incidents).toHaveLength(past.outages.length);
  const [first, second] = incidents;
  expect(first?.explained).toMatchObject({
    notified: true,
    escalation: {
      policyName: 'Duty',
      notifications: [{ state: 'sent' }, { state: 'skipped', reason: 'over' }],
    },
  });
  const readTexts = (one: typeof first) => one?.explained.sentences.map(({ text }) => text);
  expect(readTexts(first)).toEqual([
    expect.stringMatching(/^Failed in eu-west: /),
    'The only region failed (1 needed); 1 failed check (1 needed).',
    'The failure alert was queued.',
    'Escalated by the alert policy “Duty” (set on the check).',
    'Step 1 began: Chat.',
    'The failure alert to Chat was sent.',
    'Acknowledged by On-call engineer (API key)',
    'It recovered; everyone who was notified of the failure is notified.',
    'Not sent because the incident was over: step 2.',
    'The recovery alert to Chat was sent.',
  ]);
  expect(readTexts(second)).toEqual(
    expect.arrayContaining(['Step 2 began: Phone.', 'The recovery alert to Phone was sent.']),
  );
  expect(first?.shown).toMatchObject({
    acknowledgedBy: 'On-call engineer (API key)',
    notes: [{ text: 'Acknowledged by chat.' }],
  });
  expect(second?.shown.notes).toMatchObject([{ text: 'Acknowledged by phone.' }]);
});

test('past incidents of a check without a policy notify the default channel', async () => {
  const { accountId } = await seedMonitor(null);
  const incidents = await readIncidents(accountId);
  for (const { shown, explained } of incidents) {
    expect(explained.escalation).toBeNull();
    const alerts = shown.timeline.filter(({ kind }) => kind === 'alert');
    expect(alerts.map(({ channelName }) => channelName)).toEqual(['Chat', 'Chat']);
  }
  const acknowledged = incidents.map(({ shown }) => shown.acknowledgedBy !== null);
  expect(acknowledged).toEqual(acknowledged.map((_, index) => index % 2 === 0));
});

test('the counters of a past outage agree with its stored results, the first of which opened the incident', async () => {
  const { accountId, id, past } = await seedMonitor(null);
  const [outage] = past.outages;
  const [incident] = await readIncidents(accountId);
  if (outage === undefined || incident === undefined) throw new Error('There is an outage.');
  const firstId = incident.shown.firstResultId ?? '';
  const first = await db.stores.results.find(accountId, firstId);
  expect(first).toMatchObject({
    status: 'down',
    slotMs: outage.fromMs,
    outcome: { failure: incident.shown.cause, request: { method: 'GET' } },
  });
  const fromMs = Math.floor(outage.fromMs / HOUR_MS) * HOUR_MS;
  const toMs = Math.ceil(outage.toMs / HOUR_MS) * HOUR_MS;
  const query = { monitorId: id, regions: ['eu-west'], fromMs, toMs };
  const counted = await db.stores.results.count(accountId, query);
  const [summed] = await db.stores.summaries.sumUp(accountId, {
    id,
    region: 'eu-west',
    spans: [{ fromMs, toMs }],
    summarisedUntilMs: NOW_MS - HOUR_MS,
  });
  const failed = (outage.toMs - outage.fromMs) / 60_000;
  expect(counted).toMatchObject({ total: (toMs - fromMs) / 60_000, down: failed });
  expect(summed?.counts).toMatchObject({ up: counted.up, down: failed });
});

test('past incidents of a scenario name the run that opened them, which is no longer stored', async () => {
  const accountId = newId('account');
  const row = { ...scenarioRow(accountId, { createdAtMs: NOW_MS }), regions: ['eu-west'] };
  await db.stores.scenarios.create(accountId, row);
  await db.stores.statuses.create(accountId, pendingStatus(accountId, row.id));
  const subject = { name: 'Order journey', usualMs: 800, isJob: false, everySeconds: 60 };
  const past = buildPast({ kind: 'scenario', id: row.id, ...subject }, NOW_MS);
  await seedHistory(db.database.models, past);
  const [incident] = await readIncidents(accountId);
  const runId = incident?.shown.firstRunId ?? '';
  expect(runId).toMatch(/^run_/);
  expect(await db.stores.runs.find(accountId, runId)).toBeNull();
});
