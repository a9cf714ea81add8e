/** The saved definition in short: variables and steps in their order. Secrets are never shown. */
import { Badge, Group, List, Text } from '@mantine/core';
import { networkMethod } from '../../../../contracts/kinds';
import { targetText } from '../../../../kinds/words';
import type { Scenario } from '../../../shared/data/api-types';
import { lengthOf } from '../../../shared/text/time';
import classes from '../runs/runs.module.css';

export function Definition({ scenario }: { readonly scenario: Scenario }) {
  const { steps, variables, onFailure, timeoutSeconds, group, key } = scenario;
  const names = Object.entries(variables);
  return (
    <>
      <dl className={classes['facts']}>
        <div>
          <dt>After a failure</dt>
          <dd>{onFailure === 'stop' ? 'stop' : 'continue'}</dd>
        </div>
        <div>
          <dt>Time limit</dt>
          <dd>{lengthOf(timeoutSeconds)}</dd>
        </div>
        {group !== null && (
          <div>
            <dt>Group</dt>
            <dd>{group}</dd>
          </div>
        )}
        {key !== null && (
          <div>
            <dt>Key</dt>
            <dd>{key}</dd>
          </div>
        )}
        {names.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : 'secret'}</dd>
          </div>
        ))}
      </dl>
      <List type="ordered" mt="md" size="sm" spacing={6}>
        {steps.map((step) => (
          <List.Item key={step.name}>
            <Step step={step} />
          </List.Item>
        ))}
      </List>
    </>
  );
}

type ShownStep = Scenario['steps'][number];

function Step({ step }: { readonly step: ShownStep }) {
  const { name, always, extract, waitSeconds, until } = step;
  return (
    <>
      <Group gap={6}>
        <b>{name}</b>
        {always && <Mark word="always" />}
        {waitSeconds > 0 && <Mark word={`after ${lengthOf(waitSeconds)}`} />}
        {until !== null && <Mark word={`repeated for ${lengthOf(until.forSeconds)}`} />}
      </Group>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {addressOf(step)}
      </Text>
      {Object.keys(extract).length > 0 && (
        <Text size="xs" c="dimmed">
          extracts {Object.keys(extract).join(', ')}
        </Text>
      )}
    </>
  );
}

function addressOf(step: ShownStep): string {
  if (step.type === 'http') return `${step.method} ${step.url}`;
  return `${networkMethod(step.type)} ${targetText(step)}`;
}

function Mark({ word }: { readonly word: string }) {
  return (
    <Badge size="xs" variant="default" tt="none">
      {word}
    </Badge>
  );
}
