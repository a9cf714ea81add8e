/**
 * Reads the documents of docs/, their pictures, and llms.txt. Links to files that are not served lead to GitHub. A
 * folder without a document of the same name gets a list of its documents, for example `docs/decisions`.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const REPOSITORY = 'https://github.com/keepwatch/keepwatch/blob/main/';
/** Matches inline code, or the target of a link. */
const CODE_OR_TARGET = /`[^`\n]*`|\]\(([^)\s]+)\)/g;
const FENCED = /(^```[\s\S]*?^```)/m;
const ETAG_CHARACTERS = 22;

export interface ServedText {
  readonly type: string;
  readonly text: string;
  readonly etag: string;
}

export interface Documents {
  /** Markdown and llms.txt by path, for example `docs/api/monitors.md`. */
  readonly texts: ReadonlyMap<string, ServedText>;
  /** Paths of pictures, for example `docs/pictures/run.png`. The container image has none. */
  readonly pictures: ReadonlySet<string>;
}

/** Reads all files. `root` is the folder that contains docs/ and llms.txt. */
export function readDocuments(root: string): Documents {
  const files = listFiles(root);
  const documents = files.filter((name) => name.endsWith('.md'));
  const pictures = new Set(files.filter((name) => name.endsWith('.png')));
  const folders = listFolders(documents);
  const names = [...documents, ...(existsSync(path.join(root, 'llms.txt')) ? ['llms.txt'] : [])];
  const served = new Set([...names, ...folders, ...pictures]);
  const texts = new Map<string, ServedText>();
  for (const name of names) {
    const text = rewriteLinks(readFileSync(path.join(root, name), 'utf8'), name, served);
    texts.set(name, toServed(text, name === 'llms.txt' ? 'text/plain' : 'text/markdown'));
  }
  for (const folder of folders)
    texts.set(folder, toServed(listFolder(folder, texts), 'text/markdown'));
  return { texts, pictures };
}

export function toServed(text: string, type: string): ServedText {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, ETAG_CHARACTERS);
  return { type: `${type}; charset=utf-8`, text, etag: `"${digest}"` };
}

/** Returns the first heading of a document as plain text. */
export function readTitle(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');
}

function listFiles(root: string): readonly string[] {
  const folder = path.join(root, 'docs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function listFolders(documents: readonly string[]): readonly string[] {
  const folders = new Set(documents.map((name) => path.posix.dirname(name)));
  return [...folders].filter((name) => name !== 'docs' && !documents.includes(`${name}.md`));
}

function listFolder(folder: string, texts: ReadonlyMap<string, ServedText>): string {
  const name = path.posix.basename(folder);
  const items = [...texts]
    .filter(([file]) => path.posix.dirname(file) === folder)
    .map(([file, { text }]) => `- [${readTitle(text)}](${name}/${path.posix.basename(file)})`);
  return `# ${name.slice(0, 1).toUpperCase()}${name.slice(1)}\n\n${items.join('\n')}\n`;
}

/** Replaces links to files that are not served with links to the repository, except in code. */
function rewriteLinks(text: string, name: string, served: ReadonlySet<string>): string {
  const parts = splitFences(text).map((part) => {
    if (part.startsWith('```')) return part;
    return part.replaceAll(CODE_OR_TARGET, (whole: string, target: string | undefined) => {
      if (target === undefined || /^(?:[a-z]+:|#)/.test(target)) return whole;
      const [file = '', anchor] = target.split('#');
      const resolved = path.posix.join(path.posix.dirname(name), file);
      if (served.has(resolved)) return whole;
      return `](${REPOSITORY}${resolved}${anchor === undefined ? '' : `#${anchor}`})`;
    });
  });
  return parts.join('');
}

/** Splits Markdown into prose and code blocks. Only code blocks start with a fence. */
export function splitFences(text: string): readonly string[] {
  return text.split(FENCED);
}
