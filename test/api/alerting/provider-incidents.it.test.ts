/**
 * Tests the outage of an identity provider, from real token requests of forty monitors to its incident over /v1. Only
 * Temporal is a fake. The test moves the clock.
 */
import { createTokenSource } from '../../../src/checks/auth/token-source';
import { createStepTools, type StepRunner } from '../../../src/checks/step-runner';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { HealthState } from '../../../src/contracts/workflows';
import { createPendingHealth, nextHealth } from '../../../src/domain/health/health';
import { createStepRunner } from '../../../src/kinds/run-step';
import { updateProviders } from '../../../src/services/identity-providers/update-providers';
import {
  sendJson,
  startTokenProvider,
  type TokenProvider,
} from '../../checks/support/token-provider';
import { monitorRecord, monitorRow, pendingStatus } from '../../models/example-records';
import { fakeEscalations, type SentAlert } from '../../services/identity-providers/provider-world';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { buildDefinition } from '../../support/step-builder';
import { arranged } from '../arranged';
import { agentOf, suiteService, type TestAccount } from '../test-service';

const MINUTE_MS = 60_000;
const REGION = 'eu-west';
const RULE = { quorum: 1, failuresBeforeDown: 1, successesBeforeUp: 1 };

const service = suiteService();
let provider: TokenProvider;
let target: RecordingTarget;
let runner: StepRunner;
let refusals = 0;

beforeAll(async () => {
  provider = await startTokenProvider();
  target = await startRecordingTarget((_, response) => {
    refusals -= 1;
    response.writeHead(refusals >= 0 ? 401 : 200).end();
  });
  const options = {
    userAgent: 'test',
    region: REGION,
    allowedPrivateTargets: ['127.0.0.0/8'],
    programPath: '',
  };
  const tools = createStepTools(options);
  const tokens = createTokenSource(tools.connection, () => service.clock.nowMs);
  runner = createStepRunner(options, { ...tools, tokens });
});
afterAll(() => Promise.all([provider.close(), target.close(), runner.close()]));

/** Creates monitors of one account that sign in at the provider. */
async function createChecks(account: TestAccount, count: number, channelIds: readonly string[]) {
  const { stores } = service.services;
  const checks: Check[] = [];
  for (let index = 0; index < count; index += 1) {
    const row = monitorRow(account.id, { name: `check ${index}`, regions: [REGION] });
    const channels = channelIds.filter((_, at) => at === index % channelIds.length);
    const rules = { onFailure: true, onRecovery: true, emails: [], channels };
    const monitor = { ...row, alerts: { ...row.alerts, ...rules } };
    await stores.statuses.create(account.id, pendingStatus(account.id, row.id));
    await stores.monitors.create(account.id, monitor);
    checks.push({ accountId: account.id, id: row.id, health: createPendingHealth(0) });
  }
  return checks;
}

type Check = { readonly accountId: string; readonly id: string; health: HealthState };

async function createChannel(account: TestAccount, name: string): Promise<string> {
  const channel = { name, type: 'webhook', url: `https://${name}.example.com/` };
  return (await arranged(agentOf(service, account)().post('/v1/alert-channels').send(channel))).id;
}

async function checkOnce(check: Check): Promise<StepOutcome> {
  const auth = {
    type: 'oauth2',
    grant: 'clientCredentials',
    tokenUrl: provider.tokenUrl,
    clientId: 'shop',
    clientSecret: 'secret',
    sendAs: 'header',
  } as const;
  const definition = buildDefinition({ url: `${target.origin}/`, auth });
  const inputs = { accountId: check.accountId, slotMs: service.clock.nowMs };
  return runner.runStep(definition, 0, inputs);
}

/** Records a slot of each check as its workflow would. Then runs the housekeeping twice at the same time. */
async function liveMinute(checks: readonly Check[], temporal: ReturnType<typeof fakeEscalations>) {
  const slotMs = service.clock.nowMs;
  await Promise.all(
    checks.map(async (check) => {
      const outcome = await checkOnce(check);
      const { status, responseTimeMs } = outcome;
      const observations = [{ region: REGION, status, responseTimeMs }];
      check.health = nextHealth(check.health, { atMs: slotMs, observations }, RULE);
      const { health, sinceMs, regions } = check.health;
      await service.recorder.recordMonitorCheck(
        monitorRecord({
          accountId: check.accountId,
          monitorId: check.id,
          slotMs,
          outcomes: [{ region: REGION, outcome }],
          health,
          healthSinceMs: sinceMs,
          regionsHealth: regions,
        }),
      );
    }),
  );
  const needs = { ...service.services, sealer: service.services.sealers.stored, temporal };
  const pass = () => updateProviders(needs, new AbortController().signal);
  // The passes overlap, because a pass that timed out may still run during the next pass.
  await Promise.all([pass(), pass()]);
  service.clock.nowMs += MINUTE_MS;
}

function ledger() {
  const sent: SentAlert[] = [];
  const temporal = fakeEscalations({
    sent,
    alerts: [],
    escalations: new Map(),
    nowMs: () => service.clock.nowMs,
    write: async (act) => act(),
  });
  return { sent, temporal };
}

