/**
 * Masks the values that a step must not show: secrets that it sends or finds in responses. A text that cannot be
 * searched for these secrets is hidden completely.
 */
import type { JsonValue } from '../contracts/definition';
import { MASK } from '../domain/secrets/redact';
import { listTexts } from '../domain/text/list-texts';
import type { TextPool } from '../text/text-pool';

/** A text to mask. At the end of a text that was cut off, a secret may begin. Such an end is masked, too. */
export interface Redacted {
  readonly text: string;
  readonly isBroken?: boolean;
}

export interface Redaction {
  /** Masks every secret known so far. If masking takes too long, the whole text is replaced by the mask. */
  readonly redact: (texts: readonly Redacted[]) => Promise<readonly string[]>;
  /**
   * Returns for each text whether it contains a secret, even a short one. Returns true if the search takes too long.
   */
  readonly holdSecrets: (texts: readonly string[]) => Promise<readonly boolean[]>;
  /** Every secret known so far. */
  readonly hidden: () => readonly string[];
  readonly sent: () => readonly string[];
  /** Treats this value as a secret from now on. */
  readonly add: (value: JsonValue) => void;
  /**
   * Masks these texts from now on. In contrast to `add`, a value that contains one of these texts does not count as
   * secret.
   */
  readonly mask: (texts: readonly string[]) => void;
}

export function createRedaction(values: readonly JsonValue[], pool: TextPool): Redaction {
  const known = new Set(values.flatMap(listTexts).filter((text) => text !== ''));
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
      for (const text of listTexts(value)) if (text !== '') known.add(text);
    },
    mask: (texts) => {
      for (const text of texts) masked.add(text);
    },
  };
}
