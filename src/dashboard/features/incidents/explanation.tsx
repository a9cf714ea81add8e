/** Shows why people were or were not notified of an incident: a sentence per outage, and all steps on request. */
import { Paper, Text } from '@mantine/core';
import { useRecipientWords } from '../../shared/alerts/use-recipient-words';
import type { Incident, IncidentExplanation } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { Heading } from '../../shared/ui/heading';
import { outagesWords, summarizeWhy } from './explanation-summary';
import classes from './incidents.module.css';
import { StepTime } from './step-time';
import { groupSteps } from './story';
import { TEXT } from './strings';
import { useAlerts } from './use-alerts';

/** The number of sentences that are shown at first. The list of steps covers all outages. */
const SHOWN_SENTENCES = 3;

interface ExplanationProps {
  readonly path: string;
  readonly incident: Incident;
}

export function Explanation({ path, incident }: ExplanationProps) {
  const { data, error } = useRead<IncidentExplanation>(`${path}/explain`);
  const { data: alerts, error: alertsError } = useAlerts(incident);
  const formatRecipient = useRecipientWords();
  const summary =
    data !== undefined && alerts !== undefined
      ? summarizeWhy({ incident, sentences: data.sentences, alerts: alerts.data, formatRecipient })
      : [];
  return (
    <Paper component="section" withBorder p="md">
      <Heading>{data?.notified === false ? TEXT.whyNot : TEXT.why}</Heading>
      <Unread of={{ data: alerts && data, error: error ?? alertsError }} />
      {summary.slice(0, SHOWN_SENTENCES).map((sentence) => (
        <Text key={sentence} mt={4} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      {data !== undefined && (
        <details className={classes['more']}>
          <summary>{TEXT.steps(data.sentences.length)}</summary>
          <Steps incident={incident} sentences={data.sentences} />
        </details>
      )}
    </Paper>
  );
}

interface Sentences {
  readonly sentences: readonly IncidentExplanation['sentences'][number][];
}

/** Shows the steps of each outage below the number of the outage. */
function Steps({ incident, sentences }: Sentences & Pick<ExplanationProps, 'incident'>) {
  return groupSteps(incident, sentences).map(({ outage, lastOutage, startedAt, entries }) => (
    <div key={startedAt}>
      {outage !== null && lastOutage !== null && (
        <div className={classes['outageName']}>{outagesWords(outage, lastOutage)}</div>
      )}
      <Sentences sentences={entries} />
    </div>
  ));
}

function Sentences({ sentences }: Sentences) {
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
