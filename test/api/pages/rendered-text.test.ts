/** Tests the rendered and compressed text that visitors of a status page get. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { createRenderOnce, renderText } from '../../../src/api/pages/rendered-text';

function open() {
  const renderOnce = createRenderOnce();
  let count = 0;
  const render = () => {
    count += 1;
    return { text: `rendered ${count}`, policy: "default-src 'none'" };
  };
  return {
    show: (reading: object, name: string, parts?: readonly unknown[]) =>
      renderOnce(reading, parts === undefined ? { name } : { name, parts }, render).text,
  };
}

test('the same data of a status page is rendered only once for each type of text', () => {
  const { show } = open();
  const reading = {};
  expect([show(reading, 'page'), show(reading, 'feed'), show(reading, 'page')]).toEqual([
    'rendered 1',
    'rendered 2',
    'rendered 1',
  ]);
});

test('data that was read again is rendered again, even if the data is equal', () => {
  const { show } = open();
  expect([show({}, 'page'), show({}, 'page')]).toEqual(['rendered 1', 'rendered 2']);
});

test('a status page is rendered again when its ledger or a setting has changed, even if its data has not', () => {
  const { show } = open();
  const [reading, ledger] = [{}, {}];
  expect([
    show(reading, 'page', [ledger, true]),
    show(reading, 'page', [ledger, true]),
    show(reading, 'page', [{}, true]),
    show(reading, 'page', [ledger, false]),
  ]).toEqual(['rendered 1', 'rendered 1', 'rendered 2', 'rendered 3']);
});

const TEXT = { text: 'x'.repeat(2_000), policy: "default-src 'none'" };

test('the compressed text of a status page decompresses to the text, and is compressed once', async () => {
  const { text, compress } = renderText(TEXT);
  const [br, gzip] = [await compress('br'), await compress('gzip')];
  const deflate = await compress('deflate');
  expect(brotliDecompressSync(br).toString()).toBe(text);
  expect(gunzipSync(gzip).toString()).toBe(text);
  expect(inflateSync(deflate).toString()).toBe(text);
  expect([await compress('br'), await compress('gzip')]).toEqual([br, gzip]);
});

test('a failed compression of a status page is tried again', async () => {
  let tries = 0;
  const br = async () => {
    tries += 1;
    if (tries === 1) throw new Error('no memory');
    return Buffer.from('compressed');
  };
  const { compress } = renderText(TEXT, { br, gzip: br, deflate: br });
  await expect(compress('br')).rejects.toThrow('no memory');
  expect([await compress('br'), await compress('br')].map(String)).toEqual([
    'compressed',
    'compressed',
  ]);
  expect(tries).toBe(2);
});

test('the text of a status page is compressed only above a minimum length', () => {
  expect(renderText(TEXT).encodings).toEqual(['br', 'gzip', 'deflate']);
  expect(renderText({ ...TEXT, text: 'short' }).encodings).toEqual([]);
});

test('the entity tag of a status page depends only on the text and its encoding', () => {
  const tagsOf = (text: string) => {
    const { formatTag } = renderText({ ...TEXT, text });
    return ([null, 'br', 'gzip', 'deflate'] as const).map((encoding) => formatTag(encoding));
  };
  expect(tagsOf('same')).toEqual(tagsOf('same'));
  expect(new Set([...tagsOf('same'), ...tagsOf('other')]).size).toBe(8);
});
