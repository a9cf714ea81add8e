/** Tests the texts that the service writes in every language of status pages. */
import { STATUS_PAGE_LANGUAGES } from '../../../src/contracts/status-pages';
import { draftWords } from '../../../src/domain/status-pages/incident-post';
import { POST_WORDS } from '../../../src/domain/status-pages/post-words';
import { announce, withWindow } from '../../../src/domain/status-pages/window-post';
import { NOW, postOf } from './example-post';

const HOUR = 3_600_000;

const holesOf = (words: object): readonly string[] =>
  Object.entries(words).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [`${key} ${[...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).join()}`]
      : holesOf(text),
  );

test.each(STATUS_PAGE_LANGUAGES)(
  'the texts in %s have the same placeholders as the English texts',
  (language) => {
    expect(holesOf(POST_WORDS[language])).toEqual(holesOf(POST_WORDS.en));
  },
);

test.each(STATUS_PAGE_LANGUAGES)('every post in %s has all its placeholders filled', (language) => {
  const now = { nowMs: NOW, newUpdateId: () => 'upd_1', language };
  const planned = { fromMs: NOW + HOUR, toMs: NOW + 2 * HOUR };
  const post = postOf({
    type: 'maintenance',
    state: 'published',
    window: { id: 'mnt_1', ...planned },
    ...announce(planned, [], now),
  });
  const later = { fromMs: NOW + 3 * HOUR, toMs: NOW + 4 * HOUR };
  const moved = withWindow(post, { occurrence: later, isDeleted: false }, now);
  const started = withWindow(
    moved,
    { occurrence: later, isDeleted: false },
    { ...now, nowMs: later.fromMs },
  );
  const written = [draftWords({ templates: [] }, ['Payments'], language), post, moved, started];
  expect(JSON.stringify(written)).not.toMatch(/\{\{|\}\}/);
  expect(started.updates).toHaveLength(3);
});
