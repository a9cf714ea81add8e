/** Tests that decisions state their date and status, and that code cites only existing documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './read-docs';

const FOLDER = path.join(ROOT, 'docs', 'decisions');
const decisions = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

it.each(decisions)('%s states its number, date and status', (name) => {
  const text = readFileSync(path.join(FOLDER, name), 'utf8');
  const [, number, date] =
    /^# (\d+)\. [^\n]+\n\nDate: (\d{4}-\d\d-\d\d) · Status: (?:proposed|accepted|superseded)\b/.exec(
      text,
    ) ?? [];
  expect(Number(number)).toBe(Number(name.slice(0, 4)));
  expect(Number.isNaN(Date.parse(date ?? ''))).toBe(false);
});

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(name);
    return /\.(?:ts|tsx|mjs|mts)$/.test(entry.name) ? [name] : [];
  });
}

/** Finds citations in comments. They are paths of documents, or words in capitals that name documents. */
it('every document that a comment in the sources cites is in the repository', () => {
  const missing = ['src', 'scripts', 'bench'].flatMap(sourceFiles).flatMap((file) => {
    const comments =
      readFileSync(path.join(ROOT, file), 'utf8').match(/\/\*\*[\s\S]*?\*\/|\/\/[^\n]*/g) ?? [];
    const cited = comments.flatMap((comment) => [
      ...[...comment.matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(([name]) => name),
      ...[...comment.matchAll(/\b[A-Z]{4,} §/g)].map(([name]) => name),
    ]);
    return cited
      .filter((name) => !existsSync(path.join(ROOT, name)) && !/^(?:RFC|ECMA) §/.test(name))
      .map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});
