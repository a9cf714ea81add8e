/** Tests the parts of a public status page: its heading, groups, days, response times and outages. */
import fc from 'fast-check';
import { renderStatusEmbed, renderStatusPage } from '../../../src/api/pages/status-page-html';
import type { SubscriberType } from '../../../src/contracts/letters/letters';
import { DAY_MS, HOUR_MS } from '../../../src/domain/health/summary';
import type {
  PublicItem,
  PublicState,
  PublicStatus,
} from '../../../src/services/status-pages/public-status';
import { propertyOptions } from '../../support/property-runs';

const NOW = Date.UTC(2026, 0, 5, 12);
const LOGO = 'data:image/png;base64,iVBORw0KGgo=';

const itemOf = (name: string, state: PublicState): PublicItem => ({
  id: `mon_${name}`,
  name,
  state,
  availability: 100,
  sinceMs: null,
  responseTimes: null,
  days: [],
});

function statusOf(
  states: readonly PublicState[],
  overall: PublicState,
  logo: string | null = null,
) {
  const items = states.map((state, at) => itemOf(`Item <${at}>`, state));
  const status: PublicStatus = {
    title: 'Shop status',
    description: null,
    overall,
    groups: [{ name: 'Shop', availability: 100, items }],
    availability: 100,
    outages: [],
    maintenance: [],
    posts: [],
    newestPostAtMs: null,
    showBadges: true,
    showResponseTimes: false,
    look: { logo, accent: null, theme: 'auto', language: 'en' },
    service: null,
    readAtMs: NOW,
  };
  return status;
}

const render = (status: PublicStatus) => renderStatusPage(status, { nowMs: NOW, slug: 'shop' });
const heading = (html: string) => /<p class="overall[^>]*>(.*?)<\/p>/.exec(html)?.[1];

test.each([
  [['up', 'down', 'degraded'], '<1> is down|Degraded: <2>'],
  [['down'], '<0> is down'],
  [
    ['down', 'maintenance', 'down', 'degraded', 'up'],
    'Partial outage|Down: <0>, <2> · Degraded: <3> · Maintenance: <1>',
  ],
  [
    ['down', 'down', 'down', 'down', 'degraded', 'degraded', 'degraded', 'up'],
    'Partial outage|Down: 4 · Degraded: 3',
  ],
  [['down', 'down'], 'Major outage'],
  [['up', 'degraded'], 'Degraded performance|Degraded: <1>'],
] as const)(
  'with the states %j the heading says %s and names each affected item with its state, on the page and in frames',
  (states, words) => {
    const isDown = states.some((state) => state === 'down');
    const status = statusOf(states, isDown ? 'down' : 'degraded');
    const [title, details] = words.replaceAll(/<(\d)>/g, '<bdi>Item &lt;$1&gt;</bdi>').split('|');
    const small = details === undefined ? '' : `<small>${details}</small>`;
    const html = `<span>${title}${small}</span>`;
    expect(heading(render(status).html)).toBe(html);
    expect(heading(renderStatusEmbed(status, 'shop').html)).toBe(html);
  },
);

test('a check that is up is shown as operational', () => {
  const { html } = render(statusOf(['up'], 'up'));
  expect(heading(html)).toBe('<span>All systems operational</span>');
  expect(html).toContain('<span class="state up">Operational</span>');
});

test('a group of a status page is expanded, can be collapsed, and shows the worst state of its items', () => {
  const { html } = render(statusOf(['up', 'degraded', 'maintenance'], 'degraded'));
  expect(html).toContain(
    '<details open><summary><h2><bdi>Shop</bdi></h2><span class="state degraded">Degraded</span><span class="muted">Uptime over 90 days: 100%</span></summary>',
  );
});

test('a day is orange when it has less than an hour of downtime, and red from an hour, and the legend says so', () => {
  const dayOf = (downMs: number) => ({
    startMs: NOW,
    state: 'down' as const,
    availability: 99,
    downMs,
  });
  const days = [1_000, HOUR_MS - 1, HOUR_MS, 5 * HOUR_MS].map(dayOf);
  const status = statusOf(['up'], 'up');
  const items = [{ ...itemOf('Shop', 'up'), days }];
  const { html } = render({ ...status, groups: [{ name: 'All', availability: 99, items }] });
  const bars = [...html.matchAll(/<input type="radio" name="d0-0" class="(\w+)"/g)];
  expect(bars.map(([, name]) => name)).toEqual(['partial', 'partial', 'down', 'down']);
  expect(html).toContain('<span class="key partial"></span>Down for less than an hour<');
  expect(html).toContain('<span class="key down"></span>Down for an hour or more<');
  // The bars differ in height, too, not only in colour.
  const heights = ['partial', 'down'].map((name) => heightOf(html, name));
  expect(new Set([24, ...heights]).size).toBe(3);
});

function heightOf(html: string, name: string): number {
  return Number(new RegExp(`\\.strip input\\.${name}\\{height:(\\d+)px\\}`).exec(html)?.[1]);
}

