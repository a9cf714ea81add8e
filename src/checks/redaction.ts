/**
 * What one step must not show: secrets that it sends, and those that it finds in responses. It grows
 * while the step is under way and lives no longer. What can't be looked through is hidden whole.
 */
import type { JsonValue } from '../contracts/definition';
import { MASK } from '../domain/secrets/redact';
import { textsIn } from '../domain/text/texts-in';
import type { TextPool } from '../text/text-pool';

/** A text to mask; of a broken one also its end, where a value may have begun. */
export interface Redacted {
  readonly text: string;
  readonly isBroken?: boolean;
}

export interface Redaction {
  /** Texts with every value masked that is known by now; the mask alone where that took too long. */
  readonly redact: (texts: readonly Redacted[]) => Promise<readonly string[]>;
  /** Whether each text holds a value, short ones included; true where that took too long. */
  readonly holdSecrets: (texts: readonly string[]) => Promise<readonly boolean[]>;
  /** Every value known by now. */
  readonly hidden: () => readonly string[];
  /** Those that were sent, and so are not the response's own. */
  readonly sent: () => readonly string[];
  /** Hides the texts of a further value from now on. */
  readonly add: (value: JsonValue) => void;
  /** Masks further texts from now on; what holds one is no secret by that. */
  readonly mask: (texts: readonly string[]) => void;
}

export function createRedaction(values: readonly JsonValue[], pool: TextPool): Redaction {
  const known = new Set(values.flatMap(textsIn).filter((text) => text !== ''));
  const sent = [...known];
  const masked = new Set<string>();
  const hidden = (): readonly string[] => [...new Set([...known, ...masked])];
  return {
    redact: async (texts) => {
      if (hidden().length === 0) return texts.map(({ text }) => text);
      const tasks = texts.map(({ text, isBroken = false }) => ({
        kind: 'redaction' as const,
        subject: text,
        isBroken,
      }));
      const results = await pool.run({ text: '', tasks, hidden: hidden() });
      return results.map((result) => ('redacted' in result ? result.redacted : MASK));
    },
    holdSecrets: async (texts) => {
      if (known.size === 0) return texts.map(() => false);
      const tasks = texts.map((subject) => ({ kind: 'search' as const, subject }));
      const results = await pool.run({ text: '', tasks, hidden: [...known] });
      return results.map((result) => !('isFound' in result) || result.isFound);
    },
    hidden,
    sent: () => sent,
    add: (value) => {
      for (const text of textsIn(value)) if (text !== '') known.add(text);
    },
    mask: (texts) => {
      for (const text of texts) masked.add(text);
    },
  };
}
