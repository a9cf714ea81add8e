/** Tests the life cycle of a post: when it is published, when it has ended, and what outsiders may read. */
import {
  findPostState,
  isFollowing,
  isOver,
  toPublicPost,
  withPublication,
  withUpdate,
} from '../../../src/domain/status-pages/post';
import { NOW, postOf, updateOf } from './example-post';

const named = (id: string) => (id === 'mon_1' ? 'Payments' : undefined);

test('a draft post is not shown to the public', () => {
  expect(toPublicPost(postOf(), named)).toBeNull();
});

test('publishing a post shows all its updates, and publishing the post again changes nothing', () => {
  const shown = withPublication(postOf({ publishAtMs: NOW + 1 }), NOW + 60_000);
  expect(shown).toMatchObject({
    state: 'published',
    publishAtMs: null,
    publishedAtMs: NOW + 60_000,
    updates: [{ isDraft: false, atMs: NOW + 60_000 }],
  });
  expect(withPublication(shown, NOW + 120_000)).toBe(shown);
});

test('the public sees the published updates of a post newest first, and only items still on the page', () => {
  const post = withPublication(postOf({ affected: ['mon_gone', 'mon_1'] }), NOW);
  const next = withUpdate(
    post,
    updateOf({ id: 'upd_2', state: 'identified', isDraft: false, atMs: NOW + 5 }),
  );
  const draft = withUpdate(next, updateOf({ id: 'upd_3', state: 'resolved', text: 'secret' }));
  const shown = toPublicPost(draft, named);
  expect(shown).toMatchObject({ names: ['Payments'], state: 'identified', isOpen: true });
  expect(shown?.updates.map(({ state }) => state)).toEqual(['identified', 'investigating']);
  expect(shown?.changedAtMs).toBe(NOW + 5);
});

test('a published update is inserted before draft updates', () => {
  const post = withUpdate(
    withPublication(postOf(), NOW),
    updateOf({ id: 'upd_2', state: 'resolved' }),
  );
  const { updates } = withUpdate(
    post,
    updateOf({ id: 'upd_3', state: 'monitoring', isDraft: false }),
  );
  expect(updates.map(({ id }) => id)).toEqual(['upd_1', 'upd_3', 'upd_2']);
});

test('a draft of the final update does not end a published post', () => {
  const post = withUpdate(
    withPublication(postOf(), NOW),
    updateOf({ id: 'upd_2', state: 'resolved' }),
  );
  expect([findPostState(post), isOver(post)]).toEqual(['investigating', false]);
  expect(isOver(withPublication(post, NOW))).toBe(true);
});

test('a post-mortem is shown only after its post has ended', () => {
  const open = withPublication(postOf({ postMortem: 'A disk was full.' }), NOW);
  expect(toPublicPost(open, named)?.postMortem).toBeNull();
  const over = withUpdate(open, updateOf({ id: 'upd_2', state: 'resolved', isDraft: false }));
  expect(toPublicPost(over, named)).toMatchObject({
    postMortem: 'A disk was full.',
    isOpen: false,
  });
});

test('a post follows its incidents until it has a final update, even if that update is a draft', () => {
  expect(isFollowing(postOf())).toBe(false);
  const post = withPublication(postOf({ incidentIds: ['inc_1'] }), NOW);
  expect(isFollowing(post)).toBe(true);
  expect(isFollowing(withUpdate(post, updateOf({ state: 'resolved' })))).toBe(false);
});
