/** The top of an incident's page: its cause, request and response, guidance, and progress. */
import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { GuidanceNote, RunbookLink } from '../../shared/alerts/guidance-note';
import type { Incident } from '../../shared/data/api-types';
import { FailingExchange } from '../../shared/results/failing-exchange';
import { Heading } from '../../shared/ui/heading';
import { IncidentSteps } from './incident-steps';
import { TEXT } from './strings';
import { SubjectLine } from './subject-line';

interface FactsProps {
  readonly incident: Incident;
  /** The buttons for actions on the incident. */
  readonly children?: ReactNode;
}

export function IncidentFacts({ incident, children }: FactsProps) {
  const { cause, regions, runbookUrl, note, state } = incident;
  return (
    <Paper component="section" withBorder p="md">
      <Stack gap="xs">
        <Heading>What happened</Heading>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {cause?.message ?? TEXT.unknownCause}
        </Text>
        <FailingExchange failed={incident} />
        <GuidanceNote note={note} />
        {(state !== 'resolved' || runbookUrl !== null) && (
          <Group gap="xs">
            {children}
            <Text span size="sm">
              <RunbookLink runbookUrl={runbookUrl} />
            </Text>
          </Group>
        )}
        <IncidentSteps incident={incident} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <SubjectLine incident={incident} />
          {regions.length > 0 && ` · failed in ${regions.join(', ')}`}
        </Text>
      </Stack>
    </Paper>
  );
}
