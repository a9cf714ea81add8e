/**
 * JSON that users provide (bodies, expected and extracted values) is stored as text, because its keys may
 * contain dots, dollars or `__proto__`. Must not be used for text that we did not write.
 */

/** `fromJsonText` turns the text back into an equal value. */
export function toJsonText(value: object): string {
  return JSON.stringify(value);
}

/** Reads text that `toJsonText` wrote for the same type; the caller vouches for the type. */
export function fromJsonText<Value>(text: string): Value {
  return JSON.parse(text);
}
