/** The components of the installation. The service sends them only to owners. */
import { Code } from '@mantine/core';
import type { AccountDetail } from '../../../shared/data/api-types';
import { Facts } from '../../../shared/ui/facts';
import { Heading } from '../../../shared/ui/heading';

const NO_RESPONSE = 'Not responding';

type ServiceState = NonNullable<AccountDetail['service']>;

export function ServiceFacts({ facts }: { readonly facts: ServiceState }) {
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

/** The common name of each database, by Temporal's name for it. */
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
