/** Tests which credentials are sent to which servers, and that none of them are stored. */
import fc from 'fast-check';
import type { Auth } from '../../src/contracts/definition';
import { spellingsOf } from '../support/echo-forms';
import { propertyOptions } from '../support/property-runs';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { withStepTarget } from './support/step-target';

const BASIC: Auth = { type: 'basic', user: '{{user}}', password: '{{secret:password}}' };
const BEARER: Auth = { type: 'bearer', token: '{{secret:token}}' };
const secrets = [
  { name: 'password', value: 'pässword: 1' },
  { name: 'token', value: 'tok.en-1' },
];

const { target, run, lastReceived } = withStepTarget({
  variables: { user: 'ada' },
  inputs: { secrets },
});

let second: RecordingTarget;
beforeAll(async () => {
  second = await startRecordingTarget((_, response) => response.end());
});
afterAll(() => second.close());
beforeEach(() => {
  second.received.length = 0;
});

const basicOf = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test.each([
  [BASIC, basicOf('ada:pässword: 1')],
  [{ ...BASIC, user: '', password: '' }, basicOf(':')],
  [BEARER, 'Bearer tok.en-1'],
] as const)('the authentication %j is sent as %s', async (auth, expected) => {
  const outcome = await run({ auth });
  expect(outcome.status).toBe('up');
  expect(lastReceived().headers.authorization).toBe(expected);
});

test('without authentication, no Authorization header is sent', async () => {
  for (const auth of [{ type: 'none' }, undefined] as const) {
    expect((await run({ auth })).status).toBe('up');
    expect(lastReceived().headers.authorization).toBeUndefined();
  }
});

test('a request with a missing secret, or with a value that no header can carry, is not sent', async () => {
  const missing = await run({ auth: BASIC }, { secrets: [] });
  expect(missing).toMatchObject({ status: 'unknown', failure: { code: 'secret_missing' } });
  const vars = [{ name: 'user', value: 'a:b' }];
  const colon = await run({ auth: BASIC }, { vars });
  expect(colon.failure).toMatchObject({ code: 'template_error' });
  const broken = [{ name: 'token', value: 'two\nlines' }];
  const lines = await run({ auth: BEARER }, { secrets: broken });
  expect(lines.failure).toMatchObject({ code: 'template_error' });
  expect(JSON.stringify(lines)).not.toContain('two');
  expect(target.received).toEqual([]);
});

test('a secret is sent only to its allowed hosts', async () => {
  const kept = secrets.map((secret) => ({ ...secret, hosts: ['https://elsewhere.example'] }));
  const outcome = await run({ auth: BEARER }, { secrets: kept });
  expect(outcome.failure).toMatchObject({ code: 'secret_missing' });
  expect(target.received).toEqual([]);
});

test.each([BASIC, BEARER])(
  'the authentication %j follows a redirect on the same origin, but not to another origin',
  async (auth) => {
    target.respond = ({ url }, response) => {
      const location = url === '/' ? '/next' : second.origin;
      response.writeHead(307, { location }).end();
    };
    const outcome = await run({ auth });
    expect(outcome).toMatchObject({ status: 'up', response: { redirects: 2 } });
    const [here, next] = target.received.map(({ headers }) => headers.authorization);
    expect(here).toBeDefined();
    expect(next).toBe(here);
    expect(second.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  },
);

test('no outcome contains a secret of the authentication, even if the target sends the secret back', async () => {
  target.respond = ({ headers }, response) => {
    const sent = headers.authorization ?? '';
    const plain = Buffer.from(sent.replace(/^\w+ /, ''), 'base64').toString();
    response.setHeader('X-Echo', sent);
    response.end(`${sent} ${plain}`);
  };
  const secret = fc.string({
    unit: fc.constantFrom(...'aB3/+=_-~.'.split('')),
    minLength: 8,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(secret, fc.constantFrom(BASIC, BEARER), async (value, auth) => {
      const given = secrets.map(({ name }) => ({ name, value }));
      const fails = { operator: 'equals', value: 299, severity: 'fail' } as const;
      const assertions = [
        { ...fails, type: 'status' },
        { ...fails, type: 'body' },
        { ...fails, type: 'header', name: 'x-echo' },
      ] as const;
      const outcome = await run({ auth, assertions }, { secrets: given });
      const known = JSON.stringify(outcome);
      expect(outcome.failure?.code).toBe('assertion_failed');
      const whole = basicOf(`ada:${value}`).slice('Basic '.length);
      expect([...spellingsOf(value), whole].filter((form) => known.includes(form))).toEqual([]);
    }),
    propertyOptions(30),
  );
});
