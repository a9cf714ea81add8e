/**
 * Tests which servers get the secrets of a definition if an attacker chooses the values of a run, or if a target
 * redirects. Covers every kind of secret in every part of a request, observed at the sockets.
 *
 * Covers:
 * - domain/secrets/secret-reach
 * - domain/templates/known-origin
 */
import type { ServerResponse } from 'node:http';
import type { StepRunner } from '../../src/checks/step-runner';
import type { Definition, StepDefinition } from '../../src/contracts/definition';
import type { ProbeSecret } from '../../src/contracts/probe-protocol';
import { spellingsOf } from '../support/echo-forms';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { buildDefinition, buildRunner } from '../support/step-builder';
import { carryOutSteps } from './support/carry-out-steps';

const VALUE = 'tok3n-of/the+owner';
const NOT_SENT = { status: 'unknown', failure: { code: 'secret_missing' } };

let runner: StepRunner;
let owner: RecordingTarget;
let stranger: RecordingTarget;

/** Responds with the secret value, also in the form that an identity provider uses. */
function sendValue(response: ServerResponse): void {
  response.end(JSON.stringify({ token: VALUE, access_token: VALUE, next: stranger.origin }));
}

beforeAll(async () => {
  runner = buildRunner();
  owner = await startRecordingTarget(({ url }, response) => {
    const to = /^\/redirect\/(\d+)/.exec(url)?.[1];
    if (to === undefined) sendValue(response);
    else response.writeHead(Number(to), { location: `${stranger.origin}/caught` }).end();
  });
  stranger = await startRecordingTarget((_, response) => response.end('{}'));
});
beforeEach(() => {
  owner.received.length = 0;
  stranger.received.length = 0;
});
afterAll(() => Promise.all([runner.close(), owner.close(), stranger.close()]));

/** The part of a step that contains the reference. */
type Place = (reference: string) => Partial<StepDefinition>;
const post = { method: 'POST' } as const;
const PLACES: Readonly<Record<string, Place>> = {
  'a header': (value) => ({ headers: [{ name: 'X-Thing', value }] }),
  'a bearer token': (value) => ({ headers: [{ name: 'Authorization', value: `Bearer ${value}` }] }),
  'bearer authentication': (token) => ({ auth: { type: 'bearer', token } }),
  'an AWS session token': (sessionToken) => ({
    auth: {
      type: 'sigv4',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'not of this test',
      sessionToken,
      region: 'eu-central-1',
      service: 's3',
    },
  }),
  'a cookie': (value) => ({ headers: [{ name: 'Cookie', value: `a=${value}` }] }),
  'a JSON body': (value) => ({ ...post, body: { deep: [{ value }] } }),
  'a text body': (value) => ({ ...post, body: `before ${value} after` }),
  'a form': (value) => ({ ...post, form: [{ name: 'f', value }] }),
  'a part of a multipart body': (value) => ({ ...post, multipart: [{ name: 'p', value }] }),
  'a file name': (fileName) => ({ ...post, multipart: [{ name: 'p', value: '', fileName }] }),
  'GraphQL variables': (v) => ({ ...post, graphql: { query: '{a}', variables: { v } } }),
};

/**
 * The token request goes to the owner, who returns the value as a token. The token is then sent to every server that
 * the step sends requests to.
 */
const TOKEN_REQUEST: Readonly<Record<string, Place>> = {
  'a token request': (clientSecret) => ({
    auth: {
      type: 'oauth2',
      grant: 'clientCredentials',
      tokenUrl: `${owner.origin}/token`,
      clientId: 'shop',
      clientSecret,
      sendAs: 'body',
    },
  }),
};

interface Kept {
  readonly reference: string;
  readonly variables?: Definition['variables'];
  readonly secrets?: readonly ProbeSecret[];
  /** The extraction of a first step that sends its request to the owner. */
  readonly extract?: StepDefinition['extract'];
}

const KINDS: Readonly<Record<string, () => Kept>> = {
  'a secret variable': () => ({
    reference: '{{kept}}',
    variables: [{ name: 'kept', value: VALUE, secret: true }],
  }),
  'a secret without hosts': () => ({
    reference: '{{secret:kept}}',
    secrets: [{ name: 'kept', value: VALUE }],
  }),
  'a secret with hosts': () => ({
    reference: '{{secret:kept}}',
    secrets: [{ name: 'kept', value: VALUE, hosts: [owner.origin] }],
  }),
  'an extracted secret': () => ({
    reference: '{{kept}}',
    extract: [{ variable: 'kept', from: 'jsonPath', path: '$.token', secret: true }],
  }),
};

