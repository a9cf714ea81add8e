/**
 * Tests hostile texts as names, groups, tags, headers, URLs and responses. None of them runs as a script or triggers
 * the content policy, and the pages keep their layout. KEEPWATCH_TEST_STRINGS sets the number of texts.
 */
import fc from 'fast-check';
import { z } from 'zod';
import { fromHook } from '../../support/from-hook';
import { startLoopbackServer } from '../../support/loopback-server';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import { isTooWide, NARROW, type Watched } from '../support/browser';
import { follow, settled, suiteDashboard, visitorOfEach } from '../support/dashboard';
import { eventually } from '../support/eventually';

const STRINGS = testSize('strings', { ci: 10, long: 250 });
const SEED = testSeed();
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

/** A response that contains the hostile texts as field names and as values. */
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

const target = fromHook(beforeAll, () =>
  startLoopbackServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json', 'x-odd': KNOWN[1] ?? '' });
    response.end(ANSWER);
  }),
);
afterAll(() => target.close());
const dashboard = suiteDashboard();
const visitor = visitorOfEach(dashboard, { viewport: NARROW });
const fits = ({ page }: Pick<Watched, 'page'>) => eventually(() => isTooWide(page)).toBe(false);

/** Creates objects with the texts. The service may refuse a text. Such a text appears on no page. */
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

test(`${STRINGS} hostile texts, seed ${SEED}, are shown as plain text`, async () => {
  const texts = [...KNOWN, ...fc.sample(text, { numRuns: STRINGS, seed: SEED })];
  const made = await createAll(texts);
  expect(made).toBeGreaterThan(STRINGS / 2);
  const first = KNOWN[0] ?? '';
  const steps = [{ name: first, url: 'http://example.com/', headers: { 'x-a': '"><script>' } }];
  await dashboard.api.call(
    { method: 'POST', path: '/v1/scenarios', body: { name: first, steps, enabled: false } },
    { status: 201, shape: z.looseObject({}) },
  );
  const { page } = visitor;
  page.on('dialog', (dialog) => void dialog.dismiss());
  let seen = 0;
  await follow(dashboard, visitor, '/monitors');
  for (;;) {
    await settled(visitor);
    await fits(visitor);
    seen += PAGE_SIZE;
    if (seen >= made) break;
    const before = page.url();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(({ href }) => href !== before);
  }
  for (const path of ['/', '/scenarios', '/settings/audit', '/monitors?q=%3Cscript%3E']) {
    await follow(dashboard, visitor, path);
    await fits(visitor);
  }
  expect(await page.evaluate('window.__ran')).toBeUndefined();
});

test('hostile responses and URLs of a target are shown as plain text', async () => {
  const url = `${target.url}/?q=<svg/onload=${RUN}>"><script>${RUN}</script>`;
  const assertions = [{ type: 'body', operator: 'contains', value: `<script>${RUN}</script>` }];
  const id = await dashboard.api.createMonitor({ name: 'odd answer', url, assertions });
  await dashboard.probe.check(id);
  const page = await follow(dashboard, visitor, `/monitors/${id}?tab=results`);
  await page
    .getByRole('button', { name: /^Open the result/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByText(/^Response headers/)
    .click();
  await page.getByRole('dialog').getByText('onerror').first().waitFor();
  await fits(visitor);
  await follow(dashboard, visitor, `/monitors/new?from=${id}`);
  await page.locator('[data-form-foot]').getByRole('button', { name: 'Test now' }).click();
  await page.getByText(/^Response headers/).click();
  await page.getByText('onerror').first().waitFor();
  await fits(visitor);
  await follow(dashboard, visitor, '/incidents');
  await page.getByRole('link', { name: 'odd answer', exact: true }).click();
  await page.getByRole('heading', { name: 'odd answer', level: 1 }).waitFor();
  await settled(visitor);
  expect(await page.evaluate('window.__ran')).toBeUndefined();
});
