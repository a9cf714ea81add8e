/** What visitors of a status page are sent. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createRenderOnce } from '../../../src/api/pages/rendered-text';

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
    renderOnce,
    render,
  };
}

test('a reading is rendered once for each name', () => {
  const { show } = open();
  const reading = {};
  expect([show(reading, 'page'), show(reading, 'feed'), show(reading, 'page')]).toEqual([
    'rendered 1',
    'rendered 2',
    'rendered 1',
  ]);
});

test('another reading with the same content is rendered again', () => {
  const { show } = open();
  expect([show({}, 'page'), show({}, 'page')]).toEqual(['rendered 1', 'rendered 2']);
});

test('a reading is rendered again when something else that it depends on has changed', () => {
  const { show } = open();
  const [reading, ledger] = [{}, {}];
  expect([
    show(reading, 'page', [ledger, true]),
    show(reading, 'page', [ledger, true]),
    show(reading, 'page', [{}, true]),
    show(reading, 'page', [ledger, false]),
  ]).toEqual(['rendered 1', 'rendered 1', 'rendered 2', 'rendered 3']);
});

test('the compressed text is the text, and it is compressed once', async () => {
  const { renderOnce, render } = open();
  const { text, compress } = renderOnce({}, { name: 'page' }, render);
  const [br, gzip] = [await compress('br'), await compress('gzip')];
  expect([brotliDecompressSync(br).toString(), gunzipSync(gzip).toString()]).toEqual([text, text]);
  expect([await compress('br'), await compress('gzip')]).toEqual([br, gzip]);
});

test('the entity tag is that of the text', () => {
  const { renderOnce } = open();
  const tag = (text: string) => renderOnce({}, { name: 'page' }, () => ({ text, policy: '' })).etag;
  expect(tag('same')).toBe(tag('same'));
  expect(tag('same')).not.toBe(tag('other'));
});
