/** Shows why people were or were not notified of an incident, in the sentences that the API returns. */
import { Paper, Text } from '@mantine/core';
import type { Incident, IncidentExplanation } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { AbsoluteTime } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { OutageParts } from './outage-parts';
import { splitStory } from './story';

/** Summarizes whether the alert was delivered, is due, was suppressed by settings, or was not needed. */
function headline({ notified, sentences }: IncidentExplanation): string {
  if (!notified) {
    const isLeftOut = sentences.some(({ topic }) => topic === 'rule');
    return isLeftOut ? 'No alert was sent.' : 'No alert was needed.';
  }
  const wasSent = sentences.some(
    ({ topic, text }) => topic === 'delivery' && text.includes(' was sent'),
  );
  return wasSent ? 'An alert was sent.' : 'An alert was due, but none has been delivered yet.';
}

interface ExplanationProps {
  readonly incident: Incident;
  readonly path: string;
}

export function Explanation({ incident, path }: ExplanationProps) {
  const { data, error } = useRead<IncidentExplanation>(`${path}/explain`);
  return (
    <Paper component="section" withBorder p="md">
      <Heading>
        {data?.notified === false ? 'Why was I not notified?' : 'Why was I notified?'}
      </Heading>
      <Unread of={{ data, error }} />
      {data !== undefined && (
        <>
          <Text fw={600} mt="xs">
            {headline(data)}
          </Text>
          <OutageParts
            parts={splitStory(incident, data.sentences).filter(({ entries }) => entries.length > 0)}
          >
            {(sentences) => <Sentences sentences={sentences} />}
          </OutageParts>
        </>
      )}
    </Paper>
  );
}

type Sentence = IncidentExplanation['sentences'][number];

function Sentences({ sentences }: { readonly sentences: readonly Sentence[] }) {
  return (
    <ol
      style={{
        margin: '8px 0 0',
        paddingInlineStart: 20,
        fontSize: 'var(--mantine-font-size-sm)',
      }}
    >
      {sentences.map(({ at, text }) => (
        <li key={`${at} ${text}`}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {text}{' '}
            <Text span size="xs" c="dimmed">
              <AbsoluteTime at={at} />
            </Text>
          </Text>
        </li>
      ))}
    </ol>
  );
}
