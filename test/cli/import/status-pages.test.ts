/** Tests the import of pages of Statuspage and Instatus, in the formats that they publish, and of invalid files. */
import * as fc from 'fast-check';
import { propertyOptions } from '../../support/property-runs';
import { convertText, expectFine, refusedText } from '../convert';
import { convert } from '../convert-files';
import { type FakeService, startFakeService } from '../fake-service';
import { onTerminal } from '../terminal';

const AT = '2026-01-31T12:00:00.000Z';

/** Returns a component as in `/api/v2/summary.json`. */
const component = (id: string, name: string, changes: object = {}) => ({
  id,
  name,
  status: 'operational',
  created_at: AT,
  updated_at: AT,
  position: 1,
  description: null,
  showcase: false,
  start_date: null,
  group_id: null,
  page_id: 'p1',
  group: false,
  only_show_if_degraded: false,
  ...changes,
});
const incident = (name: string, changes: object = {}) => ({
  id: 'i1',
  name,
  status: 'investigating',
  impact: 'minor',
  created_at: AT,
  incident_updates: [{ id: 'u1', status: 'investigating', body: 'Looking.', display_at: AT }],
  ...changes,
});
const SUMMARY = {
  page: {
    id: 'p1',
    name: 'Shop status',
    url: 'https://status.example.com',
    time_zone: 'UTC',
    updated_at: AT,
  },
  status: { indicator: 'none', description: 'All Systems Operational' },
  components: [
    component('c3', 'Search', { group_id: 'g1', position: 2 }),
    component('c1', 'Checkout', { position: 1, description: 'Carts and orders' }),
    component('g1', 'Catalogue', { group: true, position: 3, components: ['c2', 'c3'] }),
    component('c2', 'Pictures', { group_id: 'g1', position: 1, only_show_if_degraded: true }),
  ],
  incidents: [incident('Slow search')],
  scheduled_maintenances: [
    incident('New servers', { status: 'scheduled', scheduled_for: AT, scheduled_until: AT }),
  ],
};
const GROUPS = [
  { name: 'Services', items: [{ monitor: 'checkout', name: 'Checkout' }] },
  {
    name: 'Catalogue',
    items: [
      { monitor: 'pictures', name: 'Pictures' },
      { monitor: 'search', name: 'Search' },
    ],
  },
];

it('the import from Statuspage keeps the order of groups and components, and lists what it leaves out', async () => {
  const { statusPages, monitors, told } = await convertText('statuspage', SUMMARY);
  expect(monitors).toBeUndefined();
  expect(statusPages).toEqual([
    { key: 'shop-status', slug: 'shop-status', title: 'Shop status', groups: GROUPS },
  ]);
  expect(told).toEqual([
    'Checkout: description has no counterpart and is left out',
    'Pictures: only_show_if_degraded has no counterpart and is left out',
    'Shop status: components without a group are in Services',
    expect.stringContaining('its 2 open incidents and maintenances are not definitions'),
    expect.stringContaining(
      'each of its 3 items names a monitor by a key made from its name, such as checkout',
    ),
    expect.stringContaining('is not public yet'),
  ]);
});

it("one page is imported from separate files of Statuspage's API", async () => {
  const folder = ['page', 'components', 'groups', 'incidents'].map(
    (name) => `status-pages/statuspage-${name}.json`,
  );
  const { statusPages, told } = await convert('statuspage', ...folder);
  expect(statusPages).toEqual([
    {
      key: 'shop-status',
      slug: 'shop',
      title: 'Shop status',
      description: 'How the shop is.',
      groups: GROUPS,
    },
  ]);
  expect(told).toContainEqual(expect.stringContaining('has the domain status.example.com'));
  expect(told).toContainEqual(expect.stringContaining('its 2 open incidents and maintenances'));
  expect(told).toContainEqual(expect.stringContaining('its 1 closed incidents and maintenances'));
});

const instatusComponent = (id: string, name: string, changes: object = {}) => ({
  id,
  name,
  status: 'OPERATIONAL',
  uniqueEmail: `shop-${id}@automation.example.com`,
  description: '',
  showUptime: true,
  order: 0,
  group: null,
  incidents: [],
  ...changes,
});
const CATALOGUE = { id: 'g1', name: 'Catalogue', order: 1 };
const INSTATUS = [
  instatusComponent('g1', 'Catalogue', { order: 1 }),
  instatusComponent('c2', 'Pictures', { group: CATALOGUE, order: 0 }),
  instatusComponent('c3', 'Search', { group: CATALOGUE, order: 1 }),
  instatusComponent('c1', 'Checkout'),
];

it('groups and components of Instatus are imported', async () => {
  const listed = await convertText('instatus', INSTATUS);
  expect(listed.statusPages).toEqual([
    { key: 'status', slug: 'status', title: 'Status', groups: GROUPS },
  ]);
});

