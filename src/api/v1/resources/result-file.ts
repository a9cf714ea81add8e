/**
 * Sends a long list as lines, as fast as the client reads it. Only one page of the list is in memory. Stops when the
 * client disconnects.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Pages } from '../../../services/lists/read-list';
import type { ResponseTo } from '../../routing/response';
import { type Columns, formatCsvHead, formatCsvLine } from './csv-text';

/** A client that reads nothing for this long is disconnected. */
const IDLE_MS = 60_000;

const LISTENERS_MAX = 20;

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8; header=present' };

export const FILE_RESPONSES = {
  200: {
    description: 'A line for each, as in the list; `format=csv` is `text/csv` with a head line',
    schema: z.string(),
    mediaType: 'application/x-ndjson',
    otherMediaTypes: ['text/csv'],
  },
} as const;

export interface ResultFile<Item> {
  /** The file name without its extension. */
  readonly name: string;
  readonly format: keyof typeof TYPES;
  readonly columns: Columns<Item>;
  readonly pages: Pages<Item>;
}

/**
 * Responds with a file. A failure after the first line aborts the response, so that no client mistakes a partial file
 * for a complete one.
 */
export function fileResponse<Item>(file: ResultFile<Item>): ResponseTo<typeof FILE_RESPONSES> {
  const headers = {
    'Content-Type': TYPES[file.format],
    'Content-Disposition': `attachment; filename="${file.name}.${file.format}"`,
    'Cache-Control': 'no-store',
  };
  return {
    status: 200,
    headers,
    stream: async ({ response }) => {
      response.writeHead(200, headers);
      await sendText(formatLines(file), response);
    },
  };
}

async function* formatLines<Item>({ format, columns, pages }: ResultFile<Item>) {
  if (format === 'csv') yield formatCsvHead(columns);
  const lineOf = (item: Item): string =>
    format === 'csv' ? formatCsvLine(columns, item) : `${JSON.stringify(item)}\n`;
  for await (const page of pages) {
    // An empty string would end the stream, so an empty page is skipped.
    if (page.length > 0) yield page.map(lineOf).join('');
  }
}

async function sendText(text: AsyncIterable<string>, response: ServerResponse): Promise<void> {
  // Logs, metrics, limits and the stream itself each listen for the end of the response. Node would
  // warn about so many listeners, so the limit is raised.
  response.setMaxListeners(LISTENERS_MAX);
  response.setTimeout(IDLE_MS, () => response.destroy());
  try {
    await pipeline(Readable.from(text), response);
  } catch (error) {
    if (!isClientGone(error)) throw error;
  }
}

function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
