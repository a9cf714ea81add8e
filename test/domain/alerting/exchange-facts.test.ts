/**
 * Tests what an alert shows of a request and its response: one line for each fact, limited in length, and only facts
 * that results contain.
 */
import type { ResponseFacts } from '../../../src/contracts/outcome';
import { toExchangeFacts, toPassingCheck } from '../../../src/domain/alerting/exchange-facts';
import { outcomeOf } from '../../support/outcomes';

const request = { method: 'GET', url: 'https://shop.example/?key=***' };
const response: ResponseFacts = {
  status: 500,
  httpVersion: '1.1',
  bytes: 10,
  remoteIp: null,
  finalUrl: 'https://shop.example/',
  redirects: 0,
  bodyPreview: ' {\n  "error":\t"no\u0000 database"\r\n}\n',
  truncated: false,
};

test('an alert shows the status of a response, and its body joined into one line', () => {
  expect(toExchangeFacts({ request, response })).toEqual({
    ...request,
    status: 500,
    body: '{ "error": "no database" }',
  });
});

test.each([null, '', ' \n'])('an alert shows no body if %j is stored', (bodyPreview) => {
  expect(toExchangeFacts({ request, response: { ...response, bodyPreview } })?.body).toBeNull();
});

test('an exchange without a response has no status, and an exchange without a request is not shown', () => {
  expect(toExchangeFacts({ request, response: null })).toEqual({
    ...request,
    status: null,
    body: null,
  });
  expect(toExchangeFacts({ request: null, response: null })).toBeNull();
});

test('long URLs and bodies in an alert are truncated', () => {
  const long = { request: { ...request, url: `https://x.example/${'u'.repeat(2_000)}` } };
  const facts = toExchangeFacts({
    ...long,
    response: { ...response, bodyPreview: 'b'.repeat(4_096) },
  });
  expect([facts?.url.length, facts?.body?.length]).toEqual([300, 200]);
});

test('an alert shows the title and the text of an HTML page, even if both come late in the body', () => {
  const style = `<style>${'x'.repeat(500)}</style>`;
  const bodyPreview = `<!doctype html><html><head>${style}<title>Oops</title></head><p>No server.`;
  const facts = toExchangeFacts({ request, response: { ...response, bodyPreview } });
  expect(facts?.summary).toBe('Oops: No server.');
  expect(facts?.body).toHaveLength(200);
});

test('a recovery shows the request, status and time of a check that passed, but not its body', () => {
  const passed = { ...outcomeOf('up'), request, response: { ...response, status: 200 } };
  expect(toPassingCheck({ ...passed, responseTimeMs: 84 })).toEqual({
    ...request,
    status: 200,
    responseTimeMs: 84,
  });
  expect(toPassingCheck({ ...passed, request: null })).toBeNull();
  expect(toPassingCheck(undefined)).toBeNull();
});
