/** The top of a public status page and of its groups. */
import { renderStatusEmbed, renderStatusPage } from '../../../src/api/pages/status-page-html';
import type {
  PublicItem,
  PublicState,
  PublicStatus,
} from '../../../src/services/status-pages/public-status';

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
  [['up', 'down', 'degraded'], '<span><bdi>Item &lt;1&gt;</bdi> is down</span>'],
  [['down'], '<span><bdi>Item &lt;0&gt;</bdi> is down</span>'],
  [
    ['down', 'down', 'up'],
    '<span>Partial outage<small><bdi>Item &lt;0&gt;</bdi>, <bdi>Item &lt;1&gt;</bdi></small></span>',
  ],
  [['down', 'down', 'down', 'down', 'up'], 'Partial outage'],
  [['down', 'down'], 'Major outage'],
  [['up', 'degraded'], '<span>Degraded performance<small><bdi>Item &lt;1&gt;</bdi></small></span>'],
] as const)(
  'with the states %j the heading says %s, on the page and in frames',
  (states, words) => {
    const isDown = states.some((state) => state === 'down');
    const status = statusOf(states, isDown ? 'down' : 'degraded');
    expect(heading(render(status).html)).toBe(words);
    expect(heading(renderStatusEmbed(status, 'shop').html)).toBe(words);
  },
);

test('a check that is up is shown as operational', () => {
  const { html } = render(statusOf(['up'], 'up'));
  expect(heading(html)).toBe('All systems operational');
  expect(html).toContain('<span class="state up">Operational</span>');
});

test('a group of a status page is expanded, can be collapsed, and shows the worst state of its items', () => {
  const { html } = render(statusOf(['up', 'degraded', 'maintenance'], 'degraded'));
  expect(html).toContain(
    '<details open><summary><h2><bdi>Shop</bdi></h2><span class="state degraded">Degraded</span></summary>',
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
