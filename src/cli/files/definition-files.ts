/**
 * Reads the definition files that users keep in git: YAML or JSON, several documents per file, includes, and
 * environment variables.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { FILE_KINDS, SET_LISTS, type SetList } from '../../schemas/apply';
import { usageError } from '../cli-error';
import type { Environment } from '../stored-login';
import { decodeFile } from './decode-file';
import { fileError, readBytes } from './file-access';
import { isRecord, type ParsedDocument, parseDocuments } from './parse-documents';
import { type Substitution, substitute } from './substitute';

/** A definition with its file and line, like `monitors.yaml:12`. */
export interface Located {
  readonly value: Readonly<Record<string, unknown>>;
  readonly origin: string;
}

export interface DefinitionSet {
  /** The name of the set of definitions. undefined if no document gives a name. */
  readonly set: string | undefined;
  readonly lists: Readonly<Record<SetList, readonly Located[]>>;
  /** The names of the environment variables whose values were filled into the definitions. */
  readonly environmentNames: readonly string[];
}

export interface FileSource {
  readonly environment: Environment;
  /** Names of variables that may be filled in although they look secret. */
  readonly allowedNames?: readonly string[] | undefined;
  /** Reads standard input. It is used for the file name `-`. */
  readonly readInput: () => Promise<string>;
}

const EXTENSIONS: readonly string[] = ['.yaml', '.yml', '.json'];
const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** Maps the `kind` of a document with a single object to the list that it belongs to. */
const LIST_OF_KIND: ReadonlyMap<unknown, SetList> = new Map(
  SET_LISTS.map((list) => [FILE_KINDS[list], list]),
);

const DOCUMENT_FIELDS: readonly string[] = [...SET_LISTS, 'env', 'include', 'set', '$schema'];

interface Gathering {
  readonly lists: Record<SetList, Located[]>;
  readonly seen: Set<string>;
  readonly substitution: Substitution;
  set: string | undefined;
}

/** Reads all documents in the files and folders. Throws a usage error with file and line. */
export async function readDefinitions(
  paths: readonly string[],
  source: FileSource,
): Promise<DefinitionSet> {
  const used = new Set<string>();
  const gathering: Gathering = {
    lists: {
      alertChannels: [],
      alertPolicies: [],
      alertRoutes: [],
      hours: [],
      profiles: [],
      maintenanceWindows: [],
      monitors: [],
      scenarios: [],
      statusPages: [],
      variables: [],
      environments: [],
    },
    seen: new Set(),
    substitution: {
      environment: source.environment,
      allowed: new Set(source.allowedNames),
      onUse: (name) => used.add(name),
    },
    set: undefined,
  };
  for (const path of paths) {
    if (path === '-') gather(await source.readInput(), 'standard input', null, gathering);
    else readPath(path, gathering);
  }
  const { lists, set } = gathering;
  return { lists, set, environmentNames: [...used].toSorted() };
}

function readPath(path: string, gathering: Gathering): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw usageError(`${path} does not exist.`);
  if (!facts.isDirectory()) {
    readFile(realpathSync(path), realpathSync(dirname(path)), gathering);
    return;
  }
  const root = realpathSync(path);
  const files = listDefinitionFiles(root);
  if (files.length === 0) throw usageError(`${path} contains no .yaml, .yml or .json file.`);
  for (const file of files) readFile(file, root, gathering);
}

/**
 * Returns the files sorted by name, including those in subfolders. Leaves out hidden files, hidden folders and
 * node_modules.
 */
export function listDefinitionFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listDefinitionFiles(path);
      return entry.isFile() && EXTENSIONS.includes(extname(entry.name)) ? [path] : [];
    });
}

/** Reads a file. Does nothing if the file was already read. */
function readFile(file: string, root: string, gathering: Gathering): void {
  if (gathering.seen.has(file)) return;
  gathering.seen.add(file);
  const shown = relative(process.cwd(), file) || basename(file);
  if (statSync(file).size > FILE_BYTES_MAX) throw usageError(`${shown} is larger than 4 MiB.`);
  gather(decodeFile(readBytes(file, shown), shown), shown, { file, root }, gathering);
}

