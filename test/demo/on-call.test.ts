/** Tests that the people on call in the demo show each alert, and acknowledge it by chat or by phone. */
import type { DemoEvent } from '../../src/demo/demo-event';
import { type OnCall, startOnCall } from '../../src/demo/on-call';
import { waitUntil } from '../support/wait-until';

let onCall: OnCall;
const told: string[] = [];
const acknowledged: string[] = [];
const warnings: string[] = [];

beforeAll(async () => {
  onCall = await startOnCall({
    show: (event: DemoEvent) => told.push(`${event.kind} ${event.status} ${event.name}`),
    warn: (sentence) => warnings.push(sentence),
    acknowledge: async (incidentId, note) => {
      if (incidentId === 'inc_gone') throw new Error('it is over');
      acknowledged.push(`${incidentId} ${note}`);
    },
  });
});
afterAll(() => onCall.close());

async function alert(
  place: 'chat' | 'phone',
  incidentId: string,
  { kind = 'failure', name = 'Checkout' } = {},
) {
  const body = { type: `alert.${kind}`, headline: `${name} is down`, incidentId };
  const response = await fetch(onCall.buildUrl(place), {
    method: 'POST',
    body: JSON.stringify({ ...body, resource: { name } }),
  });
  expect(response.status).toBe(204);
}

test('in the demo, the chat acknowledges every second incident of a monitor, and the phone acknowledges the rest', async () => {
  await alert('chat', 'inc_1');
  await alert('chat', 'inc_1', { kind: 'recovery' });
  await alert('chat', 'inc_job', { name: 'Stock count' });
  await alert('chat', 'inc_2');
  await alert('phone', 'inc_2');
  await alert('chat', 'inc_gone');
  await waitUntil(
    'three acknowledgements and a warning',
    () => acknowledged.length === 3 && warnings.length === 1,
  );
  expect(acknowledged).toEqual([
    'inc_1 Acknowledged by chat.',
    'inc_job Acknowledged by chat.',
    'inc_2 Acknowledged by phone.',
  ]);
  expect(told.filter((line) => line.startsWith('alert'))).toEqual([
    'alert failure Checkout is down',
    'alert recovery Checkout is down',
    'alert failure Stock count is down',
    'alert failure Checkout is down',
    'alert failure Checkout is down',
    'alert failure Checkout is down',
  ]);
  expect(told.filter((line) => line === 'incident acknowledged Checkout')).toHaveLength(2);
  expect(warnings[0]).toContain('it is over');
});

test.each(['', '{', '{"type": 1}'])(
  'the demo receivers refuse a body that is not an alert: %s',
  async (body) => {
    expect((await fetch(onCall.buildUrl('chat'), { method: 'POST', body })).status).toBe(400);
    expect((await fetch(`${onCall.buildUrl('chat')}/x`, { method: 'POST', body })).status).toBe(
      400,
    );
  },
);
