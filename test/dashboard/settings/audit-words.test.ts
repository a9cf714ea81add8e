/** Tests the texts of the audit trail: who did what to which object, and a bulk action as one row. */

import {
  cutOff,
  fieldWords,
  isLong,
  summariseChanges,
  summariseEvent,
} from '../../../src/dashboard/features/settings/audit/audit-diff';
import {
  ACTIONS,
  actionWords,
  actorWords,
  describeEvent,
  groupEvents,
} from '../../../src/dashboard/features/settings/audit/audit-words';
import type { AuditEvent } from '../../../src/dashboard/shared/data/api-types';

function event(changes: Partial<AuditEvent>): AuditEvent {
  return {
    id: 'aud_00000000000000000000000000',
    at: '2026-01-31T12:00:00.000Z',
    actor: { type: 'user', id: 'usr_1', name: 'ann@example.com' },
    action: 'monitor.update',
    resourceType: 'monitor',
    resourceId: 'mon_1',
    before: null,
    after: null,
    requestId: 'req_1',
    ip: null,
    ...changes,
  };
}

const NAMES = new Map([['mon_1', 'GitLab']]);

function wordsOf(changes: Partial<AuditEvent>): string {
  const one = event(changes);
  const { verb, object } = describeEvent({ event: one, events: [one] }, NAMES);
  return `${verb} ${object}`.trim();
}

test.each<[string, Partial<AuditEvent>]>([
  ['paused monitor GitLab', { action: 'monitor.pause' }],
  ['changed monitor GitLab', { action: 'monitor.put', after: { name: 'Old name' } }],
  [
    'deleted alert channel Ops',
    {
      action: 'alert_channel.delete',
      resourceType: 'alert_channel',
      resourceId: 'chn_1',
      before: { name: 'Ops' },
    },
  ],
  [
    'created set of hours Office hours',
    {
      action: 'hours.create',
      resourceType: 'hours',
      after: { name: 'Office hours' },
      resourceId: 'hrs_1',
    },
  ],
  ['changed secret TOKEN', { action: 'secret.put', resourceType: 'secret', resourceId: 'TOKEN' }],
  [
    'created secret TOKEN',
    {
      action: 'secret.put',
      resourceType: 'secret',
      resourceId: 'TOKEN',
      after: { name: 'TOKEN', version: 1 },
    },
  ],
  [
    'got a key of pipeline Shop',
    {
      action: 'pipeline.exchange',
      resourceType: 'pipeline',
      resourceId: 'pip_1',
      after: { name: 'Shop', run: 'repo:acme/shop:ref:refs/heads/main' },
    },
  ],
  [
    'added an update to status page post Payments fail',
    {
      action: 'status_page_post.add_update',
      resourceType: 'status_page_post',
      resourceId: 'pst_1',
      after: { name: 'Payments fail' },
    },
  ],
  [
    'acknowledged incident Checkout',
    {
      action: 'incident.acknowledge',
      resourceType: 'incident',
      resourceId: 'inc_1',
      before: { state: 'open', resourceName: 'Checkout' },
      after: { state: 'acknowledged', resourceName: 'Checkout' },
    },
  ],
  ['signed in', { action: 'session.open', resourceType: 'user', resourceId: 'usr_1' }],
  [
    'polished shiny thing x_1',
    { action: 'shiny_thing.polished', resourceType: 'shiny_thing', resourceId: 'x_1' },
  ],
])('an event of the audit trail is described as “%s”', (words, changes) => {
  expect(wordsOf(changes)).toBe(words);
});

test.each([
  ['Degraded above', 'degradedAboveMs'],
  ['URL', 'url'],
  ['Channel IDs', 'channelIds'],
  ['Time zone', 'time_zone'],
])('a field in the audit trail is labelled “%s”', (label, name) => {
  expect(fieldWords(name)).toBe(label);
});

test('the audit trail names a person by email, and an API key by its name', () => {
  expect(actorWords({ type: 'user', id: 'usr_1', name: 'ann@example.com' })).toBe(
    'ann@example.com',
  );
  expect(actorWords({ type: 'api_key', id: 'key_1', name: 'deploy' })).toBe('deploy (API key)');
});

