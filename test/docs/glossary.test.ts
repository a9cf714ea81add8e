/**
 * Tests that each thing has one term, which is used everywhere: in pages, emails, messages, the command line, /v1 and
 * the documents. The texts are read from the sources.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsIn } from '../support/source-texts';

const root = join(__dirname, '..', '..', 'src');

/** Each row: a pattern for a forbidden word, and its replacement. */
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

/** Each row: a pattern for texts that people never read, and the reason. */
const ALLOWED: readonly (readonly [RegExp, string])[] = [
  [/^'use strict'/, 'a script of a page, not prose'],
];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(root, name));
const texts = files.flatMap((file) =>
  textsIn(file)
    .filter((text) => / /.test(text) || /^[A-Z][a-z]+$/.test(text))
    .filter((text) => !ALLOWED.some(([allowed]) => allowed.test(text)))
    .map((text) => ({ file: file.slice(root.length + 1), text })),
);

/** Returns only the lines of prose, because code examples contain names from the code. The table of words to avoid is left out, too. */
function proseOf(document: string): readonly string[] {
  const prose = readFileSync(document, 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replace(/^\| say \| not \|[\s\S]*?\n\n/m, '');
  return prose.split('\n').filter((line) => !ALLOWED.some(([allowed]) => allowed.test(line)));
}

const home = join(root, '..');
const documents = [
  'README.md',
  'llms.txt',
  'examples/README.md',
  ...['docs', 'docs/api'].flatMap((folder) =>
    readdirSync(join(home, folder)).flatMap((name) =>
      name.endsWith('.md') ? [`${folder}/${name}`] : [],
    ),
  ),
];
const lines = documents.flatMap((file) =>
  proseOf(join(home, file)).map((text) => ({ file, text })),
);

test('the check of the glossary finds the texts of the sources', () => {
  expect(texts.length).toBeGreaterThan(2_000);
});

test.each(GLOSSARY)('no text of the sources says %s instead of %s', (forbidden) => {
  const found = [...texts, ...lines].filter(({ text }) => forbidden.test(text));
  expect(found.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
