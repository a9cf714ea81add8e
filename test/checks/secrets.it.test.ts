/** Tests one step with secrets against targets that send them back: what is sent, and what is stored. */
import type { Assertion } from '../../src/contracts/definition';
import { spellingsOf } from '../support/echo-forms';
import { startRecordingTarget } from '../support/recording-target';
import { withStepTarget } from './support/step-target';

const CANARY = 'c4nary/+"<&>\' x';
const TOKEN = 'tok.en/abc+def==';
const secrets = [{ name: 'key', value: CANARY }];
const headers = [{ name: 'X-Key', value: '{{secret:key}}' }];

const { target, run } = withStepTarget({ step: { headers }, inputs: { secrets } });

const fails: Assertion = { type: 'status', operator: 'equals', value: 299, severity: 'fail' };
const extractToken = {
  variable: 'token',
  from: 'jsonPath',
  path: '$.token',
  secret: true,
} as const;
const sealExtracted = (name: string): string => `sealed ${name}`;

it.each(spellingsOf(CANARY).map((text) => [text]))(
  'a secret is masked when the target returns it as %s',
  async (text) => {
    target.respond = (_, response) => {
      response.setHeader('X-Echo', text);
      response.end(`before ${text} after`);
    };
    const assertions = [
      fails,
      { ...fails, type: 'body' },
      { ...fails, type: 'header', name: 'x-echo' },
    ] satisfies Assertion[];
    const outcome = await run({ assertions });
    const known = JSON.stringify(outcome);
    expect(spellingsOf(CANARY).filter((form) => known.includes(form))).toEqual([]);
    expect(outcome.response?.bodyPreview).toMatch(/^before .*\*\*\*.* after$/);
  },
);

it('a secret is masked in mixed spellings, and where the preview of a body is truncated', async () => {
  const mixed = `c%34n\\u0061ry&#x2f;%2B\\"%253c&amp;amp;&gt;&#39;+x`;
  target.respond = (_, response) => response.end('x'.repeat(4_090) + mixed + CANARY.repeat(3));
  const outcome = await run({ assertions: [fails] });
  expect(outcome.response?.bodyPreview).toBe(`${'x'.repeat(4_090)}******`);
});

it('a response that ends early shows no part of a secret', async () => {
  for (let length = CANARY.length - 1; length >= 4; length -= 1) {
    target.respond = (_, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(`before ${CANARY.slice(0, length)}`, () => response.destroy());
    };
    const outcome = await run();
    expect(outcome.response?.bodyPreview).toBe('before ***');
  }
});

it('a secret is masked in the URL of a redirect that contains the secret', async () => {
  target.respond = ({ url }, response) => {
    if (url !== '/') return void response.end();
    const location = `/${encodeURIComponent(CANARY)}?again=${encodeURI(CANARY)}#${CANARY}`;
    response.writeHead(302, { location }).end();
  };
  const outcome = await run();
  expect(outcome.response?.finalUrl).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*\?again=\*\*\*#\*\*\*$/,
  );
});

describe('an extracted secret', () => {
  beforeEach(() => {
    target.respond = (_, response) =>
      response.end(JSON.stringify({ token: TOKEN, copy: `a ${TOKEN}` }));
  });

  it('an extracted secret is returned encrypted, and is masked in the response that it came from', async () => {
    const passed = await run({ extract: [extractToken] }, { sealExtracted });
    expect(passed.extracted).toEqual([{ name: 'token', value: 'sealed token', secret: true }]);
    const path = { ...fails, type: 'jsonPath', path: '$.token', match: 'first' } as const;
    const failed = await run({ extract: [extractToken], assertions: [fails, path] });
    expect(failed.response?.bodyPreview).toBe('{"token":"***","copy":"a ***"}');
    expect(JSON.stringify(failed)).not.toContain(TOKEN);
  });

  it('an extracted secret is returned as a mask if the probe has no key for encryption', async () => {
    const { extracted } = await run({ extract: [extractToken] });
    expect(extracted).toEqual([{ name: 'token', value: '***', secret: true }]);
  });

  it('a later extracted value that contains an extracted secret is also secret', async () => {
    const copy = { variable: 'copy', from: 'jsonPath', path: '$.copy' } as const;
    const named = { variable: 'pin', from: 'status' } as const;
    const vars = [{ name: 'pin', value: 'former', secret: true as const }];
    const { extracted } = await run(
      { extract: [extractToken, copy, named] },
      { vars, sealExtracted },
    );
    expect(extracted.map(({ name, value }) => [name, value])).toEqual([
      ['token', 'sealed token'],
      ['copy', 'sealed copy'],
      ['pin', 'sealed pin'],
    ]);
  });

  it('the body is hidden if the extraction of a secret finds nothing, unless the response is a refusal', async () => {
    const elsewhere = { ...extractToken, path: '$.gone' };
    const body = JSON.stringify({ token: TOKEN });
    for (const [status, preview] of [
      [200, null],
      [401, body],
    ] as const) {
      target.respond = (_, response) => void response.writeHead(status).end(body);
      const outcome = await run({ extract: [elsewhere] });
      expect(outcome.response).toMatchObject({ bodyPreview: preview });
    }
    target.respond = (_, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(body, () => response.destroy());
    };
    expect((await run({ extract: [extractToken] })).response?.bodyPreview).toBeNull();
  });
});

