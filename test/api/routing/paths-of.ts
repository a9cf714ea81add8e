/** The paths that an Express application answers, out of its routers. Middleware without a path is none of them. */
import type { Express } from 'express';

interface Way {
  /** `ALL` for any. */
  readonly method: string;
  readonly path: string;
}

interface Layer {
  readonly handle?: unknown;
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** What Express keeps, of which its types say nothing. */
function layersOf(holder: unknown): readonly Layer[] {
  const { stack } = (holder ?? {}) as { readonly stack?: readonly Layer[] };
  return stack ?? [];
}

export function pathsOf(app: Express): readonly Way[] {
  const collect = (holder: unknown): readonly Way[] =>
    layersOf(holder).flatMap(({ route, handle }) => {
      if (route === undefined) return collect(handle);
      const methods = Object.keys(route.methods).map((name) =>
        name === '_all' ? 'ALL' : name.toUpperCase(),
      );
      return (methods.length === 0 ? ['ALL'] : methods).map((method) => ({
        method,
        path: route.path,
      }));
    });
  return collect(app.router);
}