interface IncludedFrom {
  readonly file: string;
  /** Files outside this folder cannot be included. */
  readonly root: string;
}

function gather(
  text: string,
  shown: string,
  includedFrom: IncludedFrom | null,
  gathering: Gathering,
): void {
  for (const document of parseDocuments(text, shown)) {
    const content = substitute(ownFields(document.value), gathering.substitution, shown);
    if (typeof content['kind'] === 'string') addSingle(content, document, gathering);
    else addLists(content, document, { includedFrom, gathering });
  }
}

/** Returns the fields of a document except the `x-…` fields, in which users define YAML anchors. */
function ownFields(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('x-')));
}

function addSingle(
  { kind, env: _env, $schema: _schema, ...value }: Readonly<Record<string, unknown>>,
  { origin }: ParsedDocument,
  { lists }: Gathering,
): void {
  const list = LIST_OF_KIND.get(kind);
  if (list === undefined) {
    const known = Object.values(FILE_KINDS).join(', ');
    throw usageError(`${origin}: kind must be one of ${known}, not ${String(kind)}.`);
  }
  lists[list].push({ value, origin });
}

function addLists(
  content: Readonly<Record<string, unknown>>,
  document: ParsedDocument,
  {
    includedFrom,
    gathering,
  }: { readonly includedFrom: IncludedFrom | null; readonly gathering: Gathering },
): void {
  const { origin } = document;
  const stray = Object.keys(content).find((name) => !DOCUMENT_FIELDS.includes(name));
  if (stray !== undefined) {
    throw usageError(
      `${origin}: ${stray} is not a field of a document.`,
      `Its fields are ${DOCUMENT_FIELDS.join(', ')}. A document with a single object begins with kind.`,
    );
  }
  for (const list of SET_LISTS) {
    for (const [index, value] of listAt(content, list, origin).entries()) {
      const at = document.formatOrigin([list, index]);
      if (!isRecord(value)) throw usageError(`${at}: ${list}[${index}] must be an object.`);
      gathering.lists[list].push({ value, origin: at });
    }
  }
  takeSetName(content['set'], origin, gathering);
  for (const path of listAt(content, 'include', origin))
    include(path, origin, { includedFrom, gathering });
}

function takeSetName(name: unknown, origin: string, gathering: Gathering): void {
  if (name === undefined) return;
  if (typeof name !== 'string') throw usageError(`${origin}: set must be a name.`);
  if (gathering.set !== undefined && gathering.set !== name)
    throw usageError(`${origin}: the files belong to two sets, ${gathering.set} and ${name}.`);
  gathering.set = name;
}

function include(
  path: unknown,
  origin: string,
  {
    includedFrom,
    gathering,
  }: { readonly includedFrom: IncludedFrom | null; readonly gathering: Gathering },
): void {
  if (typeof path !== 'string') throw usageError(`${origin}: include must list paths.`);
  if (includedFrom === null) throw usageError(`${origin}: standard input cannot include files.`);
  let file: string;
  try {
    file = realpathSync(resolve(dirname(includedFrom.file), path));
  } catch (error) {
    throw fileError(`${origin}: ${path}`, 'included', error);
  }
  if (!file.startsWith(includedFrom.root + sep))
    throw usageError(
      `${origin}: ${path} is outside of ${includedFrom.root} and cannot be included.`,
    );
  const files = statSync(file).isDirectory() ? listDefinitionFiles(file) : [file];
  for (const each of files) readFile(each, includedFrom.root, gathering);
}

function listAt(
  content: Readonly<Record<string, unknown>>,
  name: string,
  origin: string,
): readonly unknown[] {
  const value = content[name];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw usageError(`${origin}: ${name} must be a list.`);
}
