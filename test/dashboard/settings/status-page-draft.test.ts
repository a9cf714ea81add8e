/** Tests the form of a status page: the request that it sends for its input. */
import { draftRows } from '../../../src/dashboard/features/status-pages/draft-rows';
import {
  buildBody,
  buildPreviewBody,
  createDraft,
  createGroup,
  type DraftGroup,
  newGroup,
  newItem,
  withItem,
  withRow,
  withTitle,
} from '../../../src/dashboard/features/status-pages/page-draft';
import { moveRow } from '../../../src/dashboard/shared/form/rows/rows';

const PAGE = {
  id: 'stp_01arz3ndektsv4rrffq69g5fav',
  version: 3,
  key: null,
  slug: 'shop',
  title: 'Shop',
  description: null,
  isPublic: true,
  domains: ['status.example.com'],
  access: { type: 'ips' as const, ranges: ['203.0.113.0/24'] },
  showBadges: false,
  logo: null,
  accent: null,
  theme: 'auto' as const,
  language: 'pt-BR' as const,
  showResponseTimes: true,
  posts: { drafts: false, autoPublishAfterMinutes: null, maintenance: false, templates: [] },
  subscribers: { mail: true, webhook: false, slack: false },
  hours: null,
  showLedger: false,
  groups: [{ name: 'All', items: [{ id: 'mon_1', name: 'Front' }] }],
  url: 'http://localhost/status/shop',
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};

const withGroup = (groups: readonly DraftGroup[]) => [...groups, newGroup(groups)];
const withNewItem = (groups: readonly DraftGroup[], rowId: number) =>
  withItem(groups, rowId, newItem(groups));

it('an unchanged form of a status page sends the page unchanged', () => {
  const { id: _id, version: _version, key: _key, url: _url, ...shown } = PAGE;
  const { createdAt: _created, updatedAt: _updated, ...body } = shown;
  expect(buildBody(createDraft(PAGE))).toEqual(body);
});

it('the slug follows the title until someone types a slug', () => {
  const typed = withTitle(createDraft(null), 'Ünïted Shop & Co. — 24/7');
  expect(typed.slug).toBe('united-shop-co-247');
  expect(withTitle({ ...createDraft(null), ...typed }, 'Shop').slug).toBe('shop');
  expect(withTitle({ ...createDraft(null), ...typed, slug: 'mine' }, 'Shop').slug).toBe('mine');
});

it('the form of a status page omits empty rows, and groups with only empty rows', () => {
  const draft = createDraft(PAGE);
  const more = withGroup(draft.groups);
  const groups = more.reduce<readonly DraftGroup[]>(
    (all, { rowId }) => withNewItem(all, rowId),
    more,
  );
  expect(buildBody({ ...draft, groups }).groups).toEqual(PAGE.groups);
});

it('the preview shows unnamed items with placeholders, and a colour only if it is valid', () => {
  const groups = withGroup(createDraft(PAGE).groups);
  const shown = buildPreviewBody(
    { ...createDraft(PAGE), title: ' ', accent: '#0b63', groups },
    'Untitled',
  );
  expect(shown).toMatchObject({ title: 'Untitled', accent: null, groups: PAGE.groups });
});

