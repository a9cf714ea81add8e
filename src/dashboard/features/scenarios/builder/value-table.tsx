/** The values of a scenario: what they were in the last test, where they are set and where they are used. */
import { Anchor, Text } from '@mantine/core';
import type { TestRun } from '../../../shared/data/api-types';
import { Subheading } from '../../../shared/ui/heading';
import { ScrollBox } from '../../../shared/ui/scroll-box';
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
      <ScrollBox label={BUILDER_TEXT.values} minWidth={320}>
        <table className={classes['values']} aria-labelledby="values-of-test">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">Set in</th>
              <th scope="col">Used in</th>
            </tr>
          </thead>
          <tbody>
            {uses.map((use) => (
              <tr key={use.name}>
                <th scope="row">{use.name}</th>
                <td>{shownValue(draft, use, tested)}</td>
                <td>
                  {use.setIn === null ? (
                    'Variable'
                  ) : (
                    <StepLinks ids={[use.setIn]} draft={draft} onSelect={onSelect} />
                  )}
                </td>
                <td>
                  <StepLinks ids={use.usedIn} draft={draft} onSelect={onSelect} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}

interface StepLinksProps extends Pick<ValueTableProps, 'draft' | 'onSelect'> {
  readonly ids: readonly string[];
}

function StepLinks({ ids, draft, onSelect }: StepLinksProps) {
  if (ids.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        Not used
      </Text>
    );
  return ids.map((id, at) => (
    <span key={id}>
      {at === 0 ? '' : ', '}
      <Anchor component="button" type="button" size="sm" onClick={() => onSelect(id)}>
        {draft.steps.find((step) => step.id === id)?.name}
      </Anchor>
    </span>
  ));
}

/** The last step that extracted a name counts. */
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