describe('a secret variable', () => {
  const vars = [{ name: 'v', value: CANARY, secret: true as const }];

  it('a secret variable that would be filled into a URL is refused, and nothing is sent', async () => {
    for (const url of [`${target.origin}/{{v}}`, '{{v}}', 'http://{{v}}.example/']) {
      const outcome = await run({ url }, { vars });
      expect(outcome.failure).toMatchObject({ code: 'template_error' });
      expect(JSON.stringify(outcome)).not.toContain(CANARY);
    }
    expect(target.received).toEqual([]);
  });

  it('a secret variable is sent unchanged and never expanded', async () => {
    target.respond = (_, response) => response.end();
    const value = '{{secret:key}} {{v}}';
    await run(
      { headers: [{ name: 'X-V', value: '{{v}}' }], method: 'POST', body: { a: '{{v}}' } },
      { vars: [{ name: 'v', value, secret: true }] },
    );
    expect(target.received[0]).toMatchObject({
      headers: { 'x-v': value },
      body: JSON.stringify({ a: value }),
    });
  });
});

it('if a secret is missing, nothing is sent, and the target does not count as down', async () => {
  const outcome = await run({}, { secrets: [] });
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'secret_missing' } });
  expect(target.received).toEqual([]);
});

describe('a secret with a list of hosts', () => {
  const bound = (hosts: readonly string[]) => ({
    secrets: [{ name: 'key', value: CANARY, hosts }],
  });
  beforeEach(() => {
    target.respond = (_, response) => response.end('ok');
  });

  it('a secret with hosts is sent to these hosts', async () => {
    const outcome = await run({}, bound(['api.example.com', target.origin]));
    expect(outcome.status).toBe('up');
    expect(target.received[0]?.headers['x-key']).toBe(CANARY);
  });

  it.each([
    ['another host', () => ['api.example.com']],
    ['another port of the host', () => ['http://127.0.0.1:1']],
    ['another scheme', () => [new URL(target.origin).host]],
  ])(
    'a secret with hosts is not sent if its hosts are only %s, and the outcome gives the reason',
    async (_, hosts) => {
      const outcome = await run({}, bound(hosts()));
      expect(outcome).toMatchObject({
        status: 'unknown',
        failure: { code: 'secret_missing', message: expect.stringContaining(target.origin) },
      });
      expect(JSON.stringify(outcome)).not.toContain(CANARY);
      expect(target.received).toEqual([]);
    },
  );

  it('a secret with allowed hosts does not affect steps that do not use the secret', async () => {
    const outcome = await run({ headers: [] }, bound(['api.example.com']));
    expect(outcome.status).toBe('up');
  });

  it('a secret with hosts does not follow a redirect to another origin', async () => {
    const other = await startRecordingTarget((_, response) => response.end('ok'));
    target.respond = (_, response) =>
      response.writeHead(302, { location: `${other.origin}/` }).end();
    const outcome = await run({ followRedirects: true }, bound([target.origin]));
    expect(outcome.status).toBe('up');
    expect(other.received).toHaveLength(1);
    expect(JSON.stringify(other.received)).not.toContain(CANARY.slice(0, 6));
    await other.close();
  });
});
