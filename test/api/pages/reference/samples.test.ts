/** Tests that every operation has a sample in each language. Each sample sends the same request and can be parsed. */
import { parse } from '@babel/parser';
import { formatEndpoint } from '../../../../src/api/openapi/document';
import { listOperations } from '../../../../src/api/pages/reference/operations';
import { formatPlaceholder, renderSample } from '../../../../src/api/pages/reference/samples';
import { ROUTES } from '../../../../src/api/v1/route-table';
import { importCurl } from '../../../../src/dashboard/features/scenarios/curl/curl';
import { toBodyStep } from '../../../../src/dashboard/features/scenarios/draft/draft-body';
import { DOCUMENTED_URL, shownDocument as document } from '../../whole-document';
import { readPython } from './read-python';

const operations = listOperations(document);
const each = operations.map((operation) => [operation.id, operation] as const);
const KEY = 'kw_of_the_environment';

/** Returns the request that a sample must send, built from the route. */
function wanted(id: string) {
  const entry = ROUTES.find(({ doc }) => doc.operationId === id);
  if (entry === undefined) throw new Error(`no route is ${id}`);
  const path = entry.path.replaceAll(/:(\w+)/g, (_whole, name: string) => formatPlaceholder(name));
  const body = entry.doc.example;
  const type = entry.bodyRule?.mediaTypes[0] ?? '';
  return {
    method: entry.method,
    url: `${DOCUMENTED_URL}${path}`,
    headers: {
      ...(entry.scope !== 'public' && { Authorization: `Bearer ${KEY}` }),
      ...(body !== undefined && { 'Content-Type': type }),
    },
    body,
  };
}

test('the code samples of the reference cover every route, with an example of each required body', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    ROUTES.map((entry) => formatEndpoint(entry).replaceAll(/:(\w+)/g, '{$1}')).toSorted(),
  );
  const without = operations.filter(({ body }) => body?.isRequired && body.example === undefined);
  expect(without.map(({ id }) => id)).toEqual([]);
});

test.each(each)('our own importer reads the curl command of %s as its request', (id, operation) => {
  const imported = importCurl(renderSample(operation, DOCUMENTED_URL, 'curl'), 'step');
  if (!imported.ok) throw new Error(imported.problem);
  const { method = 'GET', url, headers, body } = toBodyStep(imported.step);
  const expected = wanted(id);
  const type: unknown = Object.entries(expected.headers).find(([name]) => name === 'Content-Type');
  expect({ method, url, body }).toEqual({
    method: expected.method,
    url: expected.url,
    body: expected.body,
  });
  const { Authorization } = expected.headers;
  const credentials = Authorization?.replace(KEY, '{{KEEPWATCH_API_KEY}}');
  expect(headers ?? {}).toMatchObject(
    credentials === undefined ? {} : { Authorization: credentials },
  );
  expect(type === undefined).toBe(expected.body === undefined);
});

test.each(each)(
  'the JavaScript sample of %s is a module that sends its request',
  (id, operation) => {
    const sample = renderSample(operation, DOCUMENTED_URL, 'javascript');
    expect(parse(sample, { sourceType: 'module' }).errors).toEqual([]);
    const { method, url, body } = wanted(id);
    expect(sample).toContain(`fetch('${url}', {\n  method: '${method}',`);
    const [, sent] = /JSON\.stringify\(([\s\S]*)\),\n\}\);/.exec(sample) ?? [];
    expect(sent === undefined ? undefined : JSON.parse(sent)).toEqual(body);
  },
);

test.each(each)('the Python sample of %s sends its request', (id, operation) => {
  const sample = renderSample(operation, DOCUMENTED_URL, 'python');
  expect(readPython(sample, { KEEPWATCH_API_KEY: KEY })).toEqual(wanted(id));
});
