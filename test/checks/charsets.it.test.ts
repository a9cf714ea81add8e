/**
 * Tests keywords in pages of any charset, for each way in which a page can declare its charset.
 *
 * Covers:
 * - domain/text/decode-text
 */
import { sayThenClose, startTarget } from '../support/misbehaving-target';
import { buildDefinition, buildRunner } from '../support/step-builder';

const runner = buildRunner();
afterAll(() => runner.close());

const CP1251 = Buffer.from([0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
const GBK = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);
const SJIS = Buffer.from([0x82, 0xb1, 0x82, 0xf1]);
const HTML = 'text/html';

type Page = readonly [name: string, type: string, markup: string, word: Buffer, text: string];

const page = (head: string, type = HTML) => [type, `<html><head>${head}</head><body>`] as const;

const PAGES: readonly Page[] = [
  ['a meta', ...page('<meta charset="windows-1251">'), CP1251, 'привет'],
  ['a meta without quotes', ...page('<meta charset=gbk>'), GBK, '你好'],
  ['a meta in capitals', ...page("<META CHARSET='GBK' />"), GBK, '你好'],
  [
    'a meta after others',
    ...page('<meta name="a" content="b"><meta charset="gb2312">'),
    GBK,
    '你好',
  ],
  [
    'http-equiv',
    ...page('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'),
    CP1251,
    'привет',
  ],
  [
    'http-equiv after its content',
    ...page('<meta content="text/html;charset=shift_jis" http-equiv=content-type>'),
    SJIS,
    'こん',
  ],
  ['a header', ...page('', 'text/html; charset=windows-1251'), CP1251, 'привет'],
  ['a charset in quotes in the header', ...page('', 'text/html; charset="gbk"'), GBK, '你好'],
  [
    'a header that overrides a meta',
    ...page('<meta charset="gbk">', 'text/html; charset=windows-1251'),
    CP1251,
    'привет',
  ],
  [
    'a meta and an unknown charset in the header',
    ...page('<meta charset="gbk">', 'text/html; charset=none'),
    GBK,
    '你好',
  ],
  ['a meta and no header', ...page('<meta charset="gbk">', ''), GBK, '你好'],
  [
    'a meta after a comment',
    ...page('<!-- <meta charset="windows-1251"> --><meta charset="gbk">'),
    GBK,
    '你好',
  ],
  [
    'a meta that claims UTF-16',
    ...page('<meta charset="utf-16">'),
    Buffer.from('привет'),
    'привет',
  ],
  [
    'an XML declaration',
    'application/xml',
    '<?xml version="1.0" encoding="windows-1251"?><a>',
    CP1251,
    'привет',
  ],
  [
    'an XML declaration of a feed',
    'application/rss+xml',
    "<?xml version='1.0' encoding='GBK'?><a>",
    GBK,
    '你好',
  ],
  [
    'a UTF-8 BOM that overrides the header',
    'text/html; charset=gbk',
    '\ufeff<p>',
    Buffer.from('привет'),
    'привет',
  ],
  ['no declaration, read as UTF-8', ...page(''), Buffer.from('привет'), 'привет'],
  [
    'a meta in JSON, which is ignored',
    'application/json',
    '{"a":"<meta charset=gbk>',
    Buffer.from('привет'),
    'привет',
  ],
  [
    'a meta after 1,024 bytes, which is ignored',
    ...page(`${' '.repeat(1_100)}<meta charset="gbk">`),
    Buffer.from('привет'),
    'привет',
  ],
];

async function isFound(type: string, body: Buffer, value: string): Promise<string> {
  const header = type === '' ? '' : `Content-Type: ${type}\r\n`;
  const head = Buffer.from(`HTTP/1.1 200 OK\r\n${header}\r\n`);
  const target = await startTarget({ play: sayThenClose(head, body) });
  const assertion = { type: 'body', operator: 'contains', value, severity: 'fail' } as const;
  const url = `http://127.0.0.1:${target.port}/`;
  const definition = buildDefinition({ url, timeoutMs: 30_000, assertions: [assertion] });
  const { status } = await runner.runStep(definition, 0, { slotMs: 0 });
  await target.close();
  return status;
}

test.each(PAGES)(
  'a keyword is found in a page with %s',
  async (_name, type, markup, word, text) => {
    expect(await isFound(type, Buffer.concat([Buffer.from(markup), word]), text)).toBe('up');
  },
);

test.each(['utf-16le', 'utf-16be'])('a keyword is found after the BOM of %s', async (charset) => {
  const bytes = Buffer.from('\ufeff<p>привет</p>', 'utf16le');
  const body = charset === 'utf-16le' ? bytes : bytes.swap16();
  expect(await isFound('text/html', body, 'привет')).toBe('up');
});
