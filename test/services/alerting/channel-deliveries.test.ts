/** Tests how the last delivery and the failures of a channel are found in its newest deliveries. */
import type { DeliveryAttempt } from '../../../src/contracts/alerts';
import { describeDeliveries } from '../../../src/services/alerting/channel-deliveries';

const START_MS = Date.UTC(2026, 0, 5, 12);
const at = (minute: number) => new Date(START_MS + minute * 60_000).toISOString();

function failed(minute: number, detail: string): DeliveryAttempt {
  return { atMs: START_MS + minute * 60_000, outcome: 'failed', detail };
}

test('a failing channel shows the time of its first failure, the count and the last error', () => {
  const unsent = [
    { attempts: [failed(5, 'Receiver response: 500.')] },
    { attempts: [failed(2, 'No response.'), failed(9, 'Receiver response: 403.')] },
    { attempts: [] },
  ];
  expect(describeDeliveries({ lastSentAtMs: START_MS, unsent })).toEqual({
    lastSentAt: at(0),
    failing: { since: at(2), count: 2, error: 'Receiver response: 403.' },
  });
});

test('a channel is not failing if its failures came before its last delivery', () => {
  const unsent = [{ attempts: [failed(2, 'No response.')] }, { attempts: [] }];
  const lastSentAtMs = START_MS + 3 * 60_000;
  expect(describeDeliveries({ lastSentAtMs, unsent })).toEqual({
    lastSentAt: at(3),
    failing: null,
  });
});

test('a new channel has no last delivery, and is not failing before an alert has failed', () => {
  expect(describeDeliveries({ lastSentAtMs: null, unsent: [] })).toEqual({
    lastSentAt: null,
    failing: null,
  });
  const unsent = [{ attempts: [failed(1, 'Receiver response: 404.')] }];
  expect(describeDeliveries({ lastSentAtMs: null, unsent }).failing).toEqual({
    since: at(1),
    count: 1,
    error: 'Receiver response: 404.',
  });
});
