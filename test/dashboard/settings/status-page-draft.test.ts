/** The form of a status page: what is sent of what was typed. */
import {
  bodyOf,
  draftOf,
  withGroup,
  withItem,
  withRow,
} from '../../../src/dashboard/features/settings/status-pages/page-draft';

const PAGE = {
  id: 'stp_01arz3ndektsv4rrffq69g5fav',
  version: 3,
  key: null,
  slug: 'shop',
  title: 'Shop',
  description: null,
  isPublic: true,
  showBadges: false,
  groups: [{ name: 'All', items: [{ id: 'mon_1', name: 'Front' }] }],
  url: 'http://localhost/status/shop',
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};

it('sends back what it was given when nothing was typed', () => {
  const { slug, title, description, isPublic, showBadges, groups } = PAGE;
  const body = { slug, title, description, isPublic, showBadges, groups };
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
