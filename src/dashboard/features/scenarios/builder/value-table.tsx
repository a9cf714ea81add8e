/** The variables of a scenario: their values in the last test, where they are set, and where they are used. */
import { Anchor, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { TestRun } from '../../../shared/data/api-types';
import { Subheading } from '../../../shared/ui/heading';
import type { Draft } from '../draft/draft';
import { type NameUse, nameUses } from '../draft/references';
import classes from './builder.module.css';
import { BUILDER_TEXT } from './builder-strings';
import { preview } from './json-nodes';

interface ValueTableProps {
  readonly draft: Draft;
  readonly run: TestRun | undefined;
  readonly onSelect: (stepId: string) => void;
}

export function ValueTable({ draft, run, onSelect }: ValueTableProps) {
  const uses = nameUses(draft);
  if (uses.length === 0) return null;
  const tested = testedValues(run);
  return (
    <section>
      <Subheading id="values-of-test">{BUILDER_TEXT.values}</Subheading>
      <dl className={classes['values']} aria-labelledby="values-of-test">
        {uses.map((use) => (
          <div key={use.name}>
            <dt>{use.name}</dt>
            <dd className={classes['value']}>{shownValue(draft, use, tested)}</dd>
            <Text component="dd" size="xs" c="dimmed">
              {use.setIn === null ? (
                'Variable'
              ) : (
                <>
                  Set in <StepLinks ids={[use.setIn]} draft={draft} onSelect={onSelect} />
                </>
              )}
              {use.usedIn.length === 0 ? (
                ' · not used'
              ) : (
                <>
                  {' · used in '}
                  <StepLinks ids={use.usedIn} draft={draft} onSelect={onSelect} />
                </>
              )}
            </Text>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface StepLinksProps extends Pick<ValueTableProps, 'draft' | 'onSelect'> {
  readonly ids: readonly string[];
}

function StepLinks({ ids, draft, onSelect }: StepLinksProps) {
  return ids.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && ' '}
      <span className={classes['use']}>
        <Anchor component="button" type="button" inherit onClick={() => onSelect(id)}>
          {draft.steps.find((step) => step.id === id)?.name}
        </Anchor>
        {at < ids.length - 1 && ','}
      </span>
    </Fragment>
  ));
}

/** Returns the values of the last test. If several steps extract the same name, the last of these steps counts. */
function testedValues(run: TestRun | undefined): ReadonlyMap<string, unknown> {
  const extracted = run?.steps.flatMap((step) => step.extracted) ?? [];
  return new Map(extracted.map(({ name, value }) => [name, value]));
}

function shownValue(
  draft: Draft,
  { name, isSecret }: NameUse,
  tested: ReadonlyMap<string, unknown>,
): string {
  if (isSecret) return '•••';
  if (tested.has(name)) return preview(tested.get(name));
  return draft.variables.find((row) => row.name.trim() === name)?.value ?? 'Run a test to see it';
}
