/**
 * Builds a sample request for each operation, in three languages. The API key comes from the environment. Ids in paths
 * are placeholders in capitals.
 */
import type { Operation } from './operations';

/** Each language has a display name. The first one is the default. */
export const LANGUAGES = [
  { language: 'curl', name: 'curl' },
  { language: 'javascript', name: 'JavaScript' },
  { language: 'python', name: 'Python' },
] as const;
export type Language = (typeof LANGUAGES)[number]['language'];

const KEY = 'KEEPWATCH_API_KEY';
const INDENT = 2;

interface Request extends Pick<Operation, 'method' | 'needsKey'> {
  readonly url: string;
  /** null means that no body is sent. */
  readonly contentType: string | null;
  readonly body: unknown;
  /** How the sample reads the response. A response read as 'text' may be a stream. */
  readonly reads: 'json' | 'nothing' | 'text';
}

const WRITERS: Readonly<Record<Language, (request: Request) => string>> = {
  curl: writeCurl,
  javascript: writeJavaScript,
  python: writePython,
};

export function renderSample(operation: Operation, origin: string, language: Language): string {
  const { method, path, needsKey, body, responses } = operation;
  const { mediaType = null } = responses.find(({ status }) => status.startsWith('2')) ?? {};
  const isSent = body !== null && body.example !== undefined;
  return WRITERS[language]({
    method,
    needsKey,
    url: `${origin}${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => formatPlaceholder(name))}`,
    contentType: isSent ? body.mediaType : null,
    body: isSent ? body.example : undefined,
    reads: mediaType === null ? 'nothing' : mediaType === 'application/json' ? 'json' : 'text',
  });
}

/** Turns `monitorId` into `MONITOR_ID`. */
export function formatPlaceholder(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function writeCurl({ method, url, needsKey, contentType, body, reads }: Request): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl${reads === 'text' ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(needsKey ? [`-H "Authorization: Bearer $${KEY}"`] : []),
    ...(contentType === null ? [] : [`-H ${quoted(`Content-Type: ${contentType}`)}`]),
    ...(contentType === null ? [] : [`-d ${quoted(JSON.stringify(body, null, INDENT))}`]),
  ].join(' \\\n  ');
}

function writeJavaScript({ method, url, needsKey, contentType, body, reads }: Request): string {
  const headers = [
    ...(needsKey ? [`    Authorization: \`Bearer \${process.env.${KEY}}\`,`] : []),
    ...(contentType === null ? [] : [`    'Content-Type': '${contentType}',`]),
  ];
  const literal = JSON.stringify(body, null, INDENT)?.replaceAll('\n', '\n  ');
  const ends: Readonly<Record<Request['reads'], string>> = {
    json: 'console.log(await response.json());',
    nothing: 'console.log(response.status);',
    text: `const decoder = new TextDecoder();
for await (const part of response.body) console.log(decoder.decode(part, { stream: true }));`,
  };
  return [
    `const response = await fetch('${url}', {`,
    `  method: '${method}',`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(contentType === null ? [] : [`  body: JSON.stringify(${literal}),`]),
    '});',
    `if (!response.ok) throw new Error(await response.text());`,
    ends[reads],
  ].join('\n');
}

function writePython({ method, url, needsKey, contentType, body, reads }: Request): string {
  const headers = [
    ...(needsKey ? [`        "Authorization": "Bearer " + os.environ["${KEY}"],`] : []),
    ...(contentType === null ? [] : [`        "Content-Type": "${contentType}",`]),
  ];
  const ends: Readonly<Record<Request['reads'], readonly string[]>> = {
    json: ['    print(json.load(response))'],
    nothing: ['    print(response.status)'],
    text: ['    for line in response:', '        print(line.decode(), end="")'],
  };
  return [
    ...(reads === 'json' || contentType !== null ? ['import json'] : []),
    ...(needsKey ? ['import os'] : []),
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(contentType === null ? [] : [`    data=json.dumps(${formatPython(body, 1)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    ...ends[reads],
  ].join('\n');
}

const PYTHON_WORDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

/** Formats a JSON value as Python. Strings and numbers are written as in JSON. */
function formatPython(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null)
    return PYTHON_WORDS.get(value) ?? JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([name, each]: [string, unknown]) => {
    const inner = formatPython(each, depth + 1);
    return `${'    '.repeat(depth + 1)}${isList ? inner : `${JSON.stringify(name)}: ${inner}`},\n`;
  });
  const [open, close] = isList ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.join('')}${'    '.repeat(depth)}${close}`;
}
