/** Tests `keepwatch posts`: writing posts on status pages from a terminal, a file or a pipeline. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const PAGE = {
  id: 'stp_1',
  key: 'shop-status',
  slug: 'shop',
  title: 'Shop status',
  groups: [
    { name: 'Shop', items: [{ id: 'mon_1', name: 'Payments' }] },
    { name: 'Jobs', items: [{ id: 'scn_1', name: 'Ordering' }] },
  ],
};
const TEAM = { ...PAGE, id: 'stp_2', key: null, slug: 'team', title: 'Team', groups: [] };
const UPDATE = {
  id: 'upd_1',
  state: 'investigating',
  text: 'We are **looking into it**.',
  at: '2026-01-31T11:00:00Z',
  by: 'Ada',
  isDraft: false,
};

const post = (changes: object = {}) => ({
  id: 'pst_1',
  pageId: 'stp_1',
  type: 'incident',
  title: 'Card payments fail',
  affected: ['mon_1', 'mon_gone'],
  state: 'published',
  status: 'investigating',
  updates: [UPDATE],
  postMortem: null,
  publishAt: null,
  publishedAt: '2026-01-31T11:00:00Z',
  createdAt: '2026-01-31T11:00:00Z',
  ...changes,
});
const draft = (changes: object = {}) =>
  post({ state: 'draft', publishedAt: null, updates: [{ ...UPDATE, isDraft: true }], ...changes });

let service: FakeService;
let environment: Record<string, string>;

async function open(
  answers: Parameters<typeof startFakeService>[0],
  pages: object[] = [PAGE, TEAM],
) {
  service = await startFakeService({
    'GET /v1/status-pages': [[200, { data: pages, nextCursor: null }]],
    'GET /v1/status-page-posts/pst_1': [[200, post()]],
    ...answers,
  });
  environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
}
afterEach(() => service.close());

const piped = (parameters: readonly string[], input = '') =>
  onTerminal(['posts', ...parameters], { environment, input, isTerminal: false });
const typed = (parameters: readonly string[], input = '') =>
  onTerminal(['posts', ...parameters], { environment, input });
const sent = () => service.asked.filter(({ line }) => !line.startsWith('GET '));
const bare = (text: string) => {
  const [first = '', ...painted] = text.split('\u001b[');
  return [first, ...painted.map((part) => part.replace(/^\d+m/, ''))].join('');
};

test('`posts write` creates a draft with items by name, and says how to publish it', async () => {
  await open({ 'POST /v1/status-page-posts': [[201, draft()]] });
  const words = ['write', '--page', 'shop', '--title', 'Card payments fail', '--text', 'Looking.'];
  const { code, stdout, stderr } = await piped([
    ...words,
    '--affected',
    'Payments',
    '--affected',
    'scn_1',
  ]);
  expect(code).toBe(0);
  expect(sent().map(({ body }) => body)).toEqual([
    {
      pageId: 'stp_1',
      type: 'incident',
      title: 'Card payments fail',
      affected: ['mon_1', 'scn_1'],
      text: 'Looking.',
    },
  ]);
  expect(stderr).toBe('Visitors do not see drafts. Publish with: keepwatch posts publish pst_1\n');
  expect(stdout).toContain('state     draft\n');
});

test('`posts write` publishes now or later, with a text from a file or typed in', async () => {
  await open({ 'POST /v1/status-page-posts': [[201, post()]] });
  const words = [
    'write',
    '--page',
    'shop-status',
    '--title',
    'New servers',
    '--type',
    'maintenance',
  ];
  const file = await piped([...words, '--publish'], '# Plan\n\nAt night.\n');
  const person = await typed(
    [...words, '--state', 'started', '--publish-at', '2027-01-31T22:00:00Z'],
    'Now.\n',
  );
  expect([file.code, person.code, file.stderr]).toEqual([0, 0, '']);
  expect(sent().map(({ body }) => body)).toMatchObject([
    { type: 'maintenance', text: '# Plan\n\nAt night.', publish: true },
    { text: 'Now.', state: 'started', publishAt: '2027-01-31T22:00:00Z' },
  ]);
  const both = await piped([...words, '--publish', '--publish-at', '2027-01-31T22:00:00Z'], 'x');
  expect(both.code).toBe(2);
});

test('a status page must be named only if the account has several', async () => {
  await open({ 'POST /v1/status-page-posts': [[201, post()]] });
  const words = ['write', '--title', 'x', '--text', 'y'];
  expect(await piped(words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Choose one with --page: shop-status, team.'),
  });
  await service.close();
  await open({ 'POST /v1/status-page-posts': [[201, post()]] }, [PAGE]);
  expect((await piped(words)).code).toBe(0);
  await service.close();
  await open({}, []);
  expect(await piped(words)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('There is no status page yet.\nCreate one'),
  });
});

test('an unknown page or item is refused, with the names that exist', async () => {
  await open({});
  const page = await piped(['write', '--page', 'shp', '--title', 'x', '--text', 'y']);
  expect(page).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/key or slug shp\.\n(Similar|Existing pages): .*/),
  });
  const words = ['write', '--page', 'shop', '--title', 'x', '--text', 'y'];
  const item = await piped([
    ...words,
    '--affected',
    'Cards',
    '--affected',
    'Payments',
    '--affected',
    'Mail',
  ]);
  expect(item).toMatchObject({
    code: 5,
    stderr: 'keepwatch: Shop status does not show Cards, Mail.\nIts items: Payments, Ordering.\n',
  });
  const empty = await piped(['update', 'pst_1', '--state', 'monitoring'], ' \n');
  expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('--text TEXT') });
  expect((await piped(['update', 'pst_1', '--text', 'y'])).code).toBe(2);
  expect((await piped(['update', 'pst_1', '--text', 'y', '--state', 'fine'])).code).toBe(2);
  expect(sent()).toEqual([]);
});

