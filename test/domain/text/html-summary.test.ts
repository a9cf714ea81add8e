/** Tests the text that an alert shows of an HTML page. */
import fc from 'fast-check';
import { summariseHtml } from '../../../src/domain/text/html-summary';
import { propertyOptions } from '../../support/property-runs';

test.each([
  ['{"error": "no <html>"}', null],
  ['<?xml version="1.0"?><a/>', null],
  ['<!doctype html><html><head></head><body></body></html>', null],
  [
    '<!DOCTYPE html>\n<html><head><title>503 Oops</title><style>p{}</style></head>\n<body><p>No&nbsp;server &amp; no <b>queue</b>.</p><script>alert("x")</script></body>',
    '503 Oops: No server & no queue .',
  ],
  [
    '<html><head><title>502 Bad Gateway</title></head><h1>502 Bad Gateway</h1>nginx',
    '502 Bad Gateway nginx',
  ],
  ['<html><head><title>Cut off</title><script>var a = "<b>text', 'Cut off'],
  [
    '<html><body>&lt;b&gt; &#64;all &#x40; &unknown; <!-- hidden --> <a href="',
    '<b> @all @ &unknown;',
  ],
  ['<html><title <title a>Busy</title><script <script <style b>hidden</style>Come back', 'Busy'],
])('an alert shows the body %j as %j', (html, summary) => {
  expect(summariseHtml(html)).toBe(summary);
});

test('the summary of an HTML page is a single line, for any text in the page', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (rest) => {
      expect(summariseHtml(`<html>${rest}`) ?? '').not.toMatch(/[\r\n\0\u2028]/);
    }),
    propertyOptions(200),
  );
});
