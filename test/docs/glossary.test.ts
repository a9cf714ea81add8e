/**
 * One vocabulary for people: what pages, emails, messages and the command line say uses the trade's
 * words, one per thing. Texts are read out of the sources.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textsIn } from '../support/source-texts';

const root = join(__dirname, '..', '..', 'src');

/** What is not said, and the word that is. */
const GLOSSARY: readonly (readonly [RegExp, string])[] = [
  [/\banswers?\b|\banswered\b/i, 'response'],
  [/(?<!(?:email|Email|IP|private|public|Private|network) )\baddress(es)?\b/i, 'URL'],
  [/\btold\b|\btells\b/i, 'notify, alert'],
  [/\bcan not\b/i, 'cannot'],
  [/\bsomebody\b|\beverybody\b/i, 'someone, everyone, teammate'],
  [/\btime-out\b/i, 'timeout'],
  [/\be-mail\b/i, 'email'],
  [/\bwatched\b/i, 'checked, monitored'],
  [/^Kind$|\bkind of\b/, 'type'],
  [/^(Took|Held|Off|By hand|Withdraw)$/, 'Duration, Passed, Draft, Manual, Revoke'],
  [/\btaken back\b/i, 'undone'],
  [/\d %|\{\} %/, '95.1%, without a space'],
];

/** Where texts for people stand; code without spaces is none. */
const PLACES = ['dashboard'];

const files = PLACES.flatMap((place) =>
  readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, place, name)),
);
const texts = files.flatMap((file) =>
  textsIn(file)
    .filter((text) => / /.test(text) || /^[A-Z][a-z]+$/.test(text))
    .map((text) => ({ file: file.slice(root.length + 1), text })),
);

test('there are texts to read', () => {
  expect(texts.length).toBeGreaterThan(800);
});

test.each(GLOSSARY)('nobody reads %s, but %s', (forbidden) => {
  const found = texts.filter(({ text }) => forbidden.test(text));
  expect(found.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
