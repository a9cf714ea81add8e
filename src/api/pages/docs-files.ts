/**
 * Serves the documents of docs/ as Markdown under `/docs/`, and `/llms.txt`. Links to files that are not served lead to
 * GitHub. The files are read once at the start.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type RequestHandler, Router } from 'express';
import { isNotModified } from '../routing/preconditions';

const REPOSITORY = 'https://github.com/keepwatch/keepwatch/blob/main/';
/** Matches inline code, or the target of a link. */
const CODE_OR_TARGET = /`[^`\n]*`|\]\(([^)\s]+)\)/g;
const FENCED = /(^```[\s\S]*?^```)/m;
const ETAG_CHARACTERS = 22;

interface DocsFile {
  readonly type: string;
  readonly text: string;
  readonly etag: string;
}

/** Creates the routes. `root` is the folder that contains docs/ and llms.txt. */
export function createDocsFiles(root = path.join(__dirname, '..', '..', '..')): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let known: ReadonlyMap<string, DocsFile> | null = null;
  const serve: RequestHandler = (request, response, next) => {
    known ??= readFiles(root);
    const file = known.get(request.path);
    if (file === undefined) return next();
    response.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Content-Type': file.type,
      ETag: file.etag,
    });
    if (isNotModified(request.headers['if-none-match'], file.etag)) response.status(304).end();
    else response.send(file.text);
  };
  router.get('/llms.txt', serve);
  router.get(/^\/docs\/.*\.md$/, serve);
  return router;
}

/** Returns the files by the path of their URL. */
function readFiles(root: string): ReadonlyMap<string, DocsFile> {
  const names = [
    ...listDocuments(root),
    ...(existsSync(path.join(root, 'llms.txt')) ? ['llms.txt'] : []),
  ];
  const served = new Set(names);
  return new Map(names.map((name) => [`/${name}`, readFile(root, name, served)] as const));
}

/** Lists the documents by path, for example `docs/api/monitors.md`. */
function listDocuments(root: string): readonly string[] {
  const folder = path.join(root, 'docs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

function readFile(root: string, name: string, served: ReadonlySet<string>): DocsFile {
  const text = leadLinks(readFileSync(path.join(root, name), 'utf8'), name, served);
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, ETAG_CHARACTERS);
  const type = name.endsWith('.md') ? 'text/markdown' : 'text/plain';
  return { type: `${type}; charset=utf-8`, text, etag: `"${digest}"` };
}

/** Replaces links to files that are not served with links to the repository, except in code. */
function leadLinks(text: string, name: string, served: ReadonlySet<string>): string {
  const parts = text.split(FENCED).map((part) => {
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
