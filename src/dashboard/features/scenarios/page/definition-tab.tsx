/** The saved definition as a summary and as YAML. Never shows secrets. */
import { Badge, Group, List, Paper, Text } from '@mantine/core';
import { networkMethod } from '../../../../contracts/kinds';
import { cutText } from '../../../../domain/text/cut-text';
import { formatTargetText } from '../../../../kinds/words';
import { readRecord } from '../../../../schemas/loose';
import type { Scenario } from '../../../shared/data/api-types';
import { toYaml } from '../../../shared/definition/yaml-text';
import lineClasses from '../../../shared/results/results.module.css';
import { DefinitionText } from '../../../shared/tabs/definition-text';
import { formatDuration } from '../../../shared/text/time';
import { SCENARIO } from '../draft/scenario-kind';
import classes from '../runs/runs.module.css';

export function DefinitionTab({ scenario }: { readonly scenario: Scenario }) {
  return (
    <>
      <Paper withBorder p="md" mb="md">
        <Summary scenario={scenario} />
      </Paper>
      <DefinitionText of={scenario} yaml={toYaml(SCENARIO, SCENARIO.toDraft(scenario))} />
    </>
  );
}

function Summary({ scenario }: { readonly scenario: Scenario }) {
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
          <dd>{formatDuration(timeoutSeconds)}</dd>
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
            <StepItem step={step} />
          </List.Item>
        ))}
      </List>
    </>
  );
}

type ShownStep = Scenario['steps'][number];
type HttpStep = Extract<ShownStep, { readonly type: 'http' }>;

function StepItem({ step }: { readonly step: ShownStep }) {
  const { name, always, extract, waitSeconds, until } = step;
  const [assertions, sent] = step.type === 'http' ? [step.assertions, bodyWords(step)] : [[], null];
  return (
    <>
      <Group gap={6}>
        <b>{name}</b>
        {always && <Mark word="always" />}
        {waitSeconds > 0 && <Mark word={`after ${formatDuration(waitSeconds)}`} />}
        {until !== null && <Mark word={`repeated for ${formatDuration(until.forSeconds)}`} />}
      </Group>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {formatTarget(step)}
      </Text>
      <StepLines title="Expects" lines={assertions.map(assertionWords)} />
      <StepLines title="Extracts" lines={Object.entries(extract).map(extractionWords)} />
      {sent !== null && (
        <Text component="pre" className={lineClasses['line'] ?? ''} m={0} style={PRE}>
          {sent}
        </Text>
      )}
    </>
  );
}

function formatTarget(step: ShownStep): string {
  if (step.type === 'http') return `${step.method} ${step.url}`;
  return `${networkMethod(step.type)} ${formatTargetText(step)}`;
}

const PRE = { whiteSpace: 'pre-wrap' } as const;
const BODY_MAX = 2_000;

function StepLines({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly string[];
}) {
  if (lines.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {title}: {lines.join(' · ')}
    </Text>
  );
}

/** Describes an assertion, like `jsonPath $.id exists` or `status equals 200`. */
function assertionWords(assertion: HttpStep['assertions'][number]): string {
  const { type, operator, value, severity } = assertion;
  const target = 'path' in assertion ? assertion.path : 'name' in assertion ? assertion.name : null;
  const expected = value === undefined ? null : formatValue(value);
  const words = [type, target, operator, expected].filter((word) => word !== null).join(' ');
  return severity === 'degraded' ? `${words} (else degraded)` : words;
}

/** Describes an extraction, like `token from $.token` or `id from header Location`. */
function extractionWords([name, source]: readonly [string, unknown]): string {
  if (typeof source === 'string') return `${name} from ${source}`;
  const { path, name: part, from } = readRecord(source);
  if (typeof path === 'string') return `${name} from ${path}`;
  return `${name} from ${[from, part].filter((word) => typeof word === 'string').join(' ')}`;
}

/** Returns the body as the definition contains it, without replacing references. null if the step sends no body. */
function bodyWords({
  body,
  form,
  multipart,
  graphql,
}: Pick<HttpStep, 'body' | 'form' | 'multipart' | 'graphql'>) {
  const sent: unknown = body ?? form ?? multipart ?? graphql;
  return sent === null || sent === undefined ? null : cutText(formatValue(sent), BODY_MAX);
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

function Mark({ word }: { readonly word: string }) {
  return (
    <Badge size="xs" variant="default" tt="none">
      {word}
    </Badge>
  );
}