test('the median response time is shown, and its line can be expanded and has a scale in words: zero, the slowest hour, and the hours at both ends', () => {
  const status = statusOf(['up'], 'up');
  const responseTimes = { medianMs: 33, hours: [20, null, 1_200, 33] };
  const items = [{ ...itemOf('Shop', 'up'), responseTimes }];
  const { html } = render({ ...status, groups: [{ name: 'All', availability: 99, items }] });
  expect(html).toContain(
    '<details class="response"><summary>Median response time: 33 ms</summary>',
  );
  expect(html).toContain(
    'aria-label="Response time, last 24 hours: 33 ms, by hour from 20 ms to 1.2 s"',
  );
  expect(html).toContain('<span>1.2 s</span><span>0 ms</span>');
  expect(html).toContain('<span>24 hours ago</span><span>Now</span>');
});

test('the shown times of an outage add up with its shown length, for any outage', () => {
  const outages = (fromMs: number, toMs: number, downMs: number | null): PublicStatus => ({
    ...statusOf(['up'], 'up'),
    outages: [
      {
        name: 'Shop',
        fromMs,
        toMs,
        lastFromMs: fromMs,
        count: downMs === null ? 1 : 3,
        downMs: downMs ?? toMs - fromMs,
      },
    ],
  });
  const minutesIn = (text: string): number => {
    const figures = (unit: string) => Number(new RegExp(`(\\d+) ${unit}`).exec(text)?.[1] ?? 0);
    return (figures('days') * 24 + figures('h')) * 60 + figures('min');
  };
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: NOW }),
      fc.oneof(fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 0, max: 20 * DAY_MS })),
      fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      (fromMs, lengthMs, share) => {
        const downMs = share === null ? null : Math.round(lengthMs * share);
        const { html } = render(outages(fromMs, fromMs + lengthMs, downMs));
        const [, words = '', span = ''] = /<li><span>(.*?)<\/span> (.*)<\/li>/.exec(html) ?? [];
        const [from = 0, to = 0] = [...span.matchAll(/datetime="(.*?)"/g)].map(([, at = '']) =>
          Math.floor(Date.parse(at) / 60_000),
        );
        const shown = minutesIn(words);
        expect(from).toBe(Math.floor(fromMs / 60_000));
        expect(shown).toBeGreaterThanOrEqual(1);
        if (downMs === null) expect(shown).toBe(to - from);
        else expect(shown).toBeLessThanOrEqual(to - from);
      },
    ),
    propertyOptions(200),
  );
});

test('the head offers each way to subscribe, and the feeds on every page', () => {
  const status = statusOf(['up'], 'up');
  const links = (ways: readonly SubscriberType[], slug: string | null) => {
    const { html } = renderStatusPage(status, { nowMs: NOW, slug, ways });
    const [, menu = ''] = /<summary>Subscribe<\/summary>(.*?)<\/header>/s.exec(html) ?? [];
    return [...menu.matchAll(/<a href="(.*?)">(.*?)<\/a>/g)].map(([, href, word]) => [href, word]);
  };
  expect(links(['mail', 'slack'], 'shop')).toEqual([
    ['shop/subscribe?type=mail', 'By email'],
    ['shop/subscribe?type=slack', 'In Slack'],
    ['shop/feed.rss', 'RSS'],
    ['shop/feed.atom', 'Atom'],
    ['shop/feed.json', 'JSON Feed'],
  ]);
  expect(links([], null).map(([href]) => href)).toEqual(['feed.rss', 'feed.atom', 'feed.json']);
});

test('the heading of incidents names their days, and older incidents are linked from the month in which these days begin', () => {
  const { html } = renderStatusPage(statusOf(['up'], 'up'), {
    nowMs: Date.UTC(2026, 2, 10),
    slug: 'shop',
  });
  expect(html).toContain('<h2>Incidents of the last 14 days</h2>');
  expect(html).toContain('<a href="shop/history/2026-02">Older incidents</a>');
});

test('the first link of a page skips to the state of the page', () => {
  const { html } = render(statusOf(['up'], 'up'));
  expect(/<a [^>]+>/.exec(html)?.[0]).toBe('<a class="skip" href="#content">');
  expect(html).toContain('<p class="overall up" id="content"');
});

test('the posts by month are linked only after a post was published, from the month of the newest post', () => {
  const status = statusOf(['up'], 'up');
  const newestPostAtMs = Date.UTC(2025, 10, 30);
  expect(render(status).html).not.toContain('Announcements by month');
  for (const [slug, href] of [
    ['shop', 'shop/history/2025-11'],
    [null, 'history/2025-11'],
  ] as const)
    expect(renderStatusPage({ ...status, newestPostAtMs }, { nowMs: NOW, slug }).html).toContain(
      `<a href="${href}">Announcements by month</a>`,
    );
});

test('the logo is the icon of the page, and the content security policy allows it', () => {
  const { html, policy } = render(statusOf(['up'], 'up', LOGO));
  expect(html).toContain(`<link rel="icon" href="${LOGO}">\n</head>`);
  expect(policy).toContain('img-src data:');
  const plain = render(statusOf(['up'], 'up'));
  expect([plain.html.includes('rel="icon"'), plain.policy.includes('img-src')]).toEqual([
    false,
    false,
  ]);
  expect(renderStatusEmbed(statusOf(['up'], 'up', LOGO), 'shop').html).not.toContain(LOGO);
});
