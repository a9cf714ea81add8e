/** Stores JSON from users as text, because its keys may contain dots, dollars or `__proto__`. */

/** Returns text that `fromJsonText` converts back to an equal value. */
export function toJsonText(value: object): string {
  return JSON.stringify(value);
}

/** Reads text that `toJsonText` wrote for the same type. The caller must know the type. */
export function fromJsonText<Value>(text: string): Value {
  return JSON.parse(text);
}
