/**
 * What one step must not show: secrets that it sends, and those that it finds in answers. It grows
 * while the step is under way and lives no longer.
 */
import type { JsonValue } from '../contracts/definition';
import { createRedactor, type Redact, textsIn } from '../domain/redact';

export interface Concealment {
  /** Masks every value known by now. */
  readonly redact: Redact;
  /** As redact, for a text that was broken off: its end may be half a value. */
  readonly redactBroken: Redact;
  /** Whether the text holds a value, short ones included. */
  readonly holdsSecret: (text: string) => boolean;
  /** Hides the texts of a further value from now on. */
  readonly add: (value: JsonValue) => void;
}

export function createConcealment(values: readonly JsonValue[]): Concealment {
  const hidden = new Set(values.flatMap(textsIn).filter((text) => text !== ''));
  let redactor = createRedactor([...hidden]);

  const redact: Redact = (text) => redactor(text);
  return {
    redact,
    redactBroken: (text) => createRedactor([...hidden], { isBroken: true })(text),
    holdsSecret: (text) =>
      redactor(text) !== text || [...hidden].some((value) => text.includes(value)),
    add: (value) => {
      const before = hidden.size;
      for (const text of textsIn(value)) if (text !== '') hidden.add(text);
      if (hidden.size > before) redactor = createRedactor([...hidden]);
    },
  };
}
