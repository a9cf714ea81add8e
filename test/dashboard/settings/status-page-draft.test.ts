/** The form of a status page: what is sent of what was typed. */
import {
  bodyOf,
  draftOf,
  moved,
  previewBodyOf,
  withGroup,
  withItem,
  withRow,
} from '../../../src/dashboard/features/status-pages/page-draft';

const PAGE = {
  id: 'stp_01arz3ndektsv4rrffq69g5fav',
  version: 3,
  key: null,
  slug: 'shop',
  title: 'Shop',
  description: null,
  isPublic: true,
  showBadges: false,
  logo: null,
  accent: null,
  theme: 'auto' as const,
  groups: [{ name: 'All', items: [{ id: 'mon_1', name: 'Front' }] }],
  url: 'http://localhost/status/shop',
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};

it('sends back what it was given when nothing was typed', () => {
  const { id: _id, version: _version, key: _key, url: _url, ...shown } = PAGE;
  const { createdAt: _created, updatedAt: _updated, ...body } = shown;
  expect(bodyOf(draftOf(PAGE))).toEqual(body);
});

it('leaves out rows in which nothing is chosen, and groups of such rows only', () => {
  const draft = draftOf(PAGE);
  const groups = withGroup(draft.groups).map((group) => ({
    ...group,
    items: withItem(group.items),
  }));
  expect(bodyOf({ ...draft, groups }).groups).toEqual(PAGE.groups);
});

it('previews what is not named yet, and a colour only once it is one', () => {
  const groups = withGroup(draftOf(PAGE).groups);
  const shown = previewBodyOf(
    { ...draftOf(PAGE), title: ' ', accent: '#0b63', groups },
    'Untitled',
  );
  expect(shown).toMatchObject({ title: 'Untitled', accent: null, groups: PAGE.groups });
});

it('moves a row to its new place, and leaves the others in their order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c']);
  expect(moved(['a'], 4, 0)).toEqual(['a']);
});

it('is off and empty for a new page', () => {
  expect(bodyOf(draftOf(null))).toMatchObject({ isPublic: false, description: null, groups: [] });
});

it('changes and removes the row that was meant, whatever the others hold', () => {
  const items = withItem(withItem(withItem([])));
  const [first, second, third] = items;
  if (second === undefined) throw new Error('there are three');
  const chosen = withRow(items, second.mark, { ...second, id: 'mon_2' });
  expect(chosen).toEqual([first, { ...second, id: 'mon_2' }, third]);
  expect(withRow(items, second.mark, null)).toEqual([first, third]);
  expect(withItem([...withRow(items, 0, null)]).at(-1)?.mark).toBe(3);
});
