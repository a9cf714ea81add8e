/**
 * Tests the languages of status pages. Each language has all texts with the same placeholders, and no text breaks the
 * HTML.
 */
import { runInNewContext } from 'node:vm';
import { renderStatusFeed } from '../../../src/api/pages/feeds/status-feed';
import { renderStatusPage } from '../../../src/api/pages/status-page-html';
import { TIMES_SCRIPT } from '../../../src/api/pages/status-page-script';
import { getTexts, WORDS } from '../../../src/api/pages/status-page-text';
import { EN } from '../../../src/api/pages/words/en';
import {
  STATUS_PAGE_LANGUAGES,
  type StatusPageLanguage,
} from '../../../src/contracts/status-pages';
import type { PublicItem, PublicStatus } from '../../../src/services/status-pages/public-status';

const NOW = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;
const SHOP_URL = 'https://watch.example/status/shop';
const holesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

test('every language of the schema has a catalogue of texts', () => {
  expect(Object.keys(WORDS)).toEqual([...STATUS_PAGE_LANGUAGES]);
});

describe.each(STATUS_PAGE_LANGUAGES)('%s', (language) => {
  it('each language has the same keys in the same order, none of them empty', () => {
    expect(Object.keys(WORDS[language])).toEqual(Object.keys(EN));
    expect(Object.values(WORDS[language])).not.toContain('');
  });

  it('each language has the same placeholders in each text', () => {
    const holes = Object.entries(WORDS[language]).map(([key, text]) => [key, holesOf(text)]);
    expect(Object.fromEntries(holes)).toEqual(
      Object.fromEntries(Object.entries(EN).map(([key, text]) => [key, holesOf(text)])),
    );
  });

  it('no text of a language contains a character that HTML must escape', () => {
    expect(Object.values(WORDS[language]).join('')).not.toMatch(/[<>&"']/);
  });

  it('page and feed of each language have its own texts, with all placeholders filled in', () => {
    const status = statusIn(language);
    const { html } = renderStatusPage(status, { nowMs: NOW, slug: 'shop', isDraft: true });
    const feed = renderStatusFeed('feed.json', status, { url: SHOP_URL, id: SHOP_URL });
    expect(html).toContain(`<html lang="${language}">`);
    expect(JSON.parse(feed).language).toBe(language);
    expect(html).toContain(getTexts(language).say('overall.all-down'));
    expect(html.replace(/<style>.*<\/style>/s, '')).not.toMatch(/\{\w+\}/);
    expect(feed).not.toMatch(/\{\w+\}/);
  });
});

test('an open outage is shown with its own start, and with the number of earlier outages', () => {
  const status = statusIn('en');
  const { html } = renderStatusPage(status, { nowMs: NOW, slug: 'shop', isDraft: true });
  const text = html.replaceAll(/<[^>]+>/g, '');
  expect(text).toContain(
    'Payments has been down since 5 Jan 2026, 11:30 4 earlier outages since 5 Jan 2026, 10:00',
  );
  expect(text).toContain('11:30 1 earlier outage since');
  expect(renderStatusFeed('feed.json', status, { url: SHOP_URL, id: SHOP_URL })).toContain(
    'since 5 Jan 2026, 11:30 UTC. (4 earlier outages since 5 Jan 2026, 10:00 UTC)',
  );
});

test('times, percentages and counts are written in the language of the page', () => {
  const german = getTexts('de');
  expect(german.time(NOW)).toContain('datetime="2026-01-05T12:00:00.000Z"');
  expect(german.month(NOW)).toBe('Januar 2026');
  expect(german.percent(99.42)).toBe('99,42%');
  expect(getTexts('en').percent(99.42)).toBe('99.42%');
  expect(german.outageDays(1)).toBe('1 Tag mit einem Ausfall');
  expect(getTexts('ja').month(NOW)).toBe('2026年1月');
  expect(german.length(51 * HOUR + 90_000)).toBe('2 Tage 3 Std. 2 Min.');
  expect(getTexts('en').span(NOW, NOW + HOUR / 2)).toMatch(/5 Jan 2026, 12:00<.*>12:30</);
});

test('in local time, a time span shows its day once if it starts and ends on the same day', () => {
  const at = (day: number, hour: number) => new Date(2026, 0, day, hour).getTime();
  const german = getTexts('de');
  const html = [
    german.span(at(5, 9), at(5, 10)),
    german.span(at(5, 23), at(6, 1)),
    german.time(at(6, 1)),
  ];
  expect(showLocalTimes(html.join(''), { lang: 'de' }).times).toEqual([
    '05.01.2026, 09:00',
    '10:00',
    '05.01.2026, 23:00',
    '06.01.2026, 01:00',
    '06.01.2026, 01:00',
  ]);
});

test("local times are written in the reader's variant of the page's language, and name the time zone", () => {
  const english = getTexts('en');
  const html = `${english.span(NOW, NOW + HOUR / 2)} ${english.zonedTime(NOW)}`;
  expect(html).toContain(' data-zone>5 Jan 2026, 12:00 UTC</time>');
  const readIn = (languages: readonly string[]) =>
    showLocalTimes(html, { lang: 'en', languages }).times[0]?.replace(/[\s\u202F]/g, ' ');
  expect(readIn(['de-CH', 'en-GB'])).toMatch(/^5 Jan 2026, \d\d:\d\d$/);
  expect(readIn(['en-US'])).toMatch(/^Jan 5, 2026, \d+:\d\d [AP]M$/);
  expect(readIn(['en-US@posix', 'en-GB'])).toMatch(/^5 Jan 2026, /);
  expect(readIn(['ja'])).toMatch(/^5 Jan 2026, \d\d:\d\d$/);
  const { times, zone } = showLocalTimes(html, { lang: 'en' });
  const own = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(NOW);
  expect(times.at(-1)).toMatch(new RegExp(` ${own.at(-1)?.value.replace('+', '\\+')}$`));
  expect(zone).toBe(`Local (${Intl.DateTimeFormat().resolvedOptions().timeZone})`);
});

interface Reader {
  readonly lang: string;
  /** The languages of the browser, the preferred one first. */
  readonly languages?: readonly string[];
}

/** Returns the times on the page and the line about the time zone, after the script of the page has run. */
function showLocalTimes(html: string, { lang, languages = [] }: Reader) {
  const times = [...html.matchAll(/<time datetime="(.*?)"( data-end)?( data-zone)?>/g)].map(
    ([, dateTime, end, zone]) => ({
      dateTime,
      dataset: { ...(end !== undefined && { end }), ...(zone !== undefined && { zone }) },
      textContent: '',
    }),
  );
  const line = { dataset: { local: 'Local' }, textContent: '' };
  const document = {
    documentElement: { lang },
    querySelectorAll: () => times,
    querySelector: () => line,
  };
  const addEventListener = (_name: string, show: () => void): void => show();
  runInNewContext(TIMES_SCRIPT, { document, addEventListener, navigator: { languages } });
  return { times: times.map(({ textContent }) => textContent), zone: line.textContent };
}

/** An outage whose last part began half an hour ago. */
function outage(
  fromMs: number,
  toMs: number | null,
  sums: { readonly count: number; readonly downMs: number },
) {
  return { name: 'Payments', fromMs, toMs, lastFromMs: NOW - HOUR / 2, ...sums };
}

function statusIn(language: StatusPageLanguage): PublicStatus {
  const item: PublicItem = {
    id: 'mon_1',
    name: 'Payments',
    state: 'down',
    availability: 99.5,
    sinceMs: NOW - 40 * HOUR,
    responseTimes: { medianMs: 230, hours: [null, 200, 250, null, 240] },
    days: [
      { startMs: NOW, state: 'down', availability: 90, downMs: 3 * HOUR },
      { startMs: NOW, state: 'up', availability: 100, downMs: 0 },
      { startMs: NOW, state: 'unknown', availability: null, downMs: 0 },
    ],
  };
  const post = {
    title: 'Cards fail',
    names: ['Payments'],
    publishedAtMs: NOW,
    changedAtMs: NOW,
    postMortem: null,
  };
  return {
    title: 'Shop',
    description: null,
    overall: 'down',
    availability: 99.5,
    groups: [
      { name: 'All', availability: 99.5, items: [item, { ...item, id: 'mon_2', sinceMs: null }] },
    ],
    outages: [
      outage(NOW - HOUR, null, { count: 1, downMs: HOUR }),
      outage(NOW - 2 * HOUR, null, { count: 2, downMs: HOUR }),
      outage(NOW - 2 * HOUR, null, { count: 5, downMs: HOUR }),
      outage(NOW - 60 * HOUR, NOW, { count: 1, downMs: 60 * HOUR }),
      outage(NOW - 3 * HOUR, NOW, { count: 3, downMs: 2 * HOUR }),
    ],
    maintenance: [
      {
        names: ['Payments'],
        fromMs: NOW + HOUR,
        toMs: NOW + 2 * HOUR,
        announcedAtMs: NOW,
        changedAtMs: NOW,
      },
    ],
    newestPostAtMs: NOW,
    posts: [
      {
        ...post,
        id: 'pst_1',
        type: 'incident',
        state: 'investigating',
        isOpen: true,
        updates: [{ state: 'investigating', text: 'We look into it.', html: null, atMs: NOW }],
      },
      {
        ...post,
        id: 'pst_2',
        type: 'maintenance',
        state: 'completed',
        isOpen: false,
        updates: [{ state: 'completed', text: 'Done.', html: null, atMs: NOW }],
        postMortem: { text: 'All went well.', html: null },
      },
    ],
    showBadges: true,
    showResponseTimes: true,
    look: { logo: null, accent: null, theme: 'auto', language },
    service: null,
    readAtMs: NOW,
  };
}
