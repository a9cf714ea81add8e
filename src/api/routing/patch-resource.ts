/**
 * PATCH as a read, a merge and a PUT. The PUT accepts only the version that was read, so that concurrent patches do not
 * overwrite each other.
 */
import { isRecord } from '../../contracts/json';
import { validate } from '../../schemas/issues';
import { readRecord } from '../../schemas/loose';
import { refuseProblems } from '../../services/lists/field-problems';
import { readChange } from '../../services/lists/read-change';
import { OVERTAKEN, withOptimisticRetry } from '../../services/lists/with-optimistic-retry';
import type { Dependencies } from '../../services/ports/dependencies';
import { mergePatch, mergeWithNulls } from './merge-patch';
import type { BodyShape } from './read-shape';

/** The body that replaces the patched resource. */
interface PatchedBody<Body> {
  readonly body: Body;
  readonly accept: (version: number) => void;
}

interface PatchRequest<Body, Resource> {
  readonly patch: unknown;
  readonly shape: BodyShape<Body>;
  /** Knows every field of the resource. */
  readonly fields: BodyShape<unknown>;
  /** Throws if the client expects another version. */
  readonly accept: (version: number) => void;
  readonly read: () => Promise<Resource>;
  readonly replace: (patched: PatchedBody<Body>) => Promise<Resource>;
}

/** Thrown if the stored version is no longer the version that the patch was merged with. */
class PatchOvertaken extends Error {}

/** Returns the resource after the patch. Starts over if another writer has changed the resource in the meantime. */
export function patchResource<Body, Resource extends { readonly version: number }>(
  needs: Pick<Dependencies, 'clock' | 'sleep'>,
  request: PatchRequest<Body, Resource>,
): Promise<Resource> {
  return withOptimisticRetry(needs, async () => {
    const current = await request.read();
    request.accept(current.version);
    try {
      return await request.replace(patchedBody(current, request));
    } catch (error) {
      if (error instanceof PatchOvertaken) return OVERTAKEN;
      throw error;
    }
  });
}

function patchedBody<Body, Resource extends { readonly version: number }>(
  current: Resource,
  { patch, shape, fields }: PatchRequest<Body, Resource>,
): PatchedBody<Body> {
  const base = withoutOtherTrust(withoutOtherTypes(current, patch), patch);
  const merged = mergePatch(base, patch);
  const unknown = findUnknownNulls(fields, mergeWithNulls(base, patch));
  if (unknown.length > 0) {
    const paths = unknown.map(({ path }) => path);
    const others = findProblems(fields, merged).filter(({ path }) => !paths.includes(path));
    refuseProblems([...unknown, ...others]);
  }
  return {
    body: readChange(shape, { sent: merged, stored: current }),
    accept: (version) => {
      if (version !== current.version) throw new PatchOvertaken();
    },
  };
}

/** Fields whose content depends on their `type`: a patch with another type replaces the whole field. */
const TYPED_FIELDS = ['auth', 'access'] as const;

function withoutOtherTypes<Resource extends object>(current: Resource, patch: unknown): object {
  const others = TYPED_FIELDS.filter((field) => {
    const { type } = readRecord(readRecord(patch)[field]);
    return type !== undefined && type !== readRecord(readRecord(current)[field])['type'];
  });
  return { ...current, ...Object.fromEntries(others.map((field) => [field, null])) };
}

/** `tls.trust` is one of several objects with different fields, so a patch replaces it as a whole. */
function withoutOtherTrust(current: object, patch: unknown): object {
  const { trust } = readRecord(readRecord(patch)['tls']);
  const { tls, ...others } = readRecord(current);
  return isRecord(trust) ? { ...others, tls: { ...readRecord(tls), trust: null } } : current;
}

/**
 * Finds unknown fields that the patch sets to null. Merging removes these fields, so the merged body would not show
 * them.
 */
function findUnknownNulls<Body>(shape: BodyShape<Body>, withNulls: unknown) {
  return findProblems(shape, withNulls).filter(({ code }) => code === 'unknown_field');
}

function findProblems<Body>(shape: BodyShape<Body>, body: unknown) {
  const checked = validate(shape, body);
  return checked.ok ? [] : checked.problems;
}
