/** Merges a patch with the stored object. The result is the body that replaces the object. Pure. */
import type { z } from 'zod';
import { isRecord } from '../../contracts/json';
import { type CheckedShape, validate } from '../../schemas/issues';
import { readRecord } from '../../schemas/loose';
import { refuseProblems } from './field-problems';

type Shape<Body> = z.ZodType<Body> | CheckedShape<z.ZodType<Body>>;

interface Patched {
  /** The stored object in the form in which clients read it. */
  readonly stored: object;
  readonly patch: unknown;
}

/**
 * Returns the merged body, which is not validated yet. Throws if the patch sets unknown fields to null. The error then
 * lists all problems of the body.
 */
export function mergeBody(shape: Shape<unknown>, { stored, patch }: Patched): unknown {
  const base = withoutOtherTrust(withoutOtherTypes(stored, patch), patch);
  const merged = mergePatch(base, patch);
  const unknown = hasNull(patch) ? findUnknownNulls(shape, mergeWithNulls(base, patch)) : [];
  if (unknown.length > 0) {
    const paths = unknown.map(({ path }) => path);
    const others = findProblems(shape, merged).filter(({ path }) => !paths.includes(path));
    refuseProblems([...unknown, ...others]);
  }
  return merged;
}

function hasNull(patch: unknown): boolean {
  return patch === null || (isRecord(patch) && Object.values(patch).some(hasNull));
}

/** Fields whose content depends on their `type`. A patch with another type replaces the whole field. */
const TYPED_FIELDS = ['auth', 'access'] as const;

function withoutOtherTypes(current: object, patch: unknown): object {
  const others = TYPED_FIELDS.filter((field) => {
    const { type } = readRecord(readRecord(patch)[field]);
    return type !== undefined && type !== readRecord(readRecord(current)[field])['type'];
  });
  return { ...current, ...Object.fromEntries(others.map((field) => [field, null])) };
}

/**
 * Removes the stored `tls.trust` if the patch contains `tls.trust`. The fields of the two objects may differ, so the
 * stored object is replaced as a whole.
 */
function withoutOtherTrust(current: object, patch: unknown): object {
  const { trust } = readRecord(readRecord(patch)['tls']);
  const { tls, ...others } = readRecord(current);
  return isRecord(trust) ? { ...others, tls: { ...readRecord(tls), trust: null } } : current;
}

/**
 * Finds unknown fields that the patch sets to null. Merging removes such fields, so the merged body would not reveal
 * them.
 */
function findUnknownNulls<Body>(shape: Shape<Body>, withNulls: unknown) {
  return findProblems(shape, withNulls).filter(({ code }) => code === 'unknown_field');
}

function findProblems<Body>(shape: Shape<Body>, body: unknown) {
  const checked = validate(shape, body);
  return checked.ok ? [] : checked.problems;
}

/** Returns the patched document. null removes a field, an object is merged, and any other value replaces the field. */
function mergePatch(document: unknown, patch: unknown): unknown {
  return merge(document, patch, (fields, name) => fields.delete(name));
}

/** Like mergePatch, but a null in the patch sets the field to null instead of removing it. */
function mergeWithNulls(document: unknown, patch: unknown): unknown {
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
