/** Tests pages of lists by id. No item is missing or repeated, and a cursor is valid only for its own list. */
import type { ListQuery } from '../../../src/models/store/pages';
import { readItems, readList } from '../../../src/services/lists/read-list';

const rows = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }));

async function read({ limit, beforeId }: ListQuery) {
  const after = rows.filter(({ id }) => beforeId === null || id < beforeId);
  return { items: after.slice(0, limit), hasMore: after.length > limit };
}

const scope = { accountId: 'acc_1', list: 'letters', tag: 'x' };
const present = ({ id }: { readonly id: string }) => id.toUpperCase();

async function readAll(limit: number): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readList(scope, { limit, cursor }, { read, present });
    pages.push(page.data);
    if (page.nextCursor === null) return pages;
    cursor = page.nextCursor;
  }
}

test.each([
  [1, [['E'], ['D'], ['C'], ['B'], ['A']]],
  [2, [['E', 'D'], ['C', 'B'], ['A']]],
  [5, [['E', 'D', 'C', 'B', 'A']]],
  [9, [['E', 'D', 'C', 'B', 'A']]],
])(
  'pages with a limit of %s list every record once, and the last page has no cursor',
  async (limit, pages) => {
    expect(await readAll(limit)).toEqual(pages);
  },
);

test('a list without records is one empty page', async () => {
  const none = async () => ({ items: [], hasMore: false });
  expect(await readList(scope, { limit: 3 }, { read: none, present })).toEqual({
    data: [],
    nextCursor: null,
  });
});

test('records may be ordered by a field other than their id', async () => {
  const idOf = ({ id }: { readonly id: string }) => id;
  const first = await readItems(scope, { limit: 4 }, { read, readId: idOf });
  expect(first.items.at(-1)).toEqual({ id: 'b' });
  const cursor = first.nextCursor ?? '';
  expect((await readItems(scope, { limit: 4, cursor }, { read, readId: idOf })).items).toEqual([
    { id: 'a' },
  ]);
});

test.each([
  ['another account', { ...scope, accountId: 'acc_2' }],
  ['another list', { ...scope, list: 'digits' }],
  ['other filters', { ...scope, tag: 'y' }],
])('a list refuses a cursor of %s', async (_of, other) => {
  const { nextCursor } = await readList(other, { limit: 1 }, { read, present });
  const reading = readList(scope, { limit: 1, cursor: nextCursor ?? '' }, { read, present });
  await expect(reading).rejects.toMatchObject({ code: 'invalid_cursor' });
});

test.each(['', 'x', 'bnVsbA', Buffer.from('["a"]').toString('base64url')])(
  'the text %j is not a valid cursor',
  async (cursor) => {
    const reading = readList(scope, { limit: 1, cursor }, { read, present });
    await expect(reading).rejects.toMatchObject({ code: 'invalid_cursor' });
  },
);
