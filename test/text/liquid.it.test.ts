/**
 * Tests templates of accounts. An expensive template is stopped in its worker thread, and no other work waits for it.
 */
import fc from 'fast-check';
import { renderTemplate } from '../../src/text/liquid';
import { createTextPool } from '../../src/text/text-pool';
import type { TemplateTask } from '../../src/text/text-task';
import { propertyOptions } from '../support/property-runs';

const VALUES = {
  kind: 'failure',
  entries: [{ kind: 'a' }],
  resource: { name: 'Shop *1*' },
  list: [1, 2, 3, 4],
};
const EVALUATING = [
  'where_exp',
  'reject_exp',
  'group_by_exp',
  'find_exp',
  'find_index_exp',
  'has_exp',
];
const GROWING = ['push', 'concat', 'unshift'];

function taskOf(template: string, given: Partial<TemplateTask> = {}): TemplateTask {
  return { kind: 'template', template, values: VALUES, markup: 'plain', isStrict: false, ...given };
}

test.each([...EVALUATING, ...GROWING])('the Liquid filter %s is refused', (filter) => {
  const text = `{{ entries | ${filter}: "item", "item.kind == kind" }}`;
  const fault = expect.stringMatching(new RegExp(`undefined filter: ${filter}`));
  expect(renderTemplate(taskOf(text))).toEqual({ fault });
});

test('a template that nests lists in lists with refused filters is refused without any work', () => {
  const nested =
    '{% assign a = "1,2,3,4,5,6,7,8" | split: "," %}' +
    '{% assign a = a | concat: a %}'.repeat(12) +
    '{{ a | has_exp: "x", "a | has_exp: \'y\', \'a | has_exp: z, false\'" }}';
  expect(nested.length).toBeLessThan(600);
  expect(renderTemplate(taskOf(nested))).toEqual({ fault: expect.any(String) });
});

test('filters of Liquid that are not refused are available, such as upcase and map', () => {
  const text = '{{ resource.name | upcase | append: "!" }} {{ entries | map: "kind" | join }}';
  expect(renderTemplate(taskOf(text, { isStrict: true }))).toEqual({ rendered: 'SHOP *1*! a' });
});

test('values inserted by a Liquid template are escaped for the markup of the message', () => {
  const named = taskOf('*{{ resource.name }}* {{ nobody }}', { markup: 'slack' });
  expect(renderTemplate(named)).toEqual({ rendered: '*Shop \u200b*1\u200b** ' });
  const fault = 'names nobody, which alerts do not have';
  expect(renderTemplate({ ...named, isStrict: true })).toEqual({ fault });
});

const LOOP = '{% for i in (1..900) %}';
const END = '{% endfor %}';
const HOSTILE = {
  'nested loops over a list': '{% for a in list %}'.repeat(20) + END.repeat(20),
  'nested loops over a range': LOOP.repeat(6) + END.repeat(6),
  'repeated splits of a text': `{% assign a = "${'a'.repeat(4_000)}" %}${LOOP.repeat(3)}{% assign b = a | split: "" | sort | uniq %}${END.repeat(3)}`,
  'appends that double a text': `{% assign a = "${'a'.repeat(100)}" %}${LOOP}{% assign a = a | append: a %}${END}{{ a }}`,
  'loops that print without end': `${LOOP.repeat(4)}{{ resource.name }}${END.repeat(4)}`,
};

test.each(Object.entries(HOSTILE))(
  'the rendering of %s ends, and the same thread renders the next template',
  async (_, template) => {
    const pool = createTextPool();
    const [hostile, next] = await pool.run({
      text: '',
      tasks: [taskOf(template), taskOf('{{ kind }}')],
    });
    await pool.close();
    const faulty = hostile !== undefined && ('fault' in hostile || 'problem' in hostile);
    expect(faulty).toBe(true);
    expect(next).toEqual({ rendered: 'failure' });
  },
);

/** Generates templates of any cost from the grammar: nested tags, chained filters, growing texts. */
const { template: anyTemplate } = fc.letrec<Record<'template' | 'part' | 'value', string>>(
  (tie) => ({
    template: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    part: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constant('text '),
      tie('value').map((value) => `{{ ${value} }}`),
      tie('value').map((value) => `{% assign a = ${value} %}`),
      tie('template').map((inner) => `{% for i in list %}${inner}${END}`),
      tie('template').map((inner) => `${LOOP}${inner}${END}`),
      tie('template').map((inner) => `{% capture a %}${inner}{% endcapture %}`),
      fc
        .tuple(tie('value'), tie('template'))
        .map(([value, inner]) => `{% if ${value} contains "a" %}${inner}{% endif %}`),
    ),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'i', 'kind', 'list', 'resource.name', '"text"', '1000'),
      fc
        .tuple(
          tie('value'),
          fc.constantFrom(
            'append: a',
            'split: ""',
            'join',
            'sort',
            'times: 999',
            'replace: "t", a',
          ),
        )
        .map((parts) => parts.join(' | ')),
    ),
  }),
);

test('any template of a random grammar ends, and the thread then renders the next template', async () => {
  const pool = createTextPool();
  await fc.assert(
    fc.asyncProperty(anyTemplate, async (template) => {
      const [first, next] = await pool.run({
        text: '',
        tasks: [taskOf(template), taskOf('{{ kind }}')],
      });
      expect(first).toBeDefined();
      expect(next).toEqual({ rendered: 'failure' });
    }),
    propertyOptions(15),
  );
  await pool.close();
});
