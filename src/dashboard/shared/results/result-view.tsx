/** One result of a check or test: status, time, region and everything it found. */
import { Group, Stack, Text } from '@mantine/core';
import type { Result, TestResult } from '../data/api-types';
import { AbsoluteTime, milliseconds } from '../text/time';
import { StatusLabel } from '../ui/status';
import { JobView } from './job-view';
import { MeasuredView } from './measured-view';

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
