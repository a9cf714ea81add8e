/**
 * Tests templates. References in every position and with every kind of name are expanded in one pass. An unclear
 * template is refused, so that nothing wrong is sent.
 */
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/contracts/definition';
import {
  findReferences,
  quoteBraces,
  renderBody,
  renderText,
  renderUrl,
  type TemplateValues,
} from '../../../src/domain/templates/template';
import { propertyOptions } from '../../support/property-runs';

function valuesOf(variables: Record<string, JsonValue>): TemplateValues {
  return {
    variables: new Map(Object.entries(variables)),
    generated: { uuid: 'u-1', now: '2030-01-01T00:00:00.000Z', runId: 'run_1', region: 'eu-west' },
    secrets: new Map([['token', 't0ken']]),
  };
}

const values = valuesOf({
  name: 'Ann Lee',
  id: 42,
  flag: true,
  none: null,
  list: [1, 'a'],
  base: 'https://shop.example:8443/api',
  host: 'shop.example',
  path: 'a/b?c=d&e#f',
  nested: '{{id}}',
  up: '..',
});

describe('findReferences', () => {
  it('findReferences finds every reference with its position and kind', () => {
    expect(findReferences('a{{x}}b{{ $uuid }}{{secret:api-key}}{{no good}}')).toEqual([
      { name: 'x', kind: 'variable', start: 1, end: 6 },
      { name: 'uuid', kind: 'generated', start: 7, end: 18 },
      { name: 'api-key', kind: 'secret', start: 18, end: 36 },
      { name: 'no good', kind: 'malformed', start: 36, end: 47 },
    ]);
  });

  it('findReferences treats quoted content as literal text', () => {
    expect(findReferences("{{'name'}}{{ ' secret:x ' }}{{'it's'}}")).toMatchObject([
      { name: 'name', kind: 'literal' },
      { name: ' secret:x ', kind: 'literal' },
      { name: "it's", kind: 'literal' },
    ]);
  });

  it('any text renders to itself once its braces are quoted', () => {
    const braces = fc.constantFrom('{', '}', '{{', '}}', "'", '$', 'secret:', 'id', ' ');
    const texts = fc
      .array(fc.oneof(braces, fc.string({ maxLength: 3 })))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const quoted = quoteBraces(text);
        expect(renderText(quoted, values)).toEqual({ ok: true, value: text });
        expect(renderBody({ a: [quoted] }, values)).toEqual({ ok: true, value: { a: [text] } });
      }),
      propertyOptions(200),
    );
  });

  it.each(['{x}', '{{x}', '{ {x}}', 'no', ''])(
    'findReferences finds no reference in %j',
    (text) => {
      expect(findReferences(text)).toEqual([]);
    },
  );
});

describe('renderText', () => {
  it.each([
    ['Bearer {{name}}', 'Bearer Ann Lee'],
    ['{{ id }}/{{flag}}/{{none}}/{{list}}', '42/true/null/[1,"a"]'],
    ['{{$uuid}} {{$now}} {{$runId}} {{$region}}', 'u-1 2030-01-01T00:00:00.000Z run_1 eu-west'],
    ['key={{secret:token}}', 'key=t0ken'],
    ['{{nested}}', '{{id}}'],
  ])('renderText renders %j as %j', (text, expected) => {
    expect(renderText(text, values)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['{{unknown}}', 'template_error', 'unknown'],
    ['{{$nothing}}', 'template_error', '$nothing'],
    ['{{with-hyphen}}', 'template_error', 'with-hyphen'],
    ['{{}}', 'template_error', '{{}}'],
    ['{{secret:gone}}', 'secret_missing', 'gone'],
    ['{{toString}}', 'template_error', 'toString'],
  ])('renderText rejects %j with the reason %s', (text, code, word) => {
    const rendered = renderText(text, values);
    expect(rendered).toMatchObject({ ok: false, fault: { code } });
    expect(JSON.stringify(rendered)).toContain(word);
  });

  it('renderText never expands references inside an inserted value', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const nested = `{{id}}${value}{{unknown}}`;
        expect(renderText('<{{x}}>', valuesOf({ x: nested, id: 1 }))).toEqual({
          ok: true,
          value: `<${nested}>`,
        });
      }),
      propertyOptions(100),
    );
  });
});

