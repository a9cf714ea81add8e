/**
 * Tests the documents as pages: browsers get them and programs do not, every anchor that a link uses exists, and
 * nothing but Markdown becomes HTML.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express, { type Express } from 'express';
import request from 'supertest';
import { createDocsFiles } from '../../../src/api/pages/docs-files';

const ROOT = path.join(__dirname, '../../..');
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const app = express()
  .disable('etag')
  .use(createDocsFiles({ fontUrl: null }));
const names = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `/docs/${name}`);
const addresses = [...names, '/docs/decisions'];

const open = (address: string, from: Express = app) =>
  request(from).get(address).set('Accept', BROWSER);

const pages = new Map<string, string>();
const scratch = mkdtempSync(path.join(tmpdir(), 'keepwatch-docs-'));
beforeAll(async () => {
  for (const address of addresses) pages.set(address, (await open(address)).text);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const readPage = (address: string): string => pages.get(address) ?? '';

function listAll(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, first = '']) => first);
}

function listIds(page: string): readonly string[] {
  return listAll(page, / id="([^"]+)"/g);
}

/** Serves one document. Returns its page. */
async function renderAlone(text: string): Promise<string> {
  const root = mkdtempSync(path.join(scratch, 'root-'));
  mkdirSync(path.join(root, 'docs'));
  writeFileSync(path.join(root, 'docs/README.md'), text);
  const alone = express().use(createDocsFiles({ fontUrl: null }, root));
  return (await open('/docs/README.md', alone)).text;
}

test.each([
  [BROWSER, 'text/html'],
  ['text/html', 'text/html'],
  ['*/*', 'text/markdown'],
  ['text/markdown', 'text/markdown'],
  ['text/markdown, text/html;q=0.9', 'text/markdown'],
  ['application/json', 'text/markdown'],
])('a document is served to clients that accept %s as %s', async (accept, type) => {
  const { status, headers } = await request(app).get('/docs/alerts.md').set('Accept', accept);
  expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
  expect(headers['vary']).toContain('Accept');
});

test('each format of a document has its own entity tag, and a request with that tag gets 304', async () => {
  const page = await open('/docs/alerts.md');
  const markdown = await request(app).get('/docs/alerts.md');
  const etag = String(page.headers['etag']);
  expect(etag).not.toBe(markdown.headers['etag']);
  const again = await open('/docs/alerts.md').set('If-None-Match', etag);
  expect([again.status, again.text]).toEqual([304, '']);
  expect(again.headers['vary']).toContain('Accept');
  expect((await request(app).get('/docs/alerts.md').set('If-None-Match', etag)).status).toBe(200);
});

