/** The rule that GET and HEAD carry no body, for monitors and steps alike. */
import { formatPath, type ShapeProblem } from './issues';
import { textOf } from './loose';

export function findBodyProblems(
  request: Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
): readonly ShapeProblem[] {
  const method = (textOf(request['method']) || 'GET').toUpperCase();
  const hasBody = request['body'] !== undefined && request['body'] !== null;
  if (!hasBody || (method !== 'GET' && method !== 'HEAD')) return [];
  const message = `must be absent with ${method}`;
  return [{ path: formatPath([...path, 'body']), code: 'invalid_value', message }];
}