describe('renderUrl', () => {
  it.each([
    ['{{base}}', 'https://shop.example:8443/api'],
    ['{{base}}/orders/{{id}}', 'https://shop.example:8443/api/orders/42'],
    ['https://{{host}}/x', 'https://shop.example/x'],
    ['https://api.{{host}}:8443/{{name}}', 'https://api.shop.example:8443/Ann%20Lee'],
    ['https://h/{{path}}', 'https://h/a%2Fb%3Fc%3Dd%26e%23f'],
    ['https://h/?q={{path}}', 'https://h/?q=a%2Fb%3Fc%3Dd%26e%23f'],
    ['https://h?next={{base}}', 'https://h?next=https%3A%2F%2Fshop.example%3A8443%2Fapi'],
    [
      '{{base}}?u=http://x/{{path}}',
      'https://shop.example:8443/api?u=http://x/a%2Fb%3Fc%3Dd%26e%23f',
    ],
    ['https://h/{{$region}}/{{list}}', 'https://h/eu-west/%5B1%2C%22a%22%5D'],
  ])('renderUrl renders %s to %s', (url, expected) => {
    expect(renderUrl(url, values)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['https://h/{{secret:token}}', /secret/i],
    ['https://{{path}}/x', /host name/],
    ['https://h/{{up}}/admin', /change the path/],
    ['https://h/{{unknown}}', /unknown/],
  ])('renderUrl refuses %s', (url, reason) => {
    const rendered = renderUrl(url, values);
    expect(rendered.ok ? '' : rendered.fault.message).toMatch(reason);
  });

  it('renderUrl keeps any value inside its own path segment or query value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        fc.pre(value !== '.' && value !== '..');
        const rendered = renderUrl(
          'https://h.example/a/{{x}}/b?c={{x}}&d=1',
          valuesOf({ x: value }),
        );
        if (!rendered.ok) throw new Error(rendered.fault.message);
        const url = new URL(rendered.value);
        expect(url.host).toBe('h.example');
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', value, 'b']);
        expect([...url.searchParams]).toEqual([
          ['c', value],
          ['d', '1'],
        ]);
      }),
      propertyOptions(100),
    );
  });
});

describe('renderBody', () => {
  it('a string that is exactly one reference becomes the value with its JSON type', () => {
    const body = { id: '{{id}}', list: '{{list}}', none: '{{none}}', text: 'no {{id}}', n: 1 };
    expect(renderBody(body, values)).toEqual({
      ok: true,
      value: { id: 42, list: [1, 'a'], none: null, text: 'no 42', n: 1 },
    });
  });

  it('renderBody renders a body that is one reference, and references in lists', () => {
    expect(renderBody('{{list}}', values)).toEqual({ ok: true, value: [1, 'a'] });
    expect(renderBody([['{{flag}}'], ' {{flag}}'], values)).toEqual({
      ok: true,
      value: [[true], ' true'],
    });
  });

  it('renderBody keeps member names unchanged, including unusual names', () => {
    const body: JsonValue = JSON.parse('{"__proto__": "{{id}}", "{{id}}": 1}');
    const rendered = renderBody(body, values);
    expect(JSON.stringify(rendered)).toBe('{"ok":true,"value":{"__proto__":42,"{{id}}":1}}');
  });

  it('renderBody rejects the first unknown name, at any depth', () => {
    expect(renderBody({ a: [{ b: 'x{{gone}}' }] }, values)).toMatchObject({
      ok: false,
      fault: { code: 'template_error' },
    });
  });
});
