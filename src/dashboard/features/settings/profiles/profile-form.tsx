/** Creates or edits a profile. */
import { Button, List, SimpleGrid, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { AlertsField } from '../../../shared/alerts/alerts-field';
import { HoursField } from '../../../shared/alerts/hours-field';
import type { Profile, RolloutPlan } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { DEFAULT_ALERTS } from '../../../shared/definition/definition-draft';
import { NumberField } from '../../../shared/form/fields/number-field';
import { RegionsField } from '../../../shared/form/fields/regions-field';
import { WarnDaysField } from '../../../shared/form/fields/warn-days-field';
import { HeadersField } from '../../../shared/form/headers/headers-field';
import { fieldAt, fieldWithin, type Problems } from '../../../shared/form/problems/problems';
import { ProblemNote } from '../../../shared/ui/problem-note';
import type { Edited } from '../keyed/keyed';
import { KeyedForm } from '../keyed/keyed-form';
import { buildBody, createDraft, type ProfileDraft } from './profile-draft';
import { PROFILES } from './strings';

const NOT_SET = 'Not set';
const SUGGESTED_WARN_DAYS = [14, 7, 3, 1];

export function ProfileForm({ item, onClose }: Edited<Profile>) {
  const findRollout = async ({ rolloutId }: Profile) =>
    rolloutId === (item?.rolloutId ?? null) ? null : rolloutId;
  return (
    <KeyedForm
      kind={PROFILES}
      item={item}
      createDraft={createDraft}
      buildBody={buildBody}
      findRollout={findRollout}
      onClose={onClose}
    >
      {({ draft, set, problems }) => (
        <>
          <Fields draft={draft} set={set} problems={problemsOfSet(problems)} />
          {item !== null && <PlanPreview profile={item} body={buildBody(draft)} />}
        </>
      )}
    </KeyedForm>
  );
}

/**
 * Returns the problems of the profile's values with the paths of a monitor's form: `set.interval` becomes `interval`.
 */
function problemsOfSet(errors: Problems): Problems {
  return errors
    .filter(({ path }) => path.startsWith('set.'))
    .map(({ path, message }) => ({ path: path.slice('set.'.length), message }));
}

interface FieldsProps {
  readonly draft: ProfileDraft;
  readonly set: (patch: Partial<ProfileDraft>) => void;
  readonly problems: Problems;
}

function Fields({ draft, set, problems }: FieldsProps) {
  const { alerts, group, tags, warnDays } = draft;
  const others = Object.keys(draft.others).filter((field) => field !== 'tls');
  return (
    <>
      <Text size="sm" c="dimmed">
        Empty fields are not set: each check keeps its own value or the default.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberField
          label="Interval (seconds)"
          placeholder={NOT_SET}
          value={draft.interval}
          onValue={(interval) => set({ interval })}
          {...fieldAt(problems, 'interval')}
        />
        <RegionsField
          value={draft.regions}
          onChange={(regions) => set({ regions })}
          problem={fieldWithin(problems, 'regions').error}
          placeholder={NOT_SET}
        />
        <NumberField
          label="Timeout (ms)"
          placeholder={NOT_SET}
          value={draft.timeoutMs}
          onValue={(timeoutMs) => set({ timeoutMs })}
          {...fieldAt(problems, 'timeoutMs')}
        />
        <NumberField
          label="Retries"
          placeholder={NOT_SET}
          value={draft.retries}
          onValue={(retries) => set({ retries })}
          {...fieldAt(problems, 'retries')}
        />
        <TextInput
          label="Group"
          placeholder={NOT_SET}
          value={group}
          onChange={({ currentTarget }) => set({ group: currentTarget.value })}
          {...fieldAt(problems, 'group')}
        />
        <TagsInput
          label="Tags"
          placeholder={tags.length === 0 ? NOT_SET : ''}
          value={[...tags]}
          onChange={(next) => set({ tags: next })}
          acceptValueOnBlur
          {...fieldWithin(problems, 'tags')}
        />
      </SimpleGrid>
      <HoursField
        value={{ hours: draft.hours, outside: 'quiet' }}
        isWithoutMode
        onChange={({ hours = draft.hours }) => set({ hours })}
        problems={problems}
      />
      <Switch
        label="Set alerts"
        checked={alerts !== null}
        onChange={({ currentTarget }) =>
          set({ alerts: currentTarget.checked ? DEFAULT_ALERTS : null })
        }
      />
      {alerts !== null && (
        <AlertsField
          routed={{ type: 'monitor', url: null, group, tags }}
          value={alerts}
          onChange={(next) => set({ alerts: next })}
          problems={problems}
        />
      )}
      <Switch
        label="Set certificate warnings"
        checked={warnDays !== null}
        onChange={({ currentTarget }) =>
          set({ warnDays: currentTarget.checked ? SUGGESTED_WARN_DAYS : null })
        }
      />
      {warnDays !== null && (
        <WarnDaysField
          value={warnDays}
          onChange={(days) => set({ warnDays: days })}
          problems={problems}
          path="tls.warnDays"
        />
      )}
      <Text size="sm" fw={600}>
        Headers
      </Text>
      <HeadersField
        value={draft.headers}
        onChange={(headers) => set({ headers })}
        problems={problems}
        path="headers"
      />
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          Also set, and kept: {others.join(', ')}.
        </Text>
      )}
    </>
  );
}

interface PlanPreviewProps {
  readonly profile: Profile;
  readonly body: object;
}

const SHOWN_MAX = 10;

/** Shows which checks a changed profile would change, before it is saved. */
function PlanPreview({ profile: { id, version }, body }: PlanPreviewProps) {
  const { mutate, isPending, error, data } = useChange<RolloutPlan>([]);
  const path = `/v1/profiles/${id}?dryRun=true`;
  const show = (): void => mutate({ method: 'PUT', path, body, ifVersion: version });
  return (
    <div>
      <Button variant="default" size="xs" onClick={show} loading={isPending}>
        Show what would change
      </Button>
      {error !== null && <ProblemNote problem={error} />}
      {data !== undefined && <Plan plan={data} />}
    </div>
  );
}

function Plan({ plan: { summary, items, problems } }: { readonly plan: RolloutPlan }) {
  const changed = items.filter(({ changes }) => changes.length > 0);
  const invalid = problems.map(({ id, name, path, message }) => ({
    id,
    name,
    text: `${path} ${message}`,
  }));
  const listed = [
    ...invalid,
    ...changed.map(({ id, name, changes }) => ({
      id,
      name,
      text: changes.map(({ path }) => path).join(', '),
    })),
  ];
  return (
    <div aria-live="polite">
      <Text size="sm" mt="xs">
        {summary.change} of {summary.total} checks would change
        {summary.invalid > 0 && `, and ${summary.invalid} would be invalid`}.
      </Text>
      <List size="sm">
        {listed.slice(0, SHOWN_MAX).map(({ id, name, text }) => (
          <List.Item key={`${id} ${text}`}>
            {name}: {text}
          </List.Item>
        ))}
      </List>
      {listed.length > SHOWN_MAX && (
        <Text size="sm" c="dimmed">
          And {listed.length - SHOWN_MAX} more.
        </Text>
      )}
    </div>
  );
}
