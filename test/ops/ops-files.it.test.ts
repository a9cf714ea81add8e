/** Tests that the dashboard and the alert rules for operators use only metrics that `/metrics` contains. */
import request, { type Response } from 'supertest';
import { parseMetrics } from '../api/operator/parse-metrics';
import { METRICS_TOKEN, suiteService } from '../api/test-service';
import { dashboard, declaredIn, labelsNamed, metricsNamed, rules } from './ops-queries';

/** Matches our own metrics. seen-from-outside.it.test.ts tests the metrics of Temporal's workers. */
const OURS = /\b(?:keepwatch|probe)_/;
/** Labels that PromQL uses or that are generated for a histogram. */
const OWN_LABELS = new Set(['le']);

const service = suiteService();
let text: string;

/** Records a result of the created object in one region, with all measurements of a check. */
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
  const stuck = {
    workflowId: 'housekeeping',
    workflowType: 'housekeepingWorkflow',
    cause: 'Unhandled',
    accountId: null,
    resourceType: null,
    resourceId: null,
  };
  Object.assign(service.gateway, { listStuck: async () => [stuck] });
  const account = await service.newAccount();
  const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  const more = { group: 'shop', tags: ['web'] };
  await saveChecked(
    await as.post('/v1/monitors').send({ name: 'm', url: 'http://example.com', ...more }),
    account.id,
  );
  const schedule = { everySeconds: 60 };
  await as.post('/v1/monitors').send({ name: 'h', type: 'heartbeat', schedule, ...more });
  const steps = [{ name: 'read', url: 'http://example.com' }];
  await saveChecked(await as.post('/v1/scenarios').send({ name: 's', steps, ...more }), account.id);
  await request(service.app).get('/v1/account');
  text = (
    await request(service.app).get('/metrics').set('Authorization', `Bearer ${METRICS_TOKEN}`)
  ).text;
});

test('/metrics has every metric that the files in ops/ name', () => {
  const declared = declaredIn(text);
  const named = metricsNamed(OURS);
  expect(named.filter((name) => !declared.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(12);
});

test('the Grafana dashboard shows every metric of /metrics', () => {
  const shown = dashboard.panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .join(' ');
  expect([...declaredIn(text)].filter((name) => !shown.includes(name))).toEqual([]);
});

test('the metrics have every label that the files in ops/ select or group by', () => {
  const known = new Set(parseMetrics(text).flatMap(({ labels }) => Object.keys(labels)));
  const named = labelsNamed(OURS);
  expect(named.filter((name) => !known.has(name) && !OWN_LABELS.has(name))).toEqual([]);
});

test('alert names and panel ids in ops/ are unique', () => {
  const names = rules.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
