/**
 * PATCH as a read, a merge and a PUT. Concurrent patches do not overwrite each other: the PUT accepts only the version
 * that was read.
 */
import { mergeBody } from '../../services/lists/patch-body';
import { readChange } from '../../services/lists/read-change';
import { OVERTAKEN, withOptimisticRetry } from '../../services/lists/with-optimistic-retry';
import type { Dependencies } from '../../services/ports/dependencies';
import type { BodyShape } from './read-shape';

/** The body that replaces the patched resource. */
interface PatchedBody<Body> {
  readonly body: Body;
  readonly accept: (version: number) => void;
}

interface PatchRequest<Body, Resource, Result> {
  readonly patch: unknown;
  readonly shape: BodyShape<Body>;
  /** Defines every field of the resource. By default, the schema of the body is used. */
  readonly fields?: BodyShape<unknown>;
  /** Throws if the client expects another version. */
  readonly accept: (version: number) => void;
  readonly read: () => Promise<Resource>;
  readonly replace: (patched: PatchedBody<Body>) => Promise<Result>;
}

/** Thrown if the stored version has changed since the merge. */
class PatchOvertaken extends Error {}

/** Patches the resource, and starts over after a concurrent write. */
export function patchResource<Body, Resource extends { readonly version: number }, Result>(
  needs: Pick<Dependencies, 'clock' | 'sleep'>,
  request: PatchRequest<Body, Resource, Result>,
): Promise<Result> {
  return withOptimisticRetry(needs, async () => {
    const current = await request.read();
    request.accept(current.version);
    try {
      const accept = (version: number): void => {
        if (version !== current.version) throw new PatchOvertaken();
      };
      const { shape, fields = shape, patch } = request;
      const sent = mergeBody(fields, { stored: current, patch });
      return await request.replace({ body: readChange(shape, { sent, stored: current }), accept });
    } catch (error) {
      if (error instanceof PatchOvertaken) return OVERTAKEN;
      throw error;
    }
  });
}
