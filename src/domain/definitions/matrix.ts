/**
 * Expands entries with a `matrix`: one entry per combination of environments and regions, with its own key and name.
 * Pure.
 */

type Entry = Readonly<Record<string, unknown>>;

interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An entry after the expansion: one combination of a matrix, or the entry as it was sent if it has no valid matrix. */
export interface Expanded {
  readonly entry: Entry;
  /** The position in the sent list, which is the same for all combinations. */
  readonly index: number;
  /** The problems of the entry. An entry with problems must not be applied. An invalid matrix is not expanded. */
  readonly faults: readonly Fault[];
}

/** The axes in the order in which keys and names contain their values. */
const AXES = ['environment', 'region'] as const;
type Axis = (typeof AXES)[number];

/** The field of the entry that an axis sets. */
const FIELD_OF_AXIS: Readonly<Record<Axis, string>> = {
  environment: 'environment',
  region: 'regions',
};

/** The character between the key of an entry and its combination, as in `home@staging-eu-west`. */
const KEY_SEPARATOR = '@';
const COMBINATIONS_MAX = 50;

/** Expands all entries, in their order. Entries without a matrix stay unchanged. */
export function expandMatrices(entries: readonly Entry[]): readonly Expanded[] {
  return entries.flatMap((entry, index) => {
    if (entry['matrix'] === undefined) return [{ entry, index, faults: [] }];
    const faults = findFaults(entry);
    if (faults.length > 0) return [{ entry, index, faults }];
    return listCombinations(readAxes(entry)).map((combination) => ({
      entry: expandEntry(entry, combination),
      index,
      faults: [],
    }));
  });
}

type Combination = readonly (readonly [Axis, string])[];

/** Expands one entry. An entry without `name` is refused later, like any other entry without a name. */
function expandEntry({ matrix: _matrix, ...entry }: Entry, combination: Combination): Entry {
  const { key, name } = entry;
  const values = combination.map(([, value]) => value);
  return {
    ...entry,
    key: `${String(key)}${KEY_SEPARATOR}${values.join('-')}`,
    ...(typeof name === 'string' && { name: `${name} (${values.join(', ')})` }),
    ...Object.fromEntries(
      combination.map(([axis, value]) => [
        FIELD_OF_AXIS[axis],
        axis === 'region' ? [value] : value,
      ]),
    ),
  };
}

type Axes = readonly (readonly [Axis, readonly string[]])[];

/** Returns the axes of a valid matrix. */
function readAxes({ matrix }: Entry): Axes {
  const given = isRecord(matrix) ? matrix : {};
  return AXES.flatMap((axis) => {
    const values = given[axis];
    return Array.isArray(values) ? [[axis, values.map(String)] as const] : [];
  });
}

function listCombinations(axes: Axes): readonly Combination[] {
  let combinations: readonly Combination[] = [[]];
  for (const [axis, values] of axes)
    combinations = combinations.flatMap((before) =>
      values.map((value): Combination => [...before, [axis, value]]),
    );
  return combinations;
}

function findFaults(entry: Entry): readonly Fault[] {
  const { matrix, key } = entry;
  const keyFaults: readonly Fault[] =
    typeof key === 'string'
      ? []
      : [{ path: 'key', code: 'required', message: 'is required with a matrix' }];
  if (!isRecord(matrix)) {
    const message = 'must be an object with lists: environment, region or both';
    return [...keyFaults, { path: 'matrix', code: 'wrong_type', message }];
  }
  const axisFaults = Object.entries(matrix).flatMap(([axis, values]) =>
    findAxisFaults(entry, axis, values),
  );
  if (Object.keys(matrix).length === 0) {
    const message = 'must have at least one list: environment or region';
    return [...keyFaults, { path: 'matrix', code: 'required', message }];
  }
  const faults = [...keyFaults, ...axisFaults];
  return faults.length > 0 ? faults : findSizeFaults(entry);
}

function findAxisFaults(entry: Entry, axis: string, values: unknown): readonly Fault[] {
  const path = `matrix.${axis}`;
  const known = AXES.find((name) => name === axis);
  if (known === undefined)
    return [{ path, code: 'unknown_field', message: 'must be environment or region' }];
  const isList = Array.isArray(values) && values.length > 0 && values.every(isText);
  if (!isList) {
    const message = 'must be a list of at least one name';
    return [{ path, code: 'wrong_type', message }];
  }
  const faults: Fault[] = [];
  if (new Set(values).size < values.length)
    faults.push({ path, code: 'invalid_value', message: 'must not contain a name twice' });
  const field = FIELD_OF_AXIS[known];
  if (entry[field] !== undefined)
    faults.push({ path: field, code: 'invalid_value', message: `is set by matrix.${axis}` });
  return faults;
}

function findSizeFaults(entry: Entry): readonly Fault[] {
  const count = readAxes(entry).reduce((product, [, values]) => product * values.length, 1);
  if (count <= COMBINATIONS_MAX) return [];
  const message = `makes ${count} combinations; at most ${COMBINATIONS_MAX} are allowed`;
  return [{ path: 'matrix', code: 'out_of_bounds', message }];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Adds a problem to each entry whose `dependsOn` contains the key of a matrix. A reference must name one combination of
 * the matrix instead. `known` contains the keys of stored checks.
 */
export function refuseMatrixKeys(
  lists: readonly (readonly Expanded[])[],
  sent: readonly Entry[],
  known: ReadonlySet<string>,
): readonly (readonly Expanded[])[] {
  const keys = lists.flat().map(({ entry }) => String(entry['key']));
  const taken = new Set([...known, ...keys]);
  const expandedKeys = new Map(
    sent
      .filter(({ matrix, key }) => matrix !== undefined && !taken.has(String(key)))
      .map(({ key }) => [String(key), keys.filter((one) => one.startsWith(`${String(key)}@`))]),
  );
  if (expandedKeys.size === 0) return lists;
  return lists.map((list) =>
    list.map((expanded) => {
      const faults = findReferenceFaults(expanded.entry, expandedKeys);
      return faults.length === 0
        ? expanded
        : { ...expanded, faults: [...expanded.faults, ...faults] };
    }),
  );
}

function findReferenceFaults(
  { dependsOn }: Entry,
  expandedKeys: ReadonlyMap<string, readonly string[]>,
): readonly Fault[] {
  if (!Array.isArray(dependsOn)) return [];
  return dependsOn.flatMap((reference: unknown, index) => {
    const valid = typeof reference === 'string' ? expandedKeys.get(reference) : undefined;
    if (valid === undefined) return [];
    const message = `is the key of a matrix; name one of its combinations: ${valid.join(', ')}`;
    return [{ path: `dependsOn[${index}]`, code: 'unknown_key', message }];
  });
}