/** A URL, and values that an attacker chooses for a run to change the URL. */
interface Way {
  readonly url: string;
  readonly variables: () => Readonly<Record<string, string>>;
  /** The plain variables of the saved definition. */
  readonly saved: () => Readonly<Record<string, string>>;
  /** The extraction of a first step that sends its request to the owner. */
  readonly extract?: StepDefinition['extract'];
}

const none = () => ({});
const portOf = ({ port }: RecordingTarget): string => String(port);
const WAYS: Readonly<Record<string, Way>> = {
  'another base URL': {
    url: '{{base}}/login',
    saved: () => ({ base: owner.origin }),
    variables: () => ({ base: stranger.origin }),
  },
  'another host': {
    url: 'http://{{host}}/login',
    saved: () => ({ host: new URL(owner.origin).host }),
    variables: () => ({ host: new URL(stranger.origin).host }),
  },
  'another port': {
    url: 'http://127.0.0.1:{{port}}/login',
    saved: () => ({ port: portOf(owner) }),
    variables: () => ({ port: portOf(stranger) }),
  },
  'a suffix after the base URL': {
    url: '{{base}}{{tail}}',
    saved: () => ({ base: owner.origin, tail: 'login' }),
    variables: () => ({ base: 'http://127.0.0.1:', tail: portOf(stranger) }),
  },
  'a base URL that an earlier step extracts': {
    url: '{{base}}/login',
    saved: none,
    variables: none,
    extract: [{ variable: 'base', from: 'jsonPath', path: '$.next' }],
  },
};

function definitionOf(kept: Kept, place: Place, way: Way): Definition {
  const extract = [...(kept.extract ?? []), ...(way.extract ?? [])];
  const first = buildDefinition({ url: `${owner.origin}/first`, extract }, way.saved());
  const [last] = buildDefinition({ url: way.url, ...place(kept.reference) }).steps;
  return {
    ...first,
    kind: 'scenario',
    variables: [...first.variables, ...(kept.variables ?? [])],
    steps: [...(extract.length > 0 ? first.steps : []), ...(last === undefined ? [] : [last])],
  };
}

const leaked = (): readonly string[] => {
  const seen = JSON.stringify(stranger.received);
  return spellingsOf(VALUE).filter((spelling) => seen.includes(spelling));
};

const everyKindAndPlace = Object.keys(KINDS).flatMap((kind) =>
  Object.keys({ ...PLACES, ...TOKEN_REQUEST }).map((place) => [kind, place] as const),
);
const find = (kind: string, place: string): readonly [Kept, Place] => {
  const [made, placed] = [KINDS[kind], PLACES[place] ?? TOKEN_REQUEST[place]];
  if (made === undefined || placed === undefined) throw new Error('unknown');
  return [made(), placed];
};

