/**
 * Checks that each `{{name}}` in the URL, headers and body of a request refers to a variable that was defined before.
 */
import { findReferences, type Reference } from '../domain/templates/template';
import { formatPath, type ShapeProblem } from './issues';
import { readList, readRecord } from './loose';

type Path = readonly PropertyKey[];
type Located = readonly [Path, string];

/** The variables that a request can refer to, by name, and whether each is secret. */
export type KnownNames = ReadonlyMap<string, { readonly isSecret: boolean }>;

/** Lists the variables of a body that was not validated. */
export function listVariableNames(variables: unknown): Map<string, { readonly isSecret: boolean }> {
  return new Map(
    Object.entries(readRecord(variables)).map(([name, given]) => [
      name,
      { isSecret: readRecord(given)['secret'] === true },
    ]),
  );
}

/** Finds references to variables that are not in `known`, and secrets in URLs. */
export function findReferenceProblems(
  request: Readonly<Record<string, unknown>>,
  known: KnownNames,
  path: Path,
): readonly ShapeProblem[] {
  const url = [
    ...textsIn(request['url'], [...path, 'url']),
    ...textsIn(readRecord(request['auth'])['tokenUrl'], [...path, 'auth', 'tokenUrl']),
  ];
  const headers = Object.entries(readRecord(request['headers']));
  const texts = [
    ...url,
    ...headers.flatMap(([name, value]) => textsIn(value, [...path, 'headers', name])),
    ...textsIn({ ...readRecord(request['auth']), tokenUrl: null }, [...path, 'auth']),
    ...textsIn(request['body'], [...path, 'body']),
    ...textsIn(request['send'], [...path, 'send']),
    ...textsIn(request['form'], [...path, 'form']),
    ...textsOfParts(request['multipart'], [...path, 'multipart']),
    ...textsOfGraphql(readRecord(request['graphql']), [...path, 'graphql']),
  ];
  const expected = [
    ...textsIn(request['expectedText'], [...path, 'expectedText']),
    ...readList(request['assertions']).flatMap((assertion, index) =>
      textsIn(readRecord(assertion)['value'], [...path, 'assertions', index, 'value']),
    ),
  ];
  return [
    ...[...texts, ...expected].flatMap(([at, text]) => problemsOfText(at, text, known)),
    ...expected.flatMap(([at, text]) => storedSecretProblems(at, text)),
    ...url.flatMap(([at, text]) => secretProblems(at, text, { known, message: LOGGED })),
  ];
}

interface ReferableFields {
  /** Names of the fields in which references are replaced. */
  readonly names: readonly string[];
  /** The fields that are sent to the target. Only these fields may contain secrets. */
  readonly secretFields: readonly string[];
  readonly known: KnownNames;
  readonly path: Path;
}

/** Like findReferenceProblems, for a step of a type other than HTTP. */
export function findFieldReferenceProblems(
  step: Readonly<Record<string, unknown>>,
  { names, secretFields, known, path }: ReferableFields,
): readonly ShapeProblem[] {
  return names.flatMap((name) =>
    textsIn(step[name], [...path, name]).flatMap(([at, text]) => [
      ...problemsOfText(at, text, known),
      ...(secretFields.includes(name)
        ? []
        : secretProblems(at, text, { known, message: ONLY_SENT })),
    ]),
  );
}

/** Lists the texts of multipart parts. The names and types of the parts are left out. */
function textsOfParts(multipart: unknown, path: Path): readonly Located[] {
  return readList(multipart).flatMap((part, index) =>
    ['value', 'fileName'].flatMap((name) =>
      textsIn(readRecord(part)[name], [...path, index, name]),
    ),
  );
}

function textsOfGraphql(graphql: Readonly<Record<string, unknown>>, path: Path) {
  return ['query', 'variables'].flatMap((name) => textsIn(graphql[name], [...path, name]));
}

function problemsOfText(at: Path, text: string, known: KnownNames): ShapeProblem[] {
  return findReferences(text).flatMap((reference) => {
    const problem = findProblem(reference, known);
    return problem === null ? [] : [{ path: formatPath(at), ...problem }];
  });
}

/** Reports secrets of the account in fields that are not sent in requests. */
function storedSecretProblems(at: Path, text: string): ShapeProblem[] {
  if (!findReferences(text).some(({ kind }) => kind === 'secret')) return [];
  const message = 'must not contain a secret of the account; use a secret variable';
  return [{ path: formatPath(at), code: 'invalid_value', message }];
}

const LOGGED = 'must not contain a secret: URLs are logged; use a header or the body';
const ONLY_SENT = 'must not contain a secret; only `send` and `headers` may';

interface SecretRule {
  readonly known: KnownNames;
  readonly message: string;
}

function secretProblems(at: Path, text: string, { known, message }: SecretRule): ShapeProblem[] {
  const isSecret = ({ kind, name }: Reference): boolean =>
    kind === 'secret' || (kind === 'variable' && known.get(name)?.isSecret === true);
  if (!findReferences(text).some(isSecret)) return [];
  return [{ path: formatPath(at), code: 'invalid_value', message }];
}

function findProblem(
  { kind, name }: Reference,
  known: KnownNames,
): Omit<ShapeProblem, 'path'> | null {
  if (kind === 'generated' || kind === 'secret' || kind === 'literal') return null;
  if (kind === 'malformed') {
    const message = `contains {{${name}}}, which is not a valid name; for literal text, write {{'${name}'}}`;
    return { code: 'invalid_value', message };
  }
  if (known.has(name)) return null;
  const message = `uses {{${name}}}, which is not defined; for literal text, write {{'${name}'}}`;
  return { code: 'unknown_variable', message, variable: name };
}

function textsIn(value: unknown, path: Path): readonly Located[] {
  if (typeof value === 'string') return [[path, value]];
  const children: readonly (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? [...readList(value).entries()]
    : Object.entries(readRecord(value));
  return children.flatMap(([key, child]) => textsIn(child, [...path, key]));
}
