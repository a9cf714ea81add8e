/**
 * Tests links in the documents and from the dashboard. No link is dead, and every document can be reached from
 * README.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './read-docs';

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.keepwatch', 'coverage']);
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;

interface Link {
  /** The path of a file relative to the root of the project. */
  readonly file: string;
  readonly anchor: string | null;
}

function markdownFiles(folder = ''): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : markdownFiles(name);
    return entry.name.endsWith('.md') || name === 'llms.txt' ? [name] : [];
  });
}

/** Returns the text without code blocks and inline code, because brackets in code are no links. */
function proseOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8')
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '));
}

function linksOf(file: string): readonly Link[] {
  return [...proseOf(file).matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target))
    .map((target) => {
      const [name = '', anchor = null] = target.split('#');
      const resolved = name === '' ? file : path.normalize(path.join(path.dirname(file), name));
      return { file: resolved.replace(/\/$/, ''), anchor };
    });
}

/** Returns the anchors that common viewers generate for headings. The anchor of a repeated heading ends with -1. */
function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(file).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const words = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = words;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${words}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

const files = markdownFiles();

test.each(files)('no link of %s is dead', (file) => {
  const dead = linksOf(file).filter(({ file: target, anchor }) => {
    if (!existsSync(path.join(ROOT, target))) return true;
    return anchor !== null && target.endsWith('.md') && !anchorsOf(target).has(anchor);
  });
  expect(dead).toEqual([]);
});

test('no link from the dashboard to a document is dead', () => {
  const folder = path.join(ROOT, 'src/dashboard');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const pages = names.filter((name) => name.endsWith('.tsx'));
  const links = pages.flatMap((name) => [
    ...readFileSync(path.join(folder, name), 'utf8').matchAll(/'\/(docs\/[\w./-]+\.md)#([\w-]+)'/g),
  ]);
  const known = links.map(([, file = '', anchor = '']) => anchorsOf(file).has(anchor));
  expect(known.length).toBeGreaterThan(0);
  expect(known).not.toContain(false);
});

test('README.md leads to every document', () => {
  const found = new Set(['README.md']);
  for (const file of found)
    for (const { file: target } of linksOf(file)) {
      const isFolder = !target.includes('.') && existsSync(path.join(ROOT, target));
      const pages = isFolder
        ? files.filter((known) => path.dirname(known) === target)
        : files.filter((known) => known === target);
      for (const page of pages) found.add(page);
    }
  const documents = files.filter((file) => !/^(?:src|test)\/|^llms/.test(file));
  expect(documents.filter((file) => !found.has(file))).toEqual([]);
});

test('llms.txt names every page of docs, and the folder of decisions', () => {
  const named = new Set(linksOf('llms.txt').map(({ file }) => file));
  const pages = files.filter((file) => /^docs\/(?!decisions\/)/.test(file));
  expect([...pages, 'docs/decisions'].filter((file) => !named.has(file))).toEqual([]);
});

test('the link checker finds links and the anchors of headings', () => {
  expect(anchorsOf('docs/operations.md')).toContain('rotate-the-secret-key');
  expect(anchorsOf('docs/operations.md')).not.toContain('no-such-heading');
  expect(linksOf('README.md').length).toBeGreaterThan(5);
});
