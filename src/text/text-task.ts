/**
 * Work on text of others (responses, pings, templates), as it travels to the worker thread and back: plain values
 * only.
 */
import type { Assertion, JsonValue } from '../contracts/definition';
import type { AssertionOutcome, Timings, TlsFacts } from '../contracts/outcome';
import type { MarkupName } from '../domain/text/markup-escapes';

/** The first value found, all of them, or only how many there are. */
export type Want = 'first' | 'all' | 'count';

export type TextTask =
  /** Finds out once, for the tasks behind it, whether the text holds a value that is not its own. */
  | { readonly kind: 'survey' }
  | {
      readonly kind: 'path';
      readonly path: string;
      readonly want: Want;
      readonly isSecret?: boolean;
    }
  /** Without a subject the pattern looks at the text of the job. */
  | {
      readonly kind: 'pattern';
      readonly pattern: string;
      readonly subject?: string;
      readonly isSecret?: boolean;
    }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** Whether the subject holds a hidden value, short ones included. */
  | { readonly kind: 'search'; readonly subject: string }
  /** Masks hidden values; of a broken subject its end, too, where a value may have begun. */
  | { readonly kind: 'redaction'; readonly subject: string; readonly isBroken: boolean }
  /** Markdown of an account, for outsiders. */
  | { readonly kind: 'markdown'; readonly subject: string }
  | TemplateTask;

/** A template of an account, in Liquid. */
export interface TemplateTask {
  readonly kind: 'template';
  readonly template: string;
  /** All that it can name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Of the message into which it puts them. */
  readonly markup: MarkupName;
  /** True: a name that is in none of the values is a fault. */
  readonly isStrict: boolean;
}

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
  /** Whose work it is, so that nobody takes all of a pool; absent: everybody's. */
  readonly owner?: string;
  /** The text is the beginning of a longer one. */
  readonly isCut?: boolean | undefined;
  /** More might have come: the text may end in the middle of a value. */
  readonly isOpen?: boolean | undefined;
  /** Needed by assertions only. */
  readonly response?: ResponseSummary;
  /** Values that must not be shown. */
  readonly hidden?: readonly string[];
  /**
   * Those of them that were sent, and may come back: paths, patterns and assertions look at the text without them,
   * so that none comes out in pieces. What is to be a secret itself (`isSecret`) is found in the text as it came.
   */
  readonly foreign?: readonly string[];
  /** Names exactly these hidden values: what was made of them once serves for later jobs, too. */
  readonly hiddenId?: string;
}

/** `values`: what was found; for a pattern its first group or whole match, nothing without one. */
export type TextResult =
  | { readonly values: readonly JsonValue[]; readonly count: number }
  | { readonly outcome: AssertionOutcome }
  | { readonly isFound: boolean }
  | { readonly redacted: string }
  | { readonly rendered: string }
  /** Why a template gives nothing. */
  | { readonly fault: string }
  /** A code, a colon and words; `isMissing` when there is nothing to look into. */
  | { readonly problem: string; readonly isMissing?: true };

/** A task that was not begun, since too much is waiting. */
export const BUSY: TextResult = { problem: 'busy: too much is waiting' };

export function isBusy(result: TextResult | undefined): boolean {
  return result !== undefined && 'problem' in result && result.problem.startsWith('busy:');
}

/** One result per task, in order; a task that could not finish results in its problem. */
export type RunTexts = (job: TextJob) => Promise<readonly TextResult[]>;