it('the import finds an Instatus page, with its language and colour, in a file that also lists incidents', async () => {
  const page = {
    id: 'p1',
    subdomain: 'shop',
    name: 'Shop',
    language: 'de',
    customDomain: 'status.example.com',
    brandColor: '#1a3',
  };
  const update = { id: 'u1', message: 'Looking.', status: 'INVESTIGATING', started: AT };
  const outage = { id: 'i1', name: 'Slow', started: AT, status: 'RESOLVED', updates: [update] };
  const work = { id: 'm1', name: 'New', start: AT, duration: 60, status: 'COMPLETED', updates: [] };
  const all = [page, ...INSTATUS, outage, work, { ...page, name: 'Other', subdomain: 'other' }];
  const { statusPages, told } = await convertText('instatus', all);
  expect(statusPages).toEqual([
    { key: 'shop', slug: 'shop', title: 'Shop', language: 'de', accent: '#11aa33', groups: GROUPS },
  ]);
  expect(told).toContainEqual(expect.stringContaining('Other: is another page'));
  expect(told).toContainEqual(expect.stringContaining('has the domain status.example.com'));
  expect(told).toContainEqual(expect.stringContaining('its 2 closed incidents and maintenances'));
  const odd = await convertText('instatus', [
    { ...page, language: 'tlh', brandColor: 'red' },
    ...INSTATUS,
  ]);
  expect(odd.statusPages[0]).not.toHaveProperty('language');
  expect(odd.told).toContainEqual(expect.stringContaining('has the language tlh'));
  expect(odd.told).toContainEqual(expect.stringContaining('has the colour red'));
});

it('an imported page stays within the limits, and notes name what was left out', async () => {
  const many = Array.from({ length: 130 }, (_, at) =>
    component(`c${at}`, `Part ${at}`, { position: at }),
  );
  const { statusPages, told } = await convertText('statuspage', {
    page: SUMMARY.page,
    components: many,
  });
  expect(statusPages[0].groups[0].items).toHaveLength(100);
  expect(told).toContainEqual(expect.stringMatching(/left out: Part 100, .*Part 129/));
  const same = [component('a', 'Search'), component('b', 'Search'), component('a', 'Search')];
  const twice = await convertText('statuspage', { components: same });
  expect(twice.statusPages[0].groups[0].items).toEqual([
    { monitor: 'search', name: 'Search' },
    { monitor: 'search-2', name: 'Search' },
  ]);
});

it('a file that neither Statuspage nor Instatus can have written is refused with the path of the error', async () => {
  expect(await refusedText('statuspage', 'hello')).toContain('is not JSON.');
  expect(await refusedText('statuspage', { components: [{ id: 1 }] })).toMatch(
    /components\[0\]\.id must be a text\n.*components\[0\]\.name is missing/,
  );
  expect(await refusedText('statuspage', [component('a', 'b'), { id: 'x' }])).toContain(
    '[1].name is missing',
  );
  expect(await refusedText('statuspage', { components: [] })).toContain('could be imported');
  expect(await refusedText('statuspage', { incidents: [incident('Slow')] })).toContain(
    'The notes above say why.',
  );
  expect(await refusedText('instatus', {})).toContain('must be a list');
  expect(await refusedText('instatus', 'hello')).toContain('is not JSON.');
  expect(await refusedText('instatus', [null])).toContain('[0] must be an object');
  expect(await refusedText('instatus', [{ updates: 'x', name: 'a', started: AT }])).toContain(
    '[0].updates must be a list',
  );
});

