/** Shows why people were or were not notified of an incident: one sentence, and the sentences of the API on request. */
import { Paper, Text } from '@mantine/core';
import type { IncidentExplanation } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { Heading } from '../../shared/ui/heading';
import { summarizeWhy } from './explanation-summary';
import classes from './incidents.module.css';
import { StepTime } from './step-time';
import { TEXT } from './strings';

export function Explanation({ path }: { readonly path: string }) {
  const { data, error } = useRead<IncidentExplanation>(`${path}/explain`);
  return (
    <Paper component="section" withBorder p="md">
      <Heading>{data?.notified === false ? TEXT.whyNot : TEXT.why}</Heading>
      <Unread of={{ data, error }} />
      {data !== undefined && (
        <>
          <Text mt={4} style={{ overflowWrap: 'anywhere' }}>
            {summarizeWhy(data)}
          </Text>
          <details className={classes['more']}>
            <summary>{TEXT.steps(data.sentences.length)}</summary>
            <Sentences sentences={data.sentences} />
          </details>
        </>
      )}
    </Paper>
  );
}

function Sentences({ sentences }: Pick<IncidentExplanation, 'sentences'>) {
  return (
    <ol className={classes['steps']}>
      {sentences.map(({ at, text }, index) => (
        <li key={`${at} ${text}`}>
          {text}{' '}
          <Text span size="xs" c="dimmed">
            <StepTime at={at} before={sentences[index - 1]?.at} />
          </Text>
        </li>
      ))}
    </ol>
  );
}
