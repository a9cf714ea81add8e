/** Tests the titles and lines of digests, and what programs get of them. */
import fc from 'fast-check';
import type { AlertMessage } from '../../src/contracts/alerts';
import { pagerduty } from '../../src/notify/channels/pagerduty';
import { buildEvent } from '../../src/notify/event';
import { composeOwn } from '../../src/notify/sender';
import { writeAlert } from '../../src/notify/words';
import { buildAlert } from '../support/alert-message';
import { propertyOptions } from '../support/property-runs';

const URL = 'https://watch.example';
const NOW = Date.UTC(2026, 0, 5, 12, 5);
const DOWN_AT = NOW - 300_000;
const UP_AT = NOW - 60_000;

type Entry = AlertMessage['entries'][number];

function entriesOf(kind: Entry['kind'], names: string, rest: Partial<Entry> = {}): Entry[] {
  return names.split(' ').map((resourceName) => ({
    kind,
    resourceType: 'monitor',
    resourceId: `mon_${resourceName}`,
    resourceName,
    incidentId: null,
    atMs: kind === 'recovery' ? UP_AT : DOWN_AT,
    ...rest,
  }));
}

function digestOf(entries: readonly Entry[]): AlertMessage {
  const about = { resourceName: `${entries.length} alerts`, incidentId: null };
  return buildAlert({ kind: 'digest', ...about, atMs: NOW, entries });
}

const failures = entriesOf('failure', 'a b c');
const soon = { atMs: NOW + 86_400_000 };
const past = { atMs: NOW - 86_400_000 };

test.each<[title: string, tone: string, entries: readonly Entry[]]>([
  ['3 checks are down: a, b and 1 more', 'bad', failures],
  ['2 checks are down: a and b', 'bad', failures.slice(0, 2)],
  ['a is down', 'bad', [...entriesOf('failure', 'a'), ...entriesOf('reminder', 'a')]],
  ['1 recovered, 2 still down', 'bad', [...failures, ...entriesOf('recovery', 'b')]],
  [
    '1 recovered, 1 down',
    'bad',
    [...entriesOf('recovery', 'b'), ...entriesOf('failure', 'a', { atMs: NOW })],
  ],
  ['3 checks are up again: a, b and 1 more', 'good', entriesOf('recovery', 'a b c')],
  ['a is up again', 'good', [...entriesOf('recovery', 'a'), ...entriesOf('failure', 'a')]],
  [
    '1 down, 1 flapping, 1 degraded',
    'bad',
    [...entriesOf('degraded', 'a'), ...entriesOf('flapping', 'b'), ...entriesOf('failure', 'c')],
  ],
  ['2 certificates expire soon: a and b', 'neutral', entriesOf('certificate', 'a b', soon)],
  ['1 certificate has expired: a', 'neutral', entriesOf('certificate', 'a', past)],
  [
    '1 certificate expires soon, 1 registration expires soon',
    'neutral',
    [
      ...entriesOf('certificate', 'a', soon),
      ...entriesOf('certificate', 'a', { ...soon, domain: 'a.example' }),
    ],
  ],
])('the title of a digest is “%s”, in the tone %s', (title, tone, entries) => {
  expect(writeAlert(digestOf(entries), URL)).toMatchObject({ headline: title, tone });
});

test('each check counts once in the title of a digest, in any order of its alerts', () => {
  const kinds = fc.constantFrom('failure', 'recovery', 'reminder', 'degraded', 'flapping');
  const entry = fc.tuple(kinds, fc.integer({ min: 0, max: 9 })).map(([kind, index]): Entry => {
    return { ...failures[0], kind, resourceName: `${index}`, resourceId: `mon_${index}` } as Entry;
  });
  const entries = fc.uniqueArray(entry, {
    minLength: 2,
    selector: (one) => one.kind + one.resourceId,
  });
  fc.assert(
    fc.property(entries, (given) => {
      const timed = given.map((one, index) => ({ ...one, atMs: index }));
      const { headline } = writeAlert(digestOf(timed), URL);
      expect(writeAlert(digestOf(timed.toReversed()), URL).headline.replace(/:.*/, '')).toBe(
        headline.replace(/:.*/, ''),
      );
      const counts = [...headline.replace(/:.*/, '').matchAll(/(?:^|, )(\d+) [a-z]/g)];
      const checks = new Set(given.map(({ resourceId }) => resourceId)).size;
      const counted = counts.reduce((sum, [, count]) => sum + Number(count), 0);
      if (checks > 1) expect(counted).toBe(checks);
    }),
    propertyOptions(100),
  );
});

test('the lines of a digest give the reason of each alert', () => {
  const [entry] = entriesOf('failure', 'Shop', { reason: 'got 503, expected 2xx' });
  const old = { kind: 'failure', resourceName: 'Old', incidentId: null, atMs: DOWN_AT } as const;
  const certificates = entriesOf('certificate', 'Pay', { ...soon, reason: 'pay.example' });
  const { facts } = writeAlert(digestOf([entry ?? old, old, ...certificates]), URL);
  expect(facts).toEqual([
    { name: 'Shop', value: 'got 503, expected 2xx (down since 2026-01-05 12:00:00 UTC)' },
    { name: 'Old', value: 'down since 2026-01-05 12:00:00 UTC' },
    { name: 'Pay', value: 'pay.example, expires 2026-01-06 12:05:00 UTC' },
  ]);
});

test('a digest of one alert has the text of that alert', () => {
  const cause = { code: 'timeout', message: 'Timed out after 3 s.' } as const;
  const only = buildAlert({ resourceName: 'Shop', cause, atMs: NOW });
  const digest = { ...digestOf(entriesOf('failure', 'Shop')), only };
  expect(writeAlert(digest, URL)).toEqual(writeAlert(only, URL));
});

test('a webhook gets the account as the subject of a digest, and the resource of each entry', () => {
  const old = { kind: 'failure', resourceName: 'Old', incidentId: null, atMs: DOWN_AT } as const;
  const alert = digestOf([...entriesOf('failure', 'Shop', { reason: 'got 503' }), old]);
  const words = writeAlert(alert, URL);
  expect(buildEvent({ id: 'alr_1', alert, words, acknowledge: null })).toMatchObject({
    resource: { type: 'account', id: 'acc_1', name: '2 alerts' },
    entries: [
      {
        kind: 'failure',
        resourceName: 'Shop',
        resource: { type: 'monitor', id: 'mon_Shop', name: 'Shop' },
        reason: 'got 503',
      },
      { resourceName: 'Old', resource: null, reason: null },
    ],
  });
});

test('PagerDuty gets no check as the source of a digest, and treats a digest of one alert as that alert', () => {
  const send = (alert: AlertMessage) => {
    const message = composeOwn(pagerduty, { id: 'alr_1', alert, sentAtMs: 0 }, URL);
    const [request] = pagerduty.requests?.({ routingKey: 'key' }, message) ?? [];
    return JSON.parse(request?.body ?? '{}');
  };
  const digest = digestOf(failures);
  expect(send(digest).payload).toMatchObject({ source: 'Keepwatch', severity: 'critical' });
  expect(send(digest).payload).not.toHaveProperty('component');
  expect(send(digestOf(entriesOf('recovery', 'a b'))).payload.severity).toBe('info');
  const only = buildAlert({ kind: 'recovery', health: 'up', ends: ['failure'] });
  expect(send({ ...digest, only })).toMatchObject({ event_action: 'resolve', dedup_key: 'inc_1' });
});
