/** The repositories whose CI runs get access without a stored API key. */
import { useState } from 'react';
import type { Pipeline } from '../../../shared/data/api-types';
import { SettingsList } from '../settings-list';
import { PipelineForm } from './pipeline-form';
import { PipelineTable } from './pipeline-table';
import { TEXT } from './strings';

export function PipelinesSection() {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <SettingsList<Pipeline>
        path="/v1/pipelines"
        text={TEXT}
        mayAdd="admin"
        onAdd={() => setIsAdding(true)}
      >
        {(pipelines) => <PipelineTable pipelines={pipelines} />}
      </SettingsList>
      {isAdding && <PipelineForm onClose={() => setIsAdding(false)} />}
    </>
  );
}
