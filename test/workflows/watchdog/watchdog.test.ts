/** Tests the watchdog on a virtual clock: what its receiver gets while parts of the installation are unavailable. */
import { Context } from '@temporalio/activity';
import {
  createProbeCanary,
  createWatchdogActivities,
  senderCanary,
} from '../../../src/activities/watchdog-activities';
import { ALERT_QUEUE } from '../../../src/contracts/alerts';
import {
  type Canary,
  WATCHDOG_WORKFLOW_ID,
  type WatchdogPlan,
} from '../../../src/contracts/operations/watchdog';
import { readActivityRegion } from '../../../src/contracts/probe-activity-ids';
import { probeQueue } from '../../../src/contracts/workflows';
import { computeCanaryTimeoutMs } from '../../../src/domain/operations/watchdog';
import { ensureWatchdog } from '../../../src/temporal/ensure-watchdog';
import { keepHistory } from '../../replay/keep-history';
import { testSize } from '../../support/test-size';
import { type Environment, openInProcess, type RunningWorker } from '../environments';

const MINUTE = 60_000;
const PLAN: WatchdogPlan = {
  everyMs: MINUTE,
  regions: ['eu-west', 'us-east'],
  needsAlerts: true,
  needsStorage: true,
};
const quiet = { warn: () => undefined };

interface Sent {
  readonly atMs: number;
  /** The reason of a fault. null for a ping. */
  readonly reason: string | null;
}

let environment: Environment;
let received: Sent[];
/** The parts of the installation that are currently unavailable. */
const away = { database: false, api: false, receiver: false };
/** If true, the database accepts writes, but reads return other values. */
let isForgetful = false;
const workers = new Map<string, RunningWorker>();
let stored: number | null = null;
/** For each region of a probe, the region whose keys encrypted the payload that the probe got. */
const sealedFor = new Map<string, string | null>();

beforeAll(async () => {
  environment = await openInProcess();
  for (const part of PARTS) await start(part);
  await goBy(PLAN);
});

async function goBy(plan: WatchdogPlan): Promise<void> {
  const stop = ensureWatchdog(environment.client, plan, quiet);
  await environment.settle();
  stop();
}
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  await environment.stop();
});

const PARTS = ['orchestrator', 'alerts', ...PLAN.regions] as const;

async function start(part: string): Promise<void> {
  workers.set(part, await startPart(part));
}

async function startPart(part: string): Promise<RunningWorker> {
  if (part === 'orchestrator') return environment.startOrchestrator({ ...orchestrator() });
  if (part === 'alerts') return environment.startWorker(ALERT_QUEUE, { ...senderCanary });
  const canary = createProbeCanary({
    fetchKeys: async () => {
      if (away.api) throw new Error('connection refused');
      return ['key'];
    },
  });
  return environment.startWorker(probeQueue(part), {
    takeCanary: async (given: Canary) => {
      sealedFor.set(part, readActivityRegion(Context.current().info.activityId));
      return canary.takeCanary(given);
    },
  });
}

function orchestrator() {
  return createWatchdogActivities({
    watchdog: {
      storeCanary: async (slotMs) => {
        if (away.database) throw new Error('the database is away');
        stored = isForgetful ? null : slotMs;
        return stored;
      },
      note: async () => {
        if (away.database) throw new Error('the database is away');
      },
    },
    send: async (reason) => {
      if (away.receiver) return 'the receiver responded with 503';
      received.push({ atMs: Date.now(), reason });
      return null;
    },
    clock: { now: () => Date.now() },
    logger: quiet,
  });
}

const pings = () => received.filter(({ reason }) => reason === null);
const failures = () => received.flatMap(({ reason }) => reason ?? []);
const untilPing = () => {
  const before = pings().length;
  return environment.until('a ping', () => pings().length > before);
};

/** Returns the longest time between two pings in milliseconds. */
function longestGapMs(): number {
  const at = pings().map(({ atMs }) => atMs);
  return Math.max(...at.slice(1).map((atMs, index) => atMs - Number(at[index])));
}

/**
 * Stops one part for three periods. Returns what the receiver got, and how long it took until the reason came instead
 * of a ping.
 */
async function without(part: string, isGone = () => stopPart(part), back = () => start(part)) {
  await untilPing();
  const sinceMs = Number(pings().at(-1)?.atMs);
  received = [];
  await isGone();
  await environment.pass(3 * MINUTE);
  const got = [...received];
  await back();
  await untilPing();
  const [first] = got;
  return { reasons: got.map(({ reason }) => reason), afterMs: Number(first?.atMs) - sinceMs };
}

async function stopPart(part: string): Promise<void> {
  await workers.get(part)?.stop();
}

