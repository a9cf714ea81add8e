/** The fields that a profile may set, for each type of monitor and for scenarios. */
import type { z } from 'zod';
import { NETWORK_KINDS } from '../../contracts/kinds';
import { NEVER_INHERITED } from '../../domain/definitions/layers';
import { NETWORK_BODIES } from '../../kinds/bodies';
import { httpMonitorBody } from '../../kinds/http/shape';
import { listRequiredFieldNames } from '../../kinds/shapes';
import { heartbeatMonitorBody } from '../monitor';
import { scenarioBody } from '../scenario';

type Shapes = Readonly<Record<string, z.ZodType>>;

function inheritableIn(
  shapes: Shapes,
  own: readonly string[] = [],
): ReadonlyMap<string, z.ZodType> {
  const excluded = [...NEVER_INHERITED, ...own];
  return new Map(Object.entries(shapes).filter(([name]) => !excluded.includes(name)));
}

/** Maps each type to its fields with their schemas. Scenarios are a type here, too. */
const FIELDS_OF_TYPE: ReadonlyMap<string, ReadonlyMap<string, z.ZodType>> = new Map([
  ['http', inheritableIn(httpMonitorBody.shape)],
  ['heartbeat', inheritableIn(heartbeatMonitorBody.shape)],
  ...NETWORK_KINDS.map((type, index) => {
    const shapes: Shapes = NETWORK_BODIES[index]?.shape ?? {};
    return [type, inheritableIn(shapes, listRequiredFieldNames(type))] as const;
  }),
  ['scenario', inheritableIn(scenarioBody.shape.shape)],
]);

/** Every field that a profile may set. */
export const PROFILE_FIELDS: readonly string[] = [
  ...new Set([...FIELDS_OF_TYPE.values()].flatMap((fields) => [...fields.keys()])),
].sort();

/** Returns the fields that a profile may set for the type. Unknown types have none. */
export function listInheritableFields(type: string): ReadonlyMap<string, z.ZodType> {
  return FIELDS_OF_TYPE.get(type) ?? new Map();
}

const NAMES_OF_TYPE = new Map(
  [...FIELDS_OF_TYPE].map(([type, fields]) => [type, new Set(fields.keys())]),
);

export function listInheritableNames(type: string): ReadonlySet<string> {
  return NAMES_OF_TYPE.get(type) ?? new Set();
}

/** Returns the schemas of a field, one for each type that has it. */
export function listFieldShapes(name: string): readonly z.ZodType[] {
  return [...FIELDS_OF_TYPE.values()].flatMap((fields) => fields.get(name) ?? []);
}
