/** Shows how a result differs from the last passing result of the same region. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../data/api';
import type { Page, Result } from '../data/api-types';
import { useRead } from '../data/queries';
import { Unread } from '../loading/unread';
import { milliseconds } from '../text/time';
import { absolute, clockSeconds, formatDuration } from '../text/time-text';
import { findDifferences } from './difference';
import { DifferenceTable } from './difference-table';

/** Texts for a page on which the default texts would be ambiguous, because it shows several results. */
interface LastPassingWords {
  readonly passing: string;
  readonly result: string;
}

interface LastPassingProps {
  readonly result: Result;
  readonly words?: LastPassingWords;
}

export function LastPassing({ result, words }: LastPassingProps) {
  const { monitorId, region, slot } = result;
  const query = { region, status: 'up', to: slot, limit: 1 };
  const { data, error } = useRead<Page<Result>>(
    withQuery(`/v1/monitors/${monitorId}/results`, query),
  );
  if (data === undefined) return <Unread of={{ data, error }} />;
  const [passing] = data.data;
  if (passing === undefined) {
    return <Text size="sm">No earlier result from this region passed.</Text>;
  }
  return <Comparison result={result} passing={passing} words={words} />;
}

interface ComparisonProps {
  readonly result: Result;
  /** The passing result as lists contain it: without headers and body. */
  readonly passing: Result;
  readonly words: LastPassingWords | undefined;
}

function Comparison({ result, passing, words }: ComparisonProps) {
  const own = `/monitors/${passing.monitorId}/results/${encodeURIComponent(passing.id)}`;
  const { data: whole, error } = useRead<Result>(`/v1${own}`);
  if (whole?.id !== passing.id) return <Unread of={{ data: undefined, error }} />;
  const differences = findDifferences(whole, result);
  return (
    <>
      <Text size="sm" mb="sm">
        <Anchor component={Link} to={own} inherit underline="always">
          {words?.passing ?? 'Last passing result'}
        </Anchor>
        : <Earlier at={getStart(whole)} than={getStart(result)} />, in{' '}
        {milliseconds(whole.responseTimeMs)}
      </Text>
      {result.response === null && <Text size="sm">There was no response this time.</Text>}
      {(result.response !== null || differences.length > 0) && (
        <DifferenceTable differences={differences} resultLabel={words?.result} />
      )}
      {whole.response?.headers == null && (
        <Text size="sm" c="dimmed" mt="xs">
          Its headers and body are no longer kept: another result passed since.
        </Text>
      )}
    </>
  );
}

function getStart({ startedAt, slot }: Result): string {
  return startedAt ?? slot;
}

/** Shows how much earlier `at` is, and its time of day, like `1 min 30 s earlier (11:52:47)`. */
function Earlier({ at, than }: { readonly at: string; readonly than: string }) {
  const seconds = (Date.parse(than) - Date.parse(at)) / 1_000;
  return (
    <time dateTime={at} title={absolute(at)}>
      {formatDuration(seconds)} earlier ({clockSeconds(at)})
    </time>
  );
}
