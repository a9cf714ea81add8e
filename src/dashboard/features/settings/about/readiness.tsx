/** The state of the service and its dependencies, according to `/readyz`. */
import { Group, List, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Heading } from '../../../shared/ui/heading';
import { Loading } from '../../../shared/ui/loading';
import { StatusIcon } from '../../../shared/ui/status';
import { partWords, type ReadinessFacts, readReadiness } from './readiness-facts';

const READ_AGAIN_MS = 15_000;

export function Readiness() {
  const { data, isError } = useQuery<ReadinessFacts>({
    queryKey: ['/readyz'],
    // A status of 503 means that a dependency is down. The body of a 503 has the same fields, so the response is not
    // treated as an error.
    queryFn: async ({ signal }) => {
      const response = await fetch('/readyz', { signal });
      return readReadiness(await response.json());
    },
    refetchInterval: READ_AGAIN_MS,
  });
  return (
    <section>
      <Heading mb="xs">Service</Heading>
      {data === undefined && !isError && <Loading />}
      {isError && <Text>Can’t reach Keepwatch.</Text>}
      {data !== undefined && (
        <Paper withBorder p="md">
          <Text size="sm" mb="xs">
            {data.isReady ? 'All systems operational' : 'A dependency is unavailable'}
          </Text>
          <List listStyleType="none" spacing={4}>
            {data.parts.map(({ name, isUp }) => (
              <List.Item key={name}>
                <Group gap={6} wrap="nowrap">
                  <StatusIcon status={isUp ? 'up' : 'down'} size={16} />
                  <Text span size="sm">
                    {partWords(name)}
                  </Text>
                </Group>
              </List.Item>
            ))}
          </List>
        </Paper>
      )}
    </section>
  );
}
