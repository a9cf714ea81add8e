/**
 * Hides secrets that a request sent and that its response repeats. Provides the response in every form that tasks need.
 */
import type { Assertion, JsonValue } from '../contracts/definition';
import { isJsonList } from '../contracts/json';
import { createRedactor } from '../domain/secrets/create-redactor';
import { type Redact, redactJson } from '../domain/secrets/redact';
import { once, type Parsed } from './parse-text';
import type { TextJob } from './text-task';

/** Redacts every text in the value. Property names are kept, because paths refer to them. */
function hideTexts(value: JsonValue, hide: Redact): JsonValue {
  if (value === null || typeof value !== 'object') return redactJson(value, hide);
  if (isJsonList(value)) return value.map((entry) => hideTexts(entry, hide));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, hideTexts(entry, hide)]),
  );
}

/** The text of a job without the sent secrets, in every form that tasks use. */
export interface ForeignView {
  readonly hide: Redact;
  readonly text: () => string;
  readonly isHolding: () => boolean;
  /** The parsed text with its property names, for paths and for assertions that use paths. */
  readonly document: () => Parsed;
  /** The parsed body, for schemas. */
  readonly body: () => Parsed;
}

export function createForeignView(
  { text, isCut = false, isOpen = false, foreign = [] }: TextJob,
  parsed: () => Parsed,
): ForeignView {
  const hide = createRedactor(foreign);
  const hidden = once(() =>
    isCut || isOpen ? createRedactor(foreign, { isBroken: true })(text) : hide(text),
  );
  const isHolding = (): boolean => foreign.length > 0 && hidden() !== text;
  const changed = (change: (value: JsonValue, hide: Redact) => JsonValue) => {
    const found = parsed();
    if ('problem' in found || !isHolding()) return found;
    return { json: change(found.json, hide), exact: change(found.exact, hide) };
  };
  return {
    hide,
    text: () => (isHolding() ? hidden() : text),
    isHolding,
    document: once(() => changed(hideTexts)),
    body: once(() => changed(redactJson)),
  };
}

/**
 * Also redacts the expected value of an assertion, because it is compared with redacted text. Patterns stay unchanged.
 */
export function withoutForeign(assertion: Assertion, { hide }: ForeignView): Assertion {
  const { operator, value } = assertion;
  if (value === undefined || operator === 'matches' || operator === 'notMatches') return assertion;
  return { ...assertion, value: redactJson(value, hide) };
}
