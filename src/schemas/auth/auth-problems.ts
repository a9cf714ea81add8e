/** Rules that compare the authentication with the rest of a request. They read bodies before validation. */
import { isNetworkKind } from '../../contracts/kinds';
import { isSentInClear } from '../../domain/definitions/private-names';
import { hasLiteralSecret } from '../../domain/secrets/sensitive-headers';
import { formatPath, type ShapeProblem } from '../issues';
import { readList, readRecord, readText } from '../loose';
import { CREATE_SECRET } from './auth-field';

type Loose = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

/** Finds headers that conflict with the headers of the authentication, and values that cannot be sent. */
export function findAuthProblems(request: Loose, path: Path): readonly ShapeProblem[] {
  const authPath = [...path, 'auth'];
  return [...findHeaderProblems(request, path, authPath), ...findOwnProblems(request, authPath)];
}

/** Finds the problems of all steps. A step without its own authentication uses the authentication of the scenario. */
export function findScenarioAuthProblems(scenario: Loose): readonly ShapeProblem[] {
  const steps = readList(scenario['steps']).map(readRecord);
  return [
    ...findOwnProblems(scenario, ['auth']),
    ...steps.flatMap((step, index) => {
      const path = ['steps', index];
      return usesSharedAuth(step)
        ? findHeaderProblems({ ...step, auth: scenario['auth'] }, path, ['auth'])
        : findAuthProblems(step, path);
    }),
  ];
}

/** True for a step that uses the authentication of its scenario. */
export function usesSharedAuth({ type, auth }: Loose): boolean {
  return (auth === undefined || auth === null) && !isNetworkKind(type);
}

function findHeaderProblems(request: Loose, path: Path, authPath: Path): ShapeProblem[] {
  const sent = namesSentBy(readText(readRecord(request['auth'])['type']));
  const isShared = authPath.length < path.length;
  const optOut = isShared ? ', or give the step auth: {type: "none"}' : '';
  return Object.keys(readRecord(request['headers']))
    .filter((name) => sent.includes(name.toLowerCase()))
    .map((name) => ({
      path: formatPath([...path, 'headers', name]),
      code: 'invalid_value',
      message: `cannot be combined with ${formatPath(authPath)}, which sends it: remove one of them${optOut}`,
    }));
}

/** Returns the names of the headers that this type of authentication sends. */
function namesSentBy(type: string): readonly string[] {
  if (type === '' || type === 'none') return [];
  if (type === 'sigv4') return ['authorization', 'x-amz-date', 'x-amz-security-token'];
  return ['authorization'];
}

function findOwnProblems({ auth }: Loose, authPath: Path): ShapeProblem[] {
  const given = readRecord(auth);
  return given['type'] === 'oauth2'
    ? findOAuthProblems(given, authPath)
    : findUserProblems(given, authPath);
}

const CLEAR =
  'must be https, because http would send the credentials unencrypted. Only private hosts may use http';
/** Parameters that have their own fields, so they must not be in `extra`. */
const OWN_FIELDS: Readonly<Record<string, string>> = {
  grant_type: 'grant',
  client_id: 'clientId',
  client_secret: 'clientSecret',
  scope: 'scope',
  audience: 'audience',
  username: 'user',
  password: 'password',
};

function findOAuthProblems(auth: Loose, authPath: Path): ShapeProblem[] {
  const { tokenUrl, grant, extra } = auth;
  const url = readText(tokenUrl);
  const isClear = !url.includes('{{') && URL.canParse(url) && isSentInClear(new URL(url));
  const isOfPassword = grant === 'password';
  const misplaced = ['user', 'password'].filter(
    (name) => ((auth[name] ?? null) === null) === isOfPassword,
  );
  return [
    ...(isClear ? [{ path: 'tokenUrl', message: CLEAR }] : []),
    ...misplaced.map((name) => ({
      path: name,
      message: isOfPassword
        ? 'is required with grant: "password"'
        : 'is only allowed with grant: "password"',
    })),
    ...Object.entries(readRecord(extra)).flatMap(([name, value]) => {
      const message = findExtraProblem(name, readText(value));
      return message === null ? [] : [{ path: `extra.${name}`, message }];
    }),
  ].map(({ path, message }) => ({
    path: `${formatPath(authPath)}.${path}`,
    code: 'invalid_value',
    message,
  }));
}

function findExtraProblem(name: string, value: string): string | null {
  const field = Object.hasOwn(OWN_FIELDS, name) ? OWN_FIELDS[name] : undefined;
  if (field !== undefined) return `must be set in the field ${field}`;
  return hasLiteralSecret(name, value) ? CREATE_SECRET : null;
}

function findUserProblems({ type, user }: Loose, authPath: Path): ShapeProblem[] {
  const plain = readText(user).replaceAll(/\{\{[^{}]*\}\}/g, '');
  if ((type !== 'basic' && type !== 'digest') || !plain.includes(':')) return [];
  const message =
    'must not contain a colon, because the server would read the rest as the password';
  return [{ path: formatPath([...authPath, 'user']), code: 'invalid_value', message }];
}
