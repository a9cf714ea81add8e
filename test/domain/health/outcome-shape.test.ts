/** Tests the schema of outcomes that probes report. Every field is made invalid in every way. */
import { isProbeOutcome } from '../../../src/domain/health/outcome-shape';
import { readWatchEnd, UNCONFIRMED_END } from '../../../src/domain/health/steady-outcome';
import { failingOutcome, passingOutcome } from '../../models/example-records';

const NOW_MS = Date.parse('2026-01-05T12:00:10.000Z');
const headers = [{ name: 'a', value: 'b' }];
const WHOLE = {
  ...passingOutcome({
    request: { method: 'GET', url: 'https://a.example/', headers },
    extracted: [
      { name: 'plain', value: 7 },
      { name: 'hidden', value: 'sealed', secret: true },
    ],
    cookies: {
      jar: 'sealed',
      set: [{ name: 'n', domain: 'a.example', path: '/', expiresAt: null }],
      notes: ['dropped'],
    },
  }),
  missingVariable: 'token',
};
const OPTIONAL =
  /^(?:cookies|missingVariable|cookies\.jar|tls\.fingerprint|timings\.(?!total)\w+|\w+\.headers|extracted\.\d\.secret)$/;

type Path = readonly (string | number)[];

/** Returns the path of every value in the JSON. */
function placesIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([name, entry]) =>
    placesIn(entry, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  return at.length === 0 ? inner : [at, ...inner];
}

function withValue(
  value: unknown,
  [name, ...rest]: Path,
  put: (entry: unknown) => unknown,
): unknown {
  if (name === undefined) return put(value);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...Object(value) };
  const entry = withValue(Reflect.get(copy, name), rest, put);
  if (entry === REMOVED) Reflect.deleteProperty(copy, name);
  else Reflect.set(copy, name, entry);
  return copy;
}
const REMOVED = Symbol('removed');
/** Returns true if any JSON is valid at the path. This applies to the values of assertions and variables. */
const isFree = (at: Path): boolean =>
  /(?:actual|expected)(?:\.|$)|^extracted\.0\.value/.test(at.join('.'));
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
const WRONG = [
  7,
  'text',
  true,
  [],
  [1],
  {},
  { a: 1 },
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1e15,
] as const;

const readAt = (value: unknown, at: Path): unknown =>
  at.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value);

const places = placesIn(WHOLE).filter((at) => !isFree(at));

test('every outcome in the form that probes create is accepted', () => {
  for (const outcome of [WHOLE, passingOutcome(), failingOutcome()])
    expect(isProbeOutcome(outcome, NOW_MS)).toBe(true);
});

test.each(places.map((at) => [at.join('.'), at] as const))(
  'an outcome of a probe is refused if its %s has another type, is missing or has extra members',
  (name, at) => {
    const before = readAt(WHOLE, at);
    const isElement = typeof at.at(-1) === 'number';
    for (const wrong of WRONG) {
      const isOfKind =
        kindOf(wrong) === kindOf(before) &&
        !(typeof wrong === 'number' && !(Math.abs(wrong) < 1e12));
      if (isOfKind && typeof before !== 'object') continue;
      if (
        kindOf(before) === 'null' ||
        (Array.isArray(before) && Array.isArray(wrong) && wrong.length === 0)
      )
        continue;
      const forged = withValue(WHOLE, at, () => wrong);
      expect([name, wrong, isProbeOutcome(forged, NOW_MS)]).toEqual([name, wrong, false]);
    }
    if (!OPTIONAL.test(name) && !isElement)
      expect(
        isProbeOutcome(
          withValue(WHOLE, at, () => REMOVED),
          NOW_MS,
        ),
      ).toBe(false);
    if (typeof before === 'object' && before !== null && !Array.isArray(before))
      expect(
        isProbeOutcome(
          withValue(WHOLE, at, (entry) => ({ ...Object(entry), more: 1 })),
          NOW_MS,
        ),
      ).toBe(false);
    if (typeof before === 'string')
      expect(
        isProbeOutcome(
          withValue(WHOLE, at, () => 'x'.repeat(600_000)),
          NOW_MS,
        ),
      ).toBe(false);
  },
);

test.each([
  ['null', null],
  ['nothing', undefined],
  ['a list', [WHOLE]],
  ['times in the future', { ...WHOLE, finishedAt: '2036-01-01T00:00:00.000Z' }],
  ['a start in the future', { ...WHOLE, startedAt: '3902-01-01T00:00:00.000Z' }],
  ['a failure without a failing status', { ...failingOutcome(), status: 'up' }],
  ['a failing status without a failure', { ...WHOLE, status: 'down' }],
  [
    'a secret that is not encrypted',
    { ...WHOLE, extracted: [{ name: 'a', value: { b: 1 }, secret: true }] },
  ],
  [
    'more tries than any step can have',
    { ...WHOLE, attempts: Array(101).fill(passingOutcome().attempts[0]) },
  ],
  ['a prototype', Object.create(WHOLE)],
])('an outcome of a probe is refused if it is or has %s', (_, value) => {
  expect(isProbeOutcome(value, NOW_MS)).toBe(false);
});

const BOUNDS = { firstSlotMs: NOW_MS - 60_000, intervalMs: 20_000, nowMs: NOW_MS };

const END = {
  lastStoredMs: NOW_MS,
  responseTimeMs: 5,
  found: { slotMs: NOW_MS, outcome: WHOLE },
  isConfirmed: true,
};

test('the report that a watch has ended is accepted only for slots that were or are due', () => {
  const isEnd = (lastStoredMs: unknown) =>
    readWatchEnd({ ...END, lastStoredMs }, BOUNDS) !== UNCONFIRMED_END;
  const due = [-80_000, -60_000, -20_000, 0, 20_000].map((ms) => NOW_MS + ms);
  expect([null, ...due].map(isEnd)).toEqual([null, ...due].map(() => true));
  const forged = [NOW_MS + 40_000, NOW_MS - 100_000, NOW_MS + 1, 0, 1e15, Number.NaN, '0'];
  expect(forged.map(isEnd)).toEqual(forged.map(() => false));
});

test("an invalid report of a watch's end counts as unconfirmed", () => {
  expect(readWatchEnd(END, BOUNDS)).toEqual(END);
  for (const forged of [
    null,
    'ended',
    [],
    {},
    { ...END, lastStoredMs: {} },
    { ...END, responseTimeMs: -1 },
    { ...END, isConfirmed: 'yes' },
    { ...END, found: {} },
    { ...END, found: { slotMs: 1e15, outcome: WHOLE } },
    { ...END, found: { slotMs: NOW_MS, outcome: null } },
  ])
    expect(readWatchEnd(forged, BOUNDS)).toEqual(UNCONFIRMED_END);
});
