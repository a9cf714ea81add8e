// $group: one document per distinct key, with accumulators over the documents of each.
import { DatabaseError } from '../errors';
import { SORT_BYTES_MAX } from '../planner/results';
import { forEachSliced, type Walk } from '../planner/slices';
import { type BsonDocument, isDocument } from '../values/bson-values';
import { encodeKey } from '../values/key-encoding';
import { type Accumulator, createAccumulator, isAccumulator } from './accumulators';
import { compileExpression, type Expression } from './expressions';
import type { Stage } from './stage-types';

interface GroupField {
  readonly name: string;
  readonly operator: string;
  readonly value: Expression;
}

interface Group {
  readonly id: unknown;
  readonly accumulators: readonly Accumulator[];
}

const GROUP_BYTES = 200;

/** Reads the operand of $group. */
export function parseGroup(operand: unknown): Stage {
  if (!isDocument(operand)) {
    throw new DatabaseError(15947, "a group's fields must be specified in an object");
  }
  if (!Object.hasOwn(operand, '_id')) {
    throw new DatabaseError(15955, 'a group specification must include an _id');
  }
  const id = compileExpression(operand['_id']);
  const fields = Object.keys(operand)
    .filter((name) => name !== '_id')
    .map((name) => parseField(name, operand[name]));
  return { computes: true, apply: (documents) => group(documents, id, fields) };
}

function parseField(name: string, operand: unknown): GroupField {
  if (name.includes('.'))
    throw new DatabaseError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$'))
    throw new DatabaseError(40236, `The field name '${name}' cannot be an operator name`);
  const operators = isDocument(operand) ? Object.keys(operand) : [];
  const operator = operators[0];
  if (!isDocument(operand) || operator === undefined) {
    throw new DatabaseError(40234, `The field '${name}' must be an accumulator object`);
  }
  if (operators.length > 1) {
    throw new DatabaseError(40238, `The field '${name}' must specify one accumulator`);
  }
  if (!isAccumulator(operator))
    throw new DatabaseError(15952, `unknown group operator '${operator}'`);
  const value = operator === '$count' ? 1 : operand[operator];
  return { name, operator, value: compileExpression(value) };
}

async function group(
  documents: Walk<BsonDocument>,
  id: Expression,
  fields: readonly GroupField[],
): Promise<Iterable<BsonDocument>> {
  const groups = new Map<string, Group>();
  let bytes = 0;
  await forEachSliced(documents, (document) => {
    const value = id(document) ?? null;
    const key = encodeKey(value).toString('latin1');
    let found = groups.get(key);
    if (!found) {
      found = { id: value, accumulators: fields.map((field) => createAccumulator(field.operator)) };
      groups.set(key, found);
      bytes += key.length + GROUP_BYTES;
    }
    bytes += addTo(found, fields, document);
    if (bytes > SORT_BYTES_MAX) throw groupTooLarge();
  });
  return resultsOf(groups.values(), fields);
}

function addTo(target: Group, fields: readonly GroupField[], document: BsonDocument): number {
  let grown = 0;
  fields.forEach((field, position) => {
    grown += target.accumulators[position]?.add(field.value(document)) ?? 0;
  });
  return grown;
}

function* resultsOf(
  groups: Iterable<Group>,
  fields: readonly GroupField[],
): Generator<BsonDocument> {
  for (const { id, accumulators } of groups) {
    const result: BsonDocument = { _id: id };
    fields.forEach((field, position) => {
      result[field.name] = accumulators[position]?.result();
    });
    yield result;
  }
}

function groupTooLarge(): DatabaseError {
  return new DatabaseError(
    292,
    `Exceeded memory limit for $group of ${SORT_BYTES_MAX} bytes, and the embedded database does not group on disk`,
  );
}
