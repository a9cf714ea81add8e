/**
 * Tests the script of the entry pages with a fake location and form. Tests the page that follows a login or an accepted
 * invitation, and where the script reads tokens from.
 */
import { Script } from 'node:vm';
import express from 'express';
import request from 'supertest';
import { createEntryPages } from '../../../src/api/pages/entry-pages';
import { propertyOptions } from '../../support/property-runs';
import { createRandom } from '../../support/random';

const { numRuns: ROUNDS, seed } = propertyOptions(600);
const ORIGIN = 'https://keepwatch.example';

let script: Script;
beforeAll(async () => {
  const answer = await request(
    express().use(
      createEntryPages({
        isMailSetUp: true,
        signIn: { passwords: 'on', providers: [], passkeys: false },
        fontUrl: null,
      }),
    ),
  ).get('/entry.js');
  script = new Script(answer.text);
});

const PROVIDER = { id: 'a', name: 'A', startUrl: '/v1/sign-in/oidc/a/start' };

test.each([
  ['on', [], 1],
  ['owners', [PROVIDER], 1],
  ['off', [PROVIDER], 1],
  ['off', [], 0],
] as const)(
  'with passwords %s and the providers %j, the sign-in page has %i choices to stay signed in',
  async (passwords, providers, count) => {
    const signIn = { passwords, providers: [...providers], passkeys: false };
    const pages = createEntryPages({ isMailSetUp: true, signIn, fontUrl: null });
    const { text } = await request(express().use(pages)).get('/login');
    expect(text.match(/<input type="checkbox" id="stay" [^>]*>/g) ?? []).toHaveLength(count);
    expect(text).not.toContain('checked');
  },
);

interface Input {
  readonly name: string;
  value: string;
  type: string;
}

interface Opened {
  readonly fields: Readonly<Record<string, Input>>;
  /** The name of the field that has the focus. */
  readonly focused: string;
  /** The names of the fields that are hidden. */
  readonly hidden: readonly string[];
  /** Ticks or clears "Show password". */
  readonly showPassword: (checked: boolean) => void;
  /** Submits the form and returns the URL of the next page. */
  readonly submit: () => Promise<string>;
}

/** Opens a page at the URL. The service accepts its form, which leads to `/` by default. */
function open(address: string): Opened {
  const isSetUp = address.startsWith('/setup');
  let focused = '';
  const labels: Record<string, { hidden: boolean }> = {
    setupToken: { hidden: false },
    token: { hidden: false },
  };
  const inputOf = (name: string, type: string) => ({
    name,
    type,
    value: '',
    closest: () => labels[name] ?? null,
    focus: () => {
      focused = name;
    },
  });
  const token = isSetUp ? 'setupToken' : 'token';
  const fields: Record<string, Input> = {
    [token]: inputOf(token, 'text'),
    password: inputOf('password', 'password'),
  };
  let onShow: (event: object) => void = () => undefined;
  const show = {
    addEventListener: (_name: string, listener: typeof onShow) => {
      onShow = listener;
    },
  };
  let onSubmit: (event: object) => Promise<void> = async () => undefined;
  let target = 'nowhere';
  const { search, hash, origin } = new URL(address, ORIGIN);
  const form = {
    dataset: { action: '/v1/session', next: '/', done: '' },
    elements: Object.assign(Object.values(fields), {
      namedItem: (name: string) => fields[name] ?? null,
    }),
    addEventListener: (_name: string, listener: typeof onSubmit) => {
      onSubmit = listener;
    },
  };
  script.runInNewContext({
    URL,
    URLSearchParams,
    Object,
    JSON,
    FormData: class {
      *[Symbol.iterator]() {
        yield ['email', 'owner@example.com'];
      }
    },
    document: {
      querySelector: () => form,
      getElementById: (id: string) => (id === 'show' ? show : { textContent: '' }),
    },
    location: {
      search,
      hash,
      origin,
      assign: (to: string) => {
        target = to;
      },
    },
    fetch: async () => ({ ok: true, text: async () => '{}' }),
  });
  return {
    fields,
    focused,
    hidden: Object.keys(labels).filter((name) => labels[name]?.hidden),
    showPassword: (checked) => onShow({ currentTarget: { checked } }),
    submit: async () => {
      await onSubmit({ preventDefault: () => undefined });
      return new URL(target, ORIGIN).href;
    },
  };
}

const targetAfter = (next: string, page = '/login'): Promise<string> =>
  open(`${page}?next=${encodeURIComponent(next)}`).submit();

describe.each(['/login', '/invitation'])('the page that follows %s', (page) => {
  test.each([
    ['/monitors?q=a#b', '/monitors?q=a#b'],
    ['/temporal/namespaces/default/workflows/monitor-%2F1', undefined],
  ])('the requested next page %s on our own origin is opened', async (next, expected = next) => {
    expect(await targetAfter(next, page)).toBe(ORIGIN + expected);
  });

  test.each([
    '/.//evil.example',
    '/%2e//evil.example',
    '/x/..//evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'https:evil.example',
    'https://evil.example/',
    'https://keepwatch.example@evil.example/',
    'https://evil@keepwatch.example/',
    'https://keepwatch.example.evil.example/',
    'http://[',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://keepwatch.example/1',
    './/evil.example',
  ])('the requested next page %j never leads to another origin', async (next) => {
    const target = await targetAfter(next, page);
    expect(target.startsWith(`${ORIGIN}/`)).toBe(true);
  });
});

test('no spelling of a requested next page leads to another origin', async () => {
  const random = createRandom(seed);
  const parts = ['/', '\\', '.', '..', '%2f', '%2e', '%5c', ':', '@', '?', '#', '\t', '\r', '\n'];
  const words = [
    'evil.example',
    'http',
    'https',
    'javascript',
    'blob',
    ORIGIN,
    ' ',
    '\u0000',
    '[',
    ']',
  ];
  const all = [...parts, ...words];
  for (let round = 0; round < ROUNDS; round += 1) {
    const length = 1 + Math.floor(random() * 8);
    const next = Array.from({ length }, () => all[Math.floor(random() * all.length)]).join('');
    const isOurs = (await targetAfter(next)).startsWith(`${ORIGIN}/`);
    expect({ seed, next, isOurs }).toEqual({ seed, next, isOurs: true });
  }
});

test('tokens are read from the URL fragment, which no server and no log sees', () => {
  expect(open('/setup#token=abc').fields['setupToken']?.value).toBe('abc');
  expect(open('/setup?token=abc').fields['setupToken']?.value).toBe('');
  expect(open('/invitation#token=abc').fields['token']?.value).toBe('abc');
});

test('the token field is hidden if the link contains the token, and visible if people must type it', () => {
  expect(open('/invitation#token=abc').hidden).toEqual(['token']);
  expect(open('/setup').hidden).toEqual([]);
});

test('the first empty field has the focus, and a token from the link is never focused', () => {
  expect(open('/invitation').focused).toBe('token');
  expect(open('/invitation#token=abc').focused).toBe('password');
});

test('a password is visible only while "Show password" is ticked', () => {
  const { fields, showPassword } = open('/invitation#token=abc');
  showPassword(true);
  expect(fields['password']?.type).toBe('text');
  showPassword(false);
  expect(fields['password']?.type).toBe('password');
});
