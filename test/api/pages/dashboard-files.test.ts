/** The files of the dashboard: what the build compressed goes to browsers that take it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { createDashboardFiles } from '../../../src/api/pages/dashboard-files';

const SCRIPT = 'export const answer = 42;\n';
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-dashboard-'));
afterAll(() => rmSync(folder, { recursive: true }));

const app = express();
beforeAll(() => {
  const assets = join(folder, 'assets');
  mkdirSync(assets);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(assets, 'page-1.js'), SCRIPT);
  writeFileSync(join(assets, 'page-1.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(assets, 'small.css'), 'a{}');
  const dashboard = createDashboardFiles(folder);
  if (dashboard !== null) app.use(dashboard.files);
});

const get = (path: string, encodings: string) =>
  request(app).get(path).set('Accept-Encoding', encodings);

test('a compressed file is what its name says, for good', async () => {
  const { status, headers } = await get('/assets/page-1.js', 'gzip, br').buffer(false);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringMatching(/^text\/javascript/),
    'cache-control': expect.stringContaining('immutable'),
    vary: 'Accept-Encoding',
  });
});

test('who takes no brotli gets the file itself, by the same rule for caches', async () => {
  const { text, headers } = await get('/assets/page-1.js', 'gzip');
  expect(text).toBe(SCRIPT);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['vary']).toBe('Accept-Encoding');
});

test('a file that was not worth it is sent as it is', async () => {
  const { headers, text } = await get('/assets/small.css', 'br');
  expect({ text, encoding: headers['content-encoding'] }).toEqual({ text: 'a{}' });
});
