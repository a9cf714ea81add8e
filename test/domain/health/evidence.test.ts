/** Tests the stored evidence of a request and its response. */
import {
  isPassing,
  readEvidence,
  toStoredOutcome,
  withEvidence,
  withoutEvidence,
  withoutHeaders,
} from '../../../src/domain/health/evidence';
import { passingOutcome } from '../../models/example-records';

const BARE = passingOutcome();
const SENT = [{ name: 'accept', value: '*/*' }];
const GOT = [{ name: 'server', value: 'shop' }];

function full() {
  const { request, response } = BARE;
  if (request === null || response === null) throw new Error('an example without an exchange');
  return {
    ...BARE,
    request: { ...request, headers: SENT },
    response: { ...response, headers: GOT, bodyPreview: '{"ok":true}', truncated: true },
  };
}

const EVIDENCE = {
  requestHeaders: SENT,
  responseHeaders: GOT,
  bodyPreview: '{"ok":true}',
  truncated: true,
};

test('evidence contains the headers of the request and the response, and the start of the body', () => {
  expect(readEvidence(full())).toEqual(EVIDENCE);
  expect(readEvidence({ ...full(), request: null })).toEqual({ ...EVIDENCE, requestHeaders: [] });
});

test('an outcome has no evidence if it has no response, or if its evidence was not stored', () => {
  expect(readEvidence(BARE)).toBeNull();
  expect(readEvidence({ ...full(), response: null })).toBeNull();
});

test('stored evidence is added only to an outcome that has a request or a response', () => {
  expect(withEvidence(BARE, EVIDENCE)).toEqual(full());
  expect(withEvidence(BARE, null)).toBe(BARE);
  for (const half of [
    { ...BARE, request: null },
    { ...BARE, response: null },
  ])
    expect(withEvidence(half, EVIDENCE)).toBe(half);
});

test('removing evidence from an outcome removes only headers and bodies', () => {
  expect(withoutEvidence(full())).toEqual(BARE);
  const withBody = withoutHeaders(full());
  expect(withBody.request).not.toHaveProperty('headers');
  expect(withBody.response).not.toHaveProperty('headers');
  expect(withBody.response).toMatchObject({ bodyPreview: '{"ok":true}', truncated: true });
});

test('removing headers from an outcome removes the headers of the request and of the response', () => {
  expect(withoutHeaders(BARE)).toBe(BARE);
  expect(withoutEvidence(BARE)).toBe(BARE);
  const { request, response } = full();
  expect(withoutHeaders({ ...BARE, request })).toEqual(BARE);
  expect(withoutHeaders({ ...BARE, response }).response).not.toHaveProperty('headers');
  const nothing = { ...BARE, request: null, response: null };
  expect(withoutEvidence(nothing)).toBe(nothing);
});

test('passing and degraded outcomes are stored without evidence, and failures are stored with evidence', () => {
  for (const status of ['up', 'degraded'] as const) {
    expect(isPassing({ status })).toBe(true);
    expect(toStoredOutcome({ ...full(), status })).toEqual({ ...BARE, status });
  }
  for (const status of ['down', 'unknown'] as const) {
    expect(isPassing({ status })).toBe(false);
    expect(toStoredOutcome({ ...full(), status })).toEqual({ ...full(), status });
  }
});
