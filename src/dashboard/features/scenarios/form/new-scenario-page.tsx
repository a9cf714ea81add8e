/** Creates a scenario: from an example, from an imported file, from scratch, or as a copy of an existing scenario. */
import { useState } from 'react';
import type { Scenario } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { copyDefinition, withoutStored } from '../../../shared/definition/definition-draft';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { PageHead } from '../../../shared/ui/page-head';
import { Trail } from '../../../shared/ui/trail';
import { WritersOnly } from '../../../shared/ui/writers-only';
import { type Draft, emptyDraft, toDraft } from '../draft/draft';
import { SCENARIO_WRITERS } from '../strings';
import { createExampleDraft } from './examples';
import { ScenarioForm } from './scenario-form';
import { StartCards } from './start-cards';

export function NewScenarioPage() {
  const [{ from = '', start = '', example = '', url = '' }, change] = useSearchState();
  const [imported, setImported] = useState<Draft | null>(null);
  const isNew = from === '' && imported === null;
  return (
    <>
      <Trail pages={[{ to: '/scenarios', label: 'Scenarios' }]} />
      <PageHead title="New scenario" />
      <WritersOnly {...SCENARIO_WRITERS}>
        {from !== '' && <FromOther id={from} />}
        {from === '' && imported !== null && <ScenarioForm initial={imported} saved={null} />}
        {isNew && start === 'example' && (
          <ScenarioForm initial={createExampleDraft(example, url)} saved={null} />
        )}
        {isNew && start === 'empty' && <ScenarioForm initial={emptyDraft()} saved={null} />}
        {isNew && start === '' && (
          <StartCards
            onExample={(id, baseUrl) =>
              change({ start: 'example', example: id, url: baseUrl.trim() || undefined })
            }
            onImport={setImported}
            onEmpty={() => change({ start: 'empty' })}
          />
        )}
      </WritersOnly>
    </>
  );
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
