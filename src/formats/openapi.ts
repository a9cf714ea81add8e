/** Builds one request per operation of an OpenAPI 3 document from its examples. Pure. Ignores external `$ref`. */
import { quoteFields } from '../domain/templates/quote-texts';
import { quoteBraces } from '../domain/templates/template';
import { readList, readRecord, readText } from '../schemas/loose';
import {
  type FoundRequest,
  type FoundRequests,
  isMethodKnown,
  pickSendableContent,
  pickSendableHeaders,
  toVariableName,
} from './found-requests';

/** Maximum number of references that are followed in a row. A longer chain is assumed to be circular. */
const REFERENCES_MAX = 10;

const OPENAPI_NOTES = [
  'Values come from the examples of the document. Security schemes are not imported.',
];

interface Operation {
  readonly file: Record<string, unknown>;
  readonly base: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Record<string, unknown>;
  /** The parameters of the path, followed by the parameters of the operation. */
  readonly parameters: readonly Record<string, unknown>[];
}

export function readOpenApi(file: Record<string, unknown>): FoundRequests {
  const address = serverUrl(file).replace(/\/$/, '');
  const isWhole = /^https?:/.test(address);
  const base = isWhole ? address : `{{baseUrl}}${address}`;
  const operations = Object.entries(readRecord(file['paths'])).flatMap(([path, given]) =>
    operationsAt({ file, base, path }, resolve(file, given)),
  );
  const notes = new Set(OPENAPI_NOTES);
  if (file['webhooks'] !== undefined) notes.add('Webhooks are not imported: others send them.');
  const requests = operations.map((operation) => toRequest(operation, notes));
  const variables = new Map(operations.flatMap(listVariables));
  if (!isWhole) variables.set('baseUrl', '');
  return {
    source: 'OpenAPI',
    title: readText(readRecord(file['info'])['title']),
    requests,
    variables: Object.fromEntries(variables),
    notes: [...notes],
  };
}

/** Returns the URL of the first server, with the default values of its variables. */
function serverUrl(file: Record<string, unknown>): string {
  const [server] = readList(file['servers']).map(readRecord);
  const variables = readRecord(server?.['variables']);
  return readText(server?.['url']).replaceAll(
    /\{([^{}]+)\}/g,
    (whole: string, name: string) => readText(readRecord(variables[name])['default']) || whole,
  );
}

function operationsAt(
  at: Pick<Operation, 'file' | 'base' | 'path'>,
  item: Record<string, unknown>,
): readonly Operation[] {
  const shared = readList(item['parameters']);
  return Object.entries(item)
    .filter(([method]) => isMethodKnown(method.toUpperCase()))
    .map(([method, given]) => {
      const operation = readRecord(given);
      const parameters = [...shared, ...readList(operation['parameters'])].map((one) =>
        resolve(at.file, one),
      );
      return { ...at, method: method.toUpperCase(), operation, parameters };
    });
}

function toRequest(given: Operation, notes: Set<string>): FoundRequest {
  const { base, path, method, operation, parameters } = given;
  const isIn = (location: string) => (parameter: Record<string, unknown>) =>
    parameter['in'] === location &&
    (parameter['required'] === true || findExample(parameter) !== '');
  const query = parameters
    .filter(isIn('query'))
    .map(
      (parameter) => `${readText(parameter['name'])}=${encodeURIComponent(findExample(parameter))}`,
    );
  const headers = parameters
    .filter(isIn('header'))
    .map(
      (parameter) => [readText(parameter['name']), quoteBraces(findExample(parameter))] as const,
    );
  if (parameters.some(isIn('cookie')))
    notes.add('Cookies are not imported: a scenario keeps those that the responses set.');
  const { type, content } = buildContent(given);
  const suffix = query.length === 0 ? '' : `?${query.join('&')}`;
  return {
    name:
      readText(operation['summary']) || readText(operation['operationId']) || `${method} ${path}`,
    method,
    url: `${base}${path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => `{{${toVariableName(name)}}}`)}${suffix}`,
    headers: pickSendableHeaders([...headers, ...type]),
    content: quoteFields(pickSendableContent(method, content, (message) => notes.add(message))),
    isWanted: method === 'GET' && !path.includes('{'),
  };
}

function listVariables({ parameters }: Operation): readonly (readonly [string, string])[] {
  return parameters
    .filter((parameter) => parameter['in'] === 'path')
    .map(
      (parameter) => [toVariableName(readText(parameter['name'])), findExample(parameter)] as const,
    );
}

interface Content {
  readonly type: readonly (readonly [string, string])[];
  readonly content: FoundRequest['content'];
}

function buildContent({ file, operation }: Operation): Content {
  const { content } = resolve(file, operation['requestBody']);
  const [type, given] = Object.entries(readRecord(content))[0] ?? [];
  if (type === undefined) return { type: [], content: {} };
  const example = mediaExample(file, readRecord(given));
  if (type === 'application/x-www-form-urlencoded')
    return { type: [], content: { form: readTexts(example) } };
  if (example === undefined) return { type: [['Content-Type', type]], content: {} };
  const isJson = /[/+]json\b/.test(type);
  return {
    type: isJson && type === 'application/json' ? [] : [['Content-Type', type]],
    content: { body: example },
  };
}

function readTexts(example: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readRecord(example)).map(([name, value]) => [name, String(value)]),
  );
}

function mediaExample(file: Record<string, unknown>, media: Record<string, unknown>): unknown {
  if (media['example'] !== undefined) return media['example'];
  const [first] = Object.values(readRecord(media['examples']));
  if (first !== undefined) return resolve(file, first)['value'];
  const { example, examples, default: preset } = resolve(file, media['schema']);
  return example ?? readList(examples)[0] ?? preset;
}

/** Returns the example as text. Empty if there is none. */
function findExample(parameter: Record<string, unknown>): string {
  const schema = readRecord(parameter['schema']);
  const value = parameter['example'] ?? schema['example'] ?? schema['default'];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Follows references within the document. References to other files are ignored. */
function resolve(file: Record<string, unknown>, given: unknown): Record<string, unknown> {
  let found = readRecord(given);
  for (let hops = 0; hops < REFERENCES_MAX; hops += 1) {
    const { $ref: reference } = found;
    if (typeof reference !== 'string') return found;
    if (!reference.startsWith('#/')) return {};
    const parts = reference.slice(2).split('/');
    found = readRecord(
      parts.reduce<unknown>(
        (node, part) => readRecord(node)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        file,
      ),
    );
  }
  return {};
}
