/** Creates a scenario: from the example, from scratch, or as a copy of an existing scenario. */
import { Button, Card, Text } from '@mantine/core';
import { useState } from 'react';
import type { Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { copyDefinition, withoutStored } from '../../../shared/definition/definition-draft';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { Heading } from '../../../shared/ui/heading';
import { PageHead } from '../../../shared/ui/page-head';
import { Trail } from '../../../shared/ui/trail';
import { WritersOnly } from '../../../shared/ui/writers-only';
import classes from '../builder/builder.module.css';
import { emptyDraft, toDraft } from '../draft/draft';
import { SCENARIO_WRITERS } from '../strings';
import { ScenarioForm } from './scenario-form';

export function NewScenarioPage() {
  const [{ from = '', start = '' }, change] = useSearchState();
  return (
    <>
      <Trail pages={[{ to: '/scenarios', label: 'Scenarios' }]} />
      <PageHead title="New scenario" />
      <WritersOnly {...SCENARIO_WRITERS}>
        {from !== '' && <FromOther id={from} />}
        {from === '' && start === 'example' && <FromExample />}
        {from === '' && start === 'empty' && <ScenarioForm initial={emptyDraft()} saved={null} />}
        {from === '' && start === '' && <Start onStart={(way) => change({ start: way })} />}
      </WritersOnly>
    </>
  );
}

function Start({ onStart }: { readonly onStart: (way: string) => void }) {
  return (
    <div className={classes['start']}>
      <Card withBorder>
        <Heading>Start from the example</Heading>
        <Text size="sm" c="dimmed" my="sm">
          Log in, create an order, read it back and delete it. Enter the URL of your service and
          change what differs.
        </Text>
        <Button onClick={() => onStart('example')} mt="auto">
          Use the example
        </Button>
      </Card>
      <Card withBorder>
        <Heading>Start empty</Heading>
        <Text size="sm" c="dimmed" my="sm">
          One empty step. Paste curl commands, or import a HAR, OpenAPI or Postman file.
        </Text>
        <Button variant="default" onClick={() => onStart('empty')} mt="auto">
          Start empty
        </Button>
      </Card>
    </div>
  );
}

function FromExample() {
  const { data, error } = useRead<unknown>('/v1/scenarios/example');
  const example = useFirst(data);
  if (example !== undefined) return <ScenarioForm initial={toDraft(example)} saved={null} />;
  return <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />;
}

/** The form with a copy of another scenario. Unique fields and the values of secrets are not copied. */
function FromOther({ id }: { readonly id: string }) {
  const { data, error } = useRead<Scenario>(`/v1/scenarios/${id}`);
  const other = useFirst(data);
  if (other === undefined)
    return <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />;
  return <ScenarioForm initial={withoutStored(toDraft(copyDefinition(other)))} saved={null} />;
}

/** Returns the first value and ignores later ones, so that typed text is not replaced. */
function useFirst<T>(data: T | undefined): T | undefined {
  const [first, setFirst] = useState(data);
  if (first === undefined && data !== undefined) setFirst(data);
  return first;
}
