/** Finds the names that a step can refer to, and the references that a change would break. */
import { findReferences, GENERATED_NAMES } from '../../../../domain/templates/template';
import { readList, readRecord } from '../../../../schemas/loose';
import { authTexts } from '../../../shared/auth/auth-draft';
import { bodyValue } from '../../../shared/body/body-draft';
import type { OfferedName } from '../../../shared/editor/complete-reference';
import type { Draft, DraftStep } from './draft';

export interface KnownName {
  readonly name: string;
  /** The source of the value, in words. */
  readonly origin: string;
  readonly isSecret: boolean;
}

/** A variable that a step uses but that nothing before the step defines. */
export interface BrokenReference {
  readonly stepId: string;
  readonly stepName: string;
  readonly variable: string;
}

/**
 * Lists the variables of the scenario and the variables that earlier steps extract. If a name is set twice, the last
 * definition counts.
 */
export function namesBefore({ variables, steps }: Draft, index: number): readonly KnownName[] {
  const known = new Map<string, KnownName>();
  for (const { name, isSecret } of variables) {
    if (name.trim() !== '')
      known.set(name.trim(), { name: name.trim(), origin: 'variable', isSecret });
  }
  for (const step of steps.slice(0, index)) {
    for (const { variable, from, isSecret: isMarked } of step.extract) {
      const isSecret = isMarked || from === 'cookie';
      const name = variable.trim();
      if (name === '') continue;
      known.set(name, {
        name,
        origin: `from “${step.name}”`,
        isSecret: isSecret || known.get(name)?.isSecret === true,
      });
    }
  }
  return [...known.values()];
}

/** Where the value of a name is set, and which steps use it. */
export interface NameUse {
  readonly name: string;
  readonly isSecret: boolean;
  /** Id of the step that extracts the value. null for a variable of the scenario. */
  readonly setIn: string | null;
  /** Ids of the steps that use the name. */
  readonly usedIn: readonly string[];
}

/** Lists all names in the order in which they are set. If a name is set twice, the first definition is listed. */
export function nameUses(draft: Draft): readonly NameUse[] {
  const { variables, steps } = draft;
  const set = [
    ...variables.map(({ name, isSecret }) => ({ name, isSecret, setIn: null })),
    ...steps.flatMap(({ id, extract }) =>
      extract.map(({ variable, isSecret }) => ({ name: variable, isSecret, setIn: id })),
    ),
  ];
  const names = new Map<string, Omit<NameUse, 'usedIn'>>();
  for (const one of set) {
    const name = one.name.trim();
    if (name !== '' && !names.has(name)) names.set(name, { ...one, name });
  }
  const uses = steps.map((step) => ({ id: step.id, names: new Set(namesIn(draft, step)) }));
  return [...names.values()].map((one) => ({
    ...one,
    usedIn: uses.filter((use) => use.names.has(one.name)).map(({ id }) => id),
  }));
}

function namesIn(draft: Draft, step: DraftStep): readonly string[] {
  return listTexts(draft, step)
    .flatMap(findReferences)
    .filter(({ kind }) => kind === 'variable')
    .map(({ name }) => name);
}

/** Returns the variable that the step already extracts from the JSON path. */
export function variableAt({ steps }: Draft, stepId: string, path: string): string | undefined {
  const step = steps.find(({ id }) => id === stepId);
  return step?.extract.find(({ from, source }) => from === 'jsonPath' && source === path)?.variable;
}

/** Lists the texts of a step that may contain references. */
function listTexts(draft: Draft, step: DraftStep): readonly string[] {
  if (step.type !== 'http') return textsIn(step.fields);
  const headers = step.headers.map(({ value }) => value);
  const auth = authTexts(step.auth.type === null ? draft.auth : step.auth);
  return [step.url, ...headers, ...auth, ...textsIn(bodyValue(step.body))];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const children = Array.isArray(value) ? readList(value) : Object.values(readRecord(value));
  return children.flatMap(textsIn);
}

function findBroken(draft: Draft): readonly BrokenReference[] {
  return draft.steps.flatMap((step, index) => {
    const known = new Set(namesBefore(draft, index).map(({ name }) => name));
    return [...new Set(namesIn(draft, step))]
      .filter((variable) => !known.has(variable))
      .map((variable) => ({ stepId: step.id, stepName: step.name, variable }));
  });
}

/** Finds the references that work before the change and are broken after it. */
export function findNewlyBroken(before: Draft, after: Draft): readonly BrokenReference[] {
  const buildKey = ({ stepId, variable }: BrokenReference): string => `${stepId} ${variable}`;
  const already = new Set(findBroken(before).map(buildKey));
  return findBroken(after).filter((broken) => !already.has(buildKey(broken)));
}

/** Describes each broken reference, like `“read order” needs {{orderId}}`. */
export function brokenWords(broken: readonly BrokenReference[]): string {
  return broken.map(({ stepName, variable }) => `“${stepName}” needs {{${variable}}}`).join('; ');
}

export interface SecretUse {
  readonly stepIndex: number;
  readonly name: string;
}

/** Lists the stored secrets that steps refer to. */
export function secretsUsed(draft: Draft): readonly SecretUse[] {
  return draft.steps.flatMap((step, stepIndex) =>
    listTexts(draft, step)
      .flatMap(findReferences)
      .filter(({ kind }) => kind === 'secret')
      .map(({ name }) => ({ stepIndex, name })),
  );
}

const GENERATED_WORDS: Readonly<Record<(typeof GENERATED_NAMES)[number], string>> = {
  uuid: 'a new id, the same in the whole run',
  now: 'the time the run began',
  runId: 'the id of the run',
  region: 'the region of the run',
};

interface CompletionFor {
  readonly draft: Draft;
  readonly index: number;
  readonly secrets: readonly string[];
  /** True if the reference is in a URL. URLs are logged, so they must not contain secrets. */
  readonly isAddress: boolean;
}

/** Lists the names allowed between `{{` and `}}` at this step. The definitions closest to the step come first. */
export function completionsFor(given: CompletionFor): readonly OfferedName[] {
  const { draft, index, secrets, isAddress } = given;
  const names = namesBefore(draft, index)
    .filter(({ isSecret }) => !isAddress || !isSecret)
    .map(({ name, origin, isSecret }) => ({
      label: name,
      detail: isSecret ? `${origin}, secret` : origin,
    }));
  const stored = isAddress
    ? []
    : secrets.map((name) => ({ label: `secret:${name}`, detail: 'stored secret' }));
  const generated = GENERATED_NAMES.map((name) => ({
    label: `$${name}`,
    detail: GENERATED_WORDS[name],
  }));
  return [...names.reverse(), ...stored, ...generated];
}
