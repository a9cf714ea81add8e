/** Stacked bars of the last checks or runs, with the mean of each part as a table. */
import { Table, Text } from '@mantine/core';
import { milliseconds } from '../text/time';
import { TableHead } from '../ui/table-head';
import { computeMean, partNames, type Stack } from './stacked';
import classes from './stacked.module.css';

/** The number of parts that the style can distinguish. */
const PARTS_MAX = 8;

interface StackedBarsProps {
  readonly stacks: readonly Stack[];
  /** What a bar represents: a check or a run. */
  readonly word: string;
}

export function StackedBars({ stacks, word }: StackedBarsProps) {
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
