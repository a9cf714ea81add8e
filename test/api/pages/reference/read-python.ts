/**
 * Reads the request that a Python sample would send, without running Python. Supports only the statements and
 * expressions that our samples use, and throws on anything else.
 */

export interface ReadRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the request has no body. */
  readonly body: unknown;
}

const TOKEN = /\s*("(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?|[A-Za-z_][\w.]*|[()[\]{},:=+])/y;

/** The code that follows the request in a sample. It sends the request and prints a part of the response. */
const ENDS = [
  'with urllib.request.urlopen(request) as response:\n    print(json.load(response))',
  'with urllib.request.urlopen(request) as response:\n    print(response.status)',
  'with urllib.request.urlopen(request) as response:\n    for line in response:\n        print(line.decode(), end="")',
];

export function readPython(program: string, environment: NodeJS.Dict<string>): ReadRequest {
  const [, imports = '', call = '', end = ''] =
    /^((?:import [\w.]+\n)+)\nrequest = urllib\.request\.Request(\([\s\S]*\n\))\n(with [\s\S]*)$/.exec(
      program,
    ) ?? [];
  const imported = [...imports.matchAll(/^import ([\w.]+)$/gm)].map(([, name = '']) => name);
  const used = ['json', 'os', 'urllib.request'].filter((name) =>
    `${call}${end}`.includes(`${name}.`),
  );
  if (!ENDS.includes(end) || imported.join() !== used.join())
    throw new Error(`no sample of ours:\n${program}`);
  const read = reader(call, environment);
  const given = read.callArguments();
  read.end();
  const { method, headers = {}, data, ...others } = given.named;
  if (Object.keys(others).length > 0 || given.listed.length !== 1) throw new Error(call);
  return {
    method: textOf(method),
    url: textOf(given.listed[0]),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name, textOf(value)]),
    ),
    body: data,
  };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is no text`);
  return value;
}

const WORDS: Readonly<Record<string, unknown>> = { None: null, True: true, False: false };

function reader(text: string, environment: NodeJS.Dict<string>) {
  let at = 0;
  const peek = (): string => {
    TOKEN.lastIndex = at;
    return TOKEN.exec(text)?.[1] ?? '';
  };
  const take = (wanted?: string): string => {
    const token = peek();
    if (token === '' || (wanted !== undefined && token !== wanted))
      throw new Error(`${wanted ?? 'something'} is missing at: ${text.slice(at, at + 40)}`);
    at = TOKEN.lastIndex;
    return token;
  };
  const until = (close: string, item: () => void): void => {
    while (peek() !== close) {
      item();
      if (peek() !== close) take(',');
    }
    take(close);
  };
  const sum = (): unknown => {
    let value = single();
    while (peek() === '+') {
      take();
      value = textOf(value) + textOf(single());
    }
    return value;
  };
  function single(): unknown {
    const token = take();
    if (token.startsWith('"') || /^-?\d/.test(token)) return JSON.parse(token);
    if (token in WORDS) return WORDS[token];
    if (token === 'os.environ') return fromEnvironment();
    if (token === 'json.dumps') return encoded();
    if (token === '{') return entries();
    if (token !== '[') throw new Error(`${token} is unknown`);
    const list: unknown[] = [];
    until(']', () => list.push(sum()));
    return list;
  }
  function fromEnvironment(): string {
    take('[');
    const name = textOf(single());
    take(']');
    return textOf(environment[name]);
  }
  /** Parses `json.dumps(...).encode()` and returns the value that is encoded. */
  function encoded(): unknown {
    take('(');
    const value = sum();
    take(')');
    if (!text.startsWith('.encode()', at)) throw new Error('only bytes can be sent');
    at += '.encode()'.length;
    return value;
  }
  function entries(): Readonly<Record<string, unknown>> {
    const object: Record<string, unknown> = {};
    until('}', () => {
      const name = textOf(single());
      take(':');
      object[name] = sum();
    });
    return object;
  }
  return {
    callArguments() {
      const listed: unknown[] = [];
      const named: Record<string, unknown> & { readonly headers?: object } = {};
      take('(');
      until(')', () => {
        const isNamed = /^\s*[a-z]+=/.test(text.slice(at));
        const name = isNamed ? take() : null;
        if (name === null) listed.push(sum());
        else {
          take('=');
          named[name] = sum();
        }
      });
      return { listed, named };
    },
    end() {
      if (text.slice(at).trim() !== '') throw new Error(`too much: ${text.slice(at)}`);
    },
  };
}
