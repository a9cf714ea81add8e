/**
 * Tests that every document is served as Markdown and as a page, that its links work, and that no other file can be
 * read.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import request from 'supertest';
import { createDocsFiles } from '../../../src/api/pages/docs-files';

const ROOT = path.join(__dirname, '../../..');
const REPOSITORY = 'https://github.com/keepwatch/keepwatch/blob/main/';
const app = express()
  .disable('etag')
  .use(createDocsFiles({ fontUrl: null }));
const pages = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `/docs/${name}`);
const pictures = readdirSync(path.join(ROOT, 'docs/pictures')).map(
  (name) => `/docs/pictures/${name}`,
);
const served = [...pages, '/docs/decisions', ...pictures];

/** Returns the targets of all links outside of code. */
function listTargets(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

test('every document is served as Markdown', async () => {
  expect(pages.length).toBeGreaterThan(60);
  for (const page of pages) {
    const { status, headers } = await request(app).get(page);
    expect([page, status, headers['content-type']]).toEqual([
      page,
      200,
      'text/markdown; charset=utf-8',
    ]);
  }
});

test('links in documents lead to served documents or to existing files of the repository', async () => {
  let count = 0;
  for (const page of [...pages, '/llms.txt']) {
    const { text } = await request(app).get(page);
    for (const target of listTargets(text)) {
      if (target.startsWith(REPOSITORY)) {
        const [file = ''] = target.slice(REPOSITORY.length).split('#');
        expect([page, file, existsSync(path.join(ROOT, file))]).toEqual([page, file, true]);
      } else if (!/^[a-z]+:/.test(target)) {
        const { pathname } = new URL(target, `https://keepwatch.example${page}`);
        expect([page, pathname, pathname === page || served.includes(pathname)]).toEqual([
          page,
          pathname,
          true,
        ]);
        count += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(200);
});

test('the text of a document is served unchanged except for links', async () => {
  const { text } = await request(app).get('/docs/compatibility.md');
  const file = readFileSync(path.join(ROOT, 'docs/compatibility.md'), 'utf8');
  expect(text).toBe(file.replaceAll('](../', `](${REPOSITORY}`));
});

test('a picture of a document is served', async () => {
  const { status, headers } = await request(app).get('/docs/pictures/overview.png');
  expect([status, headers['content-type']]).toEqual([200, 'image/png']);
});

test('a folder of documents is served as a list of its documents', async () => {
  const { text } = await request(app).get('/docs/decisions');
  expect(text).toContain('(decisions/0001-one-workflow-per-monitor.md)');
  expect(listTargets(text)).toHaveLength(pages.filter((page) => page.includes('decisions')).length);
});

test('a request for a document with a known entity tag gets 304, and HEAD gets headers only', async () => {
  const { headers } = await request(app).get('/docs/api.md');
  const etag = String(headers['etag']);
  const again = await request(app).get('/docs/api.md').set('If-None-Match', etag);
  expect([again.status, again.text]).toEqual([304, '']);
  const other = await request(app).get('/docs/cli.md').set('If-None-Match', etag);
  expect(other.status).toBe(200);
  const head = await request(app).head('/docs/api.md');
  expect([head.status, head.headers['etag'], head.text]).toEqual([200, etag, undefined]);
});

test('/llms.txt is served as text', async () => {
  const { status, headers, text } = await request(app).get('/llms.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Keepwatch\n/);
});

describe('raw paths that browsers never send', () => {
  let server: Server;
  beforeAll(
    () =>
      new Promise<void>((resolve) => (server = createServer(app).listen(0, '127.0.0.1', resolve))),
  );
  afterAll(() => server.close());

  /** Sends the path as it is, without resolving dots. */
  function readStatus(raw: string): Promise<number | undefined> {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: raw }, (answer: IncomingMessage) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
  }

  test.each([
    '/docs/../package.json',
    '/docs/../CHANGELOG.md',
    '/docs/%2e%2e/CHANGELOG.md',
    '/docs/..%2fCHANGELOG.md',
    '/docs/..%5cCHANGELOG.md',
    '/docs/api/../../README.md',
    '/docs//README.md',
    '/docs/README.md/',
    '/docs/readme.md',
    '/docs/README.md%00.md',
    '/docs/%.md',
    '/docs/pictures/no-such.png',
    '/docs/pictures/..%2f..%2fpackage.json',
    '/docs/pictures',
    '/docs/api',
    '/llms.txt/',
  ])('a request for the raw path %s gets a 404', async (raw) => {
    expect(await readStatus(raw)).toBe(404);
  });
});

test('an installation without documents responds with 404 to their paths', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'keepwatch-docs-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const empty = express().use(createDocsFiles({ fontUrl: null }, folder));
    for (const page of ['/docs/README.md', '/llms.txt'])
      expect((await request(empty).get(page)).status).toBe(404);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
