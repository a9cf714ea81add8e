/**
 * Tests that names in the code use the words of docs/extending.md, and none of the words that its table replaces. Also
 * tests that comments, titles of tests and documents contain no old-fashioned words.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, readPages } from './read-docs';

/** Words that must not be parts of names. Exceptions are in `MEANT_OTHERWISE`. */
const UNWANTED = [
  'Answer',
  'Settle',
  'Settling',
  'Settlement',
  'Hub',
  'Keeper',
  'Spell',
  'Standing',
  'Place',
  'Owed',
  'Tell',
  'Told',
  'Untold',
  'Answered',
  'Answering',
  'Guess',
  'Reseal',
  'Conceal',
  'Room',
  'Seat',
  'Rev',
  'Engine',
  'Absence',
  'Heard',
  'Hearing',
  'Unheard',
  'Ring',
  'Rung',
  'Deaf',
  'Calm',
  'Lane',
  'House',
  'Patient',
  'Patiently',
] as const;

/** Forbidden words that are allowed as parts of names, because they have another meaning there. */
const MEANT_OTHERWISE = new Set([
  // The storage of the embedded database.
  'Engine',
]);

/** Matches words that are forbidden even in names that are not exported. */
const UNWANTED_ANYWHERE =
  /^(?:Answer(?:s|ed|ing)?|Calm|Conceal|Deaf|Guess|Heard|House|Hub|Keeper|Lanes?|Owed|Patient(?:ly)?|Reseal|Rings?|Ringing|Settle[ds]?|Settlement|Tells?|Told|Unheard|Untold)$/;

/** Names that cannot be changed. They come from stored fields, the HTTP/2 standard and libraries. */
const STORED_OR_STANDARD: ReadonlySet<string> = new Set([
  'allSettled',
  'onSettled',
  'heardSinceMs',
  'ENHANCE_YOUR_CALM',
]);

/**
 * Folders in which names may contain `answer`. People answer an incident, and a part of each DNS response is called an
 * answer.
 */
const ANSWERS_OF_PEOPLE =
  /^(?:domain\/alerting|kinds\/dns|services\/alerting|workflows\/(?:alert|escalation))\//;

const COMMENTS_AND_TEXTS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

const EXPORTED = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;

function filesIn(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(ROOT, 'src', folder, file)),
  );
}

function exportedIn(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(EXPORTED)].map(([, name = '']) => name);
}

const names = filesIn('.').flatMap(exportedIn);

/** Splits a name into words. `resumeStoring` becomes Resume and Storing, and `ALERT_KINDS` becomes Alert and Kinds. */
function partsOf(name: string): readonly string[] {
  const words = name === name.toUpperCase() ? name.toLowerCase().split('_') : [name];
  return words
    .flatMap((word) => word.split(/(?=[A-Z])/))
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1));
}

test('no exported name contains a word that the table replaces', () => {
  expect(names.length).toBeGreaterThan(1_000);
  const found = names.filter(
    (name) =>
      !MEANT_OTHERWISE.has(name) &&
      partsOf(name).some((part) => UNWANTED.some((word) => part === word || part === `${word}s`)),
  );
  expect(found).toEqual([]);
});

/** Returns every name in the code of the folders, once for each file. */
function namesIn(...folders: readonly string[]) {
  return filesIn(...folders).flatMap((file) => {
    const code = readFileSync(file, 'utf8').replaceAll(COMMENTS_AND_TEXTS, '');
    const folder = path.relative(path.join(ROOT, 'src'), file);
    return [...new Set(code.match(/\b[A-Za-z_]\w*/g))].map((name) => ({ folder, name }));
  });
}

test('no local name contains a word that the table replaces', () => {
  const read = namesIn('.');
  expect(read.length).toBeGreaterThan(20_000);
  const found = read
    .filter(({ name }) => partsOf(name).some((part) => UNWANTED_ANYWHERE.test(part)))
    .filter(({ name }) => !STORED_OR_STANDARD.has(name))
    .filter(({ folder }) => !ANSWERS_OF_PEOPLE.test(folder));
  expect(found).toEqual([]);
});

/** Words that are plain English in prose. They are forbidden only as parts of names. */
const PLAIN_ENGLISH: ReadonlySet<string> = new Set([
  'Answer',
  'Guess',
  'House',
  'Lane',
  'Ring',
  'Place',
  'Room',
  // `Rung` is also part of the German word “Störung”.
  'Rung',
  'Settle',
  'Spell',
  'Standing',
]);

