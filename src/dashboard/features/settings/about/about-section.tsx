/** The state of the service, and further links. Owners also see its components. */
import { Anchor, Code, List, Paper, Stack } from '@mantine/core';
import type { AccountDetail } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { Facts } from '../../../shared/ui/facts';
import { Heading } from '../../../shared/ui/heading';
import { Readiness } from './readiness';
import { NoWatchdog, Watchdog } from './watchdog';

const NO_RESPONSE = 'Not responding';

type ServiceState = NonNullable<AccountDetail['service']>;

/** The components of the installation. The service sends them only to owners. */
function ServiceFacts({ facts }: { readonly facts: ServiceState }) {
  const { version, nodeVersion, dataFolder } = facts;
  return (
    <section>
      <Heading mb="xs">This installation</Heading>
      <Facts
        label="This installation"
        facts={{
          Keepwatch: version,
          'Node.js': nodeVersion,
          Database: databaseWords(facts),
          Temporal: temporalWords(facts),
          'Data folder':
            dataFolder === null ? (
              'None: database and Temporal run separately'
            ) : (
              <Code>{dataFolder}</Code>
            ),
        }}
      />
    </section>
  );
}

/** Common names of the databases. The keys are the names that Temporal uses. */
const STORE_WORDS: Readonly<Record<string, string>> = {
  sqlite: 'SQLite',
  postgres12: 'PostgreSQL',
  postgres12_pgx: 'PostgreSQL',
  mysql8: 'MySQL',
  cassandra: 'Cassandra',
};

function databaseWords({ database }: ServiceState): string {
  if (database === null) return NO_RESPONSE;
  const { kind, version } = database;
  return kind === 'embedded' ? `Embedded, MongoDB ${version} compatible` : `MongoDB ${version}`;
}

function temporalWords({ temporal }: ServiceState): string {
  if (temporal === null) return NO_RESPONSE;
  const { version, persistence } = temporal;
  return persistence === null
    ? version
    : `${version}, ${STORE_WORDS[persistence] ?? persistence} storage`;
}

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
