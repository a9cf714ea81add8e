/** Creates or edits a status page next to its preview. */
import { Button, Group, SegmentedControl, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { ListedCheck, StatusPage } from '../../shared/data/api-types';
import { useChecks } from '../../shared/data/checks';
import { useChange } from '../../shared/data/queries';
import { Section } from '../../shared/definition/definition-fields';
import { useUnsaved } from '../../shared/form/unsaved';
import { Unread } from '../../shared/loading/unread';
import { faultAt } from '../../shared/text/faults';
import { TEXT as COMMON } from '../../shared/text/strings';
import { notify } from '../../shared/ui/notify';
import { ProblemNote } from '../../shared/ui/problem-note';
import { AccessFields } from './access-fields';
import { DomainFields, DomainStates } from './domain-fields';
import classes from './editor.module.css';
import { GroupFields } from './group-fields';
import type { Choice } from './item-field';
import { LookFields } from './look-fields';
import { OurChecksFields } from './our-checks-fields';
import { buildBody, createDraft, type PageDraft, withTitle } from './page-draft';
import { PagePreview } from './page-preview';
import { PostSettingsFields } from './post-settings-fields';
import { ShareFields } from './share-fields';
import { TEXT } from './strings';
import { SubscriberFields } from './subscriber-fields';

interface PageFormProps {
  /** null for a new page. */
  readonly page: StatusPage | null;
  readonly onSaved: (page: StatusPage) => void;
}

/** On narrow screens, either the form or the preview is shown. */
const VIEWS = [
  { value: 'form', label: TEXT.form },
  { value: 'preview', label: TEXT.preview },
] as const;

type View = (typeof VIEWS)[number]['value'];

export function PageForm({ page, onSaved }: PageFormProps) {
  const [draft, setDraft] = useState(() => createDraft(page));
  const [view, setView] = useState<View>('form');
  const { checks, error: unread } = useChecks();
  const navigate = useNavigate();
  useUnsaved(draft);
  const { mutate, isPending, error } = useChange<StatusPage>(['/v1/status-pages']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    mutate(buildRequest(page, draft), {
      onSuccess: (saved) => {
        notify(
          page === null
            ? 'Status page created.'
            : 'Status page saved. Visitors see it within 30 seconds.',
        );
        onSaved(saved);
      },
    });
  };
  const change = (changes: Partial<PageDraft>) => setDraft({ ...draft, ...changes });
  const findFault = (field: string) => faultAt(error, field);
  return (
    <div className={classes['columns']} data-view={view}>
      <SegmentedControl
        className={classes['views'] ?? ''}
        aria-label={TEXT.view}
        data={[...VIEWS]}
        value={view}
        onChange={setView}
      />
      <form onSubmit={save} className={classes['form']}>
        <Stack>
          <Section title="Page">
            <Stack>
              <NameFields
                draft={draft}
                isNew={page === null}
                onChange={change}
                findFault={findFault}
              />
              <VisibilityFields
                draft={draft}
                hasPassword={page?.access.type === 'password'}
                onChange={change}
                findFault={findFault}
              />
            </Stack>
          </Section>
          <Section title="Appearance">
            <Stack>
              <LookFields draft={draft} onChange={change} findFault={findFault} />
            </Stack>
          </Section>
          <Section title="Items">
            <Unread of={{ data: checks, error: unread }} shape={null} />
            <GroupFields
              groups={draft.groups}
              choices={buildChoices(checks)}
              onChange={(groups) => change({ groups })}
            />
          </Section>
          <Section title="Posts">
            <Stack>
              <PostSettingsFields
                posts={draft.posts}
                onChange={(posts) => change({ posts })}
                findFault={findFault}
              />
            </Stack>
          </Section>
          <Section title="Subscribers">
            <SubscriberFields
              subscribers={draft.subscribers}
              onChange={(subscribers) => change({ subscribers })}
            />
          </Section>
          <Section title="Share">
            <Stack>
              <Switches draft={draft} onChange={change} />
              <DomainFields
                domains={draft.domains}
                onChange={(domains) => change({ domains })}
                fault={findFault('domains')}
              />
              {page !== null && <DomainStates page={page} />}
              {page !== null && <ShareFields page={page} />}
            </Stack>
          </Section>
          <Stack className={classes['foot'] ?? ''} gap="sm" data-form-foot>
            {error !== null && <ProblemNote problem={error} />}
            <Group>
              <Button type="submit" loading={isPending}>
                {COMMON.save}
              </Button>
              <Button
                variant="subtle"
                color="gray"
                onClick={() => void navigate({ to: '/status-pages' })}
              >
                {COMMON.cancel}
              </Button>
            </Group>
          </Stack>
        </Stack>
      </form>
      <div className={classes['preview']}>
        <PagePreview draft={draft} pageId={page?.id} />
      </div>
    </div>
  );
}

function buildRequest(page: StatusPage | null, draft: PageDraft) {
  const body = buildBody(draft);
  if (page === null) return { method: 'POST', path: '/v1/status-pages', body } as const;
  const path = `/v1/status-pages/${page.id}`;
  return { method: 'PATCH', path, body, ifVersion: page.version } as const;
}

interface FieldsProps {
  readonly draft: PageDraft;
  readonly onChange: (changes: Partial<PageDraft>) => void;
}

interface VisibilityFieldsProps extends FieldsProps {
  /** True means that a password is saved, so none needs to be typed. */
  readonly hasPassword: boolean;
  readonly findFault: (field: string) => string | null;
}

/** Whether the page is public, and who sees it then. */
function VisibilityFields({ draft, hasPassword, onChange, findFault }: VisibilityFieldsProps) {
  return (
    <>
      <Switch
        label="Public"
        description="Off: a draft that only members of this account see."
        checked={draft.isPublic}
        onChange={({ currentTarget }) => onChange({ isPublic: currentTarget.checked })}
      />
      <AccessFields
        access={draft.access}
        hasPassword={hasPassword}
        onChange={(access) => onChange({ access })}
        findFault={findFault}
      />
    </>
  );
}

function Switches({ draft, onChange }: FieldsProps) {
  return (
    <>
      <Switch
        label="Enable badges and embed"
        checked={draft.showBadges}
        onChange={({ currentTarget }) => onChange({ showBadges: currentTarget.checked })}
      />
      <Switch
        label="Show response times"
        description="Median and chart of the last 24 hours for each item."
        checked={draft.showResponseTimes}
        onChange={({ currentTarget }) => onChange({ showResponseTimes: currentTarget.checked })}
      />
      <OurChecksFields draft={draft} onChange={onChange} />
    </>
  );
}

interface NameFieldsProps extends FieldsProps {
  readonly isNew: boolean;
  readonly findFault: (field: string) => string | null;
}

function NameFields({ draft, isNew, onChange, findFault }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label="Title"
        required
        maxLength={200}
        value={draft.title}
        onChange={({ currentTarget: { value } }) =>
          onChange(isNew ? withTitle(draft, value) : { title: value })
        }
        error={findFault('title')}
      />
      <TextInput
        label="URL slug"
        description="The part after /status/: lower-case letters, digits and hyphens."
        required
        minLength={3}
        maxLength={60}
        value={draft.slug}
        onChange={({ currentTarget }) => onChange({ slug: currentTarget.value })}
        error={findFault('slug')}
      />
      <Textarea
        label="Description"
        maxLength={2_000}
        autosize
        minRows={2}
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        error={findFault('description')}
      />
    </>
  );
}

/** Builds the choices in the order of `GET /v1/checks`: monitors first. */
function buildChoices(checks: readonly ListedCheck[] = []): readonly Choice[] {
  return checks.map(({ id, name, groupKey }) => ({ value: id, label: name, groupKey }));
}
