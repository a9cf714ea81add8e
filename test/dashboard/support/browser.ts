/** Opens pages of a real browser. Records the faults on them and checks their accessibility. */
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { WAIT_LIMIT_MS, waitUntil } from '../../support/wait-until';

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  /** Has an effect only for a new browser context. Default: true. */
  readonly javaScriptEnabled?: boolean;
  /** A name such as `Asia/Tokyo`. Has an effect only for a new browser context. Default: the zone of the machine. */
  readonly timezoneId?: string;
  /** Only for a separate context, such as `en-US`; default: the language of the machine. */
  readonly locale?: string;
}

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Faults on the page: errors of scripts, content blocked by the policy, and responses with a status of 500 and above.
   */
  readonly faults: string[];
  /** Requests of the current view that got a 503 with Retry-After and no other response since. */
  readonly deferred: ReadonlySet<string>;
  /** Closes the page. If the page has its own context, closes the context. */
  readonly close: () => Promise<void>;
}

/** Opens a page for a new visitor in a new context. */
export async function openPage(browser: Browser, options: OpenOptions = {}): Promise<Watched> {
  const context = await openContext(browser, options);
  const watched = await openPageIn(context, options);
  return { ...watched, close: () => context.close() };
}

export async function openContext(
  browser: Browser,
  { javaScriptEnabled = true, timezoneId, locale }: OpenOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    javaScriptEnabled,
    ...(timezoneId !== undefined && { timezoneId }),
    ...(locale !== undefined && { locale }),
  });
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  return context;
}

/** Opens another page of a visitor, with the cookies and files of the same context. */
export async function openPageIn(
  context: BrowserContext,
  { viewport = WIDE, colorScheme = 'light' }: OpenOptions = {},
): Promise<Watched> {
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  return { context, page, ...watchFaults(page), close: () => page.close() };
}

function watchFaults(page: Page): Pick<Watched, 'faults' | 'deferred'> {
  const faults: string[] = [];
  const deferred = new Set<string>();
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
      faults.push(`console: ${text}`);
  });
  page.on('response', (response) => {
    const request = `${response.request().method()} ${response.url()}`;
    if (isDeferral(response)) deferred.add(request);
    else if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
    else deferred.delete(request);
  });
  // Forgets the deferred requests, because a page does not repeat requests of a view that it has left.
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) deferred.clear();
  });
  return { faults, deferred };
}

function isDeferral(response: Response): boolean {
  return response.status() === 503 && response.headers()['retry-after'] !== undefined;
}

/** Expects that no faults occurred since the last call. Waits until every deferred request has a response. */
export async function expectNoFaults({ faults, deferred }: Watched): Promise<void> {
  expect(faults.splice(0)).toEqual([]);
  const what = `the deferred requests have a response: ${[...deferred].join(', ')}`;
  await waitUntil(what, () => deferred.size === 0);
}

/**
 * Resolves when fades and slides have ended, because the colours during a transition do not have the final contrast.
 * Two frames without any movement must pass, because transitions after a change of the page start with a later frame.
 * Hidden elements are ignored, because a transition of a hidden element never ends.
 */
const TRANSITIONS_END = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const isMoving = () => document.getAnimations().some(({ effect, playState }) =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Infinity &&
    effect?.target?.checkVisibility() === true);
  for (let calm = 0; calm < 2; calm = isMoving() ? 0 : calm + 1) await frame();
})()`;

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the violations that axe finds on the page, or in the first match of `within`. Each line names one rule and
 * one element.
 */
export async function axeViolations(page: Page, within?: string): Promise<readonly string[]> {
  return findViolations(page, {}, within);
}

/**
 * Returns only violations of contrast, including links that differ from the text around them only in colour. No other
 * rule can give different results for the light and the dark scheme.
 */
export async function contrastViolations(page: Page): Promise<readonly string[]> {
  return findViolations(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
}

async function findViolations(
  page: Page,
  options: object,
  within = 'html',
): Promise<readonly string[]> {
  await page.evaluate(TRANSITIONS_END);
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  // Requests only violations, because the other reports of axe take half of its time.
  const given = JSON.stringify({ ...options, resultTypes: ['violations'] });
  const place = `document.querySelector(${JSON.stringify(within)})`;
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${place}, ${given})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} — ${node.target.join(' ')} ${node.html.slice(0, 160)}`),
  );
}

/**
 * A script that must run before a page loads. `window.shifted` is the layout shift of its content, as browsers measure
 * it.
 */
export const WATCH_SHIFT = `(() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

/** Returns true if the page itself scrolls horizontally. */
export async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
  );
}

/**
 * A script that finds buttons, standalone links and boxes below 24 × 24 px (WCAG 2.2, 2.5.8). The label of an element
 * counts as part of it, because a label can be clicked too. Links in text are exempt. So are controls that only repeat
 * keys of their field, and the days of a status page, which are one slider for the keyboard.
 */
const SMALL_TARGETS = `(() => {
  const SIZE = 24;
  const isInText = (link) => link.tagName === 'A' && getComputedStyle(link).display === 'inline';
  const sizeOf = (target) => [target, ...(target.labels ?? [])].reduce(
    ([width, height], part) => {
      const box = part.getBoundingClientRect();
      return [Math.max(width, box.width), Math.max(height, box.height)];
    }, [0, 0]);
  const targets = 'a, button, summary, [role=button], [role=tab], input[type=checkbox], input[type=radio]';
  return [...document.querySelectorAll(targets)]
    .filter((target) => target.checkVisibility({ visibilityProperty: true }) && !isInText(target))
    .filter((target) => target.closest('.days') === null && target.tabIndex !== -1)
    .map((target) => [target, ...sizeOf(target)])
    .filter(([, width, height]) => width > 1 && (width < SIZE - 0.5 || height < SIZE - 0.5))
    .map(([target, width, height]) =>
      Math.round(width) + ' × ' + Math.round(height) + ': ' + target.outerHTML.slice(0, 160));
})()`;

/** Returns the targets that are too small for a finger, one per line. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(SMALL_TARGETS);
}