describe.each(everyKindAndPlace)('a secret (%s in %s)', (kind, placeName) => {
  it.each(Object.entries(WAYS))(
    'a secret is not sent to a third-party server by %s',
    async (_, way) => {
      const [kept, place] = find(kind, placeName);
      const definition = definitionOf(kept, place, way);
      const { secrets = [] } = kept;
      const outcomes = await carryOutSteps(runner, definition, {
        secrets,
        variables: way.variables(),
      });
      expect(leaked()).toEqual([]);
      expect(stranger.received).toEqual([]);
      expect(outcomes.at(-1)).toMatchObject(NOT_SENT);
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'a secret is not sent to another server when a redirect with status %i leads there',
    async (status) => {
      const [kept, place] = find(kind, placeName);
      const url = `${owner.origin}/redirect/${status}`;
      const definition = definitionOf(kept, place, { url, saved: none, variables: none });
      await carryOutSteps(runner, definition, { secrets: kept.secrets ?? [] });
      expect(leaked()).toEqual([]);
      expect(owner.received.at(-1)?.url).toBe(`/redirect/${status}`);
    },
  );

  it('a secret is sent to every URL that the definition names, even through a variable', async () => {
    const [kept, place] = find(kind, placeName);
    for (const way of Object.values(WAYS).slice(0, 3)) {
      owner.received.length = 0;
      const definition = definitionOf(kept, place, way);
      const outcomes = await carryOutSteps(runner, definition, { secrets: kept.secrets ?? [] });
      expect(outcomes.at(-1)?.status).toBe('up');
      const sent = JSON.stringify(owner.received.at(-1));
      expect(spellingsOf(VALUE).some((spelling) => sent.includes(spelling))).toBe(true);
    }
  });
});

/** Edits that a person who does not know the value may save. After each edit, the request goes to the stranger. */
const EDITS: Readonly<Record<string, () => Pick<Way, 'url' | 'saved' | 'extract'>>> = {
  'a literal URL': () => ({ url: `${stranger.origin}/login`, saved: none }),
  'the same host with another port': () => ({
    url: owner.origin.replace(portOf(owner), portOf(stranger)),
    saved: none,
  }),
  'a user before the host': () => ({
    url: `http://127.0.0.1:${portOf(owner)}@127.0.0.1:${portOf(stranger)}/`,
    saved: none,
  }),
  ...Object.fromEntries(
    ['another base URL', 'another host', 'another port', 'a suffix after the base URL'].map(
      (name) => [
        `${name} in its variables`,
        () => {
          const { url = '', variables = none } = WAYS[name] ?? {};
          return { url, saved: variables };
        },
      ],
    ),
  ),
  'a base URL that an earlier step extracts': () => ({
    url: '{{base}}/login',
    saved: none,
    extract: [{ variable: 'base', from: 'jsonPath', path: '$.next' }],
  }),
  'a URL of the owner that redirects': () => ({
    url: `${owner.origin}/redirect/307`,
    saved: none,
  }),
};

describe.each(Object.keys(PLACES))('a secret with allowed hosts, used in %s', (placeName) => {
  it.each(Object.entries(EDITS))(
    'a secret with allowed hosts is not sent to a third-party server after an edit: %s',
    async (_, edit) => {
      const [kept, place] = find('a secret with hosts', placeName);
      const definition = definitionOf(kept, place, { ...edit(), variables: none });
      await carryOutSteps(runner, definition, { secrets: kept.secrets ?? [] });
      expect(leaked()).toEqual([]);
    },
  );
});

it('a secret that a run itself provides is sent to the URLs that the run names', async () => {
  const kept = { reference: '{{kept}}', variables: KINDS['a secret variable']?.().variables ?? [] };
  for (const place of Object.values(PLACES)) {
    const way = WAYS['another base URL'];
    if (way === undefined) throw new Error('unknown');
    const definition = definitionOf(kept, place, way);
    const given = { variables: way.variables(), secretVariables: { kept: 'given-with-the-run' } };
    const outcomes = await carryOutSteps(runner, definition, given);
    expect(outcomes.at(-1)?.status).toBe('up');
  }
  expect(stranger.received).toHaveLength(Object.keys(PLACES).length);
  expect(leaked()).toEqual([]);
});

it('an extracted secret is sent back to its origin, even if the origin comes from a variable of the run', async () => {
  const base = '{{base}}';
  const { steps, ...definition } = buildDefinition(
    {
      url: `${base}/login`,
      extract: [{ variable: 'kept', from: 'jsonPath', path: '$.token', secret: true }],
    },
    { base: 'https://production.example' },
  );
  const [next] = buildDefinition({
    url: `${base}/orders`,
    headers: [{ name: 'Authorization', value: 'Bearer {{kept}}' }],
  }).steps;
  const both = { ...definition, steps: [...steps, ...(next === undefined ? [] : [next])] };
  await carryOutSteps(runner, both, { variables: { base: owner.origin } });
  expect(owner.received.at(-1)?.headers.authorization).toBe(`Bearer ${VALUE}`);
});

it.each(['Authorization', 'X-Api-Key', 'Cookie', 'Private-Token'])(
  'the value of the masked header %s is not sent to a third-party server by a run or a redirect',
  async (name) => {
    const place = () => ({ headers: [{ name, value: VALUE }] });
    for (const way of Object.values(WAYS)) {
      const definition = definitionOf({ reference: '' }, place, way);
      const outcomes = await carryOutSteps(runner, definition, { variables: way.variables() });
      expect(outcomes.at(-1)).toMatchObject(NOT_SENT);
    }
    for (const status of [301, 302, 303, 307, 308]) {
      const url = `${owner.origin}/redirect/${status}`;
      await carryOutSteps(
        runner,
        definitionOf({ reference: '' }, place, { url, saved: none, variables: none }),
      );
    }
    expect(stranger.received).toHaveLength(5);
    expect(leaked()).toEqual([]);
  },
);