test('every page has a title, one main heading and unique ids, and works under a policy without inline code', async () => {
  const { headers } = await open('/docs/alerts.md');
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(readPage('/docs/alerts.md')).toContain('<title>Alerts · Keepwatch</title>');
  for (const [address, page] of pages) {
    expect([address, page]).toEqual([
      address,
      expect.stringMatching(/<title>\S.* · Keepwatch<\/title>/),
    ]);
    expect([address, listAll(page, /(<h1[ >])/g).length]).toEqual([address, 1]);
    const ids = listIds(page);
    expect([address, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([address, []]);
    expect(page).not.toMatch(
      /<style|<script>|<[^>]* style="|<[^>]* on\w+="|<!--|&lt;!-- |javascript:/,
    );
  }
});

test('every link between pages leads to an existing page and an existing heading', () => {
  let count = 0;
  for (const [address, page] of pages)
    for (const href of listAll(page, /<a [^>]*href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const { pathname, hash } = new URL(href, `https://keepwatch.example${address}`);
      if (['/', '/docs', '/docs/fields', '/v1/openapi.json'].includes(pathname)) continue;
      const anchor = decodeURIComponent(hash.slice(1));
      const isFound =
        pages.has(pathname) && (anchor === '' || listIds(readPage(pathname)).includes(anchor));
      expect([address, href, isFound]).toEqual([address, href, true]);
      count += 1;
    }
  expect(count).toBeGreaterThan(1_000);
});

test('every heading that llms.txt, README.md or the sources link to exists', () => {
  const folder = path.join(ROOT, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));
  const files = [...sources, path.join(ROOT, 'llms.txt'), path.join(ROOT, 'README.md')];
  const links = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/[('"`/](docs\/[\w./-]+\.md)#([\w-]+)/g),
  ]);
  expect(links.length).toBeGreaterThan(3);
  for (const [, name = '', anchor = ''] of links)
    expect([name, anchor, listIds(readPage(`/${name}`)).includes(anchor)]).toEqual([
      name,
      anchor,
      true,
    ]);
});

test('the navigation lists every document except single decisions, and marks the current document', () => {
  const page = readPage('/docs/operations.md');
  const [, navigation = ''] = /<nav aria-label="Documents">([\s\S]*?)<\/nav>/.exec(page) ?? [];
  const linked = new Set(listAll(navigation, /href="([^"]+)"/g));
  const wanted = addresses.filter((address) => !/README|decisions\//.test(address));
  expect(wanted.filter((address) => !linked.has(address))).toEqual([]);
  expect(navigation).toContain('href="/docs/operations.md" aria-current="page"');
  expect(readPage('/docs/decisions/0010-watches.md')).toContain(
    'href="/docs/decisions" aria-current="true"',
  );
});

test('the navigation lists no document twice', () => {
  const page = readPage('/docs/README.md');
  const [, navigation = ''] = /<nav aria-label="Documents">([\s\S]*?)<\/nav>/.exec(page) ?? [];
  const linked = listAll(navigation, /href="([^"]+)"/g);
  expect(linked).toContain('/docs/api/monitors.md');
  expect(linked.filter((href, at) => linked.indexOf(href) !== at)).toEqual([]);
});

test('only a document with more than five headings has a table of contents', () => {
  const long = readPage('/docs/operations.md');
  const [, contents = ''] = /<nav aria-label="On this page">([\s\S]*?)<\/nav>/.exec(long) ?? [];
  expect(listAll(contents, /href="#([^"]+)"/g)).toEqual(listAll(long, /<h[23] id="([^"]+)"/g));
  expect(contents).toContain('href="#mail-server"');
  expect(readPage('/docs/templates.md')).not.toContain('On this page');
});

type Indexed = readonly [string, string, string, readonly (readonly [string, string, string])[]];

test('the search index contains every heading and the text below the heading', async () => {
  const script = await request(app).get('/docs/search.js');
  const { status, headers, text } = await request(app).get('/docs/search-index.js');
  const type = 'text/javascript; charset=utf-8';
  expect([script.headers['content-type'], status, headers['content-type']]).toEqual([
    type,
    200,
    type,
  ]);
  const index: readonly Indexed[] = JSON.parse(text.replace(/^export const INDEX = |;\n$/g, ''));
  const sections = index.flatMap(([, , , own]) => own);
  const count = [...pages.values()].flatMap((page) =>
    listAll(page, /<h[2-6] id="([^"]+)"/g),
  ).length;
  expect(sections).toHaveLength(count);
  const mail = sections.find(([, anchor]) => anchor === 'mail-server');
  expect(mail).toEqual(['Mail server', 'mail-server', expect.stringContaining('SMTP_URL')]);
  const [, , first] = index.find(([, url]) => url === '/docs/getting-started.md') ?? [];
  expect(readPage('/docs/getting-started.md').replaceAll(/\s+/g, ' ')).toContain(
    `<p>${first?.split('.')[0]}`,
  );
});

test('HTML in Markdown is shown as text, comments are left out, and links to scripts stay text', async () => {
  const page = await renderAlone(
    '# A <b>title</b>\n\n<!-- note -->\n<script>alert(1)</script>\n\n## <img src=x onerror=y>\n\n' +
      '[link](javascript:alert(1)) <i>x</i>\n\n```html\n<!-- code -->\n<u>y</u>\n```\n',
  );
  const [, main = ''] = /(<h1>[\s\S]*)<\/main>/.exec(page) ?? [];
  expect(page).toContain('<title>A &lt;b&gt;title&lt;/b&gt; · Keepwatch</title>');
  expect(main).toContain('&lt;script&gt;alert(1)');
  expect(main).toContain('&lt;!-- code --&gt;');
  expect(main).not.toContain('note');
  expect(main).not.toMatch(/<(?:b|i|u|img|script)[ >]|href="javascript/);
});

test('headings get the anchors of GitHub, tables scroll in their own box, and links to other sites are marked', async () => {
  const page = await renderAlone(
    '# Title\n\n## `npm start`: it’s on_call & more\n\n## Twice\n\n## Twice\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n' +
      '[site](https://example.com) ![gone](pictures/gone.png) [file](../examples/a.yaml)\n',
  );
  expect(listAll(page, /<h2 id="([^"]+)"/g)).toEqual([
    'npm-start-its-on_call--more',
    'twice',
    'twice-1',
  ]);
  expect(page).toMatch(/<div class="scroll"[^>]* tabindex="0">\n<table>/);
  expect(page).toContain('<td data-label="b" class="right">2</td>');
  expect(page).toContain('<a href="https://example.com" rel="noopener">');
  expect(page).toContain('href="https://github.com/keepwatch/keepwatch/blob/main/examples/a.yaml"');
  expect(page).not.toContain('<img');
});

test('a block of code can be copied, and a long name breaks after an underscore', async () => {
  const page = await renderAlone('# Title\n\n`A_B_<`\n\n```sh\nA_B=1\n```\n');
  expect(page).toContain('<code>A_<wbr>B_<wbr>&lt;</code>');
  expect(page).toMatch(/<code>A_B=1\n<\/code><\/pre><button type="button" data-copy>Copy</);
});

test('a picture in a document has its own width and height, so that the page does not move while it loads', () => {
  expect(readPage('/docs/dashboard.md')).toMatch(
    /<img src="pictures\/overview\.png" alt="The overview" width="\d+" height="\d+" loading="lazy">/,
  );
});

test('browsers get a 404 page for an unknown document, and the page does not repeat the path', async () => {
  const page = await open('/docs/no-such-document.md');
  expect([page.status, page.headers['etag']]).toEqual([404, undefined]);
  expect(page.text).toContain('<h1>Document not found</h1>');
  expect(page.text).not.toContain('no-such-document');
  const program = await request(app).get('/docs/no-such-document.md');
  expect([program.status, program.text]).toEqual([404, expect.not.stringContaining('<h1>')]);
});

test.each([
  '/docs/%2e%2e/CHANGELOG.md',
  '/docs/..%2fCHANGELOG.md',
  '/docs//README.md',
  '/docs/%.md',
])('a browser cannot read files outside of docs: %s', async (address) => {
  const { status, text } = await open(address);
  expect(status).toBe(404);
  expect(text).not.toMatch(/Unreleased|Getting started<\/a>: /);
});
