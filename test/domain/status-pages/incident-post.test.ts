/** What the service writes about incidents by itself. */
import {
  draftWords,
  fillItems,
  firstUpdate,
  takesIncidents,
  withEnd,
  withIncident,
  withReturn,
} from '../../../src/domain/status-pages/incident-post';
import { published, stateOfPost } from '../../../src/domain/status-pages/post';
import { NOW, postOf } from './example-post';

const words = draftWords({ templates: [] }, ['Payments'], 'en');
const written = { updateId: 'upd_9', atMs: NOW + 60_000, words };
const drafted = postOf({
  title: words.title,
  updates: [firstUpdate({ ...written, updateId: 'upd_1', atMs: NOW })],
  incidentIds: ['inc_1'],
  isTouched: false,
  publishAtMs: NOW + 300_000,
});

test('words name the items; templates of the page replace ours', () => {
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

test('names stand in Markdown as they are, and without any the service is named', () => {
  expect(draftWords({ templates: [] }, ['*a*_b_'], 'en').opened).toContain(String.raw`\*a\*\_b\_`);
  expect(draftWords({ templates: [] }, ['$&'], 'en').title).toBe('Problem with $&');
  expect(fillItems('{{items}}', [], 'en')).toBe('our service');
});

test('long names never make more than a post may have', () => {
  const names = Array.from({ length: 100 }, () => '😀'.repeat(100));
  const long = draftWords({ templates: [] }, names, 'en');
  expect(long.title.length).toBeLessThanOrEqual(200);
  expect(long.opened.length).toBeLessThanOrEqual(10_000);
  expect(long.title).toMatch(/😀…$/u);
});

test('another incident joins a draft, and names both items unless a person has written', () => {
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

test('only drafts whose incidents go on take another incident', () => {
  expect(takesIncidents(drafted)).toBe(true);
  expect(takesIncidents(published(drafted, NOW))).toBe(false);
  expect(takesIncidents(withEnd(drafted, written))).toBe(false);
  expect(takesIncidents(postOf())).toBe(false);
});

test('the end of an incident is a draft on a draft, which is then published by no timer', () => {
  const post = withEnd(drafted, written);
  expect(post.publishAtMs).toBeNull();
  expect(post.updates.at(-1)).toMatchObject({ state: 'resolved', isDraft: true, by: null });
  expect(withEnd(post, written)).toBe(post);
});

test('the end of an incident resolves what nobody but the service wrote on', () => {
  const post = withEnd(published(drafted, NOW), written);
  expect(stateOfPost(post)).toBe('resolved');
  const touched = withEnd({ ...published(drafted, NOW), isTouched: true }, written);
  expect(stateOfPost(touched)).toBe('investigating');
  expect(touched.updates.at(-1)).toMatchObject({ state: 'resolved', isDraft: true });
});

test('an incident that returns takes back what the service wrote of its end, and nothing of people', () => {
  expect(withReturn(withEnd(drafted, written), written).updates).toEqual(drafted.updates);
  const ended = withEnd(published(drafted, NOW), written);
  expect(stateOfPost(withReturn(ended, written))).toBe('investigating');
  const byPerson = {
    ...ended,
    updates: ended.updates.map((update) => ({ ...update, by: 'ann@example.com' })),
  };
  expect(withReturn(byPerson, written)).toBe(byPerson);
});

test('a page whose drafts are held by a person keeps the time that the person chose', () => {
  const post = withEnd({ ...drafted, isTouched: true, publishAtMs: NOW + 900_000 }, written);
  expect(post.publishAtMs).toBe(NOW + 900_000);
});
