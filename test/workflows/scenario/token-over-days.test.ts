/**
 * Tests a run that waits for days with a token that lasts an hour. It uses the real activity of a probe, and a real
 * identity provider and a real target on loopback. All of them use the clock of the test.
 */
import { createProbeActivities } from '../../../src/activities/probe-activities';
import type { StepReference } from '../../../src/contracts/activities';
import type { Definition } from '../../../src/contracts/definition';
import type { StepOutcome } from '../../../src/contracts/outcome';
import { createTextSealer } from '../../../src/platform/sealing';
import {
  sendJson,
  startTokenProvider,
  type TokenProvider,
  tokenNumber,
} from '../../checks/support/token-provider';
import { scenarioConfig, stepPlan } from '../../support/outcomes';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { buildDefinition, buildRunner } from '../../support/step-builder';
import { startVirtualService, type VirtualService } from '../virtual-service';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECRET = 'cl13nt-s3cr3t';
const ID = 'scn_token';

let provider: TokenProvider;
let target: RecordingTarget;
let service: VirtualService;

beforeAll(async () => {
  provider = await startTokenProvider();
  target = await startRecordingTarget((_, response) => response.end());
  service = await startVirtualService(['eu-west']);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), target.close()]);
});

function buildSteps(): Definition {
  const [step] = buildDefinition({
    url: `${target.origin}/orders`,
    auth: {
      type: 'oauth2',
      grant: 'clientCredentials',
      tokenUrl: provider.tokenUrl,
      clientId: 'shop',
      clientSecret: '{{secret:client}}',
      sendAs: 'header',
    },
  }).steps;
  if (step === undefined) throw new Error('the definition has no step');
  const steps = ['order', 'delivered', 'read back'].map((name) => ({ ...step, name }));
  return { kind: 'scenario', id: ID, revision: 1, variables: [], steps };
}

/** Starts a probe. `settled` resolves when the probe sends nothing, because only then may time pass. */
function startProbe() {
  const runner = buildRunner();
  const definition = buildSteps();
  const { runHttpStep } = createProbeActivities({
    definitions: { read: async () => definition },
    secrets: { read: async () => [{ name: 'client', value: SECRET }] },
    runValues: { ...createTextSealer(['00'.repeat(32)], 'test'), renew: async () => undefined },
    runner,
  });
  const sending = new Set<Promise<StepOutcome>>();
  const run = (step: StepReference): Promise<StepOutcome> => {
    const sent = runHttpStep(step).finally(() => sending.delete(sent));
    sending.add(sent);
    return sent;
  };
  const settled = async (): Promise<void> => {
    for (await service.settle(); sending.size > 0; await service.settle())
      await Promise.allSettled(sending);
  };
  return { run, settled, close: () => runner.close() };
}

test('a run that waits two days fetches a token for the first step, and a new token after the wait', async () => {
  provider.respond = (_, response) =>
    sendJson(response, 200, {
      access_token: tokenNumber(provider.received.length),
      token_type: 'Bearer',
      expires_in: HOUR / 1_000,
    });
  const probe = startProbe();
  service.answer(ID, probe.run);
  const steps = [stepPlan('order'), stepPlan('delivered', { waitMs: 2 * DAY }), stepPlan('read')];
  const anchorMs = service.nowMs();
  const config = scenarioConfig(ID, { anchorMs, intervalMs: 7 * DAY, steps });
  await service.gateway.configureScenario(config);
  const newest = async () => {
    await probe.settled();
    return service.ledger.runs.filter(({ scenarioId }) => scenarioId === ID).at(-1);
  };
  await service.until('the wait', async () => (await newest())?.status === 'waiting');
  expect(provider.received).toHaveLength(1);
  await service.pass(2 * DAY - HOUR);
  const run = await service.until('the end of the run', async () => {
    const found = await newest();
    return found?.status === 'waiting' || found?.status === 'running' ? undefined : found;
  });
  expect([run.status, run.failure]).toEqual(['passed', null]);
  expect(target.received.map(({ headers }) => headers.authorization)).toEqual(
    [1, 2, 2].map((count) => `Bearer ${tokenNumber(count)}`),
  );
  expect(provider.received).toHaveLength(2);
  expect(service.nowMs() - anchorMs).toBeGreaterThanOrEqual(2 * DAY);
  const recorded = JSON.stringify(service.ledger.runs);
  for (const secret of [SECRET, tokenNumber(1), tokenNumber(2)])
    expect(recorded).not.toContain(secret);
  await service.removeAll();
  await probe.close();
});