test('a bulk action is one row of the audit trail with its count, separate from other actions', () => {
  const bulk = ['mon_1', 'mon_2', 'scn_1'].map((resourceId) => {
    const type = resourceId.startsWith('scn') ? 'scenario' : 'monitor';
    return event({ action: `${type}.pause`, resourceType: type, resourceId, requestId: 'req_2' });
  });
  const rows = groupEvents([event({}), ...bulk, event({ requestId: 'req_3' })]);
  expect(rows.map(({ events }) => events.length)).toEqual([1, 3, 1]);
  const [, paused] = rows;
  expect(paused && describeEvent(paused, NAMES)).toEqual({ verb: 'paused', object: '3 checks' });
  const [monitors] = groupEvents(bulk.slice(0, 2));
  expect(monitors && describeEvent(monitors, NAMES)).toEqual({
    verb: 'paused',
    object: '2 monitors',
  });
});

test("the audit trail's filter describes each action in words and lists each action once", () => {
  expect(new Set(ACTIONS).size).toBe(ACTIONS.length);
  expect(actionWords('api_key.create')).toBe('API key: created');
  expect(actionWords('session.open')).toBe('Signed in');
});

test.each([
  ['Interval 60 s → 30 s', { interval: 60, version: 1 }, { interval: 30, version: 2 }],
  ['Enabled on → off, Group none → Web', { enabled: true }, { enabled: false, group: 'Web' }],
  [
    'URL changed, Steps changed',
    { url: 'https://a.example.com/health', steps: [] },
    { url: '', steps: [1] },
  ],
  ['A 1 → 2, 3 more changes', { a: 1, b: 1, c: 1, d: 1 }, { a: 2, b: 2, c: 2, d: 2 }],
  [
    'State open → acknowledged',
    { state: 'open', acknowledgedAt: null, acknowledgedBy: null, timeline: [] },
    { state: 'acknowledged', acknowledgedAt: 'now', acknowledgedBy: 'usr_1', timeline: [1] },
  ],
  ['Degraded above none → 800 ms', { degradedAboveMs: null }, { degradedAboveMs: 800 }],
])('a change in the audit trail is summarised as “%s”', (summary, before, after) => {
  expect(summariseChanges(before, after)).toBe(summary);
});

const NOTE = { at: 'now', by: 'Ann', text: 'Looking into it.' };

test.each<[string | null, string, unknown, unknown]>([
  [null, 'incident.acknowledge', { state: 'open' }, { state: 'acknowledged' }],
  [
    'Added note “Looking into it.”',
    'incident.acknowledge',
    { state: 'open', notes: [] },
    { state: 'acknowledged', notes: [NOTE] },
  ],
  ['“Looking into it.”', 'incident.notes', { notes: [NOTE] }, { notes: [NOTE, NOTE] }],
  ['Notes changed', 'incident.update', { notes: [NOTE] }, { notes: [] }],
  [
    null,
    'maintenance_window.end',
    { state: 'active', nextOccurrences: [1] },
    { state: 'over', nextOccurrences: [] },
  ],
  ['Interval 60 s → 30 s', 'monitor.update', { interval: 60 }, { interval: 30 }],
])('the second line of a row is “%s” after %s', (summary, action, before, after) => {
  expect(summariseEvent({ action, before, after })).toBe(summary);
});

test('the second line of a row quotes at most 120 characters of a note', () => {
  const after = { notes: [{ ...NOTE, text: 'a'.repeat(121) }] };
  expect(summariseEvent({ action: 'incident.notes', before: { notes: [] }, after })).toBe(
    `“${'a'.repeat(120)}…”`,
  );
});

test('in the audit trail, a creation, a deletion and a change of the version alone have no summary', () => {
  expect(summariseChanges(null, { name: 'New', interval: 60 })).toBeNull();
  expect(summariseChanges({ name: 'Old' }, null)).toBeNull();
  expect(summariseChanges({ version: 1 }, { version: 2 })).toBeNull();
});

test('a long value is truncated after five lines or 160 characters, and a short value is shown in full', () => {
  expect(cutOff('eu-west')).toBe('eu-west');
  expect(cutOff(null)).toBe('–');
  expect(cutOff('a\n'.repeat(9))).toBe(`${'a\n'.repeat(4)}a…`);
  expect(cutOff('a'.repeat(200))).toHaveLength(161);
  expect(['a'.repeat(160), 'a'.repeat(161), null].map(isLong)).toEqual([false, true, false]);
});
