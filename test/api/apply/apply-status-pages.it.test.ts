/** Status pages as a part of a set: what they show goes by the keys of monitors and scenarios. */
import { accountOfEach, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);
/** Slugs are unique over all accounts. */
let slug: string;
let count = 0;

beforeEach(async () => {
  count += 1;
  slug = `shop-${count}`;
});

async function apply(body: object) {
  const answer = await as().post('/v1/apply').send(body);
  expect(answer.body).toMatchObject({ objects: expect.any(Array) });
  return answer.body;
}

const monitors = [{ key: 'home', name: 'Home', url: 'https://shop.example.com/' }];
const scenarios = [
  { key: 'home', name: 'Buy', steps: [{ name: 'open', url: 'https://shop.example.com/' }] },
];
const shown = [
  { monitor: 'home', name: 'Shop' },
  { scenario: 'home', name: 'Ordering' },
];
const page = (changes: object = {}) => ({
  key: 'public',
  slug,
  title: 'Shop',
  isPublic: true,
  accent: '#0b6374',
  theme: 'dark',
  groups: [{ name: 'Web', items: shown }],
  ...changes,
});
const set = (changes: object = {}) => ({ monitors, scenarios, statusPages: [page(changes)] });

async function storedPage() {
  const { body } = await as().get('/v1/status-pages');
  expect(body.data).toHaveLength(1);
  return body.data[0];
}

it('makes a page together with what it shows, and nothing more when the set comes again', async () => {
  expect((await apply(set())).summary).toMatchObject({ create: 3, failed: 0 });
  const stored = await storedPage();
  expect(stored).toMatchObject({ key: 'public', slug, isPublic: true, version: 1 });
  expect(stored.groups[0].items).toMatchObject([
    { id: expect.stringMatching(/^mon_/), name: 'Shop' },
    { id: expect.stringMatching(/^scn_/), name: 'Ordering' },
  ]);
  expect((await apply(set())).summary).toMatchObject({ create: 0, update: 0, unchanged: 3 });
});

it('plans a page that shows what the same set would make, and makes none of it', async () => {
  const plan = await apply({ ...set(), dryRun: true });
  expect(plan.summary).toMatchObject({ create: 3, failed: 0 });
  const planned = plan.objects.find(({ kind }: { kind: string }) => kind === 'statusPage');
  expect(planned).toMatchObject({ key: 'public', name: 'Shop', action: 'create', id: null });
  expect(JSON.stringify(planned.changes)).toContain('"monitor":"home"');
  expect((await as().get('/v1/status-pages')).body.data).toEqual([]);
});

it('names each field that differs, what is shown by its key', async () => {
  await apply(set());
  const changed = await apply({
    ...set({ title: 'The shop', groups: [{ name: 'Web', items: [shown[1]] }] }),
    dryRun: true,
  });
  const planned = changed.objects.at(-1);
  expect(planned).toMatchObject({ kind: 'statusPage', action: 'update' });
  expect(planned.changes).toEqual(
    expect.arrayContaining([{ path: 'title', before: 'Shop', after: 'The shop' }]),
  );
  expect(JSON.stringify(planned.changes)).toContain('groups');
  expect(JSON.stringify(planned.changes)).not.toMatch(/mon_|scn_/);
});

it('exports pages by keys, and by ids where there is none; applied again, nothing changes', async () => {
  await apply(set());
  const { body: bare } = await as()
    .post('/v1/monitors')
    .send({ name: 'no key', url: 'https://x.example.com/' });
  const other = { slug: `${slug}-other`, title: 'By hand', groups: [] };
  const { body: byHand } = await as().post('/v1/status-pages').send(other);
  const stored = (await as().get('/v1/status-pages')).body.data.find(
    ({ key }: { key: string | null }) => key === 'public',
  );
  const groups = [...stored.groups, { name: 'More', items: [{ id: bare.id, name: 'Bare' }] }];
  await as().patch(`/v1/status-pages/${stored.id}`).send({ groups });
  const { body: exported } = await as().get('/v1/export');
  expect(exported.statusPages).toEqual(
    expect.arrayContaining([
      {
        key: 'public',
        slug,
        title: 'Shop',
        isPublic: true,
        accent: '#0b6374',
        theme: 'dark',
        groups: [
          { name: 'Web', items: shown },
          { name: 'More', items: [{ id: bare.id, name: 'Bare' }] },
        ],
      },
      { id: byHand.id, slug: `${slug}-other`, title: 'By hand' },
    ]),
  );
  expect((await apply(exported)).summary).toMatchObject({ create: 0, update: 0, failed: 0 });
});

