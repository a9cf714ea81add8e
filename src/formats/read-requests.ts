/**
 * Reads requests from a HAR recording, a Postman collection or an OpenAPI document. Pure. Notes list everything that a
 * step does not support.
 */
import { readRecord } from '../schemas/loose';
import type { FoundRequests } from './found-requests';
import { readHar } from './har';
import { readOpenApi } from './openapi';
import { readPostman } from './postman';
import { readYaml, TooManyValues } from './yaml';

export type FoundInFile =
  | { readonly ok: true; readonly found: FoundRequests }
  | { readonly ok: false; readonly problem: string };

const TEXT_MAX = 20_000_000;

export function readRequests(text: string): FoundInFile {
  if (text.length > TEXT_MAX) return { ok: false, problem: 'This file has more than 20 MB.' };
  const file = readText(text);
  if (!file.ok) return file;
  const given = readRecord(file.value);
  const read = findReader(given);
  if (read === null)
    return {
      ok: false,
      problem: 'Not a HAR, Postman or OpenAPI file.',
    };
  const found = read(given);
  if (found.requests.length === 0)
    return { ok: false, problem: `This ${found.source} file has no requests.` };
  return { ok: true, found };
}

function findReader(given: Record<string, unknown>) {
  if (readRecord(given['log'])['entries'] !== undefined) return readHar;
  if (given['item'] !== undefined) return readPostman;
  return given['paths'] === undefined ? null : readOpenApi;
}

/** Parses the text. Tries JSON first, because parsing YAML takes far longer. */
function readText(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value } as const;
  } catch {}
  try {
    return { ok: true, value: readYaml(text) } as const;
  } catch (error) {
    const problem =
      error instanceof TooManyValues ? error.message : 'This is neither JSON nor YAML.';
    return { ok: false, problem } as const;
  }
}
