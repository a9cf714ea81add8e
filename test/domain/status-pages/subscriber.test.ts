/** Tests which subscribers are notified of what is published on a status page. */
import fc from 'fast-check';
import { POST_STATES } from '../../../src/contracts/status-pages';
import {
  type Post,
  type PostUpdate,
  toPublicPost,
  withPublication,
  withUpdate,
} from '../../../src/domain/status-pages/post';
import {
  findNews,
  listNews,
  NEWS_WITHIN_MS,
  receivesNews,
} from '../../../src/domain/status-pages/subscriber';
import { propertyOptions } from '../../support/property-runs';
import { NOW, postOf, updateOf } from './example-post';

const MINUTE = 60_000;
const ITEMS = ['mon_1', 'mon_2', 'scn_3'];

const openPost = (fields: Partial<Post> = {}): Post => withPublication(postOf(fields), NOW);

test('subscribers are not notified of draft posts and draft updates', () => {
  expect(listNews(postOf(), NOW)).toEqual([]);
  const post = withUpdate(openPost(), updateOf({ id: 'upd_2', atMs: NOW + MINUTE }));
  expect(listNews(post, NOW + MINUTE)).toEqual([{ kind: 'update', updateId: 'upd_1', atMs: NOW }]);
  expect(findNews(post, { kind: 'update', updateId: 'upd_2' })).toBeNull();
});

test('subscribers are notified only of updates from the last day, and updates published together cause one notification', () => {
  const later = updateOf({ id: 'upd_2', text: 'Found.', atMs: NOW + MINUTE, isDraft: false });
  const post = withUpdate(openPost(), later);
  const ids = (nowMs: number) => listNews(post, nowMs).map(({ updateId }) => updateId);
  expect(ids(NOW + MINUTE)).toEqual(['upd_1', 'upd_2']);
  expect(ids(NOW + NEWS_WITHIN_MS)).toEqual(['upd_2']);
  expect(ids(NOW + NEWS_WITHIN_MS + MINUTE)).toEqual([]);
  const both = openPost({ updates: [updateOf(), updateOf({ id: 'upd_2' })] });
  expect(listNews(both, NOW).map(({ updateId }) => updateId)).toEqual(['upd_2']);
});

test('subscribers are notified of a post-mortem unless it has been removed', () => {
  const over = openPost({
    updates: [updateOf({ state: 'resolved' })],
    postMortem: 'A cable.',
    postMortemAtMs: NOW + MINUTE,
  });
  const learned = { kind: 'post_mortem', updateId: null, atMs: NOW + MINUTE } as const;
  expect(listNews(over, NOW + MINUTE)).toContainEqual(learned);
  expect(findNews(over, learned)?.text).toBe('A cable.');
  expect(findNews({ ...over, postMortem: null }, learned)).toBeNull();
  expect(listNews({ ...over, postMortem: null }, NOW + MINUTE)).not.toContainEqual(learned);
});

test('a subscriber to some items gets posts about these items on the page, and posts without items', () => {
  const shown = new Set(ITEMS.slice(0, 2));
  const some = { items: ['mon_1', 'scn_3'] };
  expect(receivesNews({ items: null }, { affected: ['mon_2'], shown })).toBe(true);
  expect(receivesNews(some, { affected: [], shown })).toBe(true);
  expect(receivesNews(some, { affected: ['mon_1', 'mon_2'], shown })).toBe(true);
  expect(receivesNews(some, { affected: ['mon_2'], shown })).toBe(false);
  expect(receivesNews(some, { affected: ['scn_3'], shown })).toBe(false);
});

const update = (id: number) =>
  fc.record({
    id: fc.constant(`upd_${id}`),
    state: fc.constantFrom(...POST_STATES.incident),
    text: fc.constant(`secret ${id}`),
    atMs: fc.integer({ min: 0, max: 100 }).map((minutes) => NOW - minutes * MINUTE),
    by: fc.constant(null),
    isDraft: fc.boolean(),
  });

const anyPost: fc.Arbitrary<Post> = fc
  .tuple(
    fc.constantFrom<Post['state']>('draft', 'published'),
    fc
      .integer({ min: 1, max: 4 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, id) => update(id)))),
    fc.option(fc.constant('learned')),
  )
  .map(([state, updates, postMortem]: [Post['state'], PostUpdate[], string | null]) =>
    postOf({
      state,
      updates,
      postMortem,
      publishedAtMs: state === 'draft' ? null : NOW,
      ...(postMortem !== null && { postMortemAtMs: NOW }),
    }),
  );

test('subscribers never get text that the page hides, for a post in any state', () => {
  fc.assert(
    fc.property(anyPost, (post) => {
      const shown = toPublicPost(post, () => 'Payments');
      const texts = new Set(shown?.updates.map(({ text }) => text));
      for (const news of listNews(post, NOW)) {
        const found = findNews(post, news);
        expect(found).not.toBeNull();
        const isShown =
          news.kind === 'update' ? texts.has(found?.text ?? '') : shown?.postMortem === found?.text;
        expect(isShown).toBe(true);
      }
    }),
    propertyOptions(300),
  );
});
