/** What the installation is made of, where the service tells it: to owners. */
import { Code, Paper, Table, Title } from '@mantine/core';
import type { AccountDetail } from '../../../shared/data/api-types';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TEXT } from './strings';

type Facts = NonNullable<AccountDetail['service']>;

export function ServiceFacts({ facts }: { readonly facts: Facts }) {
  const { version, nodeVersion, dataFolder } = facts;
  const rows = [
    ['Keepwatch', version],
    ['Node.js', nodeVersion],
    [TEXT.database, databaseWords(facts)],
    ['Temporal', temporalWords(facts)],
  ] as const;
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {TEXT.installation}
      </Title>
      <Paper withBorder maw={640}>
        <ScrollBox label={TEXT.installation}>
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
                <Table.Th scope="row">{TEXT.dataFolder}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {dataFolder === null ? TEXT.noDataFolder : <Code>{dataFolder}</Code>}
                </Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
        </ScrollBox>
      </Paper>
    </section>
  );
}

function databaseWords({ database }: Facts): string {
  if (database === null) return TEXT.noResponse;
  const { kind, version } = database;
  return kind === 'embedded' ? `${TEXT.embedded}, speaks MongoDB ${version}` : `MongoDB ${version}`;
}

function temporalWords({ temporal }: Facts): string {
  if (temporal === null) return TEXT.noResponse;
  const { version, persistence } = temporal;
  return persistence === null ? version : `${version}, keeps its data in ${persistence}`;
}
