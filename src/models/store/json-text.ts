/**
 * JSON that people choose (bodies, expected and extracted values) is kept as text, since its keys
 * may hold dots, dollars or `__proto__`. It must not be used for text that we did not write.
 */

/** The text that `fromJsonText` reads back to an equal value. */
export function toJsonText(value: object): string {
  return JSON.stringify(value);
}

/** Reads what `toJsonText` wrote for the same type; the type is the caller's promise. */
export function fromJsonText<Value>(text: string): Value {
  return JSON.parse(text);
}
