/** JSON merge patch (RFC 7396): pure, for documents of any kind. */
import { isRecord } from '../../contracts/json';

/** Returns the patched document: null removes a field, an object is merged, and any other value replaces the field. */
export function mergePatch(document: unknown, patch: unknown): unknown {
  return merge(document, patch, (fields, name) => fields.delete(name));
}

/** Like mergePatch, but a field that null would remove is set to null. */
export function mergeWithNulls(document: unknown, patch: unknown): unknown {
  return merge(document, patch, (fields, name) => fields.set(name, null));
}

type OnNull = (fields: Map<string, unknown>, name: string) => void;

function merge(document: unknown, patch: unknown, onNull: OnNull): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(Object.entries(isRecord(document) ? document : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) onNull(merged, name);
    else merged.set(name, merge(merged.get(name), value, onNull));
  }
  return Object.fromEntries(merged);
}
