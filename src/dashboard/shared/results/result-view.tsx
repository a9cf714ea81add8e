/** One result of a check or test: status, time, region and everything it found. */
import { Group, Stack, Text } from '@mantine/core';
import type { Result, TestResult } from '../data/api-types';
import { AbsoluteTime, milliseconds } from '../text/time';
import { Subheading } from '../ui/heading';
import { StatusLabel } from '../ui/status';
import { BodyText } from './body-text';
import { FailureAlert } from './failure-alert';
import { MeasuredView } from './measured-view';
import { RESULT_TEXT } from './words';

export function ResultView({ result }: { readonly result: Result | TestResult }) {
  const { status, region, startedAt, slot, responseTimeMs, inMaintenance, job, failure } = result;
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StatusLabel status={status} />
        <Text size="sm">
          {job === null && `${region} · `}
          {milliseconds(responseTimeMs)} · <AbsoluteTime at={startedAt ?? slot} />
          {inMaintenance ? ' · in maintenance' : ''}
        </Text>
      </Group>
      {job === null ? <MeasuredView measured={result} /> : <JobView job={job} failure={failure} />}
    </Stack>
  );
}

interface JobViewProps {
  readonly job: NonNullable<Result['job']>;
  readonly failure: Result['failure'];
}

/** Shows the report of a heartbeat's job: why it failed, its exit code and its output. */
function JobView({ job: { exitCode, text }, failure }: JobViewProps) {
  return (
    <Stack gap="md">
      {failure !== null && <FailureAlert failure={failure} />}
      {exitCode !== null && <Text size="sm">Exit code {exitCode}</Text>}
      {text !== null && text !== '' && (
        <section>
          <Subheading>{RESULT_TEXT.output}</Subheading>
          <BodyText text={text} label={RESULT_TEXT.output} />
        </section>
      )}
    </Stack>
  );
}
