/**
 * The fields that a monitor of each type has. Reports fields that belong to other types, and required fields that are
 * missing.
 */
import { z } from 'zod';
import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from '../contracts/kinds';
import { findHeartbeatProblems, HEARTBEAT_NAMES } from '../schemas/heartbeat';
import { type ShapeProblem, validate } from '../schemas/issues';
import { findHttpUrlProblems, HTTP_NEEDS } from './http/shape';
import { sentFields } from './sent-fields';
import {
  findKindsWith,
  KIND_SHAPES,
  listOwnFieldNames,
  listRequiredFieldNames,
  SHARED_WITH_HTTP,
} from './shapes';
import { anyUrlField } from './url';

export const MONITOR_TYPES = ['http', 'heartbeat', ...NETWORK_KINDS] as const;

/** Types whose checks send something to a target. */
export const SENT_TYPES = ['http', ...NETWORK_KINDS] as const;

/** Fields that monitors of all types may have. */
const NAMED: readonly string[] = [
  'type',
  'name',
  'profile',
  'alerts',
  'dependsOn',
  'hours',
  'outside',
  'runbookUrl',
  'note',
  'group',
  'tags',
  'key',
  'enabled',
];

/** Fields of every type that sends something. `region` exists only in requests that test a definition. */
const SENT: readonly string[] = ['type', 'region', ...Object.keys(sentFields)];

type Sent = Readonly<Record<string, unknown>>;

/** Finds unknown fields, missing fields, and violations of rules that involve several fields. */
export function findTypeProblems(
  monitor: Sent,
  knownNames: readonly string[],
): readonly ShapeProblem[] {
  const given = knownNames.filter((name) => monitor[name] !== undefined);
  const { type } = monitor;
  if (type === 'heartbeat') {
    const mine = new Set([...NAMED, ...HEARTBEAT_NAMES]);
    return [
      ...given
        .filter((name) => !mine.has(name))
        .map((name) =>
          reportForeignField(
            name,
            'is not a field of the type heartbeat, whose job reports to Keepwatch',
          ),
        ),
      ...missing(monitor, ['schedule']),
      ...findHeartbeatProblems(monitor),
    ];
  }
  if (isNetworkKind(type)) return networkProblems(type, monitor, given);
  return [
    ...given.flatMap((name) => {
      const types = listOtherTypes(name);
      return types.length === 0 ? [] : [reportForeignField(name, formatOnly(types))];
    }),
    ...missing(monitor, HTTP_NEEDS),
    ...findHttpUrlProblems(monitor),
  ];
}

function networkProblems(
  type: NetworkKind,
  monitor: Sent,
  given: readonly string[],
): readonly ShapeProblem[] {
  const mine = new Set([...SENT, ...listOwnFieldNames(type)]);
  return [
    ...given
      .filter((name) => !mine.has(name))
      .map((name) => reportForeignField(name, `is not a field of the type ${type}`)),
    ...missing(monitor, listRequiredFieldNames(type)),
    ...ownUrlProblems(type, monitor),
    ...KIND_SHAPES[type].findProblems(monitor),
  ];
}

/** Validates a URL by the schema of this kind. */
function ownUrlProblems(type: NetworkKind, { url }: Sent): readonly ShapeProblem[] {
  const { url: shape } = KIND_SHAPES[type].fields;
  if (shape === undefined || !anyUrlField.safeParse(url).success) return [];
  const checked = validate({ shape: z.object({ url: shape }), findProblems: () => [] }, { url });
  return checked.ok ? [] : checked.problems;
}

/** Returns the types other than HTTP that have the field. Returns an empty list if HTTP has the field, too. */
function listOtherTypes(name: string): readonly string[] {
  if (HEARTBEAT_NAMES.includes(name)) return ['heartbeat'];
  return SHARED_WITH_HTTP.includes(name) ? [] : findKindsWith(name);
}

function formatOnly(types: readonly string[]): string {
  return `is a field of the type${types.length === 1 ? '' : 's'} ${types.join(', ')} only`;
}

function missing(monitor: Sent, names: readonly string[]): readonly ShapeProblem[] {
  return names
    .filter((path) => monitor[path] === undefined)
    .map((path) => ({ path, code: 'required', message: 'is required' }));
}

function reportForeignField(path: string, message: string): ShapeProblem {
  return { path, code: 'unknown_field', message };
}
