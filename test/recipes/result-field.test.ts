/**
 * Tests the recipe of docs/extending.md for a new phase of the response time, with a toy phase. Only the files that the
 * recipe lists are changed.
 */
// This import must come before all imports of sources.
import './toy-phase';

import { Registry } from 'prom-client';
import { createSnapshotGauges } from '../../src/api/operator/metrics-text';
import { formatCsvHead, formatCsvLine } from '../../src/api/v1/resources/csv-text';
import { RESULT_COLUMNS } from '../../src/api/v1/resources/result-columns';
import { createPhaseClock } from '../../src/checks/phase-clock';
import type { Timings } from '../../src/contracts/outcome';
import { stackResults } from '../../src/dashboard/shared/charts/stacked';
import { listPhases } from '../../src/dashboard/shared/results/measured';
import { isProbeOutcome } from '../../src/domain/health/outcome-shape';
import { fromCompactText, toCompactText } from '../../src/models/results/compact-outcome';
import { statusCollection } from '../../src/models/results/statuses';
import { result as resultSchema } from '../../src/schemas/responses/checks';
import { presentResult } from '../../src/services/results/present-result';
import { readMeasured } from '../../src/services/results/status-changes';
import { shownDocument } from '../api/whole-document';
import { newId, passingOutcome } from '../models/example-records';
import { findTypeErrors } from './find-type-errors';
import { leaveOut, listRecipeFiles, readSources } from './recipe';
import { TOY_PHASE } from './toy-phase';

const RECIPE = 'A new phase of the response time in results takes five files, and a sixth for CSV:';
const TOY_MS = 12.5;

/**
 * Matches the types and tables that a new phase changes, and existing phases. Every file that a new phase changes
 * contains one of these names.
 */
const NEIGHBOURS =
  /\b(?:Timings|PerPhase|PhaseField|PHASE_\w+|mapPhases|timings|ttfbMs|downloadMs)\b/;

const OLDER = passingOutcome();
const OUTCOME = passingOutcome({ timings: withToy(OLDER.timings) });

function withToy(timings: Timings | null): Timings {
  if (timings === null) throw new Error('The example has timings.');
  return Object.assign({}, timings, { toyMs: TOY_MS });
}

function presented(outcome: typeof OUTCOME) {
  return presentResult({
    id: 'res_1',
    accountId: 'acc_1',
    monitorId: newId('monitor'),
    revision: 1,
    slotMs: 0,
    kind: 'scheduled',
    trigger: 'schedule',
    region: 'eu-west',
    status: 'up',
    inMaintenance: false,
    responseTimeMs: 122.6,
    outcome,
    gap: null,
  });
}

async function scrape(outcome: typeof OUTCOME): Promise<string> {
  const registry = new Registry();
  const region = 'eu-west';
  const monitor = {
    id: 'mon_1',
    accountId: 'acc_1',
    name: 'Shop',
    groupKey: 'example.com',
    tags: [],
    isPaused: false,
    health: 'up',
    regionsHealth: [{ region, health: 'up', sinceMs: 0, lastResponseTimeMs: 122.6 }],
    measured: [readMeasured({ region, outcome }, 0)],
    tlsExpiresAt: null,
    nextSlotMs: null,
    intervalMs: 60_000,
    isWatched: false,
    heartbeat: null,
  } as const;
  createSnapshotGauges(registry)({
    monitors: [monitor],
    scenarios: [],
    isTruncated: false,
    counts: { byHealth: [], openIncidents: 0 },
    slotLagMs: 0,
    regions: [],
    watches: [],
    deliveries: [],
    refusedRecords: 0,
    backlogs: [],
    stuck: [],
    watchdog: null,
  });
  return await registry.metrics();
}

test('the recipe for a phase names the files that the toy phase changes', () => {
  expect(listRecipeFiles(RECIPE)).toEqual(Object.keys(TOY_PHASE));
});

test('a probe measures a new phase, and the service accepts results with and without it', () => {
  const clock = createPhaseClock();
  clock.enter('dns');
  expect(clock.timings()).toMatchObject({ toyMs: expect.any(Number), ttfbMs: null });
  const nowMs = Date.parse(OUTCOME.finishedAt);
  expect([OUTCOME, OLDER].map((outcome) => isProbeOutcome(outcome, nowMs))).toEqual([true, true]);
});

test('a stored result keeps a new phase, and a result of an earlier release has null for the phase', () => {
  expect(fromCompactText(toCompactText(OUTCOME), OUTCOME)).toEqual(OUTCOME);
  const earlier = toCompactText(OLDER).replace(/,null\](?=,"q")/, ']');
  expect(earlier).not.toBe(toCompactText(OLDER));
  expect(fromCompactText(earlier, OLDER).timings).toEqual({ ...OLDER.timings, toyMs: null });
});

test('the result response and the reference contain a new phase', () => {
  const shown = presented(OUTCOME);
  expect(shown.timings).toEqual({ ...OUTCOME.timings });
  expect(resultSchema.parse(shown)).toMatchObject({ timings: { toyMs: TOY_MS } });
  expect(presented(OLDER).timings).toMatchObject({ toyMs: null });
  expect(shownDocument.components?.schemas?.['Timings']).toMatchObject({
    properties: { toyMs: expect.anything() },
    required: expect.arrayContaining(['toyMs']),
  });
});

test('/metrics shows a new phase of the last check, and omits the phase if the probe did not measure it', async () => {
  const series = /^probe_http_duration_seconds\{.*phase="toy"\} (.*)$/m;
  expect(series.exec(await scrape(OUTCOME))?.[1]).toBe(String(TOY_MS / 1_000));
  expect(await scrape(OLDER)).not.toMatch(series);
  expect(statusCollection.schema.path('measured.toyMs')).toBeDefined();
});

test('CSV has a column of a new phase', () => {
  const [names, cells] = [
    formatCsvHead(RESULT_COLUMNS),
    formatCsvLine(RESULT_COLUMNS, presented(OUTCOME)),
  ];
  const at = names.trim().split(',').indexOf('toyMs');
  expect(cells.trim().split(',')[at]).toBe(String(TOY_MS));
});

test('the pages of the dashboard show a new phase with its name', () => {
  const shown = resultSchema.parse(presented(OUTCOME));
  expect(listPhases(withToy(OLDER.timings))).toContainEqual(
    expect.objectContaining({ field: 'toyMs', ms: TOY_MS }),
  );
  expect(stackResults([shown])[0]?.parts).toContainEqual({ name: 'Toy', ms: TOY_MS });
});

test('the compiler names each file of the recipe that lacks the new phase', () => {
  const sources = readSources(TOY_PHASE);
  const checked = [...sources].filter(([, text]) => NEIGHBOURS.test(text)).map(([path]) => path);
  expect(checked.length).toBeGreaterThan(10);
  const [, ...others] = Object.keys(TOY_PHASE);
  const onlyContract = others.reduce(leaveOut, TOY_PHASE);
  const [whole, missing = []] = findTypeErrors([
    { changes: TOY_PHASE, checked },
    { changes: onlyContract, checked },
  ]);
  expect(whole).toEqual([]);
  // The compiler does not require the column for CSV, because it is optional.
  const needed = others.filter((path) => !path.endsWith('/result-columns.ts'));
  expect(missing.toSorted()).toEqual(needed.toSorted());
});
