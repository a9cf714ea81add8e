/** Converts requests of a Postman collection, a HAR recording or an OpenAPI document to steps of scenarios. */
import { STEPS_MAX } from '../../contracts/definition';
import { type FoundRequest, type FoundRequests, toStepFields } from '../../formats/found-requests';
import { readRequests } from '../../formats/read-requests';
import { usageError } from '../cli-error';
import { listReferencedNames } from './checkly/checkly-variables';
import { formatPlaceholder, listPlaceholders, withReferences } from './environment-placeholders';
import {
  createKeyMaker,
  dropEmptyFields,
  type Fields,
  type Imported,
  type ImportNote,
} from './imported';

const SOURCES = { postman: 'Postman', har: 'HAR', openapi: 'OpenAPI' } as const;
export type RequestTool = keyof typeof SOURCES;

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

interface Wanted {
  readonly tool: RequestTool;
  readonly file: string;
  /** True means that the import also includes requests for a page's resources, and requests that may change data. */
  readonly isAll: boolean;
}

/** Converts the file. Throws a usage error if the file has another format. */
export function importRequests(text: string, { tool, file, isAll }: Wanted): Imported {
  const read = readRequests(text);
  if (!read.ok) throw usageError(`${file} can't be imported. ${read.problem}`);
  const { found } = read;
  if (found.source !== SOURCES[tool])
    throw usageError(`${file} is not a file of ${tool}, but one of ${found.source}.`);
  const title = found.title || file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
  const notes: ImportNote[] = found.notes.map((message) => ({ name: title, message }));
  const wanted = found.requests.filter(({ isWanted }) => isAll || isWanted);
  for (const { name, isWanted } of found.requests)
    if (!isAll && !isWanted)
      notes.push({ name, message: 'is left out: with --all it is imported, too' });
  const scenarios = buildScenarios(wanted, found, { title, notes });
  const names = listPlaceholders(scenarios);
  return { ...withReferences({ monitors: [], scenarios }, names), env: [...names], notes };
}

interface Named {
  readonly title: string;
  readonly notes: ImportNote[];
}

/** Builds as many scenarios as the steps need. Each step gets a unique name. */
function buildScenarios(
  requests: readonly FoundRequest[],
  { source, variables }: FoundRequests,
  { title, notes }: Named,
): readonly Fields[] {
  const keyOf = createKeyMaker([], 'scenario');
  const count = Math.ceil(requests.length / STEPS_MAX);
  return Array.from({ length: count }, (_, index) => {
    const part = requests.slice(index * STEPS_MAX, (index + 1) * STEPS_MAX);
    const steps = withOwnNames(part.map(toStepFields)).map(dropEmptyFields);
    const name = index === 0 ? title : `${title} (${index + 1})`;
    const note = (message: string) => notes.push({ name, message });
    return dropEmptyFields({
      key: keyOf(name),
      name,
      steps,
      variables: buildVariables(listReferencedNames(steps), variables, note),
      // The operations of an API are independent of each other, so a run continues after a failed operation.
      onFailure: source === 'OpenAPI' ? 'continue' : null,
    });
  });
}

function withOwnNames<Step extends { readonly name: string }>(steps: readonly Step[]) {
  const taken = new Set<string>();
  return steps.map((step) => {
    let { name } = step;
    for (let number = 2; taken.has(name); number += 1) name = `${step.name} (${number})`;
    taken.add(name);
    return { ...step, name };
  });
}

/** Returns the variables of the steps. A variable without a value gets its value from the environment. */
function buildVariables(
  names: readonly string[],
  values: Readonly<Record<string, string>>,
  note: (message: string) => void,
): Fields {
  const used = names.filter((name) => VARIABLE.test(name));
  const open = used.filter((name) => !values[name]);
  if (open.length > 0) note(`uses ${open.join(', ')}; set them in the environment when you apply`);
  return Object.fromEntries(used.map((name) => [name, values[name] || formatPlaceholder(name)]));
}
