/**
 * Fills in the references in a check of any kind except HTTP. In a monitor, only sent fields may have references. In a
 * step, every text may have references, so the result is validated again.
 */

import { z } from 'zod';
import { renderHeader } from '../checks/render-request';
import { createTemplateFailure, unwrapRendered } from '../checks/rendered';
import { StepFailure } from '../checks/step-failure';
import type { Definition, JsonValue, SentNetworkStep } from '../contracts/definition';
import { isJsonList } from '../contracts/json';
import type { NetworkCheck } from '../contracts/kinds';
import type { ProbeSecret } from '../contracts/probe-protocol';
import { findForbiddenSecret, type ReachingVariable } from '../domain/secrets/secret-reach';
import {
  createTemplateBudget,
  findReferences,
  type Rendered,
  renderShown,
  renderText,
  renderUrl,
  type TemplateValues,
} from '../domain/templates/template';
import { listTexts } from '../domain/text/list-texts';
import { validate } from '../schemas/issues';
import { namedValues } from './fields';
import { KIND_SHAPES } from './shapes';

/** The field that is a pattern. Values that are inserted into the pattern are escaped. */
const PATTERN = 'expect';

interface KindFilling {
  readonly definition: Definition;
  readonly step: SentNetworkStep;
  readonly values: TemplateValues;
  /** Values that may be sent only to certain hosts. */
  readonly vars: readonly ReachingVariable[];
  readonly secrets: readonly ProbeSecret[];
}

/**
 * Fills in the check. Throws StepFailure if a reference cannot be filled in, if the result is invalid, or if a secret
 * must not be sent to the target.
 */
export type FillInKind = (filling: KindFilling) => SentNetworkStep;

/**
 * Creates the function that fills in references. While a definition is in memory, the function remembers which of its
 * steps have no references.
 */
export function createFillInKind(): FillInKind {
  const fixed = new WeakSet<SentNetworkStep>();
  return (filling) => {
    const { step } = filling;
    if (fixed.has(step)) return step;
    if (listTexts(Object.values<JsonValue>({ ...step.settings })).some(holdsReference))
      return fillIn(filling);
    fixed.add(step);
    return step;
  };
}

function holdsReference(text: string): boolean {
  return findReferences(text).length > 0;
}

function fillIn({ definition, step: given, values, vars, secrets }: KindFilling): SentNetworkStep {
  const step = fillInKind(definition.kind, given, values);
  const forbidden = findForbiddenSecret({
    definition,
    texts: sentSettings(given),
    headers: [],
    url: new URL(step.url),
    token: null,
    secrets,
    vars,
    generated: values.generated,
  });
  if (forbidden !== null) throw new StepFailure('secret_missing', forbidden, 'prepare');
  return step;
}

/** Returns the settings that are sent to the target, which may refer to secrets. */
function sentSettings({ type, settings }: NetworkCheck): readonly JsonValue[] {
  const sent = new Set(KIND_SHAPES[type].secretFields);
  return Object.entries<JsonValue>({ ...settings }).flatMap(([name, value]) =>
    sent.has(name) ? [value] : [],
  );
}

function fillInKind(
  kind: Definition['kind'],
  step: SentNetworkStep,
  given: TemplateValues,
): SentNetworkStep {
  const values = { ...given, budget: createTemplateBudget() };
  const { secretFields, read } = KIND_SHAPES[step.type];
  // The fields of a monitor were already validated. An inserted secret may still make a field longer or empty.
  if (kind !== 'scenario') return withSettings(step, secretFields, values);
  const filled = withSettings(step, Object.keys(step.settings), values);
  refuseProblems(filled);
  const { check, url } = read(filled.settings);
  return { ...step, ...check, url };
}

/**
 * Returns the step with the texts of these fields filled in. The results are still texts, so the type of the step does
 * not change.
 */
function withSettings<Step extends SentNetworkStep>(
  step: Step,
  names: readonly string[],
  values: TemplateValues,
): Step;
function withSettings(step: SentNetworkStep, names: readonly string[], values: TemplateValues) {
  const fields = Object.entries<JsonValue>({ ...step.settings }).map(([name, value]) => {
    const isFilled = names.includes(name);
    return [
      name,
      isFilled ? fillInField(name, value, { type: step.type, values }) : value,
    ] as const;
  });
  return { ...step, settings: Object.fromEntries(fields) };
}

interface FieldFilling {
  readonly type: SentNetworkStep['type'];
  readonly values: TemplateValues;
}

function fillInField(name: string, value: JsonValue, filling: FieldFilling): JsonValue {
  const { values } = filling;
  if (name === 'headers')
    return namedValues.parse(value).map((header) => ({ ...renderHeader(header, values) }));
  return fillInTexts(value, (text) => renderField(name, text, filling));
}

function renderField(name: string, text: string, { type, values }: FieldFilling): Rendered<string> {
  if (KIND_SHAPES[type].secretFields.includes(name)) return renderText(text, values);
  if (name === 'url') return renderUrl(text, values);
  return name === PATTERN ? renderShown(text, values, quotePattern) : renderShown(text, values);
}

/** Escapes a value for a pattern. In RE2, a backslash makes every ASCII punctuation character literal. */
function quotePattern(value: string): string {
  return value.replaceAll(/[\\^$.|?*+()[\]{}-]/g, String.raw`\$&`);
}

type Render = (text: string) => Rendered<string>;

function fillInTexts(value: JsonValue, render: Render): JsonValue {
  if (typeof value === 'string') return unwrapRendered(render(value));
  if (value === null || typeof value !== 'object') return value;
  if (isJsonList(value)) return value.map((item) => fillInTexts(item, render));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillInTexts(item, render)]),
  );
}

/**
 * Throws if the filled-in settings are invalid. Headers are left out, because they were already validated and now
 * contain secrets.
 */
function refuseProblems({ type, timeoutMs, settings: filled }: SentNetworkStep): void {
  const { fields, findProblems } = KIND_SHAPES[type];
  const settings = 'headers' in filled ? { ...filled, headers: {} } : filled;
  const checked = validate(
    { shape: z.strictObject(fields), findProblems: () => findProblems({ ...settings, timeoutMs }) },
    settings,
  );
  if (checked.ok) return;
  const [{ path, message } = { path: '', message: 'is not valid' }] = checked.problems;
  throw createTemplateFailure(`After its variables are filled in, ${path} ${message}.`);
}
