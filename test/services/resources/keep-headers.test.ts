/**
 * Tests that a masked header that is sent back keeps the stored value, in HTTP requests and in all other types of
 * checks with headers.
 */
import { HEADER_MASK } from '../../../src/domain/secrets/sensitive-headers';
import { KIND_SHAPES } from '../../../src/kinds/shapes';
import { validate } from '../../../src/schemas/issues';
import { monitorBody } from '../../../src/schemas/monitor';
import {
  findMaskedHeaders,
  restoreMaskedHeaders,
} from '../../../src/services/resources/restore-headers';

const variables: readonly unknown[] = [];
const COOKIE = 'session={{secret:session}}';

function webSocketStep(value: string) {
  const { check } = KIND_SHAPES.websocket.read({
    url: 'wss://a.example/events',
    headers: [{ name: 'Cookie', value }],
  });
  return { name: 'listen', ...check };
}

const httpStep = (value: string) => ({ name: 'fetch', headers: [{ name: 'Cookie', value }] });

const STEPS = [
  ['a WebSocket', webSocketStep],
  ['a request', httpStep],
] as const;

test.each(STEPS)(
  'a masked header of %s is replaced by the stored value of its step',
  (_what, stepWith) => {
    const named = (value: string) => ({ ...stepWith(value), name: 'second' });
    const stored = { variables, steps: [stepWith('other=1'), named(COOKIE)] };
    const kept = restoreMaskedHeaders(stored, { variables, steps: [named(HEADER_MASK)] });
    expect(kept.steps).toEqual([named(COOKIE)]);
    const only = { variables, step: stepWith(COOKIE) };
    expect(restoreMaskedHeaders(only, { variables, step: stepWith(HEADER_MASK) })).toEqual(only);
  },
);

test.each(STEPS)('a masked header of %s is refused if no value is stored', (_what, stepWith) => {
  const step = stepWith(HEADER_MASK);
  expect(findMaskedHeaders(null, { step })).toMatchObject([{ path: 'headers.Cookie' }]);
  const steps = [step];
  expect(findMaskedHeaders(null, { steps })).toMatchObject([{ path: 'steps[0].headers.Cookie' }]);
  expect(findMaskedHeaders({ step: stepWith(COOKIE) }, { step })).toEqual([]);
});

test('the body of a WebSocket monitor accepts a masked cookie, but no plain secret', () => {
  const bodyWith = (cookie: string) =>
    validate(monitorBody, {
      type: 'websocket',
      name: 'x',
      url: 'wss://a.example/events',
      headers: { Cookie: cookie },
    });
  expect(bodyWith(HEADER_MASK)).toMatchObject({ ok: true });
  expect(bodyWith('session=abc')).toMatchObject({
    ok: false,
    problems: [{ path: 'headers.Cookie' }],
  });
});
