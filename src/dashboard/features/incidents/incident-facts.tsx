/** The facts of an incident, with ways to what failed. */
import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Incident, Run } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Heading } from '../../shared/ui/heading';
import { TEXT } from './strings';

export function IncidentFacts({ incident }: { readonly incident: Incident }) {
  const { cause, regions } = incident;
  return (
    <Paper component="section" withBorder p="md">
      <Heading mb="xs">What happened</Heading>
      <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
        {cause?.message ?? TEXT.unknownCause}
      </Text>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0}>
        <Fact name={incident.resourceType === 'monitor' ? 'Monitor' : 'Scenario'}>
          <ResourceLink incident={incident} />
        </Fact>
        {regions.length > 0 && <Fact name="Regions that failed">{regions.join(', ')}</Fact>}
        <FirstRun incident={incident} />
      </SimpleGrid>
    </Paper>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}

function ResourceLink({ incident: { resourceType, resourceId, resourceName } }: IncidentProps) {
  if (resourceType === 'monitor') {
    return (
      <Anchor component={Link} to={`/monitors/${resourceId}`}>
        {resourceName}
      </Anchor>
    );
  }
  return (
    <Anchor component={Link} to={`/scenarios/${resourceId}`}>
      {resourceName}
    </Anchor>
  );
}

interface IncidentProps {
  readonly incident: Incident;
}

/** Says which step failed, as long as the run is kept. */
function FirstRun({ incident: { firstRunId, resourceId } }: IncidentProps) {
  const { data: run } = useRead<Run>(`/v1/scenarios/${resourceId}/results/${firstRunId ?? ''}`, {
    enabled: firstRunId !== null,
  });
  if (firstRunId === null) return null;
  const step = run?.failure?.stepName ?? null;
  return (
    <Fact name="First failing run">
      <Anchor component={Link} to={`/scenarios/${resourceId}/runs/${firstRunId}`}>
        {step === null ? 'Open run' : `Failed at step “${step}”`}
      </Anchor>
    </Fact>
  );
}
