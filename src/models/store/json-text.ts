/**
 * JSON from users (bodies, expected and extracted values) is stored as text, because its keys may contain dots, dollars
 * or `__proto__`. Must not be used for text that Keepwatch did not write.
 */

/** Returns text that `fromJsonText` converts back to an equal value. */
export function toJsonText(value: object): string {
  return JSON.stringify(value);
}

/** Reads text that `toJsonText` wrote for the same type. The caller must ensure that the type is right. */
export function fromJsonText<Value>(text: string): Value {
  return JSON.parse(text);
}
