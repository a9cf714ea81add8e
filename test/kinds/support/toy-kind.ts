/**
 * Registers a toy type of check. It has a line in each registry. A file that imports this module first sees the toy
 * type among the other types.
 */
import { z } from 'zod';
import { NETWORK_KINDS, type NetworkKind } from '../../../src/contracts/kinds';
import { allowFieldReferences } from '../../../src/kinds/allow-references';
import { hostShape, type KindShape } from '../../../src/kinds/fields';
import { KIND_FORMS } from '../../../src/kinds/form';
import type { KindInput } from '../../../src/kinds/inputs';
import { KIND_SHAPES } from '../../../src/kinds/shapes';

const fields = {
  host: hostShape,
  greeting: z.string().max(20).nullable().meta({ description: 'Said first' }).default(null),
};
const whole = z.object(allowFieldReferences(fields));

export const TOY_SHAPE = {
  schemaName: 'Toy',
  words: { label: 'Toy', title: 'Toy check', about: 'Plays with a host' },
  fields,
  secretFields: ['greeting'],
  hasCertificate: true,
  findProblems: ({ greeting }) =>
    greeting === 'boo'
      ? [{ path: 'greeting', code: 'invalid_value', message: 'must be friendly' }]
      : [],
  read: (sent) => {
    const settings = whole.parse({ host: 'missing.invalid', ...sent });
    const url = `toy://${settings.host}`;
    return { check: toyCheck(settings), url, targets: [{ path: 'host', url }] };
  },
} satisfies KindShape;

const form: readonly KindInput[] = [
  { name: 'host', label: 'Host', input: 'text' },
  { name: 'greeting', label: 'Greeting', input: 'text' },
];

/** Overrides the return type, because the types of the registries include only the kinds of Keepwatch. */
function toyCheck(settings: object): ReturnType<KindShape['read']>['check'];
function toyCheck(settings: object) {
  return { type: 'toy', settings };
}

function registerToy(): NetworkKind {
  Reflect.apply(Array.prototype.push, NETWORK_KINDS, ['toy']);
  Object.assign(KIND_SHAPES, { toy: TOY_SHAPE });
  Object.assign(KIND_FORMS, { toy: form });
  const type = NETWORK_KINDS.find((known: string) => known === 'toy');
  if (type === undefined) throw new Error('It is registered.');
  return type;
}

export const TOY = registerToy();