test('lists of posts fit the terminal and contain no control characters, and JSON output is complete', async () => {
  const evil = draft({ title: `\u001b[2J${'Very long '.repeat(30)}`, publishAt: null });
  await open({ 'GET /v1/status-page-posts': [[200, { data: [evil, post()], nextCursor: null }]] });
  const { code, stdout } = await typed(['list', '--page', 'shop', '--state', 'draft']);
  expect(code).toBe(0);
  for (const line of bare(stdout).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).not.toContain('\u001b[2J');
  expect(bare(stdout)).toMatch(/^ID +PAGE +STATE +STATUS +TITLE +WRITTEN\npst_1 +shop +draft/);
  const { stdout: json } = await piped(['list', '--output', 'json']);
  expect(JSON.parse(json)).toEqual({ data: [evil, post()] });
});

test('`posts get` shows a post as visitors see it, plus its drafts, wrapped to the terminal', async () => {
  const updates = [
    {
      ...UPDATE,
      text: `${'word '.repeat(40).trim()}\n\n\u001b[2J- https://example.com/${'a'.repeat(90)}`,
    },
    { ...UPDATE, state: 'resolved', by: null, isDraft: true, text: 'Fine.' },
  ];
  await open({
    'GET /v1/status-page-posts/pst_1': [[200, post({ updates, postMortem: 'We learned.' })]],
  });
  const { stdout } = await typed(['get', 'pst_1']);
  const lines = bare(stdout).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([
    `  https://example.com/${'a'.repeat(90)}`,
  ]);
  expect(stdout).not.toContain('\u001b[2J');
  expect(bare(stdout)).toContain('page      Shop status (shop)\nstate     published 60 min ago');
  expect(bare(stdout)).toContain('affected  Payments, mon_gone');
  expect(bare(stdout)).toContain('resolved  60 min ago, Keepwatch, draft\n  Fine.');
  expect(bare(stdout)).toContain('post-mortem\n  We learned.');
  const plain = await piped(['show', 'pst_1']);
  expect(plain.stdout).toContain('word '.repeat(39));
});

