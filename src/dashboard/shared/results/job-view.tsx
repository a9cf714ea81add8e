/** The report of a heartbeat's job: why it failed, its exit code and its output. */
import { Stack, Text } from '@mantine/core';
import type { Result } from '../data/api-types';
import { Subheading } from '../ui/heading';
import { BodyText } from './body-text';
import { FailureAlert } from './failure-alert';
import { RESULT_TEXT } from './words';

interface JobViewProps {
  readonly job: NonNullable<Result['job']>;
  readonly failure: Result['failure'];
}

export function JobView({ job: { exitCode, text }, failure }: JobViewProps) {
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
