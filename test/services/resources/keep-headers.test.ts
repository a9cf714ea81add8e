/** Masked headers that are sent back are the stored ones, of requests and of every kind that has headers. */
import { HEADER_MASK } from '../../../src/domain/secrets/sensitive-headers';
import { KIND_SHAPES } from '../../../src/kinds/shapes';
import { validate } from '../../../src/schemas/issues';
import { monitorBody } from '../../../src/schemas/monitor';
import { findMaskedHeaders, keepHeaders } from '../../../src/services/resources/keep-headers';

const variables: readonly unknown[] = [];
const COOKIE = 'session={{secret:session}}';

function webSocketStep(value: string) {
  const { check } = KIND_SHAPES.websocket.read({
    url: 'wss://a.example/events',
    headers: [{ name: 'Cookie', value }],
  });
  return { name: 'listen', ...check };
}

const httpStep = (value: string) => ({ name: 'fetch', headers: [{ name: 'cookie', value }] });

const STEPS = [webSocketStep, httpStep] as const;

test.each(STEPS)('a masked header is the stored one of its step', (stepWith) => {
  const stored = {
    variables,
    steps: [stepWith('other=1'), { ...stepWith(COOKIE), name: 'second' }],
  };
  const sent = { variables, steps: [{ ...stepWith(HEADER_MASK), name: 'second' }] };
  expect(keepHeaders(stored, sent).steps).toEqual([{ ...stepWith(COOKIE), name: 'second' }]);
  expect(
    keepHeaders({ variables, step: stepWith(COOKIE) }, { variables, step: stepWith(HEADER_MASK) }),
  ).toEqual({
    variables,
    step: stepWith(COOKIE),
  });
});

test.each(STEPS)(
  'a masked header for which nothing is stored is refused by its path',
  (stepWith) => {
    const [{ name } = { name: '' }] = [stepWith('')].flatMap((step) =>
      'headers' in step ? step.headers : [{ name: 'Cookie' }],
    );
    expect(findMaskedHeaders(null, { step: stepWith(HEADER_MASK) })).toMatchObject([
      { path: `headers.${name}` },
    ]);
    expect(findMaskedHeaders(null, { steps: [stepWith(HEADER_MASK)] })).toMatchObject([
      { path: `steps[0].headers.${name}` },
    ]);
    expect(findMaskedHeaders({ step: stepWith(COOKIE) }, { step: stepWith(HEADER_MASK) })).toEqual(
      [],
    );
  },
);

test('the body of a WebSocket takes a masked cookie, and still no secret itself', () => {
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
