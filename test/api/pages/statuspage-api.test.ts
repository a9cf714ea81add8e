/** Tests the files that show a status page in the format of Statuspage, for tools that read this format. */
import { isApiFile, renderStatuspageFile } from '../../../src/api/pages/feeds/statuspage-api';
import type {
  PublicItem,
  PublicState,
  PublicStatus,
} from '../../../src/services/status-pages/public-status';

const NOW = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;
const URL_OF_PAGE = 'https://watch.example/status/shop';

const itemIn = (id: string, name: string, state: PublicState): PublicItem => ({
  id,
  name,
  state,
  availability: 100,
  days: [],
  sinceMs: null,
  responseTimes: null,
});

function statusOf(changes: Partial<PublicStatus> = {}): PublicStatus {
  const items = [itemIn('mon_1', 'Payments', 'down'), itemIn('mon_2', 'Search', 'up')];
  return {
    title: 'Shop',
    description: null,
    overall: 'down',
    availability: 100,
    groups: [{ name: 'Customers', availability: 100, items }],
    outages: [],
    maintenance: [],
    posts: [],
    newestPostAtMs: null,
    showBadges: false,
    showResponseTimes: false,
    look: { logo: null, accent: null, theme: 'auto', language: 'en' },
    service: null,
    readAtMs: NOW,
    ...changes,
  };
}

const page = { slug: 'shop', createdAtMs: NOW - 100 * HOUR, updatedAtMs: NOW - 50 * HOUR };
const read = (file: string, status = statusOf()) => {
  if (!isApiFile(file)) throw new Error(`${file} is no file of the API`);
  return JSON.parse(renderStatuspageFile(file, { page, status, url: URL_OF_PAGE, nowMs: NOW }));
};

it('summary.json summarises the page in the format of Statuspage', () => {
  const summary = read('summary.json');
  expect(Object.keys(summary)).toEqual([
    'page',
    'status',
    'components',
    'incidents',
    'scheduled_maintenances',
  ]);
  expect(summary.page).toMatchObject({ name: 'Shop', url: URL_OF_PAGE, time_zone: 'Etc/UTC' });
  expect(summary.status).toEqual({ indicator: 'major', description: 'Partial outage' });
  const [group, payments, search] = summary.components;
  expect(group).toMatchObject({
    name: 'Customers',
    group: true,
    status: 'major_outage',
    components: ['mon_1', 'mon_2'],
  });
  expect(payments).toMatchObject({ id: 'mon_1', status: 'major_outage', group_id: group.id });
  expect(search).toMatchObject({ id: 'mon_2', status: 'operational', position: 2 });
});

it('each file of the Statuspage format has its own content', () => {
  expect(Object.keys(read('status.json'))).toEqual(['page', 'status']);
  expect(Object.keys(read('components.json'))).toEqual(['page', 'components']);
  expect(Object.keys(read('incidents.json'))).toEqual(['page', 'incidents']);
  expect(isApiFile('toString')).toBe(false);
});

it.each([
  ['up', 'none'],
  ['degraded', 'minor'],
  ['maintenance', 'maintenance'],
  ['unknown', 'none'],
] as const)('a page with the state %s has the Statuspage indicator %s', (overall, indicator) => {
  const items = [itemIn('mon_1', 'Payments', overall)];
  const groups = [{ name: 'Customers', availability: 100, items }];
  expect(read('status.json', statusOf({ overall, groups })).status.indicator).toBe(indicator);
});

it('a posted incident makes the Statuspage indicator minor, even if all checks pass', () => {
  const items = [itemIn('mon_1', 'Payments', 'up')];
  const groups = [{ name: 'Customers', availability: 100, items }];
  const { status } = read('status.json', statusOf({ overall: 'degraded', groups }));
  expect(status).toEqual({ indicator: 'minor', description: 'An incident is ongoing' });
});

it('the Statuspage indicator of the page is critical if everything is down', () => {
  const groups = [
    { name: 'Customers', availability: 0, items: [itemIn('mon_1', 'Payments', 'down')] },
  ];
  expect(read('status.json', statusOf({ groups })).status).toEqual({
    indicator: 'critical',
    description: 'Major outage',
  });
});

it('the Statuspage format shows posts as incidents with their updates, without internal ids', () => {
  const post = {
    id: 'pst_secret',
    type: 'incident',
    title: 'Cards fail',
    names: ['Payments'],
    state: 'resolved',
    isOpen: false,
    updates: [
      { state: 'resolved', text: 'Fixed.', html: null, atMs: NOW },
      { state: 'monitoring', text: 'We watch it.', html: null, atMs: NOW - HOUR },
    ],
    postMortem: null,
    publishedAtMs: NOW - 2 * HOUR,
    changedAtMs: NOW,
  } as const;
  const [incident] = read('incidents.json', statusOf({ posts: [post] })).incidents;
  expect(incident).toMatchObject({
    name: 'Cards fail',
    status: 'resolved',
    monitoring_at: new Date(NOW - HOUR).toISOString(),
    resolved_at: new Date(NOW).toISOString(),
    shortlink: URL_OF_PAGE,
    components: [{ id: 'mon_1' }],
    incident_updates: [
      { status: 'resolved', body: 'Fixed.' },
      { status: 'monitoring', body: 'We watch it.' },
    ],
  });
  expect(JSON.stringify(incident)).not.toContain('pst_secret');
  const open = { ...post, state: 'monitoring', isOpen: true } as const;
  const [going] = read('incidents.json', statusOf({ posts: [open] })).incidents;
  expect(going).toMatchObject({ status: 'monitoring', impact: 'major', resolved_at: null });
});

it('the Statuspage format shows planned maintenance with its time', () => {
  const maintenance = [
    {
      names: ['Search'],
      fromMs: NOW + HOUR,
      toMs: NOW + 2 * HOUR,
      announcedAtMs: NOW,
      changedAtMs: NOW,
    },
  ];
  const summary = read('summary.json', statusOf({ maintenance }));
  expect(summary.scheduled_maintenances).toMatchObject([
    {
      name: 'Maintenance of Search',
      status: 'scheduled',
      scheduled_for: new Date(NOW + HOUR).toISOString(),
      scheduled_until: new Date(NOW + 2 * HOUR).toISOString(),
      components: [{ id: 'mon_2' }],
    },
  ]);
});
