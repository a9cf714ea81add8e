/** Expected values of assertions with their references filled in, before anything is sent. */
import type { Assertion, AssertionOperator, JsonValue } from '../contracts/definition';
import { parseExactly } from '../contracts/json';
import {
  createTemplateBudget,
  renderBody,
  type TemplateValues,
} from '../domain/templates/template';
import { unwrapRendered } from './rendered';

const ORDERS: ReadonlySet<AssertionOperator> = new Set([
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
]);
const NUMBER_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** By the type rule of bodies; throws StepFailure for a variable without a value. */
export function renderAssertions(
  assertions: readonly Assertion[],
  given: TemplateValues,
): readonly Assertion[] {
  const values = { ...given, budget: createTemplateBudget() };
  return assertions.map((assertion) => {
    if (assertion.value === undefined || assertion.type === 'jsonSchema') return assertion;
    const value = unwrapRendered(renderBody(assertion.value, values));
    return { ...assertion, value: ORDERS.has(assertion.operator) ? asNumber(value) : value };
  });
}

/** Variables of a definition are texts: one that is a number can be compared as one. */
function asNumber(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !NUMBER_TEXT.test(value)) return value;
  const number = Number(value);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? parseExactly(value) : number;
}
