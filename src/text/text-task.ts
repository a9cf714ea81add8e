/** Describes work on untrusted text (responses, pings, templates) as plain values for worker threads. */
import type { Assertion, JsonValue } from '../contracts/definition';
import type { AssertionOutcome, Timings, TlsFacts } from '../contracts/outcome';
import type { MarkupName } from '../domain/text/markup-escapes';

/** Whether a task returns the first value, all values, or only their number. */
export type Want = 'first' | 'all' | 'count';

export type TextTask =
  /** Finds out for all following tasks of the job whether the text contains a sent secret. */
  | { readonly kind: 'survey' }
  | {
      readonly kind: 'path';
      readonly path: string;
      readonly want: Want;
      readonly isSecret?: boolean;
    }
  /** If there is no subject, the pattern is applied to the text of the job. */
  | {
      readonly kind: 'pattern';
      readonly pattern: string;
      readonly subject?: string;
      readonly isSecret?: boolean;
    }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** Finds out whether the subject contains a hidden value, even one that is too short to be masked. */
  | { readonly kind: 'search'; readonly subject: string }
  /**
   * Masks hidden values. If the subject was cut off (`isBroken`), also masks text at its end that may be the start of a
   * hidden value.
   */
  | { readonly kind: 'redaction'; readonly subject: string; readonly isBroken: boolean }
  /** Renders Markdown of an account for outsiders. */
  | { readonly kind: 'markdown'; readonly subject: string }
  | TemplateTask;

/** A template of an account, in Liquid. */
export interface TemplateTask {
  readonly kind: 'template';
  readonly template: string;
  /** All values that the template can use. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Markup of the message into which the values are inserted. */
  readonly markup: MarkupName;
  /** True means that a name without a value is a fault. */
  readonly isStrict: boolean;
}

/** The facts that assertions evaluate in addition to the text. */
export interface ResponseSummary {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly responseTimeMs: number;
  readonly timings: Timings;
  readonly redirects: number;
  readonly finalUrl: string;
  readonly bodyBytes: number;
  readonly isBodyCut?: boolean | undefined;
  readonly tls: TlsFacts | null;
}

/** Tasks about one text. The text is parsed at most once. */
export interface TextJob {
  readonly text: string;
  readonly tasks: readonly TextTask[];
  /** Owner of the work. No owner can occupy the whole pool. */
  readonly owner?: string;
  /** True if the text is the start of a longer text. */
  readonly isCut?: boolean | undefined;
  /** True if more text might have followed. The text may then end in the middle of a value. */
  readonly isOpen?: boolean | undefined;
  /** The response. Needed only for assertions. */
  readonly response?: ResponseSummary;
  /** Values that must not be shown. */
  readonly hidden?: readonly string[];
  /**
   * Secrets that the request sent and that the response may repeat. Paths, patterns and assertions see the text without
   * these secrets. Results that are secret themselves (`isSecret`) are found in the original text.
   */
  readonly foreign?: readonly string[];
  /** Identifies this list of hidden values, so that later jobs can reuse its redactor. */
  readonly hiddenId?: string;
}

/**
 * The result of a task. `values` are the values that were found. For a pattern, they are its first group or the whole
 * match.
 */
export type TextResult =
  | { readonly values: readonly JsonValue[]; readonly count: number }
  | { readonly outcome: AssertionOutcome }
  | { readonly isFound: boolean }
  | { readonly redacted: string }
  | { readonly rendered: string }
  /** The reason why a template could not be rendered. */
  | { readonly fault: string }
  /** A code, a colon and a description. `isMissing` means that there is no JSON to search. */
  | { readonly problem: string; readonly isMissing?: true };

/** The result of a task that was not started, because too many jobs wait. */
export const BUSY: TextResult = { problem: 'busy: too much is waiting' };

export function isBusy(result: TextResult | undefined): boolean {
  return result !== undefined && 'problem' in result && result.problem.startsWith('busy:');
}

/** Returns one result per task, in order. A task that could not finish returns a problem. */
export type RunTextJob = (job: TextJob) => Promise<readonly TextResult[]>;
