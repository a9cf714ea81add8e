/**
 * Finds parts of the released surface that no longer work. Ignores deprecated parts whose last day has passed. It is
 * pure.
 */
import { SCOPES } from '../domain/accounts/roles';
import {
  type CompareSchemas,
  createSchemaComparison,
  type Narrowing,
  type SchemaPair,
} from './compare-schemas';
import type { Json, NameFacts, OperationSurface, Surface } from './surface';

interface Comparison {
  readonly released: Surface;
  readonly current: Surface;
  readonly isOver: (released: object) => boolean;
  readonly compareSchemas: CompareSchemas;
}

interface Surfaces {
  readonly released: Surface;
  readonly current: Surface;
  /** The current day, for example `2027-01-31`. A deprecated part may be removed after its last day. */
  readonly today: string;
}

/** Returns each change once, in the order of the released surface. */
export function findNarrowings({ released, current, today }: Surfaces): readonly Narrowing[] {
  const isOver = (node: object): boolean => {
    const { deprecated, 'x-sunset': sunset }: Json = { ...node };
    return deprecated === true && typeof sunset === 'string' && sunset < today;
  };
  const compareSchemas = createSchemaComparison(isOver);
  const comparison = { released, current, isOver, compareSchemas };
  const found = [...compareOperations(comparison), ...compareNames(comparison)];
  return [...new Map(found.map((each) => [`${each.at} ${each.change}`, each])).values()];
}

function compareOperations(comparison: Comparison): readonly Narrowing[] {
  const { released, current, isOver } = comparison;
  return Object.entries(released.operations).flatMap(([at, before]) => {
    const after = current.operations[at];
    if (isOver(before)) return [];
    if (after === undefined) return [{ at, change: 'removed' }];
    const both = { at, before, after };
    return [
      ...compareAccess(both),
      ...compareParameters(comparison, both),
      ...compareBody(comparison, both),
      ...compareResponses(comparison, both),
    ];
  });
}

interface Both {
  readonly at: string;
  readonly before: OperationSurface;
  readonly after: OperationSurface;
}

function compareAccess({ at, before, after }: Both): readonly Narrowing[] {
  const ranks: readonly string[] = ['public', ...SCOPES, 'operator'];
  const isRaised = ranks.indexOf(after.scope) > ranks.indexOf(before.scope);
  const lost = before.codes.filter((code) => !after.codes.includes(code));
  return [
    ...(after.operationId === before.operationId
      ? []
      : [{ at, change: `operationId ${before.operationId} became ${after.operationId}` }]),
    ...(isRaised ? [{ at, change: `scope raised from ${before.scope} to ${after.scope}` }] : []),
    ...lost.map((code) => ({ at, change: `error code ${code} was removed` })),
  ];
}

function compareParameters(
  { released, current, isOver, compareSchemas }: Comparison,
  { at, before, after }: Both,
): readonly Narrowing[] {
  const kept = Object.entries(before.parameters).flatMap(([name, parameter]) => {
    const place = `${at} ${name}`;
    const now = after.parameters[name];
    if (isOver(parameter)) return [];
    if (now === undefined) return [{ at: place, change: 'removed' }];
    const pair = buildRequest(released, current, [parameter.schema, now.schema]);
    const isTightened = now.isRequired && !parameter.isRequired;
    return [
      ...(isTightened ? [{ at: place, change: 'is newly required' }] : []),
      ...compareSchemas(pair, place),
    ];
  });
  const added = Object.entries(after.parameters)
    .filter(([name, { isRequired }]) => isRequired && !(name in before.parameters))
    .map(([name]) => ({ at: `${at} ${name}`, change: 'is newly required' }));
  return [...kept, ...added];
}

function compareBody(
  { released, current, compareSchemas }: Comparison,
  { at, before, after }: Both,
): readonly Narrowing[] {
  const place = `${at} body`;
  if (before.body === null)
    return after.body?.isRequired === true ? [{ at: place, change: 'is newly required' }] : [];
  if (after.body === null) return [{ at: place, change: 'removed' }];
  const { mediaTypes, isRequired } = after.body;
  const lost = before.body.mediaTypes.filter((type) => !mediaTypes.includes(type));
  const pair = buildRequest(released, current, [before.body.schema, after.body.schema]);
  return [
    ...lost.map((type) => ({ at: place, change: `${type} is no longer accepted` })),
    ...(isRequired && !before.body.isRequired ? [{ at: place, change: 'is newly required' }] : []),
    ...compareSchemas(pair, place),
  ];
}

function compareResponses(
  { released, current, compareSchemas }: Comparison,
  { at, before, after }: Both,
): readonly Narrowing[] {
  return Object.entries(before.responses).flatMap(([name, schema]) => {
    const place = `${at} response ${name}`;
    const now = after.responses[name];
    if (now === undefined) return [{ at: place, change: 'removed' }];
    if (schema === null || now === null) return [];
    const narrow = { schema: now, schemas: current.schemas };
    const wide = { schema, schemas: released.schemas };
    return compareSchemas({ direction: 'response', narrow, wide }, place);
  });
}

function buildRequest(
  released: Surface,
  current: Surface,
  [before, after]: readonly [before: Json, after: Json],
): SchemaPair {
  return {
    direction: 'request',
    narrow: { schema: before, schemas: released.schemas },
    wide: { schema: after, schemas: current.schemas },
  };
}

function compareNames({ released, current, isOver }: Comparison): readonly Narrowing[] {
  return Object.entries(released.names).flatMap(([at, before]) => {
    const after = current.names[at];
    if (isOver(before)) return [];
    return after === undefined ? [{ at, change: 'removed' }] : compareFacts(at, before, after);
  });
}

function compareFacts(at: string, before: NameFacts, after: NameFacts): readonly Narrowing[] {
  const { same = {}, kept = [], closed = [] } = before;
  const changed = Object.entries(same).filter(([name, value]) => after.same?.[name] !== value);
  const lost = kept.filter((entry) => after.kept?.includes(entry) !== true);
  const added = (after.closed ?? []).filter((entry) => !closed.includes(entry));
  return [
    ...changed.map(([name, value]) => ({
      at,
      change: `${name} ${value} became ${after.same?.[name] ?? 'unknown'}`,
    })),
    ...lost.map((entry) => ({ at, change: `${entry} was removed` })),
    ...added.map((entry) => ({ at, change: `${entry} is newly required` })),
  ];
}
