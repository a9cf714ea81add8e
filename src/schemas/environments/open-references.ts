/**
 * Finds references to variables that a definition itself does not define. The environment or the account of the
 * definition must define these variables.
 */
import type { z } from 'zod';
import { findReferences } from '../../domain/templates/template';
import type { CheckedShape, OpenReferences, OpenVariable, ShapeProblem } from '../issues';

/** A valid body, and its references to variables that it does not define. If absent, there are none. */
export interface WithReferences {
  readonly references?: OpenReferences;
}

const NO_SUCH_VARIABLE = 'unknown_variable';

/** Returns the same schema, except that unknown variables are returned instead of refused. */
export function leaveVariablesOpen<Body extends object>(
  checked: CheckedShape<z.ZodType<Body>>,
): CheckedShape<z.ZodType<Body>> {
  const readReferences = (body: unknown): OpenReferences => ({
    variables: checked.findProblems(body).flatMap(readOpenVariable),
    secrets: [...new Set(listSecrets(body))],
  });
  return {
    ...checked,
    readReferences,
    findProblems: (body) =>
      checked.findProblems(body).filter(({ code }) => code !== NO_SUCH_VARIABLE),
    finish: (value, body) => {
      const references = readReferences(body);
      const isEmpty = references.variables.length + references.secrets.length === 0;
      return isEmpty ? value : { ...value, references };
    },
  };
}

function readOpenVariable({ path, code, variable }: ShapeProblem): OpenVariable[] {
  return code === NO_SUCH_VARIABLE && variable !== undefined ? [{ path, name: variable }] : [];
}

function listSecrets(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return findReferences(value).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : []));
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listSecrets);
}