it('refuses what a page names and neither the account nor the set has, with its path', async () => {
  const items = [
    { monitor: 'home', name: 'Shop' },
    { monitor: 'gone', name: 'Gone' },
    { id: 'mon_00000000000000000000000000', name: 'Strange' },
    { scenario: 'home', monitor: 'home', name: 'Both' },
  ];
  const applied = await apply({ ...set({ groups: [{ name: 'Web', items }] }), dryRun: true });
  const failed = applied.objects.at(-1);
  expect(failed).toMatchObject({ kind: 'statusPage', outcome: 'failed' });
  const paths = failed.problem.errors.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(['groups[0].items[3]']);
  const two = await apply(set({ groups: [{ name: 'Web', items: items.slice(0, 3) }] }));
  expect(two.objects.at(-1).problem.errors).toMatchObject([
    { path: 'groups[0].items[1].monitor', code: 'unknown_key' },
    { path: 'groups[0].items[2].id', code: 'unknown_id' },
  ]);
});

it('refuses the same thing twice on a page, by key and by id', async () => {
  const { objects } = await apply({ monitors });
  const items = [
    { monitor: 'home', name: 'Shop' },
    { id: objects[0].id, name: 'Shop again' },
  ];
  const applied = await apply({
    monitors,
    statusPages: [page({ groups: [{ name: 'W', items }] })],
  });
  expect(applied.objects.at(-1).problem.errors).toMatchObject([{ path: 'groups[0].items[1].id' }]);
});

it('leaves what is gone out of exports and plans, and does not hold up other changes', async () => {
  const { objects } = await apply(set());
  await as().delete(`/v1/monitors/${objects[0].id}`);
  await service.services.stores.monitors.remove(account.id, objects[0].id);
  const { body: exported } = await as().get('/v1/export');
  expect(exported.statusPages[0].groups).toEqual([{ name: 'Web', items: [shown[1]] }]);
  const again = await apply({ statusPages: exported.statusPages });
  expect(again.summary).toMatchObject({ unchanged: 1, failed: 0 });
  const [only] = exported.statusPages;
  const renamed = await apply({ statusPages: [{ ...only, title: 'New' }] });
  expect(renamed.summary).toMatchObject({ update: 1, failed: 0 });
});

it('prunes what was applied under the name of the set, and no page that was made otherwise', async () => {
  await apply(set());
  await as()
    .post('/v1/status-pages')
    .send({ slug: `${slug}-hand`, title: 'By hand' });
  const pruned = await apply({ monitors, prune: true });
  expect(pruned.summary).toMatchObject({ delete: 2, unchanged: 1 });
  expect(await storedPage()).toMatchObject({ slug: `${slug}-hand` });
});

it('keeps the name of the set when a page is changed by hand', async () => {
  await apply(set());
  const { id } = await storedPage();
  await as().patch(`/v1/status-pages/${id}`).send({ title: 'By hand' });
  const { summary } = await apply({ monitors, scenarios, prune: true });
  expect(summary).toMatchObject({ delete: 1 });
});

it('refuses a slug that another page of the account has before anything is made', async () => {
  await as().post('/v1/status-pages').send({ slug, title: 'First' });
  const plan = await apply({ ...set(), dryRun: true });
  expect(plan.objects.at(-1)).toMatchObject({ outcome: 'failed', problem: { code: 'key_taken' } });
});

it('gives a key to a page by id, and each key to one page of the account', async () => {
  const { body: made } = await as().post('/v1/status-pages').send({ slug, title: 'First' });
  const applied = await apply({
    statusPages: [{ id: made.id, key: 'public', slug, title: 'First' }],
  });
  expect(applied.summary).toMatchObject({ update: 1 });
  expect(await storedPage()).toMatchObject({ id: made.id, key: 'public' });
  const second = await as()
    .post('/v1/status-pages')
    .send({ slug: `${slug}-b`, title: 'Second', key: 'public' });
  expect([second.status, second.body.code]).toEqual([409, 'key_taken']);
});
