/** The state of the service, its components for owners, and further links. */
import { Anchor, Code, List, Paper, Stack } from '@mantine/core';
import type { AccountDetail } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { Heading } from '../../../shared/ui/heading';
import { Readiness } from './readiness';
import { ServiceFacts } from './service-facts';
import { NoWatchdog, Watchdog } from './watchdog';

export function AboutSection() {
  const { data: account, error } = useRead<AccountDetail>('/v1/account?include=service');
  const isAdmin = useCan('admin');
  if (account === undefined)
    return <Unread of={{ data: account, error }} shape={<PageLoading isBelowHead />} />;
  const watchdog = account.service?.watchdog;
  return (
    <Stack gap="xl">
      {watchdog === null && <NoWatchdog />}
      <Readiness />
      {account.service != null && <ServiceFacts facts={account.service} />}
      {watchdog != null && <Watchdog facts={watchdog} />}
      <section>
        <Heading mb="xs">More</Heading>
        <Paper withBorder p="md">
          <List size="sm">
            <List.Item>
              <Anchor inherit underline="always" href="/docs">
                API reference
              </Anchor>
              : every endpoint, with a form to try it
            </List.Item>
            {isAdmin && (
              <List.Item>
                <Anchor inherit underline="always" href="/temporal">
                  Temporal UI
                </Anchor>
                : the workflow behind each monitor
              </List.Item>
            )}
            <List.Item>
              <Code>/metrics</Code> is for Prometheus, on this machine or with the metrics token
            </List.Item>
          </List>
        </Paper>
      </section>
    </Stack>
  );
}
