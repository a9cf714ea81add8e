/**
 * Requests out of a file of another tool: a HAR recording, a Postman collection or an OpenAPI document.
 * Pure. What a step cannot carry is said in notes; nothing is sent. Loaded with its dialog only.
 */
import { parse } from 'yaml';
import { recordOf } from '../../../../schemas/loose';
import { readHar } from './har';
import type { FoundRequests } from './imported';
import { readOpenApi } from './openapi';
import { readPostman } from './postman';

export type Imported =
  | { readonly ok: true; readonly found: FoundRequests }
  | { readonly ok: false; readonly problem: string };

const TEXT_MAX = 20_000_000;

export function readImport(text: string): Imported {
  if (text.length > TEXT_MAX) return { ok: false, problem: 'This file has more than 20 MB.' };
  const file = readText(text);
  if (file === undefined) return { ok: false, problem: 'This is neither JSON nor YAML.' };
  const given = recordOf(file);
  const read = readerOf(given);
  if (read === null)
    return {
      ok: false,
      problem: 'This is no HAR file, no Postman collection and no OpenAPI document.',
    };
  const found = read(given);
  if (found.requests.length === 0)
    return { ok: false, problem: `This ${found.source} file has no requests.` };
  return { ok: true, found };
}

function readerOf(given: Record<string, unknown>) {
  if (recordOf(given['log'])['entries'] !== undefined) return readHar;
  if (given['item'] !== undefined) return readPostman;
  return given['paths'] === undefined ? null : readOpenApi;
}

/** JSON first, since YAML takes far longer to read. */
function readText(text: string): unknown {
  for (const read of [
    (json: string): unknown => JSON.parse(json),
    (yaml: string): unknown => parse(yaml),
  ]) {
    try {
      return read(text);
    } catch {}
  }
  return undefined;
}
