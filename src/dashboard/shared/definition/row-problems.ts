/** Finds problems of typed rows: duplicate names, missing secret values and invalid JSON. */

import type { z } from 'zod';
import { type CheckedShape, type ShapeProblem, validate } from '../../../schemas/issues';
import { findJsonProblem } from '../body/body-draft';
import { doubledNames, type HeaderRow, hasContent, type VariableRow } from '../form/rows/rows';
import type { RequestDraft } from './request-draft';

const GIVEN_TWICE = 'is given twice';

export function isGivenTwice({ message }: Pick<ShapeProblem, 'message'>): boolean {
  return message === GIVEN_TWICE;
}

/** Returns all problems for which the API would refuse the body. Problems of rows come first. */
export function findShapeProblems<Shape extends z.ZodType>(
  shape: CheckedShape<Shape>,
  body: unknown,
  own: readonly ShapeProblem[],
): readonly ShapeProblem[] {
  const checked = validate(shape, body);
  const isOwn = (path: string): boolean => own.some((problem) => problem.path === path);
  const others = checked.ok ? [] : checked.problems.filter(({ path }) => !isOwn(path));
  const found = [...own, ...others].map((problem) => [formatKey(problem), problem] as const);
  return [...new Map(found).values()];
}

function formatKey({ path, message }: ShapeProblem): string {
  return `${path} ${message}`;
}

export function variableProblems(variables: readonly VariableRow[]): readonly ShapeProblem[] {
  const filled = variables.filter(hasContent);
  const withoutValue = filled.filter(
    ({ isSecret, isStored, value }) => isSecret && !isStored && value === '',
  );
  return [
    ...findDuplicates(filled, 'variables'),
    ...withoutValue.map(({ name }) => ({
      path: `variables.${name.trim()}.value`,
      code: 'required',
      message: 'is required',
    })),
  ];
}

/**
 * Finds duplicate names of headers and form fields, and invalid JSON. `prefix` is the prefix of the request's path:
 * empty, or like `steps[0].`.
 */
export function requestProblems(
  { headers, body }: Pick<RequestDraft, 'headers' | 'body'>,
  prefix = '',
): readonly ShapeProblem[] {
  const broken = findJsonProblem(body);
  return [
    ...findDuplicates(headers, `${prefix}headers`),
    ...(body.mode === 'form' ? findDuplicates(body.form, `${prefix}form`) : []),
    ...(broken === null
      ? []
      : [{ path: prefix + broken.path, code: 'invalid_value', message: broken.message }]),
  ];
}

/** Returns a problem for each name that several rows have, because the body keeps only one value for each name. */
export function findDuplicates(rows: readonly HeaderRow[], path: string): readonly ShapeProblem[] {
  return doubledNames(rows).map((name) => ({
    path: `${path}.${name}`,
    code: 'duplicate_name',
    message: GIVEN_TWICE,
  }));
}

/**
 * Removes the problem of an empty name if the target has a problem too. The name is taken from the target, so the
 * target is the only field that must be filled in.
 */
export function withoutDerivedName(problems: readonly ShapeProblem[]): readonly ShapeProblem[] {
  const isTargetFaulty = problems.some(({ path }) => path === 'url' || path === 'host');
  return isTargetFaulty
    ? problems.filter(({ path, message }) => path !== 'name' || message !== 'must not be empty')
    : problems;
}
