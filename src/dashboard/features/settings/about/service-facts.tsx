/** The components of the installation. The service sends them only to owners. */
import { Code, Paper, Table } from '@mantine/core';
import type { AccountDetail } from '../../../shared/data/api-types';
import { Heading } from '../../../shared/ui/heading';
import { ScrollBox } from '../../../shared/ui/scroll-box';

const NO_RESPONSE = 'Not responding';

type Facts = NonNullable<AccountDetail['service']>;

export function ServiceFacts({ facts }: { readonly facts: Facts }) {
  const { version, nodeVersion, dataFolder } = facts;
  const rows = [
    ['Keepwatch', version],
    ['Node.js', nodeVersion],
    ['Database', databaseWords(facts)],
    ['Temporal', temporalWords(facts)],
  ] as const;
  return (
    <section>
      <Heading mb="xs">This installation</Heading>
      <Paper withBorder>
        <ScrollBox label="This installation">
          <Table fz="sm">
            <Table.Tbody>
              {rows.map(([name, words]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" w={140}>
                    {name}
                  </Table.Th>
                  <Table.Td>{words}</Table.Td>
                </Table.Tr>
              ))}
              <Table.Tr>
                <Table.Th scope="row">Data folder</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {dataFolder === null ? (
                    'None: database and Temporal run separately'
                  ) : (
                    <Code>{dataFolder}</Code>
                  )}
                </Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
        </ScrollBox>
      </Paper>
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

function databaseWords({ database }: Facts): string {
  if (database === null) return NO_RESPONSE;
  const { kind, version } = database;
  return kind === 'embedded' ? `Embedded, MongoDB ${version} compatible` : `MongoDB ${version}`;
}

function temporalWords({ temporal }: Facts): string {
  if (temporal === null) return NO_RESPONSE;
  const { version, persistence } = temporal;
  return persistence === null
    ? version
    : `${version}, ${STORE_WORDS[persistence] ?? persistence} storage`;
}
