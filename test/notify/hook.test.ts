/** Tests events from other services: how they are authenticated, and how their contents are read. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { jiraHook, pagerdutyHook } from '../../src/notify/channels/hook';
import { propertyOptions } from '../support/property-runs';

const body = Buffer.from('{"a":1}');
const signed = (secret: string) => `v1=${createHmac('sha256', secret).update(body).digest('hex')}`;
const withHeader = (name: string, value: string | undefined) => ({
  header: (asked: string) => (asked === name ? value : undefined),
  body,
});

test.each([
  [signed('secret'), true],
  [`v1=00, ${signed('secret')}`, true],
  [signed('another'), false],
  [signed('secret').slice(3), false],
  ['', false],
  [undefined, false],
])('the PagerDuty signature %s is accepted: %s', (header, isRight) => {
  const request = withHeader('x-pagerduty-signature', header);
  expect(pagerdutyHook.isAuthentic(request, 'secret')).toBe(isRight);
});

test.each([
  ['Bearer secret', true],
  ['secret', false],
  ['Bearer secret2', false],
  [undefined, false],
])('the Jira authorization %s is accepted: %s', (header, isRight) => {
  expect(jiraHook.isAuthentic(withHeader('authorization', header), 'secret')).toBe(isRight);
});

test('any JSON sent to a hook of an alert service is read without an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([pagerdutyHook.read(value), jiraHook.read(value)]).toEqual([null, null]);
    }),
    propertyOptions(100),
  );
});

test('an event of PagerDuty or Jira contains the key of the alert and the person', () => {
  const event = { event_type: 'incident.acknowledged', data: { incident_key: 'inc_1' } };
  expect(pagerdutyHook.read({ event })).toEqual({
    key: 'inc_1',
    action: 'acknowledge',
    person: '',
  });
  expect(jiraHook.read({ action: 'UnAcknowledge', alert: { alias: 'inc_1' } })).toEqual({
    key: 'inc_1',
    action: 'unacknowledge',
    person: '',
  });
});

test('an event of PagerDuty has an id and a time only if both are valid', () => {
  const event = { event_type: 'incident.acknowledged', data: { incident_key: 'inc_1' } };
  const occurred = { id: '01EV', occurred_at: '2026-01-05T12:00:00.000Z' };
  expect(pagerdutyHook.read({ event: { ...event, ...occurred } })).toMatchObject({
    once: { id: '01EV', atMs: Date.parse(occurred.occurred_at) },
  });
  for (const part of [{ id: '01EV' }, { ...occurred, occurred_at: 'soon' }, { ...occurred, id: 7 }])
    expect(pagerdutyHook.read({ event: { ...event, ...part } })).not.toHaveProperty('once');
});
