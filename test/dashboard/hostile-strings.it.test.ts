/**
 * Hostile texts as names, groups, tags and headers: no script of them runs, nothing is refused by the
 * content policy (so nothing was tried), and the pages keep their shape. KEEPWATCH_TEST_STRINGS sets
 * how many; KEEPWATCH_TEST_SEED repeats a choice.
 */
import fc from 'fast-check';
import { z } from 'zod';
import { isTooWide, NARROW } from './browser';
import { type Dashboard, openDashboard, settled } from './dashboard';

const STRINGS = Number(process.env['KEEPWATCH_TEST_STRINGS'] ?? 250);
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

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

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
