/**
 * Work on the text of a response, as it travels to the worker thread and back: plain values only.
 */
import type { Assertion, JsonValue } from '../../contracts/definition';
import type { AssertionOutcome, Timings, TlsFacts } from '../../contracts/outcome';

/** The first value found, all of them, or only how many there are. */
export type Want = 'first' | 'all' | 'count';

export type TextTask =
  | { readonly kind: 'path'; readonly path: string; readonly want: Want }
  /** Without a subject the pattern looks at the text of the job. */
  | { readonly kind: 'pattern'; readonly pattern: string; readonly subject?: string }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** Whether the subject holds a hidden value, short ones included. */
  | { readonly kind: 'search'; readonly subject: string }
  /** Masks hidden values; of a broken subject its end, too, where a value may have begun. */
  | { readonly kind: 'redaction'; readonly subject: string; readonly isBroken: boolean };

/** What assertions look at beside the text. */
export interface ResponseSummary {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly responseTimeMs: number;
  readonly timings: Timings;
  readonly redirects: number;
  readonly finalUrl: string;
  readonly bodyBytes: number;
  readonly isBodyCut?: boolean | undefined;
  readonly tls: TlsFacts | null;
}

/** Tasks about one text; it is parsed once, and only when there is a path among them. */
export interface TextJob {
  readonly text: string;
  readonly tasks: readonly TextTask[];
  /** The text is the beginning of a longer one. */
  readonly isCut?: boolean | undefined;
  /** Needed by assertions only. */
  readonly response?: ResponseSummary;
  /** Values that must not be shown. */
  readonly hidden?: readonly string[];
}

/** `values`: what was found; for a pattern its first group or whole match, nothing without one. */
export type TextResult =
  | { readonly values: readonly JsonValue[]; readonly count: number }
  | { readonly outcome: AssertionOutcome }
  | { readonly isFound: boolean }
  | { readonly redacted: string }
  /** A code, a colon and words; `isMissing` when there is nothing to look into. */
  | { readonly problem: string; readonly isMissing?: true };