test('an outage of an identity provider used by forty monitors opens one incident, and no monitor is down', async () => {
  const account = await service.newAccount();
  const as = agentOf(service, account);
  const channels = [await createChannel(account, 'day'), await createChannel(account, 'night')];
  const checks = await createChecks(account, 40, channels);
  const { sent, temporal } = ledger();
  const live = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) await liveMinute(checks, temporal);
  };
  await live(1);
  // The target refuses a token once. The token is replaced, and no check fails.
  refusals = 1;
  await live(1);
  expect(checks.map(({ health }) => health.health)).toEqual(checks.map(() => 'up'));
  provider.respond = (_, response) => sendJson(response, 503, {});
  await live(10);
  expect(checks.map(({ health }) => health.health)).toEqual(checks.map(() => 'unknown'));
  const { body: list } = await as().get('/v1/incidents?state=open');
  expect(list.data).toHaveLength(1);
  const [incident] = list.data;
  expect(incident).toMatchObject({
    resourceType: 'identityProvider',
    resourceName: new URL(provider.origin).host,
    state: 'open',
    cause: { code: 'auth_failed' },
    firstResultId: null,
    identityProvider: {
      tokenUrl: provider.tokenUrl,
      problem: 'unavailable',
      reason: '503',
      checkCount: 40,
    },
  });
  expect(incident.identityProvider.checks).toHaveLength(40);
  expect(sent.map(({ kind, to }) => `${kind} ${to}`).toSorted()).toEqual(
    channels.map((id) => `failure ${id}`).toSorted(),
  );
  provider.reset();
  await live(3);
  expect(sent.filter(({ kind }) => kind === 'recovery').map(({ to }) => to)).toHaveLength(2);
  expect(sent).toHaveLength(4);
  const { body: after } = await as().get('/v1/incidents');
  expect(after.data).toMatchObject([{ id: incident.id, state: 'resolved', durationSeconds: 600 }]);
  const { body: trends } = await as().get('/v1/overview/trends');
  expect(trends.current).toMatchObject({ incidents: 0, outages: 0, mttrSeconds: null });
  const { body: explained } = await as().get(`/v1/incidents/${incident.id}/explain`);
  expect(explained).toMatchObject({ incidentId: incident.id, notified: true });
  expect(after.data[0].timeline.map(({ text }: { text: string }) => text)).toEqual([
    expect.stringMatching(/^Down in eu-west\. The token URL .* responded with the status 503\.$/),
    'Up again.',
  ]);
});

test('an incident of an identity provider can be acknowledged, and is invisible to another account', async () => {
  const account = await service.newAccount();
  const other = await service.newAccount();
  const as = agentOf(service, account);
  const channels = [await createChannel(account, 'team')];
  const checks = await createChecks(account, 1, channels);
  const { temporal } = ledger();
  provider.respond = (_, response) => sendJson(response, 401, { error: 'invalid_client' });
  for (let minute = 0; minute < 3; minute += 1) await liveMinute(checks, temporal);
  provider.reset();
  const { body: list } = await as().get('/v1/incidents');
  expect(list.data).toMatchObject([{ identityProvider: { problem: 'refused', checkCount: 1 } }]);
  const [{ id, resourceId }] = list.data;
  const acknowledged = await as().post(`/v1/incidents/${id}/acknowledge`).send({ note: 'mine' });
  expect([acknowledged.status, acknowledged.body.state]).toEqual([200, 'acknowledged']);
  const silenced = service.gateway.calls.findLast(({ name }) => name === 'silence');
  expect(silenced).toMatchObject({ id: resourceId, silence: { incidentId: id } });
  const snoozed = await as().post(`/v1/incidents/${id}/snooze`).send({ minutes: 30 });
  expect(snoozed.status).toBe(200);
  expect((await agentOf(service, other)().get(`/v1/incidents/${id}`)).status).toBe(404);
  const { body: found } = await as().get(`/v1/incidents?resourceId=${resourceId}`);
  expect(found.data).toHaveLength(1);
});

test('the incident of an identity provider ends when the last check that uses the provider is deleted', async () => {
  const account = await service.newAccount();
  const as = agentOf(service, account);
  const checks = await createChecks(account, 1, [await createChannel(account, 'last')]);
  const { sent, temporal } = ledger();
  provider.respond = (_, response) => sendJson(response, 503, {});
  for (let minute = 0; minute < 3; minute += 1) await liveMinute(checks, temporal);
  provider.reset();
  await arranged(as().delete(`/v1/monitors/${checks[0]?.id}`));
  await liveMinute([], temporal);
  const { body } = await as().get('/v1/incidents');
  expect(body.data).toMatchObject([{ state: 'resolved', resourceType: 'identityProvider' }]);
  expect(body.data[0].timeline.at(-1)).toMatchObject({ text: 'No check signs in here any more.' });
  expect(sent.map(({ kind }) => kind)).toEqual(['failure', 'recovery']);
});
