/** Assertions on responses (docs/assertions.md), and the values of their operators. */
import { z } from 'zod';
import {
  ASSERTION_OPERATORS,
  type Assertion,
  type AssertionOperator,
  JSON_PATH_MATCHES,
  type JsonValue,
  REDIRECT_FACTS,
  TIMING_NAMES,
  TLS_FACTS,
} from '../contracts/definition';
import { findJsonPathProblem } from '../domain/assertions/json-path-syntax';
import { findSchemaProblems } from '../domain/assertions/json-schema-problems';
import { PATTERN_MAX } from '../domain/assertions/pattern-size';
import { findReferences } from '../domain/templates/template';
import { anyJson } from './fields';
import { report } from './issues';
import { hasInexactInteger } from './loose';
import { findPatternProblem } from './patterns';

export const ASSERTIONS_MAX = 20;
const JSON_TYPES = ['string', 'number', 'boolean', 'null', 'object', 'array'];

const WITHOUT_VALUE = new Set<AssertionOperator>(['exists', 'notExists', 'isEmpty', 'isNotEmpty']);
const ORDERING = new Set<AssertionOperator>([
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
]);
const NUMERIC = new Set<AssertionOperator>([...ORDERING, 'equals', 'notEquals']);

const common = {
  operator: z
    .enum(ASSERTION_OPERATORS)
    .meta({ description: 'How the actual value is compared with `value`' }),
  value: anyJson.meta({ description: 'Expected value. Some operators need none' }).optional(),
  severity: z
    .enum(['fail', 'degraded'])
    .meta({
      description:
        'What a failing assertion does. fail: the check fails; degraded: the check is degraded',
    })
    .default('fail'),
};
const typeField = <Type extends Assertion['type']>(type: Type) =>
  z.literal(type).meta({ description: 'What the assertion tests' });
const named = { description: 'Name of the header or figure' };

/** A JSON path in the part of RFC 9535 that our evaluator supports exactly. */
export const jsonPathShape = z.string().superRefine((path, context) => {
  const problem = findJsonPathProblem(path);
  if (problem !== null) report(context, [], { code: 'invalid_path', message: problem });
});

/** A regular expression in RE2 syntax, which runs in linear time. */
export const patternShape = z
  .string()
  .min(1)
  .max(PATTERN_MAX)
  .superRefine((pattern, context) => {
    const problem = findPatternProblem(pattern);
    if (problem !== null) report(context, [], { code: 'invalid_pattern', message: problem });
  });

export const assertionShape: z.ZodType<Assertion> = z
  .discriminatedUnion('type', [
    z.strictObject({ type: typeField('status'), ...common }),
    z.strictObject({ type: typeField('responseTime'), ...common }),
    z.strictObject({ type: typeField('body'), ...common }),
    z.strictObject({ type: typeField('bodySize'), ...common }),
    z.strictObject({
      type: typeField('timing'),
      name: z.enum(TIMING_NAMES).meta(named),
      ...common,
    }),
    z.strictObject({
      type: typeField('redirect'),
      name: z.enum(REDIRECT_FACTS).meta(named),
      ...common,
    }),
    z.strictObject({
      type: typeField('header'),
      name: z.string().min(1).max(200).meta(named),
      ...common,
    }),
    z.strictObject({ type: typeField('tls'), name: z.enum(TLS_FACTS).meta(named), ...common }),
    z.strictObject({
      type: typeField('jsonPath'),
      path: jsonPathShape.meta({ description: 'JSON path of the compared values' }),
      match: z
        .enum(JSON_PATH_MATCHES)
        .meta({ description: 'Which of the found values must pass. `count` compares their number' })
        .default('first'),
      ...common,
    }),
    z.strictObject({
      type: typeField('jsonSchema'),
      ...common,
      operator: z.literal('matches').meta({ description: 'Always `matches`' }).default('matches'),
    }),
  ])
  .superRefine((assertion, context) => {
    if (assertion.type === 'jsonSchema') return reportSchemaProblems(assertion.value, context);
    const problem = findValueProblem(assertion) ?? findTypeProblem(assertion);
    if (problem !== null)
      report(context, [problem.field], { code: 'invalid_value', message: problem.message });
  });

export const assertionsField = z
  .array(assertionShape)
  .max(ASSERTIONS_MAX)
  .meta({
    description:
      'Expectations of the response. Without an assertion on the status, 200–299 is expected',
  })
  .default([]);

