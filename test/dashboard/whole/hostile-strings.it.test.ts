/**
 * Hostile texts as names, groups, tags, headers, addresses and answers: no script of them runs, nothing is refused by the
 * content policy (so nothing was tried), and the pages keep their shape. KEEPWATCH_TEST_STRINGS sets
 * how many; KEEPWATCH_TEST_SEED repeats a choice.
 */
import fc from 'fast-check';
import { z } from 'zod';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server';
import { waitUntil } from '../../support/wait-until';
import { isTooWide, NARROW } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';

const STRINGS = Number(process.env['KEEPWATCH_TEST_STRINGS'] ?? 150);
const SEED = Number(process.env['KEEPWATCH_TEST_SEED'] ?? Date.now() % 1_000_000);
const AT_ONCE = 10;
const PAGE_SIZE = 50;

const RUN = 'window.__ran=1';
const KNOWN = [
  `<script>${RUN}</script>`,
  `"><img src=x onerror="${RUN}">`,
  `<svg/onload=${RUN}>`,
  `'-(${RUN})-'`,
  `javascript:${RUN}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `</textarea><script>${RUN}</script>`,
  `<iframe srcdoc="<script>parent.__ran=1</script>">`,
  `<a href="javascript:${RUN}">x</a>`,
  `<style>@import 'http://example.com/x.css';</style>`,
  '\u202Etxet desrever\u202C',
  'Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324'.repeat(12),
  'a'.repeat(200),
  '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(8),
  '{"__proto__":{"polluted":true}}',
  '\\u003cscript\\u003e',
  '%3Cscript%3E',
];

/** Hostile as names of fields and as values. */
const ANSWER = JSON.stringify(Object.fromEntries(KNOWN.map((known) => [known, { known }])));

const text = fc
  .oneof(
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...KNOWN), fc.constantFrom(...KNOWN)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constant('x')),
    },
  )
  .map(([one, two]) => `${one} ${two}`.slice(0, 90).trim());

let dashboard: Dashboard;
let target: LoopbackServer;
let origin: string;

beforeAll(async () => {
  target = await startLoopbackServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json', 'x-odd': KNOWN[1] ?? '' });
    response.end(ANSWER);
  });
  origin = target.url;
  dashboard = await openDashboard();
});
afterAll(async () => {
  await dashboard?.close();
  await target?.close();
});

/** The service may refuse a text; then nobody sees it. */
async function createAll(texts: readonly string[]): Promise<number> {
  const waiting = [...texts];
  let made = 0;
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const body = { name, url: 'http://example.com/', enabled: false, tags: [name.slice(0, 30)] };
      const created = await dashboard.api
        .createMonitor(made % 2 === 0 ? { ...body, group: name.slice(0, 60) } : body)
        .catch(() => null);
      if (created !== null) made += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return made;
}

test(`${STRINGS} hostile texts, seed ${SEED}: shown as the texts that they are`, async () => {
  const texts = [...KNOWN, ...fc.sample(text, { numRuns: STRINGS, seed: SEED })];
  const made = await createAll(texts);
  expect(made).toBeGreaterThan(STRINGS / 2);
  const first = KNOWN[0] ?? '';
  const steps = [{ name: first, url: 'http://example.com/', headers: { 'x-a': '"><script>' } }];
  await dashboard.api.call(
    { method: 'POST', path: '/v1/scenarios', body: { name: first, steps, enabled: false } },
    { status: 201, shape: z.looseObject({}) },
  );
  const visitor = await dashboard.visit({ viewport: NARROW });
  const { page, faults } = visitor;
  page.on('dialog', (dialog) => void dialog.dismiss());
  let seen = 0;
  await page.goto(`${dashboard.service.url}/monitors`);
  for (;;) {
    await settled(visitor);
    expect(await isTooWide(page)).toBe(false);
    seen += PAGE_SIZE;
    if (seen >= made) break;
    const before = page.url();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(({ href }) => href !== before);
  }
  for (const path of ['/', '/scenarios', '/settings/audit', '/monitors?q=%3Cscript%3E']) {
    await page.goto(dashboard.service.url + path);
    await settled(visitor);
    expect(await isTooWide(page)).toBe(false);
  }
  expect(await page.evaluate('window.__ran')).toBeUndefined();
  expect(faults).toEqual([]);
}, 600_000);

test('what a target answers, and where it was asked, is shown as the text that it is', async () => {
  const url = `${origin}/?q=<svg/onload=${RUN}>"><script>${RUN}</script>`;
  const assertions = [{ type: 'body', operator: 'contains', value: `<script>${RUN}</script>` }];
  const id = await dashboard.api.createMonitor({ name: 'odd answer', url, assertions });
  await waitUntil('its result', async () => (await dashboard.api.resultsOf(id)).length > 0, 30_000);
  const visitor = await dashboard.visit({ viewport: NARROW });
  const { page, faults } = visitor;
  await page.goto(`${dashboard.service.url}/monitors/${id}?tab=results`);
  await page
    .getByRole('button', { name: /^Open the result/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByText(/^Response headers/)
    .click();
  await page.getByRole('dialog').getByText('onerror').first().waitFor();
  expect(await isTooWide(page)).toBe(false);
  await page.goto(`${dashboard.service.url}/monitors/new?from=${id}`);
  await page.getByRole('button', { name: 'Test now' }).click();
  await page.getByText(/^Response headers/).click({ timeout: 30_000 });
  await page.getByText('onerror').first().waitFor();
  expect(await isTooWide(page)).toBe(false);
  await page.goto(`${dashboard.service.url}/incidents`);
  await page.getByRole('link', { name: 'odd answer', exact: true }).click();
  await page.getByRole('heading', { name: 'odd answer', level: 1 }).waitFor();
  await settled(visitor);
  expect(await page.evaluate('window.__ran')).toBeUndefined();
  expect(faults).toEqual([]);
}, 120_000);
