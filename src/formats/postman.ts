/** The requests of a Postman collection (format 2.0 and 2.1), folders included. Pure. */
import { listOf, recordOf, textOf } from '../schemas/loose';
import {
  bodyContent,
  carriedHeaders,
  type FoundRequest,
  type FoundRequests,
  isMethodKnown,
} from './found-requests';

export function readPostman(file: Record<string, unknown>): FoundRequests {
  const notes = new Set<string>();
  const requests = listOf(file['item']).flatMap((item) =>
    requestsIn(recordOf(item), recordOf(file['auth']), notes),
  );
  const variables = listOf(file['variable'])
    .map(recordOf)
    .map(({ key, value }) => [textOf(key), textOf(value)] as const);
  return {
    source: 'Postman',
    requests,
    variables: Object.fromEntries(variables.filter(([name]) => name !== '')),
    notes: [...notes],
  };
}

function requestsIn(
  item: Record<string, unknown>,
  above: Record<string, unknown>,
  notes: Set<string>,
): readonly FoundRequest[] {
  const auth = item['auth'] === undefined ? above : recordOf(item['auth']);
  if (item['item'] !== undefined)
    return listOf(item['item']).flatMap((child) => requestsIn(recordOf(child), auth, notes));
  if (listOf(item['event']).length > 0)
    notes.add('Scripts are not imported: use assertions and extracted values in their place.');
  const { request: given } = item;
  const request = typeof given === 'string' ? { url: given } : recordOf(given);
  const method = (textOf(request['method']) || 'GET').toUpperCase();
  const url = urlOf(request['url']);
  if (url === '') return [];
  if (!isMethodKnown(method)) {
    notes.add(`${textOf(item['name'])} is left out: ${method} cannot be sent.`);
    return [];
  }
  const lines = [...linesOf(request['header']), ...authLines(request['auth'] ?? auth, notes)];
  const content = contentOf(recordOf(request['body']), notes);
  const name = textOf(item['name']) || `${method} ${url}`;
  return [{ name, method, url, headers: carriedHeaders(lines), content, isWanted: true }];
}

function urlOf(given: unknown): string {
  return typeof given === 'string' ? given : textOf(recordOf(given)['raw']);
}

/** Rows that are switched off do not count. */
function rowsOf(given: unknown): readonly Record<string, unknown>[] {
  return listOf(given)
    .map(recordOf)
    .filter(({ disabled }) => disabled !== true);
}

function linesOf(given: unknown): readonly (readonly [string, string])[] {
  return rowsOf(given).map(({ key, value }) => [textOf(key), textOf(value)] as const);
}

function authLines(given: unknown, notes: Set<string>): readonly (readonly [string, string])[] {
  const auth = recordOf(given);
  const type = textOf(auth['type']);
  if (type === '' || type === 'noauth') return [];
  const values = new Map(linesOf(auth[type]));
  const token = values.get('token');
  if (type === 'bearer' && token !== undefined) return [['Authorization', `Bearer ${token}`]];
  if (type === 'apikey' && values.get('in') !== 'query')
    return [[values.get('key') ?? '', values.get('value') ?? '']];
  notes.add(`Authorization of the type ${type} is not imported: add its header.`);
  return [];
}

function contentOf(body: Record<string, unknown>, notes: Set<string>): FoundRequest['content'] {
  const mode = textOf(body['mode']);
  if (mode === 'raw') return bodyContent(textOf(body['raw']));
  if (mode === 'urlencoded') return { form: Object.fromEntries(linesOf(body['urlencoded'])) };
  if (mode === 'graphql') {
    const { query, variables } = recordOf(body['graphql']);
    const { body: values } = bodyContent(textOf(variables));
    return {
      graphql: { query: textOf(query), ...(typeof values === 'object' && { variables: values }) },
    };
  }
  if (mode === 'formdata') {
    const rows = rowsOf(body['formdata']);
    if (rows.some(({ type }) => type === 'file'))
      notes.add('Files of forms are not imported: add their content as a part.');
    const parts = rows.filter(({ type }) => type !== 'file');
    return {
      multipart: parts.map(({ key, value }) => ({ name: textOf(key), value: textOf(value) })),
    };
  }
  return {};
}
