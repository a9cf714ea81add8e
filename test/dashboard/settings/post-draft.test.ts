/** Tests the draft of a status page post, and the settings of a page for posts. */

import {
  buildPostSettings,
  createPostSettingsDraft,
} from '../../../src/dashboard/features/status-pages/post-settings-draft';
import {
  buildPreviewBody,
  findState,
  hasDrafts,
  isOver,
  NEW_POST,
  nextState,
  publishWords,
  startPost,
  stateChoices,
  withTemplate,
  withType,
} from '../../../src/dashboard/features/status-pages/posts/post-draft';
import type { StatusPage, StatusPagePost } from '../../../src/dashboard/shared/data/api-types';

const PAGE = {
  id: 'stp_1',
  groups: [
    { name: 'a', items: [{ id: 'mon_1', name: 'Payments' }] },
    { name: 'b', items: [{ id: 'mon_2', name: 'Search' }] },
  ],
} as unknown as StatusPage;

test('changing the type of a post selects the first state of the type', () => {
  const draft = withType({ ...NEW_POST, title: 'x' }, 'maintenance');
  expect(draft).toMatchObject({ title: 'x', type: 'maintenance', state: 'scheduled' });
  expect(findState('incident', 'started')).toBeNull();
  expect(stateChoices('incident').map(({ label }) => label)).toEqual([
    'Investigating',
    'Identified',
    'Monitoring',
    'Resolved',
  ]);
});

test('a link to the form fills in items of the page and a state of incidents, and nothing else', () => {
  expect(startPost(PAGE, { affected: 'mon_2,mon_9', state: 'resolved', title: 'x' })).toEqual({
    ...NEW_POST,
    affected: ['mon_2'],
    state: 'resolved',
  });
  expect(startPost(PAGE, { state: 'started' })).toEqual(NEW_POST);
});

test('a template of a post is filled in with the names of the affected items', () => {
  const template = {
    name: 'n',
    use: 'manual',
    title: '{{items}} fail',
    text: 'x {{items}}',
  } as const;
  const draft = { ...NEW_POST, affected: ['mon_2', 'mon_1'] };
  expect(withTemplate(draft, template, PAGE)).toMatchObject({
    title: 'Payments, Search fail',
    text: 'x Payments, Search',
  });
});

test('a preview of a post has placeholders for missing text', () => {
  expect(buildPreviewBody(PAGE, NEW_POST)).toMatchObject({
    pageId: 'stp_1',
    title: 'Untitled',
    text: '…',
  });
});

test('the form for the next update of a post proposes the next state, or the final state if it has been reached', () => {
  const at = (status: StatusPagePost['status']) => nextState({ type: 'incident', status });
  expect([at('investigating'), at('monitoring'), at('resolved')]).toEqual([
    'identified',
    'resolved',
    'resolved',
  ]);
  expect([isOver({ status: 'cancelled' }), isOver({ status: 'started' })]).toEqual([true, false]);
});

test('a published post counts as a draft while one of its updates is a draft', () => {
  const update = { isDraft: false } as StatusPagePost['updates'][number];
  expect(hasDrafts({ state: 'published', updates: [update] })).toBe(false);
  expect(hasDrafts({ state: 'published', updates: [update, { ...update, isDraft: true }] })).toBe(
    true,
  );
  expect(hasDrafts({ state: 'draft', updates: [] })).toBe(true);
});

test('unchanged settings for posts are sent back unchanged', () => {
  const settings = {
    drafts: true,
    autoPublishAfterMinutes: 5,
    maintenance: false,
    templates: [{ name: 'n', use: 'opened', title: 't', text: 'x' } as const],
  };
  expect(buildPostSettings(createPostSettingsDraft(settings))).toEqual(settings);
});

test('the button for publishing says how many subscribers are notified', () => {
  expect([0, 1, 12].map((readers) => publishWords('Publish', readers))).toEqual([
    'Publish',
    'Publish and notify 1 subscriber',
    'Publish and notify 12 subscribers',
  ]);
});
