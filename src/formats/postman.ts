/** Reads the requests of a Postman collection (formats 2.0 and 2.1), including its folders. Pure. */
import { readList, readRecord, readText } from '../schemas/loose';
import {
  type FoundRequest,
  type FoundRequests,
  isMethodKnown,
  pickSendableContent,
  pickSendableHeaders,
  toBodyContent,
  toVariableName,
} from './found-requests';

export function readPostman(file: Record<string, unknown>): FoundRequests {
  const notes = new Set<string>();
  const requests = readList(file['item']).flatMap((item) =>
    requestsIn(readRecord(item), readRecord(file['auth']), notes),
  );
  const pathVariables = new Map(requests.flatMap(({ variables }) => variables));
  const variables = readRows(file['variable'])
    .map(({ key, id, value }) => [readText(key) || readText(id), scalarText(value)] as const)
    .filter(([name]) => name !== '')
    .map(([name, value]) => [toVariableName(name), value] as const);
  return {
    source: 'Postman',
    title: readText(readRecord(file['info'])['name']),
    requests: requests.map(({ variables: _own, ...request }) => withNames(request)),
    variables: { ...Object.fromEntries(pathVariables), ...Object.fromEntries(variables) },
    notes: [...notes],
  };
}

function requestsIn(
  item: Record<string, unknown>,
  above: Record<string, unknown>,
  notes: Set<string>,
): readonly PostmanRequest[] {
  const auth = item['auth'] === undefined ? above : readRecord(item['auth']);
  if (item['item'] !== undefined)
    return readList(item['item']).flatMap((child) => requestsIn(readRecord(child), auth, notes));
  if (readList(item['event']).length > 0)
    notes.add('Scripts are not imported: use assertions and extracted values in their place.');
  const { request: given } = item;
  const request = typeof given === 'string' ? { url: given } : readRecord(given);
  const method = (readText(request['method']) || 'GET').toUpperCase();
  const { url, variables } = readUrl(request['url']);
  if (url === '') return [];
  for (const [field, words] of Object.entries(LEFT_OUT))
    if (Object.keys(readRecord(request[field] ?? item[field])).length > 0) notes.add(words);
  if (!isMethodKnown(method)) {
    notes.add(`${readText(item['name'])} is left out: ${method} cannot be sent.`);
    return [];
  }
  const signIn = readSignIn(request['auth'] ?? auth, notes);
  const lines = [...readLines(request['header']), ...signIn.lines];
  const body = readRecord(request['body']);
  const sent = body['disabled'] === true ? {} : readContent(body, notes);
  const content = pickSendableContent(method, sent, (message) => notes.add(message));
  const headers = pickSendableHeaders([...typeLines(body, content, lines), ...lines]);
  const name = readText(item['name']) || `${method} ${url}`;
  const found = { name, method, url, headers, auth: signIn.auth, content };
  return [{ ...found, isWanted: true, variables }];
}

interface PostmanRequest extends FoundRequest {
  /** Variables of the URL's path, with their values. */
  readonly variables: readonly (readonly [string, string])[];
}

/** The notes about fields that a step does not support. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  proxy: 'Proxies are not imported: requests are sent directly.',
  certificate: 'Client certificates are not imported.',
  protocolProfileBehavior: 'Settings of requests are not imported: set time limits and redirects.',
};

/**
 * Returns the `Content-Type` header of a JSON body that is sent as text. JSON with variables for numbers or objects is
 * sent as text. Returns no header if the request already has one.
 */
function typeLines(
  body: Record<string, unknown>,
  { body: content }: FoundRequest['content'],
  lines: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  const { language } = readRecord(readRecord(body['options'])['raw']);
  const isNamed = lines.some(([name]) => name.toLowerCase() === 'content-type');
  const isText = typeof content === 'string';
  return isText && language === 'json' && !isNamed ? [['Content-Type', 'application/json']] : [];
}

interface PostmanUrl {
  readonly url: string;
  readonly variables: PostmanRequest['variables'];
}

