/**
 * Tests the watchdog with real processes. While any part of an installation is stopped, the receiver gets a reason
 * instead of pings. Restarting one part after the other loses no ping.
 */
import { type OwnServers, startOwnServers } from '../support/own-servers';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { startService, type TestService } from '../support/service';
import { waitUntil } from '../support/wait-until';

const PERIOD_MS = 20_000;
const REGIONS = ['eu-west', 'us-east'];
const LIMIT_MS = 20 * PERIOD_MS;

interface Sent {
  readonly atMs: number;
  /** The reason of a fault. null for a ping. */
  readonly reason: string | null;
}

let servers: OwnServers;
let receiver: RecordingTarget;
let service: TestService;
const sent: Sent[] = [];

beforeAll(async () => {
  servers = await startOwnServers();
  receiver = await startRecordingTarget(({ url, body }, response) => {
    sent.push({ atMs: performance.now(), reason: url.endsWith('/fail') ? body : null });
    response.end();
  });
  service = await startService({
    regions: REGIONS,
    environment: {
      ...servers.environment,
      KEEPWATCH_REGIONS: REGIONS.join(','),
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
      KEEPWATCH_WATCHDOG_URL: `${receiver.origin}/beat/a-secret`,
      KEEPWATCH_WATCHDOG_SECONDS: String(PERIOD_MS / 1_000),
    },
  });
  await untilPing();
}, LIMIT_MS);
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await servers?.stop();
}, LIMIT_MS);

const isPing = ({ reason }: Sent): boolean => reason === null;

/** Resolves with the next ping. */
async function untilPing(): Promise<Sent> {
  const before = sent.filter(isPing).length;
  return waitUntil('a ping', () => sent.filter(isPing)[before]);
}

const kill = (name: string) => ({
  stop: () => service.kill(name, 'SIGKILL'),
  start: () => service.start(name),
});
const freeze = (name: 'database' | 'temporal') => ({
  stop: async () => servers[name].freeze(),
  start: async () => servers[name].thaw(),
});

test.each([
  ['a probe', kill('probe-eu-west'), 'The probe of eu-west does not respond.'],
  ['the other probe', kill('probe-us-east'), 'The probe of us-east does not respond.'],
  ['the API', kill('api'), 'The probe of eu-west does not reach the API.'],
  ['the orchestrator', kill('orchestrator'), 'The orchestrator does not respond.'],
  ['the database', freeze('database'), 'The database does not respond.'],
  ['Temporal', freeze('temporal'), 'Temporal does not respond.'],
])(
  'without %s, the receiver gets no pings, and gets the reason once within two periods',
  async (_part, { stop, start }, reason) => {
    const last = await untilPing();
    const from = sent.length;
    await stop();
    const since = () => sent.slice(from);
    const told = await waitUntil('the reason', () => since().find((one) => !isPing(one)));
    expect(told.reason).toContain(reason);
    expect(since().filter(isPing)).toEqual([]);
    expect(told.atMs - last.atMs).toBeLessThan(2 * PERIOD_MS);
    await start();
    await untilPing();
    expect(since().filter((one) => !isPing(one))).toHaveLength(1);
  },
  LIMIT_MS,
);

test(
  'pings of the watchdog continue without a gap while the parts of the service restart one after the other',
  async () => {
    await untilPing();
    const from = sent.length - 1;
    // Copies the names first, because a restarted process is added to the list again.
    const names = [...service.processes.keys()];
    for (const name of names) {
      await service.kill(name, 'SIGTERM');
      await service.start(name);
      await untilPing();
    }
    for (const name of ['database', 'temporal'] as const) {
      servers[name].kill();
      await untilPing();
    }
    await untilPing();
    const since = sent.slice(from);
    expect(since.filter((one) => !isPing(one))).toEqual([]);
    const gaps = since.slice(1).map(({ atMs }, index) => atMs - Number(since[index]?.atMs));
    expect(Math.max(...gaps)).toBeLessThan(2 * PERIOD_MS);
  },
  LIMIT_MS,
);

test('no log contains the path of the watchdog URL', () => {
  for (const name of service.processes.keys())
    expect(service.logOf(name)).not.toContain('a-secret');
});
