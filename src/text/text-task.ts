/**
 * Work on untrusted text (responses, pings, templates) in the form that is sent to the worker thread and back: plain
 * values only.
 */
import type { Assertion, JsonValue } from '../contracts/definition';
import type { AssertionOutcome, Timings, TlsFacts } from '../contracts/outcome';
import type { MarkupName } from '../domain/text/markup-escapes';

/** The first value found, all of them, or only how many there are. */
export type Want = 'first' | 'all' | 'count';

export type TextTask =
  /** Finds out once, for the following tasks, whether the text contains a foreign value. */
  | { readonly kind: 'survey' }
  | {
      readonly kind: 'path';
      readonly path: string;
      readonly want: Want;
      readonly isSecret?: boolean;
    }
  /** Without a subject, the pattern is applied to the text of the job. */
  | {
      readonly kind: 'pattern';
      readonly pattern: string;
      readonly subject?: string;
      readonly isSecret?: boolean;
    }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** True if the subject contains a hidden value, including short ones. */
  | { readonly kind: 'search'; readonly subject: string }
  /** Masks hidden values; in a broken subject also a value that may be cut off at its end. */
  | { readonly kind: 'redaction'; readonly subject: string; readonly isBroken: boolean }
  /** Markdown of an account, for outsiders. */
  | { readonly kind: 'markdown'; readonly subject: string }
  | TemplateTask;

/** A template of an account, in Liquid. */
export interface TemplateTask {
  readonly kind: 'template';
  readonly template: string;
  /** All values that the template can use. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Markup of the message that the values are inserted into. */
  readonly markup: MarkupName;
  /** True: a name without a value is a fault. */
  readonly isStrict: boolean;
}

/** The facts that assertions evaluate in addition to the text. */
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

/** Tasks about one text, which is parsed at most once, and only if a task needs it. */
export interface TextJob {
  readonly text: string;
  readonly tasks: readonly TextTask[];
  /** Owner of the work, so that no owner can occupy the whole pool; undefined: no owner. */
  readonly owner?: string;
  /** The text is the beginning of a longer one. */
  readonly isCut?: boolean | undefined;
  /** More text might have followed, so the text may end in the middle of a value. */
  readonly isOpen?: boolean | undefined;
  /** Needed only for assertions. */
  readonly response?: ResponseSummary;
  /** Values that must not be shown. */
  readonly hidden?: readonly string[];
  /**
   * Hidden values that were sent and may come back. Paths, patterns and assertions see the text without them, so that
   * no value leaks in pieces. Results that are secret themselves (`isSecret`) are found in the original text.
   */
  readonly foreign?: readonly string[];
  /** Identifies exactly these hidden values, so that later jobs can reuse the redactor built for them. */
  readonly hiddenId?: string;
}

/** `values`: what was found; for a pattern its first group or whole match, and nothing without a match. */
export type TextResult =
  | { readonly values: readonly JsonValue[]; readonly count: number }
  | { readonly outcome: AssertionOutcome }
  | { readonly isFound: boolean }
  | { readonly redacted: string }
  | { readonly rendered: string }
  /** Why a template could not be rendered. */
  | { readonly fault: string }
  /** A code, a colon and a description; `isMissing` when there is no JSON to search. */
  | { readonly problem: string; readonly isMissing?: true };

/** Result of a task that was not started because too many jobs are waiting. */
export const BUSY: TextResult = { problem: 'busy: too much is waiting' };

export function isBusy(result: TextResult | undefined): boolean {
  return result !== undefined && 'problem' in result && result.problem.startsWith('busy:');
}

/** Returns one result per task, in order; a task that could not finish results in a problem. */
export type RunTexts = (job: TextJob) => Promise<readonly TextResult[]>;
