/**
 * Renames a variable in its definition and in the references that resolve to this definition. All other text stays as
 * typed.
 */
import { findReferences, VARIABLE_NAME } from '../../../../domain/templates/template';
import { readList } from '../../../../schemas/loose';
import { withAuthTexts } from '../../../shared/auth/auth-draft';
import { withBodyTexts } from '../../../shared/body/body-draft';
import type { Draft, DraftStep } from './draft';

/** A variable of the scenario, or an extraction of the step at `index`. */
interface Definition {
  readonly rowId: string;
  readonly name: string;
  /** The index of the step. -1 means a variable of the scenario, which is defined before the first step. */
  readonly index: number;
}

export interface Rename {
  readonly rowId: string;
  readonly from: string;
  readonly to: string;
}

export interface Renamed {
  readonly draft: Draft;
  /** Number of references that were changed. */
  readonly count: number;
}

/** Returns the current name of the row. null when the row does not exist. */
export function findRowName(draft: Draft, rowId: string): string | null {
  return listDefinitions(draft).find((row) => row.rowId === rowId)?.name ?? null;
}

/** Finds the row whose name differs between the drafts. null if no row or more than one row differs. */
export function findRename(before: Draft, after: Draft): Rename | null {
  const names = new Map(listDefinitions(before).map(({ rowId, name }) => [rowId, name]));
  const changed = listDefinitions(after).flatMap(({ rowId, name }) => {
    const from = names.get(rowId);
    return from === undefined || from === name ? [] : [{ rowId, from, to: name }];
  });
  return changed.length === 1 ? (changed[0] ?? null) : null;
}

function listDefinitions({ variables, steps }: Draft): readonly Definition[] {
  return [
    ...variables.map(({ rowId, name }) => ({ rowId, name: name.trim(), index: -1 })),
    ...steps.flatMap(({ extract }, index) =>
      extract.map(({ rowId, variable }) => ({ rowId, name: variable.trim(), index })),
    ),
  ];
}

/** Returns the row that a name refers to at the step: the last row with this name before the step. */
function findRow(all: readonly Definition[], name: string, index: number): string | undefined {
  return all.findLast((row) => row.name === name && row.index < index)?.rowId;
}

/**
 * Changes the references to the row from `from` to `to`. Returns null if `to` is not a valid name or is in use. If `to`
 * is in use, changed references could not be distinguished from existing references.
 */
export function withReferencesRenamed(draft: Draft, { rowId, from, to }: Rename): Renamed | null {
  if (!VARIABLE_NAME.test(to) || isInUse(draft, to, rowId)) return null;
  const definitions = listDefinitions(draft).map((row) =>
    row.rowId === rowId ? { ...row, name: from } : row,
  );
  let count = 0;
  const change = (text: string): string => {
    const renamed = renameIn(text, from, to);
    count += renamed.count;
    return renamed.text;
  };
  const steps = draft.steps.map((step, index) =>
    findRow(definitions, from, index) === rowId ? withTexts(step, change) : step,
  );
  const isShared = findRow(definitions, from, firstSharing(draft)) === rowId;
  const auth = isShared ? withAuthTexts(draft.auth, change) : draft.auth;
  return { draft: { ...draft, auth, steps }, count };
}

/**
 * Returns the index of the first step that uses the scenario's authentication. References in the authentication are
 * resolved as in this step.
 */
function firstSharing({ steps }: Draft): number {
  return steps.findIndex(({ auth }) => auth.type === null);
}

/** True if another row has the name, or if a reference to an undefined variable uses it. */
function isInUse(draft: Draft, name: string, rowId: string): boolean {
  const others = listDefinitions(draft).filter((row) => row.rowId !== rowId);
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
  const references = findReferences(text).filter(
    ({ kind, name }) => kind === 'variable' && name === from,
  );
  const renamed = references.reduceRight((left, { start, end }) => {
    const reference = left.slice(start, end).replace(from, to);
    return `${left.slice(0, start)}${reference}${left.slice(end)}`;
  }, text);
  return { text: renamed, count: references.length };
}

type Change = (text: string) => string;

/**
 * Applies the change to every text of a step that may contain references. Texts without a change stay exactly as typed.
 */
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

/** Applies the change to the texts in a field of the step's kind. */
function withFieldTexts(value: unknown, change: Change): unknown {
  if (typeof value === 'string') return change(value);
  return Array.isArray(value) ? readList(value).map((item) => withFieldTexts(item, change)) : value;
}
