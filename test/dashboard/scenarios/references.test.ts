/** Tests the names that a step may use, and the references that a reorder breaks. */
import { type Draft, toDraft } from '../../../src/dashboard/features/scenarios/draft/draft';
import {
  brokenWords,
  completionsFor,
  findNewlyBroken,
  namesBefore,
} from '../../../src/dashboard/features/scenarios/draft/references';
import { complete, openReference } from '../../../src/dashboard/shared/editor/complete-reference';
import { scenarioExample } from '../../../src/schemas/scenario-example';

const example = toDraft(scenarioExample);

function withOrder(draft: Draft, order: readonly number[]): Draft {
  const steps = order.flatMap((index) => draft.steps[index] ?? []);
  return { ...draft, steps };
}

function labels(draft: Draft, index: number, isAddress = false): readonly string[] {
  return completionsFor({ draft, index, secrets: ['api-key'], isAddress }).map(
    ({ label }) => label,
  );
}

describe('Names in scope', () => {
  it('a step is offered the variables and values of earlier steps, but not of later steps', () => {
    expect(namesBefore(example, 0).map(({ name }) => name)).toEqual(['baseUrl', 'user', 'item']);
    expect(namesBefore(example, 1).map(({ name }) => name)).toContain('token');
    expect(namesBefore(example, 1).map(({ name }) => name)).not.toContain('orderId');
    expect(labels(example, 2)).toEqual([
      'orderId',
      'token',
      'item',
      'user',
      'baseUrl',
      'secret:api-key',
      '$uuid',
      '$now',
      '$runId',
      '$region',
    ]);
  });

  it('the list of names in scope offers no secret in a URL', () => {
    const draft = toDraft({
      ...scenarioExample,
      variables: { baseUrl: 'http://x', password: { secret: true } },
    });
    expect(labels(draft, 0, true)).toEqual(['baseUrl', '$uuid', '$now', '$runId', '$region']);
    expect(labels(draft, 0)).toContain('password');
  });

  it('a name that is secret stays secret if a later step extracts it again', () => {
    const draft = toDraft({
      variables: { token: { secret: true } },
      steps: [{ name: 'a', url: 'http://x', extract: { token: '$.t' } }, { name: 'b' }],
    });
    expect(namesBefore(draft, 1)).toEqual([{ name: 'token', origin: 'from “a”', isSecret: true }]);
  });
});

describe('Broken references', () => {
  it('the search for broken references names the step and variable that a new order would break', () => {
    const broken = findNewlyBroken(example, withOrder(example, [0, 2, 1, 3]));
    expect(brokenWords(broken)).toBe('“read order” needs {{orderId}}');
  });

  it('the search for broken references names every reference that deleting a step would break', () => {
    const broken = findNewlyBroken(example, withOrder(example, [0, 2, 3]));
    expect(broken.map(({ stepName, variable }) => [stepName, variable])).toEqual([
      ['read order', 'orderId'],
      ['delete order', 'orderId'],
    ]);
  });

  it('the search for broken references reads headers and JSON strings, but no member names', () => {
    const steps = [
      { name: 'a', url: 'http://x', extract: { one: '$.a', two: '$.b', three: '$.c' } },
      {
        name: 'b',
        url: 'http://x',
        headers: { 'x-one': 'v {{one}}' },
        body: { list: [{ '{{three}}': 'x {{two}}' }] },
      },
    ];
    const draft = toDraft({ steps });
    expect(findNewlyBroken(draft, withOrder(draft, [1])).map(({ variable }) => variable)).toEqual([
      'one',
      'two',
    ]);
  });

  it('the search for broken references ignores references that were broken before the change', () => {
    const draft = toDraft({
      steps: [
        { name: 'a', url: 'http://x/{{nothing}}' },
        { name: 'b', url: 'http://x' },
      ],
    });
    expect(findNewlyBroken(draft, withOrder(draft, [1, 0]))).toEqual([]);
  });
});

describe('Completion', () => {
  it('completion starts after two opening braces and ends with two closing braces', () => {
    expect(openReference('http://x/{{ord', 14)).toEqual({ from: 11, typed: 'ord' });
    expect(openReference('http://x/{{orderId}}/', 21)).toBeNull();
    expect(openReference('{ "a": 1 }', 5)).toBeNull();
  });

  it('completion closes the braces once and puts the cursor behind the braces', () => {
    expect(complete('Bearer {{to', 11, 'token')).toEqual({ text: 'Bearer {{token}}', cursor: 16 });
    expect(complete('a {{to}} b', 6, 'token')).toEqual({ text: 'a {{token}} b', cursor: 11 });
    expect(complete('x/{{or/tail', 6, 'orderId')).toEqual({
      text: 'x/{{orderId}}/tail',
      cursor: 13,
    });
  });
});
