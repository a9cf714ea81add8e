/** Lists the paths that an Express application serves, from its routers. Middleware without a path is left out. */
import type { Express } from 'express';

interface Way {
  /** The HTTP method, or `ALL` for any method. */
  readonly method: string;
  readonly path: string;
}

interface Layer {
  readonly handle?: unknown;
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Returns the layers of a router. They are in `stack`, a field of Express that its types do not declare. */
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
