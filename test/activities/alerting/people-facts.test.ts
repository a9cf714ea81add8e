/**
 * Tests that alerts say who acknowledged an incident and who else was notified, and that an alert is sent without these
 * names if they cannot be read.
 */
import { withPeople } from '../../../src/activities/alerting/people-facts';
import type { AlertMessage } from '../../../src/contracts/alerts';
import { buildAlert } from '../../support/alert-message';

const PHONE = { channelId: 'chn_phone', masked: '+49…' };

function delivery(channelId: string | null, createdAtMs: number, recipient = 'a…@example.com') {
  return { kind: 'failure', channelId, recipient, createdAtMs, sentAtMs: createdAtMs + 1 } as const;
}

type Needs = Parameters<typeof withPeople>[0];

function needsWith(items: Awaited<ReturnType<Needs['alerts']['page']>>['items'] = []): Needs {
  return {
    wholeIncidents: {
      findLast: async () => ({ acknowledgedBy: 'Ann', acknowledgedAtMs: 120_000 }),
    },
    alerts: { page: async () => ({ items }) },
    channels: { find: async (_accountId, id) => ({ name: `name of ${id}` }) },
    logger: { warn: () => undefined },
  };
}

test('a recovery says who acknowledged the incident', async () => {
  const recovery = buildAlert({ kind: 'recovery' });
  expect(await withPeople(needsWith(), recovery, PHONE)).toEqual({
    ...recovery,
    acknowledged: { by: 'Ann', atMs: 120_000 },
  });
});

test.each<[string, Partial<AlertMessage>]>([
  ['a reminder', { kind: 'reminder' }],
  ['a second step', { escalation: { policyName: 'On call', step: 2, steps: 2, lastResort: null } }],
])(
  '%s names each other recipient once, in the order in which they were first notified',
  async (_, changes) => {
    // Newest first, as the store returns them.
    const needs = needsWith([
      delivery('chn_late', 900),
      delivery('chn_ops', 300),
      delivery('chn_phone', 200),
      delivery(null, 150),
      delivery('chn_ops', 100),
    ]);
    const alert = buildAlert({ ...changes, atMs: 900 });
    expect((await withPeople(needs, alert, PHONE)).alsoNotified).toEqual([
      { name: 'name of chn_ops', atMs: 101 },
      { name: 'a…@example.com', atMs: 151 },
    ]);
  },
);

test('a failure is sent without asking who was notified', async () => {
  const failing = {
    ...needsWith(),
    alerts: { page: () => Promise.reject(new Error('must not be asked')) },
    logger: {
      warn: () => {
        throw new Error('must not warn');
      },
    },
  };
  const failure = buildAlert();
  expect(await withPeople(failing, failure, PHONE)).toBe(failure);
});

test('if the database is unavailable, the alert stays unchanged', async () => {
  const down = (): Promise<never> => Promise.reject(new Error('no database'));
  const needs = { ...needsWith(), alerts: { page: down }, wholeIncidents: { findLast: down } };
  for (const kind of ['recovery', 'reminder'] as const) {
    const alert = buildAlert({ kind });
    expect(await withPeople(needs, alert, PHONE)).toBe(alert);
  }
});