/** Replaces path variables, as in `/orders/:id`, with references. */
function readUrl(given: unknown): PostmanUrl {
  if (typeof given === 'string') return { url: given, variables: [] };
  const url = readRecord(given);
  const named = readRows(url['variable'])
    .map(({ key, id, value }) => [readText(key) || readText(id), scalarText(value)] as const)
    .filter(([name]) => name !== '');
  const raw = readText(url['raw']) || joinedUrl(url);
  const known = new Set(named.map(([name]) => name));
  const filled = raw.replaceAll(/(?<=\/):([^/?#]+)/g, (whole: string, name: string) =>
    known.has(name) ? `{{${name}}}` : whole,
  );
  return { url: filled, variables: named.map(([name, value]) => [toVariableName(name), value]) };
}

/** Builds the URL from its parts if the collection has no `raw` text for it. */
function joinedUrl({ protocol, host, port, path, query }: Record<string, unknown>): string {
  const hostText = typeof host === 'string' ? host : readList(host).map(readText).join('.');
  if (hostText === '') return '';
  const pathText = typeof path === 'string' ? path : readList(path).map(readText).join('/');
  const pairs = readRows(query).map(({ key, value }) => `${readText(key)}=${readText(value)}`);
  const scheme = hostText.startsWith('{{') ? '' : `${readText(protocol) || 'https'}://`;
  const portText = readText(port) === '' ? '' : `:${readText(port)}`;
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return `${scheme}${hostText}${portText}/${pathText.replace(/^\//, '')}${search}`;
}

/** Maps the variables that Postman generates to the variables that Keepwatch generates. */
const GENERATED: Readonly<Record<string, string>> = {
  $guid: '$uuid',
  $randomUUID: '$uuid',
  $isoTimestamp: '$now',
};

/** Renames the variables in references to valid names. */
function withNames(request: FoundRequest): FoundRequest {
  const { url, headers, auth, content } = request;
  const changed = readRecord(renamed({ url, headers, user: auth?.['user'], content }));
  return {
    ...request,
    url: readText(changed['url']),
    headers: Object.fromEntries(
      Object.entries(readRecord(changed['headers'])).map(([name, value]) => [
        name,
        readText(value),
      ]),
    ),
    ...(auth?.['user'] === undefined
      ? { auth }
      : { auth: { ...auth, user: readText(changed['user']) } }),
    content: readRecord(changed['content']),
  };
}

function renamed(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{([^{}]*)\}\}/g, (whole: string, inner: string) => {
      const name = inner.trim();
      if (name.startsWith('$')) return `{{${GENERATED[name] ?? name}}}`;
      return name === '' ? whole : `{{${toVariableName(name)}}}`;
    });
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renamed(part)]));
}

function scalarText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : readText(value);
}

/** Reads the rows of a list, without the disabled ones. */
function readRows(given: unknown): readonly Record<string, unknown>[] {
  return readList(given)
    .map(readRecord)
    .filter(({ disabled }) => disabled !== true);
}

function readLines(given: unknown): readonly (readonly [string, string])[] {
  return readRows(given).map(({ key, value }) => [readText(key), readText(value)] as const);
}

interface SignIn {
  readonly lines: readonly (readonly [string, string])[];
  readonly auth?: FoundRequest['auth'];
}

function readSignIn(given: unknown, notes: Set<string>): SignIn {
  const auth = readRecord(given);
  const type = readText(auth['type']);
  if (type === '' || type === 'noauth') return { lines: [] };
  const rows = auth[type];
  // Format 2.0 has an object here. Format 2.1 has a list.
  const values = new Map(
    Array.isArray(rows)
      ? readLines(rows)
      : Object.entries(readRecord(rows)).map(([key, value]) => [key, scalarText(value)] as const),
  );
  const token = values.get('token');
  if (type === 'bearer' && token !== undefined)
    return { lines: [['Authorization', `Bearer ${token}`]] };
  if (type === 'apikey' && values.get('in') !== 'query')
    return { lines: [[values.get('key') ?? '', values.get('value') ?? '']] };
  if (type === 'basic' || type === 'digest')
    return { lines: [], auth: passwordAuth(type, values, notes) };
  if (type === 'awsv4' && (values.get('service') ?? '') !== '')
    return { lines: [], auth: awsAuth(values, notes) };
  const grant = GRANTS.get(values.get('grant_type') ?? '');
  if (type === 'oauth2' && grant !== undefined)
    return { lines: [], auth: tokenAuth(grant, values, notes) };
  notes.add(`Authorization of the type ${type} is not imported: add its header.`);
  return { lines: [] };
}