function reportSchemaProblems(value: JsonValue | undefined, context: z.core.$RefinementCtx): void {
  const problems =
    value === undefined
      ? [{ path: [], message: 'is required' }]
      : findSchemaProblems(value, findPatternProblem);
  for (const { path, message } of problems)
    report(context, ['value', ...path], { code: 'invalid_value', message });
}

interface AssertionProblem {
  readonly field: 'operator' | 'value';
  readonly message: string;
}

function wrongValue(message: string): AssertionProblem {
  return { field: 'value', message };
}

function findValueProblem({ operator, value }: Assertion): AssertionProblem | null {
  if (WITHOUT_VALUE.has(operator)) {
    return value === undefined ? null : wrongValue(`is not used by ${operator}`);
  }
  if (value === undefined) return wrongValue('is required');
  if (hasInexactInteger(value))
    return wrongValue(
      'contains an integer beyond 2^53, which would lose digits: write it in quotes',
    );
  if (ORDERING.has(operator) && !isNumber(value)) return wrongValue('must be a number');
  if (isReference(value)) return null;
  if ((operator === 'in' || operator === 'notIn') && !Array.isArray(value))
    return wrongValue('must be a list');
  if (operator === 'lengthEquals' && !isCount(value))
    return wrongValue('must be a whole number from 0');
  if (operator === 'typeIs' && !isJsonTypeName(value))
    return wrongValue(`must be one of ${JSON_TYPES.join(', ')}`);
  return findTextProblem(operator, value);
}

function findTextProblem(operator: AssertionOperator, value: JsonValue): AssertionProblem | null {
  if (operator === 'startsWith' || operator === 'endsWith') {
    return typeof value === 'string' ? null : wrongValue('must be text');
  }
  if (operator !== 'matches' && operator !== 'notMatches') return null;
  if (typeof value !== 'string') return wrongValue('must be a regular expression');
  if (findReferences(value).length > 0) return null;
  const problem = findPatternProblem(value);
  return problem === null ? null : wrongValue(problem);
}

function findTypeProblem(assertion: Assertion): AssertionProblem | null {
  if (assertion.type === 'status') return findStatusProblem(assertion);
  if (assertion.type === 'responseTime') return findCountProblem(assertion, 'milliseconds');
  if (assertion.type === 'timing') return findCountProblem(assertion, 'milliseconds');
  if (assertion.type === 'bodySize') return findCountProblem(assertion, 'bytes');
  if (assertion.type === 'redirect' && assertion.name === 'count')
    return findCountProblem(assertion, 'redirects');
  if (assertion.type === 'tls' && assertion.name === 'daysUntilExpiry')
    return findNumberProblem(assertion);
  return null;
}

function findStatusProblem({ operator, value }: Assertion): AssertionProblem | null {
  const isList = operator === 'in' || operator === 'notIn';
  if (!NUMERIC.has(operator) && !isList) {
    return {
      field: 'operator',
      message: `cannot compare a status; use equals, notEquals, in, notIn or a comparison`,
    };
  }
  const values = isList && Array.isArray(value) ? value : [value];
  if (values.length === 0) return wrongValue('must name at least one status');
  return values.every(isStatus)
    ? null
    : wrongValue('must be a status from 100 to 999 or a class like "2xx"');
}

function findCountProblem(assertion: Assertion, unit: string): AssertionProblem | null {
  return (
    findNumberProblem(assertion) ??
    (Number(assertion.value) < 0 ? wrongValue(`must be 0 or more ${unit}`) : null)
  );
}

function findNumberProblem({ operator, value }: Assertion): AssertionProblem | null {
  if (!NUMERIC.has(operator))
    return { field: 'operator', message: 'must compare numbers, such as lessThan' };
  return isNumber(value) ? null : wrongValue('must be a number');
}

/** True for a number. A reference is accepted, too, because its value is not known before the check. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number' || isReference(value);
}

/** True for a text that consists of exactly one reference. Such a text is replaced by the value and gets its type. */
function isReference(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [only] = findReferences(value);
  if (only === undefined || only.kind === 'literal') return false;
  return only.start === 0 && only.end === value.length;
}

function isStatus(value: unknown): boolean {
  if (isReference(value)) return true;
  if (typeof value === 'number') return Number.isInteger(value) && value >= 100 && value <= 999;
  return typeof value === 'string' && /^[1-9]xx$/.test(value);
}

function isJsonTypeName(value: JsonValue): boolean {
  return typeof value === 'string' && JSON_TYPES.includes(value);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
