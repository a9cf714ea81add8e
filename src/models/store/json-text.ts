/** Stores JSON from users as text, because its keys may contain dots, dollars or `__proto__`. */

/** Converts the value to text that `fromJsonText` converts back to an equal value. */
export function toJsonText(value: object): string {
  return JSON.stringify(value);
}

/** Reads text that `toJsonText` wrote. The caller must know the type of the value. */
export function fromJsonText<Value>(text: string): Value {
  return JSON.parse(text);
}
