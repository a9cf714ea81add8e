/** Tests what the watchdog sends, and what the API reports if the watchdog itself is silent. */
import { nextCanaryMs } from '../../../src/domain/operations/watchdog';
import type { WatchdogRecord } from '../../../src/models/operations/watchdog';
import { createSilenceCheck } from '../../../src/services/operations/watchdog/report-silence';
import { createSendReport } from '../../../src/services/operations/watchdog/send-report';

const TOKEN_URL = 'https://outside.test/ping/a-secret-token';

interface Receiver {
  readonly status?: number;
  readonly failure?: { readonly message: string };
}

function senderTo(url: string, receiver: Receiver = { status: 200 }, isOwn = false) {
  const sent: { readonly url: string; readonly body: string }[] = [];
  const send = createSendReport({
    url,
    post: async (request) => {
      sent.push(request);
      return receiver.failure === undefined
        ? { status: receiver.status ?? 200 }
        : { failure: receiver.failure };
    },
    stores: {
      monitors: {
        findByPing: async () =>
          isOwn ? { accountId: 'acc_1', monitorId: 'mon_1', failOn: [] } : null,
      },
    },
    nowMs: () => 0,
  });
  return { send, sent };
}

test('watchdog pings go to the watchdog URL, and failure reasons to its path plus /fail, with the query kept', async () => {
  const { send, sent } = senderTo('https://outside.test/api/push/abc/?status=up');
  expect([await send(null), await send('The database does not respond.')]).toEqual([null, null]);
  expect(sent.map(({ url }) => url)).toEqual([
    'https://outside.test/api/push/abc/?status=up',
    'https://outside.test/api/push/abc/fail?status=up',
  ]);
  expect(sent[1]?.body).toBe('The database does not respond.');
});

test('a refusal by the receiver of the watchdog is described without the URL', async () => {
  const refused = await senderTo(TOKEN_URL, { status: 404 }).send(null);
  expect(refused).toBe('the receiver responded with 404');
  const lost = await senderTo(TOKEN_URL, { failure: { message: 'Connection refused.' } }).send(
    null,
  );
  expect(lost).toBe('the receiver could not be reached: Connection refused.');
});

test('the watchdog sends no ping to a heartbeat of its own installation, under any host name', async () => {
  const { send, sent } = senderTo(TOKEN_URL, { status: 200 }, true);
  expect(await send(null)).toContain('a heartbeat of this installation');
  expect(sent).toEqual([]);
});

const NOTHING: WatchdogRecord = {
  reportedAtMs: null,
  reason: null,
  sinceMs: null,
  lastPingAtMs: null,
  refusal: null,
  silence: null,
};
const EVERY_MS = 60_000;
const LOOK_MS = 6_000;

/** Creates an API process that reads the record of the watchdog. */
function openApi() {
  const state = { nowMs: 0, record: NOTHING, isTemporalThere: true, isDatabaseThere: true };
  const sent: (string | null)[] = [];
  const look = createSilenceCheck({
    everyMs: EVERY_MS,
    watchdog: {
      read: async () => {
        if (!state.isDatabaseThere) throw new Error('the database is away');
        return state.record;
      },
      claimSilence: async (reason) => {
        const isFirst = state.record.silence === null;
        if (isFirst) state.record = { ...state.record, silence: reason };
        return isFirst;
      },
      forgetSilence: async () => {
        state.record = { ...state.record, silence: null };
      },
    },
    gateway: {
      ping: async () => {
        if (!state.isTemporalThere) throw new Error('Temporal is away');
      },
    },
    send: async (reason) => {
      sent.push(reason);
      return null;
    },
    steadyNow: () => state.nowMs,
  });
  const pass = async (ms: number, isReporting = false): Promise<void> => {
    for (const endMs = state.nowMs + ms; state.nowMs < endMs; ) {
      state.nowMs += LOOK_MS;
      if (isReporting) state.record = { ...NOTHING, reportedAtMs: state.nowMs };
      await look().catch(() => undefined);
    }
  };
  return { state, sent, pass };
}

test('the API reports a missing orchestrator once, within two periods', async () => {
  const { state, sent, pass } = openApi();
  await pass(10 * EVERY_MS, true);
  expect(sent).toEqual([]);
  await pass(2 * EVERY_MS);
  expect(sent).toEqual(['The orchestrator does not respond.']);
  // Temporal becomes unavailable, too. No second report follows, because only one reason is reported.
  state.isTemporalThere = false;
  await pass(10 * EVERY_MS);
  expect(sent).toHaveLength(1);
  await pass(EVERY_MS, true);
  await pass(2 * EVERY_MS);
  expect(sent).toHaveLength(2);
});

test('the watchdog reports if Temporal is away', async () => {
  const { state, sent, pass } = openApi();
  await pass(EVERY_MS, true);
  state.isTemporalThere = false;
  await pass(2 * EVERY_MS);
  expect(sent).toEqual(['Temporal does not respond.']);
});

test('an API that was down or had no database does not report a missing orchestrator for that time', async () => {
  const { state, sent, pass } = openApi();
  await pass(EVERY_MS, true);
  state.isDatabaseThere = false;
  await pass(10 * EVERY_MS);
  state.isDatabaseThere = true;
  await pass(EVERY_MS);
  expect(sent).toEqual([]);
  state.nowMs += 10 * EVERY_MS;
  await pass(EVERY_MS);
  expect(sent).toEqual([]);
});

test("the watchdog's canary is due at the next slot, or at once after missed slots", () => {
  expect(nextCanaryMs(EVERY_MS, null, 5)).toBe(5);
  expect(nextCanaryMs(EVERY_MS, EVERY_MS, 1.5 * EVERY_MS)).toBe(2 * EVERY_MS);
  expect(nextCanaryMs(EVERY_MS, EVERY_MS, 4.5 * EVERY_MS)).toBe(4 * EVERY_MS);
  expect(nextCanaryMs(EVERY_MS, 60 * EVERY_MS, EVERY_MS)).toBe(EVERY_MS);
});
