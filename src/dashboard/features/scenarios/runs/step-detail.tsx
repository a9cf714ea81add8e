/** One step of a run: why it was skipped or waits, its request and response, and extracted values. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { valueText } from '../../../shared/results/measured';
import { MeasuredView } from '../../../shared/results/measured-view';
import { AbsoluteTime } from '../../../shared/text/time';
import { Subheading } from '../../../shared/ui/heading';
import classes from './runs.module.css';
import { StepMark } from './step-mark';
import type { RunStep } from './waterfall';

export function StepDetail({ step }: { readonly step: RunStep }) {
  const { status, tries, waitingUntil, skippedReason, startedAt, extracted } = step;
  const { cookies, notes } = step;
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StepMark status={status} />
        {tries > 1 && <Text size="sm">{tries} tries</Text>}
        {startedAt !== null && (
          <Text size="sm" c="dimmed">
            <AbsoluteTime at={startedAt} />
          </Text>
        )}
      </Group>
      {waitingUntil !== null && (
        <Text size="sm">
          Waits until <AbsoluteTime at={waitingUntil} />.
        </Text>
      )}
      {skippedReason !== null && <Text size="sm">Not sent: {skippedReason}.</Text>}
      {extracted.length > 0 && <Extracted values={extracted} />}
      {cookies.length > 0 && <Cookies cookies={cookies} />}
      {notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
      {startedAt !== null && <MeasuredView measured={step} tries={tries} />}
    </Stack>
  );
}

function Extracted({ values }: { readonly values: RunStep['extracted'] }) {
  return (
    <div>
      <Subheading>Extracted values</Subheading>
      <dl className={classes['values']}>
        {values.map(({ name, value, secret }) => (
          <Value key={name} name={name} value={value} isSecret={secret === true} />
        ))}
      </dl>
    </div>
  );
}

/** Shows no values, because they are not stored. */
function Cookies({ cookies }: { readonly cookies: RunStep['cookies'] }) {
  return (
    <div>
      <Subheading>Cookies set</Subheading>
      <dl className={classes['values']}>
        {cookies.map(({ name, domain, path, expiresAt }) => (
          <Fragment key={`${name} ${domain} ${path}`}>
            <dt>{name}</dt>
            <dd>
              {domain}
              {path}, {expiresAt === null ? 'for this run' : <AbsoluteTime at={expiresAt} />}
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  readonly isSecret: boolean;
}

function Value({ name, value, isSecret }: ValueProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {valueText(value)}{' '}
        {isSecret && (
          <Badge size="xs" variant="default" tt="none">
            secret
          </Badge>
        )}
      </dd>
    </>
  );
}
