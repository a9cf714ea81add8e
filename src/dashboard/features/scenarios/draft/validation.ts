/**
 * What is wrong with a draft, by the schema of the API and the same paths as its refusals, plus what
 * only rows can get wrong. Pure; nothing is sent.
 */
import { findJsonPathProblem } from '../../../../domain/assertions/json-path-syntax';
import { type ShapeProblem, validate } from '../../../../schemas/issues';
import { listOf, recordOf } from '../../../../schemas/loose';
import { scenarioBody } from '../../../../schemas/scenario';
import { bodyField, problemOfBody } from '../../../shared/form/rows';
import type { Draft, DraftStep } from './draft';
import { isBegun, toBody } from './draft-body';
import { secretsUsed } from './references';

export type Problem = ShapeProblem;

const GIVEN_TWICE = 'is given twice';

export function isGivenTwice({ message }: Pick<Problem, 'message'>): boolean {
  return message === GIVEN_TWICE;
}

/** Every problem that would make the API refuse the draft. */
export function findProblems(draft: Draft): readonly Problem[] {
  const checked = validate(scenarioBody, toBody(draft));
  const own = findRowProblems(draft);
  const isOwn = (path: string): boolean => own.some((problem) => problem.path === path);
  const others = checked.ok ? [] : checked.problems.filter(({ path }) => !isOwn(path));
  const found = [...own, ...others];
  const seen = new Set<string>();
  return found.filter(({ path, message }) => {
    const key = `${path} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Secrets that do not exist (yet): no reason to refuse, and worth knowing. */
export function findWarnings(draft: Draft, secrets: readonly string[]): readonly Problem[] {
  return secretsUsed(draft)
    .filter(({ name }) => !secrets.includes(name))
    .map(({ stepIndex, name }) => ({
      path: `steps[${stepIndex}]`,
      code: 'unknown_secret',
      message: `uses the secret “${name}”, which does not exist`,
    }));
}

function findRowProblems({ variables, steps }: Draft): readonly Problem[] {
  const begun = variables.filter(isBegun);
  const withoutValue = begun.filter(
    ({ isSecret, isStored, value }) => isSecret && !isStored && value === '',
  );
  return [
    ...twice(
      begun.map(({ name }) => name),
      'variables',
    ),
    ...withoutValue.map(({ name }) => ({
      path: `variables.${name.trim()}.value`,
      code: 'required',
      message: 'is required',
    })),
    ...steps.flatMap(findStepRowProblems),
  ];
}

function findStepRowProblems(step: DraftStep, index: number): readonly Problem[] {
  const path = `steps[${index}]`;
  const isBroken = problemOfBody(step.body) !== undefined;
  return [
    ...twice(
      step.headers.filter(isBegun).map(({ name }) => name),
      `${path}.headers`,
    ),
    ...twice(
      step.extract.map(({ variable }) => variable),
      `${path}.extract`,
    ),
    ...findPathProblems(step, path),
    ...(isBroken
      ? [
          {
            path: `${path}.${bodyField(step.body.mode)}`,
            code: 'invalid_value',
            message: 'must be valid JSON',
          },
        ]
      : []),
  ];
}

/** The schema says no more of a short extraction than that it fits nothing. */
function findPathProblems({ extract }: DraftStep, path: string): readonly Problem[] {
  return extract.flatMap(({ variable, from, source }) => {
    const message = from === 'jsonPath' && source !== '' ? findJsonPathProblem(source) : null;
    if (message === null) return [];
    return [{ path: `${path}.extract.${variable.trim()}`, code: 'invalid_path', message }];
  });
}

function twice(names: readonly string[], path: string): readonly Problem[] {
  const trimmed = names.map((name) => name.trim());
  const repeated = trimmed.filter((name, at) => name !== '' && trimmed.indexOf(name) !== at);
  return [...new Set(repeated)].map((name) => ({
    path: `${path}.${name}`,
    code: 'duplicate_name',
    message: GIVEN_TWICE,
  }));
}

/** Problems worth showing while one types: not of what is still empty. */
export function withoutEmpty(problems: readonly Problem[], draft: Draft): readonly Problem[] {
  const body = toBody(draft);
  return problems.filter(({ path }) => !isEmptyAt(body, path));
}

function isEmptyAt(body: unknown, path: string): boolean {
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  const value = parts.reduce<unknown>((at, part) => {
    return Array.isArray(at) ? listOf(at)[Number(part)] : recordOf(at)[part];
  }, body);
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
