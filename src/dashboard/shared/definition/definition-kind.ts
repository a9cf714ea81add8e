/** What the form of a definition has to know of its kind: monitor, heartbeat or scenario. */
import type { Problems } from '../form/problems';
import type { Values } from './options';

export interface DefinitionKind<Draft> {
  /** `Monitor`: of the form and of its YAML. */
  readonly title: string;
  /** Of the API: `/v1/monitors`. */
  readonly path: string;
  /** Of the pages: `/monitors`. */
  readonly page: string;
  /** What is read again once it is saved. */
  readonly reads: readonly string[];
  readonly createWord: string;
  /** The notice after the first save. */
  readonly created: string;
  /** Any body; what is not as expected counts as absent. */
  readonly toDraft: (body: unknown) => Draft;
  /** As POST and PUT take it. */
  readonly toBody: (draft: Draft) => Values;
  /** Every problem that would make the API refuse the draft. */
  readonly findProblems: (draft: Draft) => Problems;
  /** Those that are shown before anybody tried to save; none by default. */
  readonly whileTyping?: (found: Problems, draft: Draft) => Problems;
  /** A body that was typed as YAML: the draft, or every problem of it. */
  readonly readTyped: (typed: unknown) => ReadDraft<Draft>;
  /** Without credentials in headers, for YAML. */
  readonly mask: (draft: Draft) => Draft;
  /** What was typed, with the credentials that `shown` had where they are masked. */
  readonly unmask: (typed: Draft, shown: Draft) => Draft;
}

export type ReadDraft<Draft> =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly problems: Problems };