it('moving a row keeps the order of the other rows', () => {
  expect(moveRow(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moveRow(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c']);
  expect(moveRow(['a'], 4, 0)).toEqual(['a']);
});

it('a new status page is off and empty', () => {
  expect(buildBody(createDraft(null))).toMatchObject({
    isPublic: false,
    description: null,
    groups: [],
  });
});

it('only the chosen row is changed or removed, even among identical rows', () => {
  const [group] = withNewItem(withNewItem(withGroup([]), 0), 0);
  const items = group?.items ?? [];
  const [first, second, third] = items;
  if (second === undefined) throw new Error('there are three');
  const chosen = withRow(items, second.rowId, { ...second, id: 'mon_2' });
  expect(chosen).toEqual([first, { ...second, id: 'mon_2' }, third]);
  expect(withRow(items, second.rowId, null)).toEqual([first, third]);
});

describe('items of several groups', () => {
  const item = (rowId: number, name: string) => ({ rowId, id: `mon_${name}`, name });
  const GROUPS: readonly DraftGroup[] = [
    { rowId: 0, name: 'Shop', items: [item(0, 'a'), item(1, 'b')] },
    { rowId: 1, name: '', items: [] },
    { rowId: 2, name: 'Inside', items: [item(7, 'c')] },
  ];
  const namesOf = (groups: readonly DraftGroup[]) =>
    groups.map(({ items }) => items.map(({ name }) => name).join(''));
  const changed = jest.fn<void, [readonly DraftGroup[]]>();
  const rows = draftRows(GROUPS, changed);
  const last = () => namesOf(changed.mock.lastCall?.[0] ?? []);

  it.each([
    ['item-0', 'item-1', ['ba', '', 'c']],
    ['item-0', 'item-7', ['b', '', 'ac']],
    ['item-7', 'item-0', ['cab', '', '']],
    ['item-7', 'group-1', ['ab', 'c', '']],
    ['group-2', 'group-0', ['c', 'ab', '']],
  ])('dropping %s on %s gives %j', (id, onto, names) => {
    rows.drop(id, onto);
    expect(last()).toEqual(names);
  });

  it('arrow keys move an item across groups, and stop at the last position', () => {
    const [first, second] = GROUPS[0]?.items ?? [];
    const [third] = GROUPS[2]?.items ?? [];
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('there are three');
    expect(rows.stepsOfItem(first).up).toBeNull();
    expect(rows.stepsOfItem(third).down).toBeNull();
    rows.stepsOfItem(second).down?.();
    expect(last()).toEqual(['a', 'b', 'c']);
    rows.stepsOfItem(second).up?.();
    expect(last()).toEqual(['ba', '', 'c']);
    rows.stepsOfItem(third).up?.();
    expect(last()).toEqual(['ab', 'c', '']);
  });

  it('items and groups announce their position, by number if they have no name', () => {
    expect(rows.describePosition('item-1')).toBe('position 2 of 2 in Shop');
    expect(rows.describePosition('group-1')).toBe('position 2 of 3');
    expect(rows.describePosition('group-1', 'group-0')).toBe('position 2 of 3');
    expect(rows.describePosition('group-1', 'item-0')).toBe('position 1 of 1 in Group 2');
    expect(rows.readName('group-1')).toBe('Group 2');
  });

  it('an item can be dropped on another group only if that group is empty, and a group on any group', () => {
    const taking = (picked: string) => GROUPS.map((group) => rows.takesGroup(group, picked));
    expect(taking('item-0')).toEqual([false, true, false]);
    expect(taking('group-0')).toEqual([true, true, true]);
  });

  it('items of several groups have unique ids on the page, so a moved row keeps its fields', () => {
    const { groups } = createDraft({
      ...PAGE,
      groups: ['x', 'y'].map((name) => ({ name, items: [{ id: `mon_${name}`, name }] })),
    });
    const marks = withNewItem(withGroup(groups), 0).flatMap(({ items }) =>
      items.map(({ rowId }) => rowId),
    );
    expect(new Set(marks).size).toBe(4);
  });
});

test("adding a group adds an item for each of its checks, up to the page's limit", () => {
  const checks = Array.from({ length: 120 }, (_, index) => ({
    id: `mon_${index}`,
    name: `n${index}`,
  }));
  const first = createGroup([], 'shop', checks.slice(0, 2));
  expect(first.items.map(({ id, name }) => [id, name])).toEqual([
    ['mon_0', 'n0'],
    ['mon_1', 'n1'],
  ]);
  const second = createGroup([first], 'rest', checks);
  expect(second.items).toHaveLength(98);
  const marks = [...first.items, ...second.items].map(({ rowId }) => rowId);
  expect(new Set(marks).size).toBe(100);
});

it('the form of a status page sends only the fields of its access type, and a password only if it was typed', () => {
  const { access } = createDraft(PAGE);
  const sent = (change: Partial<typeof access>) =>
    buildBody({ ...createDraft(PAGE), access: { ...access, ...change } }).access;
  expect(sent({ type: 'public' })).toEqual({ type: 'public' });
  expect(sent({ type: 'password' })).toEqual({ type: 'password' });
  expect(sent({ type: 'password', password: 'let us in' })).toEqual({
    type: 'password',
    password: 'let us in',
  });
  expect(buildPreviewBody(createDraft(PAGE), 'Untitled').access).toEqual({ type: 'public' });
});
