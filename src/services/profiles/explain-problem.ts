/**
 * Completes the message of a problem with the names of the affected fields that are inherited from the profile. Pure.
 */
import type { FieldProblem } from '../../platform/errors';

interface Inherited {
  readonly key: string;
  readonly set: Readonly<Record<string, unknown>>;
  /** Names of the fields that are inherited from the profile. */
  readonly fromProfile: readonly string[];
}

/** Adds the explanation to a problem. A problem is about the fields that its path or its message names. */
export function explainProblem(
  problem: FieldProblem,
  { key, set, fromProfile }: Inherited,
): FieldProblem {
  const { path, message } = problem;
  const named = fromProfile.filter((name) => isAt(path, name) || isIn(message, name, set[name]));
  if (named.length === 0) return problem;
  const verb = named.length === 1 ? 'comes' : 'come';
  return {
    ...problem,
    message: `${message} (${named.join(' and ')} ${verb} from the profile ${key})`,
  };
}

function isAt(path: string, name: string): boolean {
  const lower = path.toLowerCase();
  const start = name.toLowerCase();
  return lower === start || lower.startsWith(`${start}.`) || lower.startsWith(`${start}[`);
}

/**
 * True if the message is about the field. Some messages name only the value of the field, for example `GET` for the
 * field `method`.
 */
function isIn(message: string, name: string, value: unknown): boolean {
  const words = message.split(/[^A-Za-z0-9]+/);
  return (
    words.includes(name) ||
    (name === 'method' && typeof value === 'string' && words.includes(value.toUpperCase()))
  );
}
