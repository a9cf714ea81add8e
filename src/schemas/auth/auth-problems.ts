/** Rules between authentication and the rest of a request. They read bodies as they came. */
import { isNetworkKind } from '../../contracts/kinds';
import { formatPath, type ShapeProblem } from '../issues';
import { listOf, recordOf, textOf } from '../loose';

type Loose = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

/** Headers that the authentication of the request sends itself, and what it cannot send. */
export function findAuthProblems(request: Loose, path: Path): readonly ShapeProblem[] {
  const authPath = [...path, 'auth'];
  return [...findHeaderProblems(request, path, authPath), ...findUserProblems(request, authPath)];
}

/** Of all steps, with their own authentication or that of the scenario. */
export function findScenarioAuthProblems(scenario: Loose): readonly ShapeProblem[] {
  const steps = listOf(scenario['steps']).map(recordOf);
  return [
    ...findUserProblems(scenario, ['auth']),
    ...steps.flatMap((step, index) => {
      const path = ['steps', index];
      return sharesAuth(step)
        ? findHeaderProblems({ ...step, auth: scenario['auth'] }, path, ['auth'])
        : findAuthProblems(step, path);
    }),
  ];
}

/** Whether the step has that of its scenario, as requests have. */
export function sharesAuth({ type, auth }: Loose): boolean {
  return (auth === undefined || auth === null) && !isNetworkKind(type);
}

function findHeaderProblems(request: Loose, path: Path, authPath: Path): ShapeProblem[] {
  const { type } = recordOf(request['auth']);
  if (textOf(type) === '' || type === 'none') return [];
  const isShared = authPath.length < path.length;
  const optOut = isShared ? '; or give the step auth: {type: "none"}' : '';
  return Object.keys(recordOf(request['headers']))
    .filter((name) => name.toLowerCase() === 'authorization')
    .map((name) => ({
      path: formatPath([...path, 'headers', name]),
      code: 'invalid_value',
      message: `must be absent where there is ${formatPath(authPath)}, which sends it${optOut}`,
    }));
}

function findUserProblems({ auth }: Loose, authPath: Path): ShapeProblem[] {
  const { type, user } = recordOf(auth);
  const plain = textOf(user).replaceAll(/\{\{[^{}]*\}\}/g, '');
  if ((type !== 'basic' && type !== 'digest') || !plain.includes(':')) return [];
  const message = 'must hold no colon: what follows it would be part of the password';
  return [{ path: formatPath([...authPath, 'user']), code: 'invalid_value', message }];
}
