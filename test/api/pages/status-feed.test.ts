/**
 * Tests planned maintenance in feeds. An entry has the date of its announcement, and its text names the time of the
 * maintenance.
 */
import {
  FEED_TYPES,
  type FeedFile,
  renderStatusFeed,
} from '../../../src/api/pages/feeds/status-feed';
import type { MaintenanceWindow } from '../../../src/models/maintenance/maintenance-windows';
import { listPublicMaintenance } from '../../../src/services/status-pages/public-maintenance';

const NOW = Date.UTC(2026, 4, 10, 12);
const DAY = 86_400_000;
const SHOP_URL = 'https://watch.example/status/shop';
const PAGE_URLS = { url: SHOP_URL, id: SHOP_URL };

function windowAt(fields: Partial<MaintenanceWindow>): MaintenanceWindow {
  return {
    id: 'mnt_1',
    accountId: 'acc_1',
    version: 1,
    sequence: 1,
    name: 'inside name',
    key: null,
    mode: 'mute',
    startsAtMs: NOW + 3 * DAY,
    durationMinutes: 60,
    rrule: null,
    timeZone: 'UTC',
    target: { ids: [], tags: [], groups: [], all: true },
    createdAtMs: NOW - DAY,
    updatedAtMs: NOW - DAY,
    effectiveFromMs: 0,
    endedAtMs: null,
    isDeleted: false,
    pendingTargets: [],
    occurrences: [{ fromMs: NOW + 3 * DAY, toMs: NOW + 3 * DAY + 3_600_000 }],
    dueAtMs: null,
    ...fields,
  };
}

const resource = { id: 'mon_1', groupKey: 'shop', tags: [] };
const chosen = [{ id: 'mon_1', name: 'Payments' }];

function feedOf(file: FeedFile, windows: readonly MaintenanceWindow[]): string {
  const scene = { windows, nowMs: NOW, resourceById: new Map([['mon_1', resource]]) };
  const status = {
    title: 'Shop',
    description: null,
    overall: 'up',
    groups: [],
    availability: null,
    readAtMs: NOW,
    outages: [],
    maintenance: listPublicMaintenance(scene, chosen),
    posts: [],
    newestPostAtMs: null,
    showBadges: false,
    showResponseTimes: false,
    look: { logo: null, accent: null, theme: 'auto', language: 'en' },
    service: null,
  } as const;
  return renderStatusFeed(file, status, PAGE_URLS);
}

const FILES = Object.keys(FEED_TYPES) as FeedFile[];

test.each(FILES)(
  'the entry of planned maintenance in %s has the date of its announcement',
  (file) => {
    const text = feedOf(file, [windowAt({})]);
    const stamps = {
      'feed.json': /"date_published": "(.*?)"/,
      'feed.atom': /<published>(.*?)</,
      'feed.rss': /<pubDate>(.*?)</,
    };
    expect(Date.parse(stamps[file].exec(text)?.[1] ?? '')).toBe(NOW - DAY);
    expect(text).toContain(
      'Maintenance of Payments from 13 May 2026, 12:00 UTC to 13 May 2026, 13:00 UTC.',
    );
  },
);

test('a changed maintenance window changes the modification date of its feed entry, not the publication date', () => {
  const [entry] = JSON.parse(feedOf('feed.json', [windowAt({ updatedAtMs: NOW - 60_000 })])).items;
  expect([entry.date_published, entry.date_modified].map((text) => Date.parse(text))).toEqual([
    NOW - DAY,
    NOW - 60_000,
  ]);
});

test('the feed announces each occurrence of a repeating window when the page starts to show the occurrence', () => {
  const occurrences = [2, 9].map((days) => {
    const fromMs = NOW + days * DAY;
    return { fromMs, toMs: fromMs + 3_600_000 };
  });
  const window = windowAt({
    createdAtMs: NOW - 300 * DAY,
    updatedAtMs: NOW - 300 * DAY,
    occurrences,
  });
  const { items } = JSON.parse(feedOf('feed.json', [window]));
  const published = items.map((entry: Record<string, string>) =>
    Date.parse(entry['date_published'] ?? ''),
  );
  expect(published).toEqual([NOW - 5 * DAY, NOW - 12 * DAY]);
});

test('no entry of the status feed has a date in the future, whenever its maintenance window starts', () => {
  const starts = [-1 / 48, 0, 1 / 48, 1, 13, 14];
  const windows = starts.map((days, index) => {
    const fromMs = NOW + days * DAY;
    const occurrences = [{ fromMs, toMs: fromMs + 3_600_000 + index }];
    return windowAt({
      id: `mnt_${index}`,
      createdAtMs: NOW - index,
      updatedAtMs: NOW - index,
      occurrences,
    });
  });
  const { items } = JSON.parse(feedOf('feed.json', windows));
  expect(items).toHaveLength(starts.length);
  for (const entry of items)
    for (const name of ['date_published', 'date_modified'])
      expect(Date.parse(entry[name])).toBeLessThanOrEqual(NOW);
});
