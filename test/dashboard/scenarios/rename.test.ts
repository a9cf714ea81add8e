/** Tests that renaming a variable renames its references, and no other text. */
import * as fc from 'fast-check';
import { type Draft, toDraft } from '../../../src/dashboard/features/scenarios/draft/draft';
import { toBody } from '../../../src/dashboard/features/scenarios/draft/draft-body';
import {
  findRename,
  withReferencesRenamed,
} from '../../../src/dashboard/features/scenarios/draft/rename';
import { findReferences } from '../../../src/domain/templates/template';
import { scenarioExample } from '../../../src/schemas/scenario-example';
import { propertyOptions } from '../../support/property-runs';

interface Row {
  readonly rowId: string;
  readonly name: string;
  readonly index: number;
}

function rowsOf({ variables, steps }: Draft): readonly Row[] {
  return [
    ...variables.map(({ rowId, name }) => ({ rowId, name, index: -1 })),
    ...steps.flatMap(({ extract }, index) =>
      extract.map(({ rowId, variable }) => ({ rowId, name: variable, index })),
    ),
  ];
}

/** Returns the variable that each reference refers to, in order. It is the id of a row, or null. */
function meanings(draft: Draft): readonly (string | null)[] {
  const rows = rowsOf(draft);
  return draft.steps.flatMap((step, index) =>
    [step.url, ...step.headers.map(({ value }) => value), step.body.text].flatMap((text) =>
      findReferences(text)
        .filter(({ kind }) => kind === 'variable')
        .map(
          ({ name }) =>
            rows.findLast((row) => row.name === name && row.index < index)?.rowId ?? null,
        ),
    ),
  );
}

function withName(draft: Draft, rowId: string, name: string): Draft {
  return {
    ...draft,
    variables: draft.variables.map((row) => (row.rowId === rowId ? { ...row, name } : row)),
    steps: draft.steps.map((step) => ({
      ...step,
      extract: step.extract.map((row) => (row.rowId === rowId ? { ...row, variable: name } : row)),
    })),
  };
}

/** Renames the variable as the builder does. The builder calls this for each typed letter. */
function renamed(draft: Draft, { rowId, name: from }: Row, to: string) {
  return withReferencesRenamed(withName(draft, rowId, to), { rowId, from, to });
}

function rowNamed(draft: Draft, name: string): Row {
  const row = rowsOf(draft).find((each) => each.name === name);
  if (row === undefined) throw new Error(`nothing is called ${name}`);
  return row;
}

const names = fc.constantFrom('a', 'b', 'c', 'order_id');
const texts = fc
  .array(
    fc.oneof(
      names.map((name) => `{{${name}}}`),
      names.map((name) => `{{ ${name} }}`),
      fc.constantFrom('/', 'a', '{{$uuid}}', '{{secret:a}}', '}}', '"', '\\'),
    ),
    {
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''));
const bodies = fc.oneof(
  fc.constant(undefined),
  texts,
  fc.record({ list: fc.array(texts, { maxLength: 2 }), count: fc.integer() }),
);
const drafts = fc
  .record({
    variables: fc.dictionary(names, fc.string(), { maxKeys: 3 }),
    steps: fc.array(
      fc.record({
        name: fc.string(),
        url: texts,
        method: fc.constant('POST'),
        headers: fc.record({ 'x-one': texts }),
        body: bodies,
        extract: fc.dictionary(names, fc.constant('$.id'), { maxKeys: 2 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(toDraft);

describe('Renaming a variable', () => {
  it('renaming a variable keeps what each reference refers to, and renaming it back restores the draft', () => {
    fc.assert(
      fc.property(
        drafts,
        fc.nat(),
        fc.constantFrom('z', 'a', 'b', 'order_id2', '2x', ''),
        (draft, pick, to) => {
          const rows = rowsOf(draft);
          const row = rows[pick % Math.max(rows.length, 1)];
          fc.pre(row !== undefined && row.name !== to);
          const after = renamed(draft, row, to);
          const isTaken = rows.some(({ name }) => name === to) || usesName(draft, to);
          expect(after === null).toBe(isTaken || !/^[a-z]/.test(to));
          if (after === null) return;
          expect(meanings(after.draft)).toEqual(meanings(draft));
          expect(after.count).toBe(meanings(draft).filter((rowId) => rowId === row.rowId).length);
          const back = renamed(after.draft, { ...row, name: to }, row.name);
          expect([null, draft]).toContainEqual(back?.draft ?? null);
        },
      ),
      propertyOptions(200),
    );
  });

  it('a variable that is renamed and renamed back leaves the scenario unchanged', () => {
    const draft = toDraft(scenarioExample);
    const row = rowNamed(draft, 'orderId');
    const there = renamed(draft, row, 'purchase');
    expect(there?.count).toBe(2);
    const back =
      there === null ? null : renamed(there.draft, { ...row, name: 'purchase' }, 'orderId');
    expect(back === null ? null : toBody(back.draft)).toEqual(toBody(draft));
  });

  it('renaming a variable keeps member names and the layout of a JSON body', () => {
    const text = '{ "{{id}}": [ "x {{ id }}",  1 ],\n "b": "{{other}}" }';
    const given = toDraft({
      variables: { id: '1', other: '2' },
      steps: [{ name: 'one', method: 'POST', url: 'http://x' }],
    });
    const [step] = given.steps;
    if (step === undefined) throw new Error('there is a step');
    const draft = {
      ...given,
      steps: [{ ...step, body: { ...step.body, mode: 'json' as const, text } }],
    };
    const after = renamed(draft, rowNamed(draft, 'id'), 'number');
    expect(after?.count).toBe(1);
    expect(after?.draft.steps[0]?.body.text).toBe(
      '{ "{{id}}": [ "x {{ number }}",  1 ],\n "b": "{{other}}" }',
    );
  });
});

describe('Finding the rename', () => {
  it('the search for a rename finds a row whose name has changed if no other name has changed', () => {
    const draft = toDraft(scenarioExample);
    const { rowId } = rowNamed(draft, 'token');
    expect(findRename(draft, withName(draft, rowId, 'key'))).toEqual({
      rowId,
      from: 'token',
      to: 'key',
    });
    expect(findRename(draft, toDraft(scenarioExample))).toBeNull();
    expect(findRename(draft, { ...draft, steps: draft.steps.slice(1) })).toBeNull();
  });
});

function usesName(draft: Draft, name: string): boolean {
  return draft.steps.some((step) =>
    [step.url, ...step.headers.map(({ value }) => value), step.body.text].some((text) =>
      findReferences(text).some(
        (reference) => reference.kind === 'variable' && reference.name === name,
      ),
    ),
  );
}
