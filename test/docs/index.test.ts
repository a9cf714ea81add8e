/** Tests the index of the documents: each entry has the title of its document. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './read-docs';

const INDEX = path.join(ROOT, 'docs/README.md');
const entries = [...readFileSync(INDEX, 'utf8').matchAll(/^ *- \[([^\]]+)\]\(([^)]+)\)/gm)].map(
  ([, title = '', target = '']) => ({ title, target }),
);

test('the index has an entry for most documents', () => {
  expect(entries.length).toBeGreaterThan(30);
});

test.each(entries)('the index calls $target by the title of the document', ({ title, target }) => {
  const file = path.join(ROOT, 'docs', target);
  // A folder has no title.
  if (statSync(file).isDirectory()) return;
  const [, heading = ''] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  expect(title).toBe(heading.replaceAll('`', ''));
});
