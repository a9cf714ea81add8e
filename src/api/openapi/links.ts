/** Links from a created resource to the operations on it, derived from paths and the id in the response. */
import { z } from 'zod';
import type { Route } from '../routing/route';
import { findObject } from './shape-facts';

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}
type Links = Readonly<Record<string, Link>>;
export type LinksOf = (entry: Route) => Links | null;

/** A path with one more id, optionally followed by `/run`. */
const LINKED = /^\/:(\w+)(?:\/run)?$/;

/** null: the response has no id, or no operation accepts the id. */
export function createLinks(routes: readonly Route[]): LinksOf {
  return (entry) => {
    if (entry.method !== 'POST' || !hasId(entry.doc.responses[201]?.schema)) return null;
    const links = routes.flatMap(({ path, doc: { operationId } }) => {
      if (!path.startsWith(`${entry.path}/`)) return [];
      const [, parameter] = LINKED.exec(path.slice(entry.path.length)) ?? [];
      if (parameter === undefined) return [];
      return [[operationId, { operationId, parameters: { [parameter]: '$response.body#/id' } }]];
    });
    return links.length === 0 ? null : Object.fromEntries(links);
  };
}

function hasId(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.every(hasId);
  const shape = findObject(schema)?.shape;
  return shape !== undefined && 'id' in shape;
}