describe('posts import', () => {
  const post = (title: string, state: string) => ({
    id: 'pst_1',
    pageId: 'stp_1',
    type: 'incident',
    title,
    affected: [],
    state: 'draft',
    status: state,
    updates: [{ state, text: 'Looking.', at: AT, by: null, isDraft: true }],
    createdAt: AT,
  });
  const items = [{ id: 'mon_1', name: 'Search' }];
  const page = { id: 'stp_1', slug: 'shop', title: 'Shop', groups: [{ name: 'All', items }] };
  const listOf = (data: readonly object[]) => [[200, { data, nextCursor: null }] as const];
  let service: FakeService;
  afterEach(() => service.close());

  async function run(tool: string, file: unknown, known: readonly object[] = []) {
    service = await startFakeService({
      'GET /v1/status-pages': listOf([page]),
      'GET /v1/status-page-posts': listOf(known),
      'POST /v1/status-page-posts': [[201, post('Slow search', 'monitoring')]],
    });
    const end = await onTerminal(['posts', 'import', tool, '-', '--page', 'shop'], {
      isTerminal: false,
      input: JSON.stringify(file),
      environment: { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' },
    });
    const made = service.asked.filter(({ line }) => line.startsWith('POST'));
    return { ...end, bodies: made.map(({ body }) => body) };
  }

  const LATER = '2026-01-31T13:00:00.000Z';
  const SLOW = incident('Slow search', {
    status: 'monitoring',
    components: [component('c3', 'Search'), component('c9', 'Gone')],
    incident_updates: [
      { status: 'monitoring', body: 'Fixed.<br />We\u0000 watch.', created_at: LATER },
      { status: 'investigating', body: 'Looking.', created_at: AT },
    ],
  });

  it('`posts import` creates drafts of open incidents with their last text, and finds affected items by name', async () => {
    const over = incident('Old', { status: 'postmortem' });
    const work = { ...SUMMARY.scheduled_maintenances[0], scheduled_until: LATER };
    const file = { incidents: [SLOW, over], scheduled_maintenances: [work] };
    const { code, bodies, stderr } = await run('statuspage', file);
    expect({ code, bodies }).toEqual({
      code: 0,
      bodies: [
        {
          pageId: 'stp_1',
          type: 'incident',
          title: 'Slow search',
          state: 'monitoring',
          text: 'Fixed.\nWe  watch.',
          affected: ['mon_1'],
        },
        {
          pageId: 'stp_1',
          type: 'maintenance',
          title: 'New servers',
          state: 'scheduled',
          text: 'Looking.\n\nPlanned from 2026-01-31 12:00 to 2026-01-31 13:00 UTC.',
          affected: [],
        },
      ],
    });
    expect(stderr).toContain('Slow search: Shop does not show Gone');
    expect(stderr).toContain('keepwatch posts publish ID');
  });

  it('`posts import` creates no draft twice, and none for an empty incident', async () => {
    const silent = incident('Silent', { incident_updates: [] });
    const odd = incident('Odd', { status: 'constructor' });
    const file = { incidents: [SLOW, silent, odd] };
    const again = await run('statuspage', file, [post('Slow search', 'monitoring')]);
    expect(again).toMatchObject({ code: 0, bodies: [] });
    expect(again.stderr).toContain('Slow search: already exists as pst_1');
    expect(again.stderr).toContain('Silent: has no title or no text');
    await service.close();
    const afterEnd = await run('statuspage', file, [post('Slow search', 'resolved')]);
    expect(afterEnd.bodies).toHaveLength(1);
  });

  it('`posts import` maps the states of Instatus', async () => {
    const update = { message: 'At night.', status: 'NOTSTARTEDYET', started: AT };
    const work = {
      name: 'New',
      start: AT,
      duration: 60,
      status: 'NOTSTARTEDYET',
      updates: [update],
    };
    const endless = { ...work, name: 'Endless', duration: 1e300 };
    const { bodies } = await run('instatus', [
      { ...work, components: [{ name: 'Search' }] },
      endless,
    ]);
    expect(bodies).toMatchObject([
      {
        type: 'maintenance',
        state: 'scheduled',
        affected: ['mon_1'],
        text: expect.stringContaining('13:00 UTC'),
      },
      { title: 'Endless', text: 'At night.' },
    ]);
  });

  it('`posts import` refuses a file of another tool without a call to the service', async () => {
    const { code, bodies } = await run('instatus', { incidents: [] });
    expect({ code, bodies, asked: service.asked }).toEqual({ code: 2, bodies: [], asked: [] });
  });
});

/** Values that people and other programs may write into fields. Some of them must not appear in names. */
const odd = fc.constantFrom(
  '',
  ' ',
  '首页',
  'a\nb',
  '\u0000',
  '\u202e',
  '\ud800',
  '${HOME}',
  '{{x}}',
  '<b>',
  '__proto__',
  'x'.repeat(300),
  'constructor',
);
const text = fc.oneof(odd, fc.string({ maxLength: 12 }));
const id = fc.constantFrom('a', 'b', '__proto__');
const place = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }));
const REQUIRED: ('id' | 'name' | 'status')[] = ['id', 'name', 'status'];
const named = { id, name: text, status: text };
const statuspageComponent = fc.record(
  { ...named, group_id: fc.option(id), group: fc.boolean(), position: place },
  { requiredKeys: REQUIRED },
);
const group = fc.option(fc.record({ id, name: text, order: place }));
const listedComponent = fc.record(
  { ...named, group, isParent: fc.boolean(), order: place },
  { requiredKeys: REQUIRED },
);
const page = fc.record({ name: text, page_description: text });

const anyOf = (component: fc.Arbitrary<unknown>) => fc.array(component, { maxLength: 4 });

it.each<[string, fc.Arbitrary<unknown>]>([
  ['statuspage', fc.record({ page, components: anyOf(statuspageComponent) })],
  ['instatus', anyOf(listedComponent)],
])('apply accepts an import from %s, whatever its texts are', async (tool, files) => {
  await fc.assert(
    fc.asyncProperty(files, async (file) => {
      const given = { isTerminal: false, input: JSON.stringify(file) };
      const parameters = ['import', tool, '-', '--output', 'json'];
      const { code, stdout, stderr } = await onTerminal(parameters, given);
      if (code === 2) return expect(stderr).toContain('could be imported');
      expect(code).toBe(0);
      await expectFine(JSON.stringify(JSON.parse(stdout).definitions));
    }),
    propertyOptions(40),
  );
});
