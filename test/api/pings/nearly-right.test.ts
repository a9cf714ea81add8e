/** Tests pings as jobs of all systems send them: nearly correct URLs, odd exit codes, and texts in any charset. */
import type { IncomingMessage } from 'node:http';
import { type PingAddressParts, readPing, readPingAddress } from '../../../src/api/pings/read-ping';
import { AppError } from '../../../src/platform/errors';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server';

async function readWhole(request: IncomingMessage, parts: PingAddressParts) {
  const { head, readText } = readPing(request, parts, () => undefined);
  return { ...head, text: await readText() };
}

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    const address = readPingAddress(request);
    if (address === null) {
      response.end('null');
      return;
    }
    readWhole(request, address).then(
      (ping) => response.end(JSON.stringify(ping)),
      (error: unknown) =>
        response.end(JSON.stringify(error instanceof AppError ? { refused: error.message } : {})),
    );
  });
});
afterAll(() => server.close());

async function ping(path: string, init: RequestInit = {}): Promise<unknown> {
  return await (await fetch(`${server.url}${path}`, init)).json();
}

const TOKEN = 'abc_DEF-123';

test.each([
  [`/ping/${TOKEN}`, 'success', null],
  [`/ping/${TOKEN}/`, 'success', null],
  [`/ping/${TOKEN}//`, 'success', null],
  [`/ping/${TOKEN}/?rid=7`, 'success', null],
  [`/ping/${TOKEN}/start/`, 'start', null],
  [`/ping/${TOKEN}/fail/`, 'fail', null],
  [`/ping/${TOKEN}/log/`, 'log', null],
  [`/ping/${TOKEN}/0`, 'success', 0],
  [`/ping/${TOKEN}/0/`, 'success', 0],
  [`/ping/${TOKEN}/00`, 'success', 0],
  [`/ping/${TOKEN}/-0`, 'success', 0],
  [`/ping/${TOKEN}/1/`, 'fail', 1],
  [`/ping/${TOKEN}/255`, 'fail', 255],
  [`/ping/${TOKEN}/256`, 'fail', 256],
  [`/ping/${TOKEN}/-1`, 'fail', -1],
  [`/ping/${TOKEN}/-1073741510`, 'fail', -1_073_741_510],
  [`/ping/${TOKEN}/3221225786`, 'fail', 3_221_225_786],
])('a ping to %s is read as %s, with the exit code %s', async (path, kind, exitCode) => {
  expect(await ping(path)).toMatchObject({ token: TOKEN, kind, exitCode });
});

test.each(['later', '1.5', '1e3', '99999999999', 'START', '0x1'])(
  'a ping with the unknown signal %s is refused, and the refusal names the signal',
  async (signal) => {
    expect(await ping(`/ping/${TOKEN}/${signal}`)).toEqual({
      refused: expect.stringMatching(new RegExp(`^"${signal}" is not a ping signal`)),
    });
  },
);

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16(text).swap16();
const TEXT = 'Sicherung fehlgeschlagen: größer als 5 GB';

test.each<[string, Buffer, string, string]>([
  ['UTF-8', Buffer.from(TEXT), '', TEXT],
  ['UTF-8 with a BOM', Buffer.from(`\ufeff${TEXT}`), '', TEXT],
  ['ISO-8859-1', Buffer.from(TEXT, 'latin1'), '', TEXT],
  ['ISO-8859-1 by header', Buffer.from(TEXT, 'latin1'), 'text/plain; charset=ISO-8859-1', TEXT],
  ['UTF-16 with a BOM', utf16(`\ufeff${TEXT}`), '', TEXT],
  ['UTF-16 big-endian with a BOM', utf16be(`\ufeff${TEXT}`), '', TEXT],
  ['UTF-16 without a BOM', utf16(TEXT), '', TEXT],
  ['UTF-16 big-endian without a BOM', utf16be(TEXT), '', TEXT],
  ['UTF-16 by header', utf16(TEXT), 'text/plain; charset=utf-16', TEXT],
  [
    'windows-1251 by header',
    Buffer.from([0xee, 0xf8, 0xe8]),
    'text/plain; charset=windows-1251',
    'оши',
  ],
  ['an unknown charset', Buffer.from(TEXT), 'text/plain; charset=none', TEXT],
  ['a form content type', Buffer.from(TEXT, 'latin1'), 'application/x-www-form-urlencoded', TEXT],
])('the text of a ping in %s is decoded correctly', async (_name, body, type, text) => {
  const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
  const init = { method: 'POST', body: new Uint8Array(body), headers };
  expect(await ping(`/ping/${TOKEN}/fail`, init)).toMatchObject({ text });
});

const LONG = `${'Zeile für Zeile\n'.repeat(4_000)}${TEXT}`;

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(LONG)],
  ['ISO-8859-1', Buffer.from(LONG, 'latin1')],
  ['UTF-16 with a BOM', utf16(`\ufeff${LONG}`)],
  ['UTF-16 with a BOM of odd length', Buffer.concat([utf16(`\ufeff${LONG}`), Buffer.from('.')])],
  ['UTF-16 without a BOM', utf16(LONG)],
])('the end of a long text of a ping in %s is decoded correctly', async (_name, body) => {
  const init = { method: 'POST', body: new Uint8Array(body) };
  expect(await ping(`/ping/${TOKEN}`, init)).toMatchObject({
    text: expect.stringMatching(/Zeile für Zeile\nSicherung fehlgeschlagen: größer als 5 GB.?$/),
  });
});
