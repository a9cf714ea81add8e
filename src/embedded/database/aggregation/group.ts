// $group: returns one document for each distinct key. Accumulators compute its other fields.
import { DatabaseError } from '../errors';
import { type Allowance, ITEM_BYTES } from '../planner/allowance';
import { Row } from '../planner/row';
import { forEachSliced, type Walk } from '../planner/slices';
import {
  type BsonDocument,
  encodeDocument,
  isArray,
  isDocument,
  setField,
} from '../values/bson-values';
import { encodeKey } from '../values/key-encoding';
import { fieldNames } from '../values/pick-fields';
import {
  type Accumulator,
  type AccumulatorName,
  createAccumulator,
  isAccumulator,
} from './accumulators';
import { compileExpression, type Expression } from './expressions';

export interface Grouping {
  readonly id: Expression;
  readonly fields: readonly GroupField[];
}

interface GroupField {
  readonly name: string;
  readonly operator: AccumulatorName;
  readonly value: Expression;
}

interface Group {
  readonly id: unknown;
  readonly accumulators: readonly Accumulator[];
}

export function parseGroup(operand: unknown): Grouping {
  if (!isDocument(operand)) {
    throw new DatabaseError(15947, "a group's fields must be specified in an object");
  }
  if (!Object.hasOwn(operand, '_id')) {
    throw new DatabaseError(15955, 'a group specification must include an _id');
  }
  const names = Object.keys(operand).filter((name) => name !== '_id');
  return {
    id: compileExpression(operand['_id']),
    fields: names.map((name) => parseField(name, operand[name])),
  };
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
  if (isArray(operand[operator])) {
    throw new DatabaseError(40237, `The ${operator} accumulator is a unary operator`);
  }
  return { name, operator, value: compileExpression(operand[operator]) };
}

export async function groupRows(
  rows: Walk<Row>,
  { id, fields }: Grouping,
  allowance: Allowance,
): Promise<Walk<Row>> {
  const groups = new Map<string, Group>();
  const names = fieldNames(
    [id, ...fields.map((field) => field.value)].flatMap((one) => one.fields),
  );
  await forEachSliced(rows, allowance, (row) => {
    const document = row.fields(names);
    const value = id.value(document) ?? null;
    const key = encodeKey(value).toString('latin1');
    let group = groups.get(key);
    if (!group) {
      allowance.take(key.length * 2 + ITEM_BYTES * (1 + fields.length));
      group = { id: value, accumulators: fields.map((field) => createAccumulator(field.operator)) };
      groups.set(key, group);
    }
    for (const [position, field] of fields.entries()) {
      group.accumulators[position]?.add(field.value.value(document));
    }
  });
  return yieldResults(groups.values(), fields);
}

function* yieldResults(groups: Iterable<Group>, fields: readonly GroupField[]): Generator<Row> {
  for (const { id, accumulators } of groups) {
    const result: BsonDocument = { _id: id };
    for (const [position, field] of fields.entries()) {
      setField(result, field.name, accumulators[position]?.result());
    }
    yield new Row(encodeDocument(result));
  }
}