test('`posts update` adds a state and a text, and `posts resolve` ends the post with the final state of its type', async () => {
  const updated = 'POST /v1/status-page-posts/pst_1/updates';
  const drafted = post({ updates: [UPDATE, { ...UPDATE, isDraft: true }] });
  await open({
    [updated]: [
      [200, drafted],
      [200, post()],
    ],
  });
  const words = ['--text', 'A provider is down.', '--draft'];
  const draftOf = await piped(['update', 'pst_1', '--state', 'identified', ...words]);
  expect(draftOf).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('posts publish pst_1'),
  });
  expect((await piped(['resolve', 'pst_1', '--text', 'Fine.'])).code).toBe(0);
  expect(sent().map(({ body }) => body)).toEqual([
    { state: 'identified', text: 'A provider is down.', draft: true },
    { state: 'resolved', text: 'Fine.', draft: false },
  ]);
  await service.close();
  const window = [200, post({ type: 'maintenance' })] as const;
  await open({ 'GET /v1/status-page-posts/pst_1': [window], [updated]: [window] });
  await piped(['resolve', 'pst_1'], 'Done.\n');
  expect(sent()).toMatchObject([{ body: { state: 'completed', text: 'Done.' } }]);
});

test('updating a post that has ended names the commands to use instead', async () => {
  const refusal = { code: 'already_finished', detail: 'The post is resolved. Write with PATCH.' };
  await open({ 'POST /v1/status-page-posts/pst_1/updates': [[409, refusal]] });
  const { code, stderr } = await piped(['resolve', 'pst_1', '--text', 'Again.']);
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr:
      'keepwatch: The post is resolved.\nTo add a post-mortem: keepwatch posts post-mortem pst_1. For a new post: keepwatch posts write.\n',
  });
});

test('`posts` commands publish a post, and write or remove a post-mortem', async () => {
  await open({
    'POST /v1/status-page-posts/pst_1/publish': [[200, post()]],
    'PATCH /v1/status-page-posts/pst_1': [[200, post({ postMortem: 'We learned.' })]],
  });
  expect((await piped(['publish', 'pst_1'])).code).toBe(0);
  expect((await piped(['post-mortem', 'pst_1'], 'We learned.\n')).stdout).toContain('We learned.');
  expect((await piped(['post-mortem', 'pst_1', '--remove'])).code).toBe(0);
  expect((await piped(['post-mortem', 'pst_1', '--remove', '--text', 'x'])).code).toBe(2);
  expect(sent().map(({ body }) => body)).toEqual([
    {},
    { postMortem: 'We learned.' },
    { postMortem: null },
  ]);
});

test('`posts delete` says whether visitors see the post, and deletes only after a confirmation', async () => {
  const deletion = 'DELETE /v1/status-page-posts/pst_1';
  await open({ [deletion]: [[200, {}]] });
  const question = 'Delete the published post "Card payments fail"? [y/N]';
  const no = await typed(['delete', 'pst_1'], 'n\n');
  expect(no).toMatchObject({ code: 2, stderr: expect.stringContaining(question) });
  expect(await piped(['delete', 'pst_1'])).toMatchObject({ code: 2, stdout: '' });
  expect(sent()).toEqual([]);
  expect(await typed(['delete', 'pst_1'], 'y\n')).toMatchObject({ code: 0 });
  expect(await piped(['delete', 'pst_1', '--yes', '--output', 'json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"id": "pst_1"'),
  });
  expect(sent().map(({ line }) => line)).toEqual([deletion, deletion]);
});

test('an id with `../` leads to no other path of the service', async () => {
  await open({});
  expect((await piped(['get', '../monitors'])).code).toBe(3);
  expect(service.asked.map(({ line }) => line)).toEqual([
    'GET /v1/status-page-posts/..%2Fmonitors',
  ]);
});
