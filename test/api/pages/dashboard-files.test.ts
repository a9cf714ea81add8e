/**
 * Tests how the files of the dashboard are served. Browsers get the compressed files of the build if they accept them.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import express from 'express';
import { createDashboardFiles } from '../../../src/api/pages/dashboard-files';
import { createCompression } from '../../../src/api/server/compress-responses';

const SCRIPT = 'export const stock = 42;\n'.repeat(100);
/**
 * The compressed file that the build wrote next to the script. If the service compressed the script again, the bytes
 * would differ.
 */
const STORED = brotliCompressSync(SCRIPT, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-dashboard-'));
afterAll(() => rmSync(folder, { recursive: true }));

const app = express();
let server: Server;
let port = 0;
beforeAll(async () => {
  const assets = join(folder, 'assets');
  mkdirSync(assets);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(assets, 'page-1.js'), SCRIPT);
  writeFileSync(join(assets, 'page-1.js.br'), STORED);
  writeFileSync(join(assets, 'small.css'), 'a{}');
  app.use(createCompression());
  const dashboard = createDashboardFiles(folder);
  if (dashboard !== null) app.use(dashboard.files);
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  port = typeof listening === 'object' ? (listening?.port ?? 0) : 0;
});
afterAll(() => server.close());

/** Requests the path. Resolves to the headers and the body as it was sent, without decoding. */
function get(path: string, encodings: string) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; sent: Buffer }>(
    (resolve, reject) => {
      const headers = { 'accept-encoding': encodings };
      const asked = request({ port, path, headers }, async (response) => {
        resolve({
          status: response.statusCode,
          headers: response.headers,
          sent: await buffer(response),
        });
      });
      asked.on('error', reject).end();
    },
  );
}

test('clients that accept brotli get the file of the dashboard that the build has compressed', async () => {
  for (const accepted of ['br', 'gzip, deflate, br']) {
    const { headers, sent } = await get('/assets/page-1.js', accepted);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/^text\/javascript/),
      'cache-control': expect.stringContaining('immutable'),
      vary: 'Accept-Encoding',
    });
    expect(sent).toEqual(STORED);
    expect(brotliDecompressSync(sent).toString()).toBe(SCRIPT);
  }
});

test('clients that do not accept brotli get the dashboard script as gzip or uncompressed, with the same cache rules', async () => {
  const zipped = await get('/assets/page-1.js', 'gzip');
  const plain = await get('/assets/page-1.js', 'identity');
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(gunzipSync(zipped.sent).toString()).toBe(SCRIPT);
  expect(plain.sent.toString()).toBe(SCRIPT);
  for (const { headers } of [zipped, plain])
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      'cache-control': expect.stringContaining('immutable'),
    });
});

test('a dashboard file that is too small to compress is sent unchanged', async () => {
  const { headers, sent } = await get('/assets/small.css', 'br');
  expect([sent.toString(), headers['content-encoding']]).toEqual(['a{}', undefined]);
});

test('after a build under a running service, browsers get the new page and its compressed files', async () => {
  const before = await get('/', 'identity');
  const newScript = `${SCRIPT}// new`;
  writeFileSync(join(folder, 'assets', 'page-2.js'), newScript);
  writeFileSync(join(folder, 'assets', 'page-2.js.br'), brotliCompressSync(newScript));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>New</title>');
  utimesSync(join(folder, 'index.html'), 1, 1);
  const after = await get('/', 'identity');
  expect([before, after].map(({ sent }) => sent.toString().includes('New'))).toEqual([false, true]);
  const script = await get('/assets/page-2.js', 'br');
  expect(brotliDecompressSync(script.sent).toString()).toBe(newScript);
  // A build removes the page before it writes the new one.
  rmSync(join(folder, 'index.html'));
  expect((await get('/', 'identity')).sent).toEqual(after.sent);
});

test('every page of the dashboard is served with status 200', async () => {
  const source = join(__dirname, '../../../src/dashboard');
  const router = readFileSync(join(source, 'router.tsx'), 'utf8');
  const named = [...router.matchAll(/\b(?:page|moved)\(\s*'([^']+)'/g)].map(
    ([, path = '']) => path,
  );
  const [, wallboard = ''] =
    /WALLBOARD = '([^']+)'/.exec(readFileSync(join(source, 'layout/pages.ts'), 'utf8')) ?? [];
  const paths = [...named, wallboard].map((path) => path.replaceAll(/\$\w+/g, 'id_1'));
  expect(paths.length).toBeGreaterThan(20);
  const served = await Promise.all(paths.map(async (path) => [path, (await get(path, '')).status]));
  expect(served.filter(([, status]) => status !== 200)).toEqual([]);
});
