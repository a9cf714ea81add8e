/**
 * Tests responses that monitors get in practice: different ends of connections, unusual bytes in headers, and bodies
 * above the limit.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { Assertion, StepDefinition } from '../../../src/contracts/definition';
import {
  certificate,
  type Play,
  sayThenClose,
  sayThenReset,
  startTarget,
  testAuthority,
} from '../../support/misbehaving-target';
import { buildDefinition, buildRunner } from '../../support/step-builder';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const runner = buildRunner({ extraAuthorities: [testAuthority()] });
afterAll(() => runner.close());

async function check(play: Play, changes: Partial<StepDefinition> = {}, isTls = false) {
  const target = await startTarget({ play, ...(isTls && { tls: certificate('good') }) });
  const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${target.port}/`;
  try {
    const definition = buildDefinition({ url, timeoutMs: 30_000, ...changes });
    return await runner.runStep(definition, 0, { slotMs: 0 });
  } finally {
    await target.close();
  }
}

/** Sends the text and then resets the connection, so that both arrive together. */
function sayAndReset(text: string): Play {
  return (socket) => socket.write(text, () => socket.resetAndDestroy());
}

describe('a body without a length', () => {
  it.each([
    ['http', false],
    ['https', true],
  ])(
    'over %s, a body without a length is complete if the server closes the connection properly',
    async (_scheme, isTls) => {
      const outcome = await check(sayThenClose(`${OK}\r\nhello`), {}, isTls);
      expect(outcome).toMatchObject({ status: 'up', response: { status: 200, bytes: 5 } });
    },
  );

  it.each([
    ['after the body', sayThenReset(`${OK}\r\nhello`)],
    ['together with the body', sayAndReset(`${OK}\r\nhello`)],
    ['before the body', sayAndReset(`${OK}\r\n`)],
  ])(
    'a body without a length fails the check in phase download if a TCP reset comes %s',
    async (_when, play) => {
      const { status, failure, response } = await check(play);
      expect({ status, code: failure?.code, phase: failure?.phase }).toEqual({
        status: 'down',
        code: 'connection_reset',
        phase: 'download',
      });
      expect(response?.status).toBe(200);
    },
  );

  it('a body without a length fails the check in phase download if a TCP reset ends a TLS connection', async () => {
    let raw: Socket | undefined;
    const server = createServer(certificate('good'), (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.write(`${OK}\r\nhello`, () => setImmediate(() => raw?.resetAndDestroy())),
      );
    });
    server.on('connection', (socket: Socket) => {
      raw = socket;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    const url = `https://127.0.0.1:${address.port}/`;
    const definition = buildDefinition({ url, timeoutMs: 30_000 });
    const { failure } = await runner.runStep(definition, 0, { slotMs: 0 });
    server.close();
    expect(failure).toMatchObject({ code: 'connection_reset', phase: 'download' });
  });

  it('a body with a declared length is complete once that length has arrived, even if a TCP reset follows', async () => {
    const play = sayAndReset(`${OK}Content-Length: 5\r\n\r\nhello`);
    expect(await check(play)).toMatchObject({ status: 'up' });
  });
});

describe('a response with broken headers', () => {
  it.each([
    ['an invalid header', `HTTP/1.1 503 Busy\r\nwhat\r\n\r\n`],
    ['two lengths', 'HTTP/1.1 503 Busy\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['the end of the connection', 'HTTP/1.1 503 Busy\r\nRetry-After: 5\r\n'],
  ])('a response with broken headers still shows its status: %s', async (_what, text) => {
    const { failure, response } = await check(sayThenClose(text));
    expect(failure?.code).toBe('invalid_response');
    expect(response?.status).toBe(503);
  });
});

describe('header bytes outside ASCII', () => {
  const BYTES: readonly (readonly [what: string, bytes: Buffer, path: string, text: string])[] = [
    ['UTF-8', Buffer.from('/café'), '/caf%C3%A9', '/café'],
    ['UTF-8 beyond the first plane', Buffer.from('/😀'), '/%F0%9F%98%80', '/😀'],
    [
      'Cyrillic UTF-8',
      Buffer.from('/каталог'),
      '/%D0%BA%D0%B0%D1%82%D0%B0%D0%BB%D0%BE%D0%B3',
      '/каталог',
    ],
    ['Latin-1', Buffer.from('/café', 'latin1'), '/caf%E9', '/café'],
    ['GBK', Buffer.from([0x2f, 0xc4, 0xe3, 0xba, 0xc3]), '/%C4%E3%BA%C3', '/ÄãºÃ'],
    ['escapes', Buffer.from('/caf%C3%A9'), '/caf%C3%A9', '/caf%C3%A9'],
  ];

  it.each(BYTES)(
    'header bytes of a redirect are sent to the next server unchanged: %s',
    async (_what, bytes, path) => {
      const asked: string[] = [];
      const play: Play = (socket, port) => {
        const location = Buffer.concat([Buffer.from(`http://127.0.0.1:${port}`), bytes]);
        const isFirst = asked.length === 0;
        asked.push('');
        if (!isFirst) {
          socket.end(`${OK}Content-Length: 0\r\n\r\n`);
          return;
        }
        const [head, end] = ['HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ', '\r\n\r\n'];
        socket.end(Buffer.concat([Buffer.from(head), location, Buffer.from(end)]));
      };
      const outcome = await check(play);
      expect(outcome.status).toBe('up');
      expect(new URL(outcome.response?.finalUrl ?? '').pathname).toBe(path);
    },
  );

  it.each(BYTES)(
    'header bytes outside ASCII are text for assertions and extractions: %s',
    async (_what, bytes, _path, text) => {
      const head = Buffer.concat([Buffer.from(`${OK}X-Name: `), bytes, Buffer.from('\r\n\r\n')]);
      const outcome = await check(sayThenClose(head), {
        assertions: [
          { type: 'header', name: 'x-name', operator: 'equals', value: text, severity: 'fail' },
        ],
        extract: [{ from: 'header', variable: 'name', name: 'X-Name' }],
      });
      expect(outcome).toMatchObject({ status: 'up', extracted: [{ name: 'name', value: text }] });
    },
  );
});

describe('a body longer than 1 MiB', () => {
  const MIB = 1024 * 1024;
  const text = `${'begin '.padEnd(MIB - 6, 'x')} marked ${'x'.repeat(MIB / 2)} hidden`;
  const ways: readonly (readonly [string, Play])[] = [
    ['with a length', sayThenClose(`${OK}Content-Length: ${text.length}\r\n\r\n${text}`)],
    ['until the end', sayThenClose(`${OK}\r\n${text}`)],
    [
      'in chunks',
      sayThenClose(`${OK}${CHUNKED}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`),
    ],
    ['as gzip', sayThenClose(`${OK}Content-Encoding: gzip\r\n\r\n`, gzipSync(text))],
  ];

  it.each(ways)(
    'a body longer than 1 MiB is truncated and marked, and does not fail the check: %s',
    async (_way, play) => {
      expect(await check(play)).toMatchObject({
        status: 'up',
        response: { status: 200, bytes: MIB, truncated: true },
      });
    },
  );

  type Case = readonly [isKnown: boolean, isOk: boolean, assertion: Partial<Assertion>];
  const cases: readonly Case[] = [
    [true, true, { operator: 'contains', value: 'begin' }],
    [false, false, { operator: 'contains', value: 'hidden' }],
    [true, false, { operator: 'notContains', value: 'begin' }],
    [false, false, { operator: 'notContains', value: 'hidden' }],
    [true, true, { operator: 'startsWith', value: 'begin' }],
    [false, false, { operator: 'endsWith', value: 'hidden' }],
    [true, true, { operator: 'matches', value: '^begin' }],
    [false, false, { operator: 'matches', value: 'x$' }],
    [false, false, { operator: 'matches', value: 'hid+en' }],
    [false, false, { operator: 'notMatches', value: 'hid+en' }],
    [true, false, { operator: 'notMatches', value: '^begin' }],
    [true, true, { operator: 'isNotEmpty' }],
    [true, true, { operator: 'notEquals', value: 'begin' }],
    [false, false, { operator: 'lengthEquals', value: MIB }],
    [true, true, { type: 'bodySize', operator: 'greaterThan', value: MIB }],
    [true, false, { type: 'bodySize', operator: 'lessThan', value: 1_000 }],
    [false, false, { type: 'bodySize', operator: 'lessThan', value: 2 * MIB }],
    [false, false, { type: 'jsonPath', path: '$.a', match: 'first', operator: 'exists' }],
    [false, false, { type: 'jsonPath', path: '$.a', match: 'first', operator: 'notExists' }],
    [false, false, { type: 'jsonSchema', operator: 'matches', value: {} }],
  ];

  it('a body longer than 1 MiB fails only the assertions that need the missing part, and says so', async () => {
    const assertions = cases.map(([, , assertion]): Assertion => {
      const base = { type: 'body', severity: 'fail', ...assertion };
      return base as Assertion;
    });
    const outcome = await check(sayThenClose(`${OK}\r\n${text}`), { assertions });
    const seen = outcome.assertions.slice(1);
    expect(seen.map(({ ok }) => ok)).toEqual(cases.map(([, isOk]) => isOk));
    expect(seen.map(({ message }) => !message.includes('only the first 1 MiB'))).toEqual(
      cases.map(([isKnown]) => isKnown),
    );
  });

  it('a body longer than 1 MiB fails an extraction that needs the missing part', async () => {
    const extract = [{ from: 'jsonPath' as const, variable: 'a', path: '$.a', default: 'none' }];
    const { failure } = await check(sayThenClose(`${OK}\r\n${text}`), { extract });
    expect(failure).toMatchObject({
      code: 'extraction_failed',
      message: expect.stringContaining('only the first 1 MiB'),
    });
  });

  it('a body longer than 1 MiB is searched by patterns up to 1 MiB', async () => {
    const body = `${'line of text\n'.repeat(80_000)}needle 42\n`.slice(-MIB);
    const outcome = await check(sayThenClose(`${OK}\r\n${body}`), {
      assertions: [{ type: 'body', operator: 'matches', value: 'needle \\d+', severity: 'fail' }],
    });
    expect(outcome.status).toBe('up');
  });
});
