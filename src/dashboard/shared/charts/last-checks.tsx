/** The last checks of a window: status codes, and the last certificate. */
import { Badge, Paper, SimpleGrid, Skeleton, Table, Text } from '@mantine/core';
import type { Page, Result, Run } from '../data/api-types';
import { useRead } from '../data/queries';
import { withQuery } from '../data/with-query';
import { Unread } from '../loading/unread';
import { AbsoluteTime, milliseconds } from '../text/time';
import { Heading } from '../ui/heading';
import { TableHead } from '../ui/table-head';
import { countWords } from './counted';
import {
  computeMean,
  countCodes,
  NOT_RUN,
  partNames,
  type Stack,
  stackResults,
  stackRuns,
} from './stacked';
import classes from './stacked.module.css';

const CHECKS_MAX = 100;
const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

export interface LastProps {
  readonly kind: 'monitors' | 'scenarios';
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

function buildPath({ kind, id, from, to }: LastProps): string {
  return withQuery(`/v1/${kind}/${id}/results`, { from, to, limit: CHECKS_MAX });
}

export function LastPhases(props: LastProps) {
  const { data, error } = useRead<Page<Result>>(buildPath(props));
  if (data === undefined) return <Unread of={{ data, error }} />;
  return <StackedBars stacks={stackResults(data.data)} word="check" />;
}

export function LastSteps(props: LastProps) {
  const { data, error } = useRead<Page<Run>>(buildPath(props));
  if (data === undefined) return <Unread of={{ data, error }} />;
  return <StackedBars stacks={stackRuns(data.data)} word="run" />;
}

/** Shows the status codes of a monitor's last checks, and its last certificate. */
export function LastFindings(props: LastProps) {
  const { data, error } = useRead<Page<Result>>(buildPath(props));
  // The placeholder has the final height, so that nothing below moves.
  if (data === undefined)
    return <Unread of={{ data, error }} shape={<Skeleton h={190} mb="md" />} />;
  const results = data.data;
  const tls = results.find((result) => result.tls !== null)?.tls ?? null;
  if (results.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: tls === null ? 1 : 2 }} mb="md">
      <StatusCodes results={results} />
      {tls !== null && <Certificate tls={tls} />}
    </SimpleGrid>
  );
}

function chooseTone(code: string): 'up' | 'down' | 'unknown' {
  if (code === NOT_RUN) return 'unknown';
  return /^[23]/.test(code) ? 'up' : 'down';
}

function StatusCodes({ results }: { readonly results: readonly Result[] }) {
  const codes = countCodes(results);
  if (codes.length === 0) return null;
  const total = codes.reduce((sum, { count }) => sum + count, 0);
  return (
    <Paper component="section" aria-label="Status codes" withBorder p="md">
      <Heading size="h5" mb="xs">
        Status codes
      </Heading>
      <Text size="xs" c="dimmed" mb="xs">
        Last {countWords(total, 'check')}
      </Text>
      <Table fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Code</Table.Th>
            <Table.Th>Checks</Table.Th>
            <Table.Th w="50%">Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {codes.map(({ code, count }) => (
            <Table.Tr key={code}>
              <Table.Th scope="row">{code}</Table.Th>
              <Table.Td>{count}</Table.Td>
              <Table.Td>
                <div className={classes['share']}>
                  <div>
                    <div
                      className={classes['meter']}
                      data-tone={chooseTone(code)}
                      style={{ width: `${(100 * count) / total}%` }}
                    />
                  </div>
                  <span data-number>{Math.round((100 * count) / total)}%</span>
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Certificate({ tls }: { readonly tls: NonNullable<Result['tls']> }) {
  const { issuer, version, trusted, expiresAt } = tls;
  const days =
    expiresAt === null ? null : Math.floor((Date.parse(expiresAt) - Date.now()) / DAY_MS);
  return (
    <Paper component="section" withBorder p="md">
      <Heading size="h5" mb="xs">
        TLS certificate
      </Heading>
      <Table fz="sm" verticalSpacing={4} variant="vertical">
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row">Issuer</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{issuer ?? 'Unknown'}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">Chain</Table.Th>
            <Table.Td>
              <Badge variant="outline" tt="none" color={trusted ? 'green' : 'red'}>
                {trusted ? 'Trusted' : 'Not trusted'}
              </Badge>
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">Expires</Table.Th>
            <Table.Td>
              {expiresAt === null || days === null ? (
                'Unknown'
              ) : (
                <>
                  <Text span size="sm" fw={days <= SOON_DAYS ? 700 : 400}>
                    {days < 0 ? 'expired' : `in ${days} days`}
                  </Text>
                  , <AbsoluteTime at={expiresAt} />
                </>
              )}
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">Protocol</Table.Th>
            <Table.Td>{version ?? 'Unknown'}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** How many parts the styles can distinguish. */
const PARTS_MAX = 8;

interface StackedBarsProps {
  readonly stacks: readonly Stack[];
  /** The word for the object that a bar represents: check or run. */
  readonly word: string;
}

/** Shows stacked bars of the last checks or runs, and a table with the mean of each part. */
function StackedBars({ stacks, word }: StackedBarsProps) {
  const names = partNames(stacks, PARTS_MAX);
  const highest = Math.max(1, ...stacks.map(({ totalMs }) => totalMs));
  if (stacks.length === 0) return <Text c="dimmed">Nothing was timed in this window.</Text>;
  return (
    <>
      <div
        className={classes['bars']}
        role="img"
        aria-label={`Stacked bars of the last ${stacks.length} ${word}s, up to ${milliseconds(highest)}. Means are in the table below.`}
      >
        {stacks.map((stack) => (
          <div key={stack.id} className={classes['bar']} title={formatTitle(stack)}>
            {names.map((name, index) => (
              <span
                key={name}
                data-part={index}
                style={{ height: `${(100 * sumMs(stack, name)) / highest}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <Table fz="sm" verticalSpacing={4} maw={420}>
        <TableHead columns={[word === 'run' ? 'Step' : 'Phase', `Mean of passing ${word}s`]} />
        <Table.Tbody>
          {names.map((name, index) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                <span className={classes['key']} data-part={index} aria-hidden /> {name}
              </Table.Th>
              <Table.Td>{milliseconds(computeMean(stacks, name))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function sumMs({ parts }: Stack, name: string): number {
  return parts.filter((part) => part.name === name).reduce((sum, { ms }) => sum + ms, 0);
}

function formatTitle({ at, totalMs, parts }: Stack): string {
  const all = parts.map(({ name, ms }) => `${name} ${milliseconds(ms)}`);
  return `${new Date(at).toLocaleString('en-GB')}: ${milliseconds(totalMs)} (${all.join(', ')})`;
}
