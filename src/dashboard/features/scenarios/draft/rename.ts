/**
 * A variable under a new name, everywhere: its definition, and the references of later steps that
 * mean this definition and no other of that name. Pure; what is typed elsewhere stays as it is.
 */
import { findReferences, VARIABLE_NAME } from '../../../../domain/templates/template';
import { listOf } from '../../../../schemas/loose';
import { withAuthTexts } from '../../../shared/auth/auth-draft';
import { withBodyTexts } from '../../../shared/body/body-draft';
import type { Draft, DraftStep } from './draft';

/** A variable of the scenario, or an extraction of the step at `index`. */
interface Definition {
  readonly rowId: string;
  readonly name: string;
  /** -1 for variables: they count from the first step on. */
  readonly index: number;
}

export interface Rename {
  readonly rowId: string;
  readonly from: string;
  readonly to: string;
}

export interface Renamed {
  readonly draft: Draft;
  /** References that were written again. */
  readonly count: number;
}

/** What the row is called now; null when there is none. */
export function nameOfRow(draft: Draft, rowId: string): string | null {
  return definitionsOf(draft).find((row) => row.rowId === rowId)?.name ?? null;
}

/** The row whose name differs between the drafts; null unless it is exactly one. */
export function findRename(before: Draft, after: Draft): Rename | null {
  const names = new Map(definitionsOf(before).map(({ rowId, name }) => [rowId, name]));
  const changed = definitionsOf(after).flatMap(({ rowId, name }) => {
    const from = names.get(rowId);
    return from === undefined || from === name ? [] : [{ rowId, from, to: name }];
  });
  return changed.length === 1 ? (changed[0] ?? null) : null;
}

function definitionsOf({ variables, steps }: Draft): readonly Definition[] {
  return [
    ...variables.map(({ rowId, name }) => ({ rowId, name: name.trim(), index: -1 })),
    ...steps.flatMap(({ extract }, index) =>
      extract.map(({ rowId, variable }) => ({ rowId, name: variable.trim(), index })),
    ),
  ];
}

/** The row that a name means to the step: the last one before it. */
function rowMeant(all: readonly Definition[], name: string, index: number): string | undefined {
  return all.findLast((row) => row.name === name && row.index < index)?.rowId;
}

/**
 * The references to `from` that mean the row, as references to `to`; null when `to` is no name, or is
 * in use already: what is written again could not be told apart from what was there.
 */
export function withReferencesRenamed(draft: Draft, { rowId, from, to }: Rename): Renamed | null {
  if (!VARIABLE_NAME.test(to) || isInUse(draft, to, rowId)) return null;
  const definitions = definitionsOf(draft).map((row) =>
    row.rowId === rowId ? { ...row, name: from } : row,
  );
  let count = 0;
  const change = (text: string): string => {
    const renamed = renameIn(text, from, to);
    count += renamed.count;
    return renamed.text;
  };
  const steps = draft.steps.map((step, index) =>
    rowMeant(definitions, from, index) === rowId ? withTexts(step, change) : step,
  );
  const isShared = rowMeant(definitions, from, firstSharing(draft)) === rowId;
  const auth = isShared ? withAuthTexts(draft.auth, change) : draft.auth;
  return { draft: { ...draft, auth, steps }, count };
}

/** The first step that has the authentication of the scenario: what that means there, it means. */
function firstSharing({ steps }: Draft): number {
  return steps.findIndex(({ auth }) => auth.type === null);
}

/** Of another row, or of a reference that means nothing yet and would mean this row then. */
function isInUse(draft: Draft, name: string, rowId: string): boolean {
  const others = definitionsOf(draft).filter((row) => row.rowId !== rowId);
  if (others.some((row) => row.name === name)) return true;
  let isUsed = false;
  const look = (text: string): string => {
    isUsed ||= renameIn(text, name, name).count > 0;
    return text;
  };
  withAuthTexts(draft.auth, look);
  for (const step of draft.steps) withTexts(step, look);
  return isUsed;
}

function renameIn(text: string, from: string, to: string): { text: string; count: number } {
  const meant = findReferences(text).filter(
    ({ kind, name }) => kind === 'variable' && name === from,
  );
  const renamed = meant.reduceRight((left, { start, end }) => {
    const reference = left.slice(start, end).replace(from, to);
    return `${left.slice(0, start)}${reference}${left.slice(end)}`;
  }, text);
  return { text: renamed, count: meant.length };
}

type Change = (text: string) => string;

/** Every text of a step in which references count; what does not change keeps its spelling. */
function withTexts(step: DraftStep, change: Change): DraftStep {
  return {
    ...step,
    url: change(step.url),
    headers: step.headers.map((row) => ({ ...row, value: change(row.value) })),
    auth: withAuthTexts(step.auth, change),
    body: withBodyTexts(step.body, change),
    fields: Object.fromEntries(
      Object.entries(step.fields).map(([name, value]) => [name, withFieldTexts(value, change)]),
    ),
  };
}

/** Of a field of another kind than HTTP: a text, a list of them, or anything else. */
function withFieldTexts(value: unknown, change: Change): unknown {
  if (typeof value === 'string') return change(value);
  return Array.isArray(value) ? listOf(value).map((item) => withFieldTexts(item, change)) : value;
}
