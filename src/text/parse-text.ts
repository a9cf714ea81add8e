/** Parses the text of a response as JSON, and a second time with large integers kept exact. */
import type { JsonValue } from '../contracts/definition';
import { mayHoldLargeIntegers, parseExactly } from '../contracts/json';
import { BODY_CUT } from '../domain/assertions/assertion';
import type { TextJob } from './text-task';

const JSON_DEPTH_MAX = 100;

/** A parsed text. `exact` is like `json`, but with large integers as they are written. */
export interface ParsedDocument {
  readonly json: JsonValue;
  readonly exact: JsonValue;
}

export type Parsed = ParsedDocument | { readonly problem: string; readonly isMissing?: true };

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (isInString && character === 92) index += 1;
    else if (character === 34) isInString = !isInString;
    else if (!isInString && (character === 91 || character === 123)) depth += 1;
    else if (!isInString && (character === 93 || character === 125)) depth -= 1;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}

/** Parses the text, or returns the problem. A text that was cut is never parsed. */
export function parseText({ text, isCut }: TextJob): Parsed {
  const isMissing = true;
  if (isCut === true) return { problem: BODY_CUT };
  if (isTooDeep(text)) {
    const problem = `not_json: the body is nested deeper than ${JSON_DEPTH_MAX} levels`;
    return { problem, isMissing };
  }
  try {
    const json: JsonValue = JSON.parse(text);
    return { json, exact: mayHoldLargeIntegers(text) ? parseExactly(text) : json };
  } catch {
    return { problem: 'not_json: the body is not JSON', isMissing };
  }
}

/** Returns a function that computes the value when it is first needed, and only once. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
