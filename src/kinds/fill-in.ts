/**
 * A check of another kind than HTTP with its references filled in. Of a monitor only what it sends has some; of a step of
 * a scenario every text may, so that its fields are held against their shapes again: values may come from a target.
 */

import { z } from 'zod';
import { renderHeader } from '../checks/render-request';
import { templateFailure, unwrapRendered } from '../checks/rendered';
import type { Definition, JsonValue, SentNetworkStep } from '../contracts/definition';
import { isJsonList } from '../contracts/json';
import {
  createTemplateBudget,
  findReferences,
  type Rendered,
  renderShown,
  renderText,
  renderUrl,
  type TemplateValues,
} from '../domain/templates/template';
import { textsIn } from '../domain/text/texts-in';
import { validate } from '../schemas/issues';
import { namedValues } from './fields';
import { KIND_SHAPES } from './shapes';

/** What is sent to the target, and nowhere else: it may hold secrets. */
const SENT: readonly string[] = ['send', 'headers'];
/** A value is no pattern: it stands in one for itself. */
const PATTERN = 'expect';

/** Throws StepFailure for what cannot be filled in, and for what then is no check of its kind. */
export function fillInKind(
  kind: Definition['kind'],
  step: SentNetworkStep,
  given: TemplateValues,
): SentNetworkStep {
  const fields = Object.entries<JsonValue>({ ...step.settings });
  if (!textsIn(fields.map(([, value]) => value)).some(holdsReference)) return step;
  const values = { ...given, budget: createTemplateBudget() };
  if (kind !== 'scenario') return fillInSent(step, values);
  const filled = fields.map(([name, value]) => [name, fillInField(name, value, values)] as const);
  const settings = Object.fromEntries(filled);
  refuseProblems(step, settings);
  const { check, url } = KIND_SHAPES[step.type].read(settings);
  return { ...step, ...check, url };
}

function holdsReference(text: string): boolean {
  return findReferences(text).length > 0;
}

/** Of a monitor, whose fields were judged when it was written: what a secret makes of them may be longer, or empty. */
function fillInSent(step: SentNetworkStep, values: TemplateValues): SentNetworkStep {
  if (step.type !== 'tcp' && step.type !== 'websocket') return step;
  const send =
    step.settings.send === null ? null : unwrapRendered(renderText(step.settings.send, values));
  if (step.type === 'tcp') return { ...step, settings: { ...step.settings, send } };
  const headers = step.settings.headers.map((header) => renderHeader(header, values));
  return { ...step, settings: { ...step.settings, send, headers } };
}

function fillInField(name: string, value: JsonValue, values: TemplateValues): JsonValue {
  if (name === 'headers')
    return namedValues.parse(value).map((header) => ({ ...renderHeader(header, values) }));
  return fillInTexts(value, (text) => renderField(name, text, values));
}

function renderField(name: string, text: string, values: TemplateValues): Rendered<string> {
  if (SENT.includes(name)) return renderText(text, values);
  if (name === 'url') return renderUrl(text, values);
  return name === PATTERN ? renderShown(text, values, quotePattern) : renderShown(text, values);
}

/** RE2 takes every sign of ASCII behind a backslash for itself. */
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

/** Headers were held against their rules as they were filled in; their secrets are in clear now. */
function refuseProblems({ type, timeoutMs }: SentNetworkStep, filled: object): void {
  const { fields, findProblems } = KIND_SHAPES[type];
  const settings = 'headers' in filled ? { ...filled, headers: {} } : filled;
  const checked = validate(
    { shape: z.strictObject(fields), findProblems: () => findProblems({ ...settings, timeoutMs }) },
    settings,
  );
  if (checked.ok) return;
  const [{ path, message } = { path: '', message: 'is not valid' }] = checked.problems;
  throw templateFailure(`Once its references are filled in, ${path} ${message}.`);
}
