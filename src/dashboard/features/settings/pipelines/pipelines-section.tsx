/** The repositories whose CI runs get access without a stored API key. A new pipeline shows how to set it up. */
import { useState } from 'react';
import type { Pipeline } from '../../../shared/data/api-types';
import { SettingsList } from '../settings-list';
import { PipelineForm } from './pipeline-form';
import { PipelineList } from './pipeline-list';
import { PipelineSetup } from './pipeline-setup';
import { TEXT } from './strings';

export function PipelinesSection() {
  const [isAdding, setIsAdding] = useState(false);
  const [shown, setShown] = useState<Pipeline | null>(null);
  const close = (added: Pipeline | null): void => {
    setIsAdding(false);
    setShown(added);
  };
  return (
    <>
      <SettingsList<Pipeline>
        path="/v1/pipelines"
        text={TEXT}
        mayAdd="admin"
        onAdd={() => setIsAdding(true)}
      >
        {(pipelines) => <PipelineList pipelines={pipelines} onShow={setShown} />}
      </SettingsList>
      {isAdding && <PipelineForm onClose={close} />}
      {shown !== null && <PipelineSetup pipeline={shown} onClose={() => setShown(null)} />}
    </>
  );
}