function passwordAuth(
  type: 'basic' | 'digest',
  values: ReadonlyMap<string, string>,
  notes: Set<string>,
): FoundRequest['auth'] {
  const { username = '', password = '' } = Object.fromEntries(values);
  const note = (secret: string) =>
    notes.add(`Passwords are not imported: save that of ${username} as the secret ${secret}.`);
  return { type, user: username, password: secretFor(password, 'password', note) };
}

/**
 * Returns a reference to a secret that replaces the value, and passes the secret's name to `note`. The secret is named
 * after the variable that the value refers to. A value that is not a reference gets the name `otherwise`. An empty
 * value stays empty.
 */
function secretFor(value: string, otherwise: string, note: (secret: string) => void): string {
  if (value === '') return '';
  const [, name = otherwise] = /^\{\{\s*([^{}$]+?)\s*\}\}$/.exec(value) ?? [];
  const secret = toVariableName(name);
  note(secret);
  return `{{secret:${secret}}}`;
}

function awsAuth(values: ReadonlyMap<string, string>, notes: Set<string>): FoundRequest['auth'] {
  const { accessKey = '', secretKey = '', sessionToken = '' } = Object.fromEntries(values);
  const note = (secret: string) =>
    notes.add(`Keys of AWS are not imported: save that of the secret ${secret}.`);
  return {
    type: 'sigv4',
    accessKeyId: readText(renamed(accessKey)),
    secretAccessKey: secretFor(secretKey, 'aws_secret_key', note),
    ...(sessionToken === ''
      ? {}
      : { sessionToken: secretFor(sessionToken, 'aws_session_token', note) }),
    region: readText(renamed(values.get('region') || 'us-east-1')),
    service: readText(renamed(values.get('service'))),
  };
}

/** OAuth grants that do not need a browser, with their names in Keepwatch. */
const GRANTS: ReadonlyMap<string, string> = new Map([
  ['client_credentials', 'clientCredentials'],
  ['password_credentials', 'password'],
]);

function tokenAuth(
  grant: string,
  values: ReadonlyMap<string, string>,
  notes: Set<string>,
): FoundRequest['auth'] {
  const given = Object.fromEntries(values);
  const { clientSecret = '', scope = '', username = '', password = '' } = given;
  const note = (secret: string) =>
    notes.add(`Secrets of clients and users are not imported: save the secret ${secret}.`);
  return {
    type: 'oauth2',
    grant,
    tokenUrl: readText(renamed(given['accessTokenUrl'])),
    clientId: readText(renamed(given['clientId'])),
    clientSecret: secretFor(clientSecret, 'client_secret', note),
    ...(scope === '' ? {} : { scope: readText(renamed(scope)) }),
    ...(grant === 'password'
      ? { user: readText(renamed(username)), password: secretFor(password, 'password', note) }
      : {}),
    sendAs: given['client_authentication'] === 'body' ? 'body' : 'header',
  };
}

function readContent(body: Record<string, unknown>, notes: Set<string>): FoundRequest['content'] {
  const mode = readText(body['mode']);
  if (mode === 'raw') return toBodyContent(readText(body['raw']));
  if (mode === 'urlencoded') return { form: Object.fromEntries(readLines(body['urlencoded'])) };
  if (mode === 'graphql') {
    const { query, variables } = readRecord(body['graphql']);
    const { body: values } = toBodyContent(readText(variables));
    return {
      graphql: { query: readText(query), ...(typeof values === 'object' && { variables: values }) },
    };
  }
  if (mode === 'formdata') {
    const rows = readRows(body['formdata']);
    if (rows.some(({ type }) => type === 'file'))
      notes.add('Files of forms are not imported: add their content as a part.');
    const parts = rows.filter(({ type }) => type !== 'file');
    return {
      multipart: parts.map(({ key, value }) => ({ name: readText(key), value: readText(value) })),
    };
  }
  if (mode === 'file') notes.add('Bodies from files are not imported: add their content.');
  return {};
}
