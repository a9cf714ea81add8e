/** Tests the posts that the service writes about incidents. */
import {
  acceptsIncidents,
  createFirstUpdate,
  draftWords,
  fillItems,
  withEnd,
  withIncident,
  withReturn,
} from '../../../src/domain/status-pages/incident-post';
import { findPostState, withPublication } from '../../../src/domain/status-pages/post';
import { NOW, postOf } from './example-post';

const words = draftWords({ templates: [] }, ['Payments'], 'en');
const written = { updateId: 'upd_9', atMs: NOW + 60_000, words };
const drafted = postOf({
  title: words.title,
  updates: [createFirstUpdate({ ...written, updateId: 'upd_1', atMs: NOW })],
  incidentIds: ['inc_1'],
  isTouched: false,
  publishAtMs: NOW + 300_000,
});

test('a draft post names the affected items, and templates of the page replace the default texts', () => {
  expect(words).toEqual({
    title: 'Problem with Payments',
    opened: 'We are looking into a problem with Payments.',
    resolved: 'The problem with Payments is resolved.',
  });
  const templates = [
    { name: 'a', use: 'opened', title: 'Störung: {{items}}', text: 'Wir prüfen {{ items }}.' },
    { name: 'b', use: 'resolved', title: 'x', text: '{{items}} geht wieder.' },
  ] as const;
  expect(draftWords({ templates }, ['A', 'B'], 'en')).toEqual({
    title: 'Störung: A, B',
    opened: 'Wir prüfen A, B.',
    resolved: 'A, B geht wieder.',
  });
});

test('item names are escaped in Markdown, and a post without items names the service', () => {
  expect(draftWords({ templates: [] }, ['*a*_b_'], 'en').opened).toContain(String.raw`\*a\*\_b\_`);
  expect(draftWords({ templates: [] }, ['$&'], 'en').title).toBe('Problem with $&');
  expect(fillItems('{{items}}', [], 'en')).toBe('our service');
});

test('long names never make a post exceed its limits', () => {
  const names = Array.from({ length: 100 }, () => '😀'.repeat(100));
  const long = draftWords({ templates: [] }, names, 'en');
  expect(long.title.length).toBeLessThanOrEqual(200);
  expect(long.opened.length).toBeLessThanOrEqual(10_000);
  expect(long.title).toMatch(/😀…$/u);
});

test('a second incident joins a draft and adds its item unless a person has edited the draft', () => {
  const joined = draftWords({ templates: [] }, ['Payments', 'Shop'], 'en');
  const post = withIncident(drafted, { id: 'inc_2', itemId: 'mon_2' }, joined);
  expect(post).toMatchObject({
    incidentIds: ['inc_1', 'inc_2'],
    affected: ['mon_1', 'mon_2'],
    title: 'Problem with Payments, Shop',
  });
  expect(post.updates[0]?.text).toContain('Payments, Shop');
  const touched = { ...drafted, isTouched: true, title: 'Mine' };
  expect(withIncident(touched, { id: 'inc_2', itemId: 'mon_2' }, joined)).toMatchObject({
    title: 'Mine',
    affected: ['mon_1', 'mon_2'],
    updates: drafted.updates,
  });
});

test('only drafts of ongoing incidents accept another incident', () => {
  expect(acceptsIncidents(drafted)).toBe(true);
  expect(acceptsIncidents(withPublication(drafted, NOW))).toBe(false);
  expect(acceptsIncidents(withEnd(drafted, written))).toBe(false);
  expect(acceptsIncidents(postOf())).toBe(false);
});

test('the end of an incident adds a final update to its draft post, and cancels the planned publication', () => {
  const post = withEnd(drafted, written);
  expect(post.publishAtMs).toBeNull();
  expect(post.updates.at(-1)).toMatchObject({ state: 'resolved', isDraft: true, by: null });
  expect(withEnd(post, written)).toBe(post);
});

test('the end of an incident resolves its published post only if no person has edited the post', () => {
  const post = withEnd(withPublication(drafted, NOW), written);
  expect(findPostState(post)).toBe('resolved');
  const touched = withEnd({ ...withPublication(drafted, NOW), isTouched: true }, written);
  expect(findPostState(touched)).toBe('investigating');
  expect(touched.updates.at(-1)).toMatchObject({ state: 'resolved', isDraft: true });
});

test('an incident that returns removes the final update of its post only if the service wrote the update', () => {
  expect(withReturn(withEnd(drafted, written), written).updates).toEqual(drafted.updates);
  const ended = withEnd(withPublication(drafted, NOW), written);
  expect(findPostState(withReturn(ended, written))).toBe('investigating');
  const byPerson = {
    ...ended,
    updates: ended.updates.map((update) => ({ ...update, by: 'ann@example.com' })),
  };
  expect(withReturn(byPerson, written)).toBe(byPerson);
});

test('a draft post that a person has edited keeps its publishing time when the incident ends', () => {
  const post = withEnd({ ...drafted, isTouched: true, publishAtMs: NOW + 900_000 }, written);
  expect(post.publishAtMs).toBe(NOW + 900_000);
});
