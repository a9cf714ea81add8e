/**
 * PATCH as a read, a merge and a PUT. The PUT accepts only the version that was read, so that concurrent patches do not
 * overwrite each other.
 */
import { patchBody } from '../../services/lists/patch-body';
import { OVERTAKEN, withOptimisticRetry } from '../../services/lists/with-optimistic-retry';
import type { Dependencies } from '../../services/ports/dependencies';
import type { BodyShape } from './read-shape';

/** The body that replaces the patched resource. */
interface PatchedBody<Body> {
  readonly body: Body;
  readonly accept: (version: number) => void;
}

interface PatchRequest<Body, Resource> {
  readonly patch: unknown;
  readonly shape: BodyShape<Body>;
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
      const accept = (version: number): void => {
        if (version !== current.version) throw new PatchOvertaken();
      };
      const { shape, patch } = request;
      return await request.replace({ body: patchBody(shape, { stored: current, patch }), accept });
    } catch (error) {
      if (error instanceof PatchOvertaken) return OVERTAKEN;
      throw error;
    }
  });
}
