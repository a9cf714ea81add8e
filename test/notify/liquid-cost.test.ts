/** Templates of accounts whose cost would not be bounded by their length: refused when they are saved. */
import { findTemplateFault, renderTemplate } from '../../src/notify/liquid';

const VALUES = { kind: 'failure', entries: [{ kind: 'a' }], resource: { name: 'Shop' } };
const EVALUATING = [
  'where_exp',
  'reject_exp',
  'group_by_exp',
  'find_exp',
  'find_index_exp',
  'has_exp',
];
const GROWING = ['push', 'concat', 'unshift'];

test.each([...EVALUATING, ...GROWING])(
  'the filter %s is refused, and stored ones render nothing',
  (filter) => {
    const text = `{{ entries | ${filter}: "item", "item.kind == kind" }}`;
    expect(findTemplateFault(text, VALUES)).toMatch(new RegExp(`undefined filter: ${filter}`));
    expect(renderTemplate(text, VALUES)).toMatchObject({ ok: false });
  },
);

test('a template that nests lists in lists by such filters costs no time at all', () => {
  const nested =
    '{% assign a = "1,2,3,4,5,6,7,8" | split: "," %}' +
    '{% assign a = a | concat: a %}'.repeat(12) +
    '{{ a | has_exp: "x", "a | has_exp: \'y\', \'a | has_exp: z, false\'" }}';
  expect(nested.length).toBeLessThan(600);
  expect(renderTemplate(nested, VALUES)).toMatchObject({ ok: false });
});

test('the other filters of Liquid are there', () => {
  const text = '{{ resource.name | upcase | append: "!" }} {{ entries | map: "kind" | join }}';
  expect(findTemplateFault(text, VALUES)).toBeNull();
  expect(renderTemplate(text, VALUES)).toEqual({ ok: true, text: 'SHOP! a' });
});
