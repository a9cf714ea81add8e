/**
 * Tests the messages about broken bodies. They use plain language, never the texts of the validator. Every value of a
 * valid body is replaced by every kind of invalid value in turn.
 */
import type { z } from 'zod';
import { setupBody } from '../../src/schemas/account';
import { alertChannelBody } from '../../src/schemas/alerts';
import { type CheckedShape, validate } from '../../src/schemas/issues';
import { maintenanceWindowBody } from '../../src/schemas/maintenance';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';
import { statusPageBody } from '../../src/schemas/status-pages/status-page';

type Body = Readonly<Record<string, unknown>>;

const STEP = {
  name: 'log in',
  url: 'https://example.com/',
  method: 'POST',
  body: { a: 1 },
  headers: { accept: 'text/html' },
  extract: { token: '$.token' },
  assertions: [{ type: 'jsonPath', path: '$.a', operator: 'equals', value: 1 }],
  waitSeconds: 1,
  until: { everySeconds: 5, forSeconds: 60 },
};

const BODIES: readonly (readonly [string, z.ZodType | CheckedShape<z.ZodType>, Body])[] = [
  ['setup', setupBody, { setupToken: 't', accountName: 'a', email: 'a@b.c', password: 'p' }],
  ['channel', alertChannelBody, { name: 'c', type: 'email', emails: ['a@example.com'] }],
  [
    'window',
    maintenanceWindowBody,
    {
      name: 'w',
      mode: 'mute',
      startsAt: '2030-01-01T00:00:00Z',
      durationMinutes: 5,
      rrule: 'FREQ=DAILY',
      timeZone: 'UTC',
      target: { ids: [], tags: ['a'], groups: [] },
    },
  ],
  [
    'monitor',
    monitorBody,
    {
      name: 'm',
      url: 'https://example.com',
      interval: 60,
      regions: ['eu-west'],
      timeoutMs: 1000,
      retries: 1,
      quorum: 'majority',
      assertions: [
        { type: 'status', operator: 'equals', value: 200 },
        { type: 'header', name: 'a', operator: 'contains', value: 'b', severity: 'fail' },
        { type: 'responseTime', operator: 'lessThan', value: 5 },
      ],
      alerts: { channels: ['email'], emails: ['a@example.com'], remindEveryMinutes: 5 },
      tls: { warnDays: [3] },
      variables: { a: 'b', c: { value: 'long-enough-secret', secret: true } },
      headers: { accept: 'text/html' },
      tags: ['t'],
      key: 'k',
      group: 'g',
    },
  ],
  ['scenario', scenarioBody, { name: 's', interval: 60, steps: [STEP], onFailure: 'stop' }],
  ['status page', statusPageBody, { slug: 'shop', title: 'Shop', groups: [], visible: true }],
];

const RUBBISH = [undefined, null, true, -1, 1.5, 1e12, '', 'x', 'x'.repeat(70_000), [], [[]], {}];
const RAW = /expected|invalid|too (small|big)|unrecognized|received/i;

/** Returns copies of the body. In each copy, another value, at any depth, is replaced by the invalid value. */
function brokenForms(value: unknown, rubbish: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [rubbish];
  const within = Object.entries(value).flatMap(([name, child]) =>
    brokenForms(child, rubbish).map((broken) =>
      Array.isArray(value)
        ? value.with(Number(name), broken)
        : { ...value, [name]: broken, [`no-${name}`]: 1 },
    ),
  );
  return [rubbish, ...within];
}

it.each(BODIES)('a broken %s is refused in plain language', (_name, shape, body) => {
  const messages = RUBBISH.flatMap((rubbish) => brokenForms(body, rubbish)).flatMap((broken) => {
    const checked = validate(shape, broken);
    return checked.ok ? [] : checked.problems.map(({ message }) => message);
  });
  expect(messages.length).toBeGreaterThan(20);
  expect([...new Set(messages)].filter((message) => RAW.test(message))).toEqual([]);
});

test('an unknown field is refused with the field that was probably meant, at any depth', () => {
  const body = {
    name: 'x',
    url: 'https://example.com/',
    timeout: 5,
    colour: 'red',
    alerts: { email: [] },
    assertions: [{ type: 'jsonPath', paths: '$.a', path: '$.a', operator: 'exists' }],
  };
  const checked = validate(monitorBody, body);
  expect(
    checked.ok ? [] : checked.problems.map(({ path, message }) => `${path} ${message}`),
  ).toEqual(
    expect.arrayContaining([
      'timeout is not a known field (did you mean timeoutMs?)',
      'colour is not a known field',
      'alerts.email is not a known field (did you mean emails?)',
      'assertions[0].paths is not a known field (did you mean path?)',
    ]),
  );
});

test('a mistyped choice of a long list gets a suggestion, and any other wrong choice gets the list', () => {
  const messageOf = (operator: string) => {
    const assertions = [{ type: 'status', operator, value: 200 }];
    const checked = validate(monitorBody, { name: 'A', url: 'http://example.com', assertions });
    return checked.ok ? [] : checked.problems.map(({ message }) => message);
  };
  expect(messageOf('equal')).toEqual(['is not a known value (did you mean equals?)']);
  expect(messageOf('resembles')).toEqual([expect.stringMatching(/^must be one of equals, /)]);
});

test('all unknown fields of a large body are named, and the first ones get suggestions', () => {
  const unknown = Array.from({ length: 1_000 }, (_, index) => [`intervalSeconds${index}`, 1]);
  const checked = validate(monitorBody, { name: 'a', ...Object.fromEntries(unknown) });
  const messages = checked.ok ? [] : checked.problems.map(({ message }) => message);
  const named = messages.filter((message) => message.startsWith('is not a known field'));
  expect(named).toHaveLength(1_000);
  expect(named.filter((message) => message.includes('did you mean'))).toHaveLength(20);
});
