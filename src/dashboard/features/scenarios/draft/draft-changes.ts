/** Changes to a draft. Each returns a new draft. Pure. */
import { type AssertionDraft, newRowId } from '../../../shared/form/assertions/assertion-draft';
import { newHeaderRow } from '../../../shared/form/rows/rows';
import { type Draft, type DraftExtraction, type DraftStep, emptyStep } from './draft';

/** Inserts the step after the step with the id `behind`, or at the end. */
function withStep(draft: Draft, step: DraftStep, behind?: string): Draft {
  const at = behind === undefined ? -1 : draft.steps.findIndex(({ id }) => id === behind);
  const position = at === -1 ? draft.steps.length : at + 1;
  const named = { ...step, name: freeName(draft, step.name) };
  return { ...draft, steps: draft.steps.toSpliced(position, 0, named) };
}

export function withNewStep(draft: Draft): Draft {
  return withStep(draft, emptyStep(`Step ${draft.steps.length + 1}`));
}

/**
 * Appends the steps, and adds the variables that the draft does not have yet. If the draft has only one blank step, the
 * new steps replace it.
 */
export function withImported(
  draft: Draft,
  steps: readonly DraftStep[],
  variables: Readonly<Record<string, string>>,
): Draft {
  const [first, ...others] = draft.steps;
  const isBlank =
    others.length === 0 && first?.type === 'http' && first.url === '' && first.headers.length === 0;
  const base = isBlank ? { ...draft, steps: [] } : draft;
  const known = new Set(draft.variables.map(({ name }) => name));
  const rows = Object.entries(variables)
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => ({ ...newHeaderRow(name, value), isSecret: false, isStored: false }));
  const named = { ...base, variables: [...base.variables, ...rows] };
  return steps.reduce<Draft>((grown, step) => withStep(grown, step), named);
}

export function withCopy(draft: Draft, id: string): Draft {
  const step = draft.steps.find((candidate) => candidate.id === id);
  return step === undefined ? draft : withStep(draft, copyStep(step), id);
}

/** Copies the step. The copy and its rows get new ids. */
function copyStep(step: DraftStep): DraftStep {
  const withNewId = <Row extends { readonly rowId: string }>(row: Row): Row => ({
    ...row,
    rowId: newRowId(),
  });
  return {
    ...step,
    id: newRowId(),
    headers: step.headers.map(withNewId),
    extract: step.extract.map(withNewId),
    assertions: step.assertions.map(withNewId),
  };
}

export function withoutStep(draft: Draft, id: string): Draft {
  return { ...draft, steps: draft.steps.filter((step) => step.id !== id) };
}

/** Moves the step at index `from` to index `to`. */
export function withMoved(draft: Draft, from: number, to: number): Draft {
  const step = draft.steps[from];
  if (step === undefined || to < 0 || to >= draft.steps.length) return draft;
  return { ...draft, steps: draft.steps.toSpliced(from, 1).toSpliced(to, 0, step) };
}

export function withChanged(draft: Draft, next: DraftStep): Draft {
  return { ...draft, steps: draft.steps.map((step) => (step.id === next.id ? next : step)) };
}

export function withExtraction(draft: Draft, stepId: string, variable: string, path: string) {
  const step = draft.steps.find(({ id }) => id === stepId);
  if (step === undefined) return draft;
  const row = { ...newExtraction(), variable, source: path };
  return withChanged(draft, { ...step, extract: [...step.extract, row] });
}

export function withAssertion(draft: Draft, stepId: string, assertion: AssertionDraft): Draft {
  const step = draft.steps.find(({ id }) => id === stepId);
  if (step === undefined) return draft;
  return withChanged(draft, { ...step, assertions: [...step.assertions, assertion] });
}

export function newExtraction(): DraftExtraction {
  return {
    rowId: newRowId(),
    variable: '',
    from: 'jsonPath',
    pattern: '',
    source: '',
    fallback: '',
    isSecret: false,
    isResolved: false,
  };
}

/** Returns a step name that is not in use. If `read` is in use, returns `read (2)`. */
function freeName({ steps }: Draft, wanted: string): string {
  const taken = new Set(steps.map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  let count = 2;
  while (taken.has(`${wanted} (${count})`)) count += 1;
  return `${wanted} (${count})`;
}
