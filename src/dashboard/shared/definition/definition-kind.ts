/** The facts about a kind of definition (monitor, heartbeat or scenario) that its form needs. */
import type { Problems } from '../form/problems/problems';
import type { Values } from './options';

export interface DefinitionKind<Draft> {
  /** The title of the form and of its YAML, like `Monitor`. */
  readonly title: string;
  /** The API path, like `/v1/monitors`. */
  readonly path: string;
  /** The path of the pages, like `/monitors`. */
  readonly page: string;
  /** The paths to read again after a save. */
  readonly reads: readonly string[];
  readonly createWord: string;
  /** The notice after the first save. */
  readonly created: string;
  /** Converts any body to a draft. Values of an unexpected type are treated as absent. */
  readonly toDraft: (body: unknown) => Draft;
  /** Returns the body for POST and PUT. */
  readonly toBody: (draft: Draft) => Values;
  /** Returns every problem for which the API would refuse the draft. */
  readonly findProblems: (draft: Draft) => Problems;
  /** Returns the problems that are shown before the first attempt to save. By default, there are none. */
  readonly whileTyping?: (found: Problems, draft: Draft) => Problems;
  /** Reads a body that was typed as YAML. Returns the draft, or all its problems. */
  readonly readTyped: (typed: unknown) => ReadDraft<Draft>;
  /** Masks credentials in headers, for YAML. */
  readonly mask: (draft: Draft) => Draft;
  /** Returns the typed draft, in which masked values are replaced by the credentials of `shown`. */
  readonly unmask: (typed: Draft, shown: Draft) => Draft;
}

export type ReadDraft<Draft> =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly problems: Problems };
