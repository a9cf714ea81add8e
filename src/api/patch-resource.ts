/**
 * PATCH as a read, a merge and a PUT of the very version that was read, so that two patches at the
 * same time lose nothing of each other.
 */
import { AppError } from '../platform/errors';
import { mergePatch } from './merge-patch';
import { type BodyShape, readBody } from './read-shape';
import { saysEnabled } from './replace-body';

const TRIES_MAX = 5;

/** What a patched resource is replaced with. */
interface PatchedBody<Body> {
  readonly body: Body;
  /** null: the patch is silent about it. */
  readonly isEnabled: boolean | null;
  readonly accept: (version: number) => void;
}

interface PatchRequest<Body, Resource> {
  readonly patch: unknown;
  readonly shape: BodyShape<Body>;
  /** Throws when the client knows another version. */
  readonly accept: (version: number) => void;
  readonly read: () => Promise<Resource>;
  readonly replace: (patched: PatchedBody<Body>) => Promise<Resource>;
}

/** The resource as it is after the patch; a writer in between makes it start over. */
export async function patchResource<
  Body extends { readonly enabled: boolean },
  Resource extends { readonly version: number },
>(request: PatchRequest<Body, Resource>): Promise<Resource> {
  for (let attempt = 1; ; attempt += 1) {
    const current = await request.read();
    request.accept(current.version);
    try {
      return await request.replace(patchedBody(current, request));
    } catch (error) {
      const isOvertaken = error instanceof AppError && error.code === 'version_mismatch';
      if (!isOvertaken || attempt === TRIES_MAX) throw error;
    }
  }
}

function patchedBody<
  Body extends { readonly enabled: boolean },
  Resource extends { readonly version: number },
>(current: Resource, { patch, shape }: PatchRequest<Body, Resource>): PatchedBody<Body> {
  const body = readBody(shape, mergePatch(current, patch));
  return {
    body,
    isEnabled: saysEnabled(patch) ? body.enabled : null,
    accept: (version) => {
      if (version !== current.version)
        throw new AppError('version_mismatch', 'Others changed it at the same time; try again.');
    },
  };
}
