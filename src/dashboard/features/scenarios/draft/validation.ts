/**
 * Validates a draft with the API's schema. Problems have the same paths as the API's errors. Adds problems that only
 * rows can have, such as duplicate names.
 */
import { findJsonPathProblem } from '../../../../domain/assertions/json-path-syntax';
import type { ShapeProblem } from '../../../../schemas/issues';
import { readList, readRecord } from '../../../../schemas/loose';
import { scenarioBody } from '../../../../schemas/scenario';
import {
  findDuplicates,
  findShapeProblems,
  requestProblems,
  variableProblems,
} from '../../../shared/definition/row-problems';
import type { Problems } from '../../../shared/form/problems/problems';
import type { Draft, DraftStep } from './draft';
import { toBody } from './draft-body';
import { secretsUsed } from './references';

export type Problem = ShapeProblem;

/** Every problem that would make the API refuse the draft. */
export function findProblems(draft: Draft): readonly Problem[] {
  return findShapeProblems(scenarioBody, toBody(draft), [
    ...variableProblems(draft.variables),
    ...draft.steps.flatMap(stepProblems),
  ]);
}

/** Returns warnings about secrets that do not exist yet. The API accepts them. */
export function findWarnings(draft: Draft, secrets: readonly string[]): readonly Problem[] {
  return secretsUsed(draft)
    .filter(({ name }) => !secrets.includes(name))
    .map(({ stepIndex, name }) => ({
      path: `steps[${stepIndex}]`,
      code: 'unknown_secret',
      message: `uses the secret “${name}”, which does not exist`,
    }));
}

function stepProblems(step: DraftStep, index: number): readonly Problem[] {
  const path = `steps[${index}]`;
  const extracted = step.extract.map((row) => ({ ...row, name: row.variable, value: '' }));
  return [
    ...requestProblems(step, `${path}.`),
    ...findDuplicates(extracted, `${path}.extract`),
    ...findPathProblems(step, path),
  ];
}

/** Finds invalid JSON paths of extractions. The schema would only report that no variant of an extraction matches. */
function findPathProblems({ extract }: DraftStep, path: string): readonly Problem[] {
  return extract.flatMap(({ variable, from, source }) => {
    const message = from === 'jsonPath' && source !== '' ? findJsonPathProblem(source) : null;
    if (message === null) return [];
    return [{ path: `${path}.extract.${variable.trim()}`, code: 'invalid_path', message }];
  });
}

/** Leaves out the problems of fields that are still empty. */
export function withoutEmpty(problems: Problems, draft: Draft): Problems {
  const body = toBody(draft);
  return problems.filter(({ path }) => !isEmptyAt(body, path));
}

function isEmptyAt(body: unknown, path: string): boolean {
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  const value = parts.reduce<unknown>((at, part) => {
    return Array.isArray(at) ? readList(at)[Number(part)] : readRecord(at)[part];
  }, body);
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