test('in a day without failures, the watchdog sends a ping at every slot and nothing else', async () => {
  const everyMs = testSize('watchdog_minutes', { ci: 10, long: 1 }) * MINUTE;
  await goBy({ ...PLAN, everyMs });
  await untilPing();
  received = [];
  await environment.pass(24 * 60 * MINUTE);
  expect(failures()).toEqual([]);
  expect(pings().length).toBeGreaterThanOrEqual((24 * 60 * MINUTE) / everyMs - 1);
  expect(longestGapMs()).toBeLessThan(1.1 * everyMs);
  await goBy(PLAN);
});

test('the canary for a probe is encrypted with the keys of its region', () => {
  expect(Object.fromEntries(sealedFor)).toEqual({ 'eu-west': 'eu-west', 'us-east': 'us-east' });
});

test.each([
  ['eu-west', 'The probe of eu-west does not respond.'],
  ['us-east', 'The probe of us-east does not respond.'],
  ['alerts', 'The sender of alerts does not respond.'],
])(
  'if the part %s does not respond, the watchdog stops its pings and sends the reason once within two periods',
  async (part, reason) => {
    const { reasons, afterMs } = await without(part);
    expect(reasons).toEqual([reason]);
    expect(afterMs).toBeLessThan(2 * MINUTE);
  },
);

test('the watchdog reports that the database is away or has lost data, or that the API is away', async () => {
  const database = await without(
    'database',
    async () => void Object.assign(away, { database: true }),
    async () => void Object.assign(away, { database: false }),
  );
  expect(database.reasons).toEqual(['The database does not respond.']);
  expect(database.afterMs).toBeLessThan(2 * MINUTE);
  const api = await without(
    'api',
    async () => void Object.assign(away, { api: true }),
    async () => void Object.assign(away, { api: false }),
  );
  expect(api.reasons).toEqual([
    'The probe of eu-west does not reach the API. The probe of us-east does not reach the API.',
  ]);
  expect(api.afterMs).toBeLessThan(2 * MINUTE);
  const forgetful = await without(
    'database',
    async () => {
      isForgetful = true;
    },
    async () => {
      isForgetful = false;
    },
  );
  expect(forgetful.reasons).toEqual(['The database does not return what it was given.']);
});

test('the watchdog continues its pings after the loss of a part that it does not require', async () => {
  await goBy({ ...PLAN, regions: ['eu-west'], needsAlerts: false, needsStorage: false });
  await untilPing();
  received = [];
  const missing = ['us-east', 'alerts'];
  for (const part of missing) await stopPart(part);
  away.database = true;
  await environment.pass(5 * MINUTE);
  away.database = false;
  for (const part of missing) await start(part);
  expect(failures()).toEqual([]);
  expect(pings().length).toBeGreaterThanOrEqual(4);
  await goBy(PLAN);
});

test('without an orchestrator the watchdog sends nothing, and a new orchestrator continues with a ping', async () => {
  const { reasons } = await without('orchestrator');
  expect(reasons).toEqual([]);
});

test("a reason that the watchdog's receiver did not accept is sent again at the next slot", async () => {
  await untilPing();
  received = [];
  await stopPart('eu-west');
  away.receiver = true;
  await environment.pass(2 * MINUTE);
  expect(received).toEqual([]);
  away.receiver = false;
  await environment.pass(3 * MINUTE);
  expect(failures()).toEqual(['The probe of eu-west does not respond.']);
  await start('eu-west');
  await untilPing();
});

test('the watchdog pings at least every two minutes while the parts of the service restart one by one', async () => {
  await untilPing();
  received = [];
  for (const part of PARTS) {
    await stopPart(part);
    await environment.pass(computeCanaryTimeoutMs(MINUTE) / 2);
    await start(part);
    await environment.pass(MINUTE);
  }
  await untilPing();
  expect(failures()).toEqual([]);
  expect(longestGapMs()).toBeLessThan(2 * MINUTE);
});

test('the watchdog applies a new plan at once and ends when the plan is removed', async () => {
  await keepHistory(environment, 'watchdog', WATCHDOG_WORKFLOW_ID);
  await goBy({ ...PLAN, everyMs: MINUTE / 2 });
  await untilPing();
  received = [];
  await environment.pass(10 * MINUTE);
  expect(pings().length).toBeGreaterThanOrEqual(19);
  ensureWatchdog(environment.client, null, quiet)();
  await environment.client.workflow.getHandle(WATCHDOG_WORKFLOW_ID).result();
  received = [];
  await environment.pass(5 * MINUTE);
  expect(received).toEqual([]);
});