/** Matches the forbidden words in prose. "To tell apart" is allowed. */
const UNWANTED_IN_PROSE = new RegExp(
  `\\b(?:${UNWANTED.filter((word) => !PLAIN_ENGLISH.has(word)).join('|')})s?\\b(?![^.]*\\bapart\\b)`,
  'i',
);

/** A stored field, whose name cannot be changed. */
const STORED_FIELDS = new Set(["'absences'"]);

/** Matches a list of options of curl, one of which is a forbidden word. */
const OPTIONS_OF_CURL = / login-options engine request-target /;

test('no comment and no text in src and scripts contains a word that the table replaces', () => {
  const scripts = readdirSync(path.join(ROOT, 'scripts'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?js$/.test(file))
    .map((file) => path.join(ROOT, 'scripts', file));
  const read = [...filesIn('.'), ...scripts].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(COMMENTS_AND_TEXTS)].map(([text]) => ({
      file: path.relative(ROOT, file),
      // Removes expressions inside a template, because they are code.
      text: text.replaceAll(/\$\{[^}]*\}/g, '').replaceAll(/\s+(?:\* )?/g, ' '),
    })),
  );
  expect(read.length).toBeGreaterThan(20_000);
  const found = read.filter(
    ({ text }) =>
      UNWANTED_IN_PROSE.test(text) && !OPTIONS_OF_CURL.test(text) && !STORED_FIELDS.has(text),
  );
  expect(found).toEqual([]);
});

/** Matches words that many readers have to look up, or read twice. */
const OLD_FASHIONED =
  /\b(?:anew|whoever|whomever|lest|thereof|thereby|therein|hitherto|whilst|amongst|besides?|owe[sd]?|for ever)\b/i;

/** Lists the files of code in a folder of the repository. */
function codeIn(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:[cm]?[jt]sx?|css)$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(folder, file));
}

/**
 * Reads the last group of each match of the pattern in the files. Returns the number of matches, and those that contain
 * an old-fashioned word.
 */
function findOldFashioned(files: readonly string[], pattern: RegExp) {
  const read = files.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(pattern)].map((match) => ({
      file,
      text: match.at(-1) ?? '',
    })),
  );
  return { count: read.length, found: read.filter(({ text }) => OLD_FASHIONED.test(text)) };
}

test('no comment in src, scripts and bench contains an old-fashioned word', () => {
  const files = ['src', 'scripts', 'bench'].flatMap(codeIn);
  const { count, found } = findOldFashioned(files, /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ [^\n]*/g);
  expect(count).toBeGreaterThan(10_000);
  expect(found).toEqual([]);
});

test('no title of a test contains an old-fashioned word', () => {
  const titles = /(?:\b(?:test|it|describe)(?:\.\w+)*|[)\]`])\(\s*(['"`])((?:\\.|(?!\1).)*)\1,/g;
  const { count, found } = findOldFashioned(codeIn('test'), titles);
  expect(count).toBeGreaterThan(3_000);
  expect(found).toEqual([]);
});

test('no document contains an old-fashioned word', () => {
  const others = ['src/embedded/database/README.md', 'bench/RESULTS.md'].map((file) => ({
    file,
    text: readFileSync(path.join(ROOT, file), 'utf8'),
  }));
  const paragraphs = [...readPages(), ...others].flatMap(({ file, text }) =>
    text
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .split(/\n{2,}/)
      .map((paragraph) => ({ file, paragraph })),
  );
  const found = paragraphs
    .filter(({ paragraph }) => OLD_FASHIONED.test(paragraph))
    .filter(({ paragraph }) => !paragraph.startsWith('| say | not |'));
  expect(paragraphs.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});

test('names in services and models say what a record is instead of calling it a row', () => {
  const names = namesIn('services', 'models').filter(({ name }) =>
    partsOf(name).some((part) => /^Rows?$/.test(part)),
  );
  expect(names).toEqual([]);
});

test('the table of docs/extending.md lists every replaced word', () => {
  const text = readFileSync(path.join(ROOT, 'docs/extending.md'), 'utf8').toLowerCase();
  const table = text.slice(text.indexOf('## words inside the code'));
  const missing = UNWANTED.filter(
    (word) => !table.includes(word.toLowerCase().replace(/ing$/, '')),
  );
  expect(missing).toEqual([]);
});
