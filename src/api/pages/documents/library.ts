/** Renders the documents of one installation, each once and only when it is requested. */
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { FrameOptions } from '../reference/frame';
import {
  type Guide,
  type GuideGroup,
  renderDocumentPage,
  renderMissingPage,
} from './document-page';
import {
  type Documents,
  readDocuments,
  readTitle,
  type ServedText,
  toServed,
} from './read-documents';
import { listLinks, type RenderedDocument, renderDocument } from './render-document';
import { renderSearchIndex, SEARCH_SCRIPT } from './search-script';

const INDEX = 'docs/README.md';
/** In a PNG file, the width and the height are two numbers of 4 bytes each, from byte 16. */
const PNG_SIZE = { width: 16, height: 20, end: 24 } as const;

export interface Library extends Documents {
  /** Returns the document as a page. null means that there is no such document. */
  readonly findPage: (name: string) => ServedText | null;
  readonly missingPage: () => ServedText;
  readonly searchScript: () => ServedText;
  /** The texts that the search script loads before it searches. */
  readonly searchIndex: () => ServedText;
}

export function openLibrary(root: string, options: FrameOptions): Library {
  const documents = readDocuments(root);
  const groups = listGuides(documents);
  const kept = new Map<string, ServedText>();
  const keep = (key: string, make: () => ServedText): ServedText => {
    const made = kept.get(key) ?? make();
    kept.set(key, made);
    return made;
  };
  const render = (name: string, text: string): RenderedDocument =>
    renderDocument(text, (href) => {
      const picture = path.posix.join(path.posix.dirname(name), href);
      return documents.pictures.has(picture) ? measurePng(path.join(root, picture)) : null;
    });
  return {
    ...documents,
    findPage: (name) => {
      const text = documents.texts.get(name)?.text;
      if (text === undefined || name === 'llms.txt') return null;
      return keep(name, () =>
        toServed(
          renderDocumentPage({ name, document: render(name, text), groups }, options),
          'text/html',
        ),
      );
    },
    missingPage: () => keep('', () => toServed(renderMissingPage(groups, options), 'text/html')),
    searchScript: () => keep('search', () => toServed(SEARCH_SCRIPT, 'text/javascript')),
    searchIndex: () =>
      keep('index', () => {
        const found = [...documents.texts].filter(([name]) => name !== 'llms.txt');
        const rendered = found.map(([name, { text }]) => ({ name, ...render(name, text) }));
        return toServed(renderSearchIndex(rendered), 'text/javascript');
      }),
  };
}

/**
 * Lists the documents that the index links to, grouped by the headings of the index. The documents of a folder are
 * listed below the document of the same name, even if the index links to them, too.
 */
function listGuides({ texts }: Documents): readonly GuideGroup[] {
  const groups = [...listLinks(texts.get(INDEX)?.text ?? '')].map(([title, links]) => ({
    title,
    guides: links.flatMap(({ href, text }): readonly Guide[] => {
      const name = path.posix.join('docs', href);
      if (!texts.has(name) || texts.has(`${path.posix.dirname(name)}.md`)) return [];
      const below = [...texts].filter(([file]) => `${path.posix.dirname(file)}.md` === name);
      const guides = below.map(([file, own]) => ({ name: file, title: readTitle(own.text) }));
      return [{ name, title: text, below: guides }];
    }),
  }));
  return groups.filter(({ guides }) => guides.length > 0);
}

function measurePng(file: string): { readonly width: number; readonly height: number } {
  const head = Buffer.alloc(PNG_SIZE.end);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, head);
  } finally {
    closeSync(opened);
  }
  return { width: head.readUInt32BE(PNG_SIZE.width), height: head.readUInt32BE(PNG_SIZE.height) };
}
