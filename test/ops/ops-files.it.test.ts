/** The dashboard and the alert rules for operators ask only for what `/metrics` says. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import request, { type Response } from 'supertest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseMetrics } from '../api/operator/parse-metrics';
import { METRICS_TOKEN, openTestService, type TestService } from '../api/test-service';

const FOLDER = path.join(__dirname, '../../ops');
const RULES = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});
const DASHBOARD = z.object({
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.unknown() })) }),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
});

const METRIC = /\b(?:keepwatch|probe)_[a-z_]+\b/g;
/** Of PromQL, or made by a histogram. */
const OWN_LABELS = new Set(['le']);
const SERIES_OF_HISTOGRAM = /_(?:bucket|sum|count)$/;

const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');
const rules = RULES.parse(parse(read('prometheus-rules.yml'))).groups.flatMap(
  (group) => group.rules,
);
const dashboard = DASHBOARD.parse(JSON.parse(read('grafana-dashboard.json')));
const queries = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => JSON.stringify(query)),
];

let service: TestService;
let text: string;

/** Gives what was created one region with all that a check measures. */
async function saveChecked(created: Response, accountId: string): Promise<void> {
  expect(created.status).toBe(201);
  const region = { region: 'eu-west', health: 'up', sinceMs: 1, lastResponseTimeMs: 5 };
  const phases = { dnsMs: 1, connectMs: 1, tlsMs: 1, ttfbMs: 1, downloadMs: 1 };
  await service.database.database.models.statuses.updateOne(
    { _id: created.body.id, accountId },
    {
      $set: {
        regionsHealth: [region],
        measured: [{ region: region.region, statusCode: 200, ...phases }],
      },
    },
    { upsert: true },
  );
}

beforeAll(async () => {
  service = await openTestService();
  const account = await service.newAccount();
  const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  const more = { group: 'shop', tags: ['web'] };
  await saveChecked(
    await as.post('/v1/monitors').send({ name: 'm', url: 'http://example.com', ...more }),
    account.id,
  );
  const steps = [{ name: 'read', url: 'http://example.com' }];
  await saveChecked(await as.post('/v1/scenarios').send({ name: 's', steps, ...more }), account.id);
  await request(service.app).get('/v1/account');
  text = (
    await request(service.app).get('/metrics').set('Authorization', `Bearer ${METRICS_TOKEN}`)
  ).text;
});
afterAll(() => service.close());

test('every metric that the files name is one of /metrics', () => {
  const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const named = new Set(
    queries.flatMap((query) => [...query.matchAll(METRIC)].map(([name]) => name)),
  );
  const unknown = [...named].filter(
    (name) => !declared.has(name) && !declared.has(name.replace(SERIES_OF_HISTOGRAM, '')),
  );
  expect(unknown).toEqual([]);
  expect(named.size).toBeGreaterThan(12);
});

test('no metric of /metrics is without a place on the dashboard', () => {
  const shown = dashboard.panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .join(' ');
  const declared = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  expect(declared.filter((name) => !shown.includes(name))).toEqual([]);
});

test('every label that the files select or group by is one that a metric has', () => {
  const known = new Set(parseMetrics(text).flatMap(({ labels }) => Object.keys(labels)));
  const named = queries.flatMap((query) => [
    ...[...query.matchAll(/[{,]\s*([a-z_]+)\s*(?:=|!)/g)].map(([, name = '']) => name),
    ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  ]);
  expect(named.filter((name) => !known.has(name) && !OWN_LABELS.has(name))).toEqual([]);
});

test('alerts have names of their own, and panels ids of their own', () => {
  const names = rules.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
