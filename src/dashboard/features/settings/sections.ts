/** The sections of alerting and of the settings. The code of each is loaded when it is first shown. */

import {
  IconAdjustments,
  IconArrowsExchange,
  IconBell,
  IconBuilding,
  IconClock,
  IconFingerprint,
  IconGitBranch,
  IconHistory,
  IconInfoCircle,
  IconKey,
  IconListCheck,
  IconLock,
  IconShieldLock,
  IconStairsUp,
  IconUsers,
  IconVariable,
} from '@tabler/icons-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadWhenReached } from '../../shared/loading/load-when-reached';

export interface Section {
  /** The last part of the path of the section's URL. */
  readonly name: string;
  readonly label: string;
  readonly Icon: ComponentType<{ size?: number }>;
  /** The heading above the section. Sections of the same group follow each other. */
  readonly group?: string;
  readonly isForAdmins: boolean;
  readonly Content: LazyExoticComponent<ComponentType>;
}

function content(load: () => Promise<ComponentType>): Section['Content'] {
  return lazy(loadWhenReached(async () => ({ default: await load() })));
}

export const ALERTING: readonly Section[] = [
  {
    name: 'channels',
    label: 'Alert channels',
    Icon: IconBell,
    isForAdmins: false,
    Content: content(async () => (await import('./channels/channels-section')).ChannelsSection),
  },
  {
    name: 'policies',
    label: 'Alert policies',
    Icon: IconStairsUp,
    isForAdmins: false,
    Content: content(async () => (await import('./policies/policies-section')).PoliciesSection),
  },
  {
    name: 'hours',
    label: 'Hours',
    Icon: IconClock,
    isForAdmins: false,
    Content: content(async () => (await import('./hours/hours-section')).HoursSection),
  },
];

export const SETTINGS: readonly Section[] = [
  {
    name: 'account',
    label: 'Account',
    group: 'Workspace',
    Icon: IconBuilding,
    isForAdmins: false,
    Content: content(async () => (await import('./account/account-section')).AccountSection),
  },
  {
    name: 'members',
    label: 'Members',
    group: 'Workspace',
    Icon: IconUsers,
    isForAdmins: false,
    Content: content(async () => (await import('./members/members-section')).MembersSection),
  },
  {
    name: 'transfer',
    label: 'Import and export',
    group: 'Workspace',
    Icon: IconArrowsExchange,
    isForAdmins: false,
    Content: content(async () => (await import('./transfer/transfer-section')).TransferSection),
  },
  {
    name: 'audit',
    label: 'Audit trail',
    group: 'Workspace',
    Icon: IconHistory,
    isForAdmins: true,
    Content: content(async () => (await import('./audit/audit-section')).AuditSection),
  },
  {
    name: 'profiles',
    label: 'Profiles',
    group: 'Definitions',
    Icon: IconAdjustments,
    isForAdmins: false,
    Content: content(async () => (await import('./profiles/profiles-section')).ProfilesSection),
  },
  {
    name: 'environments',
    label: 'Environments',
    group: 'Definitions',
    Icon: IconVariable,
    isForAdmins: false,
    Content: content(
      async () => (await import('./environments/environments-section')).EnvironmentsSection,
    ),
  },
  {
    name: 'rollouts',
    label: 'Rollouts',
    group: 'Definitions',
    Icon: IconListCheck,
    isForAdmins: false,
    Content: content(async () => (await import('./rollouts/rollouts-section')).RolloutsSection),
  },
  {
    name: 'api-keys',
    label: 'API keys',
    group: 'Access',
    Icon: IconKey,
    isForAdmins: true,
    Content: content(async () => (await import('./api-keys/api-keys-section')).ApiKeysSection),
  },
  {
    name: 'pipelines',
    label: 'Pipelines',
    group: 'Access',
    Icon: IconGitBranch,
    isForAdmins: true,
    Content: content(async () => (await import('./pipelines/pipelines-section')).PipelinesSection),
  },
  {
    name: 'secrets',
    label: 'Secrets',
    group: 'Access',
    Icon: IconLock,
    isForAdmins: false,
    Content: content(async () => (await import('./secrets/secrets-section')).SecretsSection),
  },
  {
    name: 'factors',
    label: 'Second factor and passkeys',
    group: 'You',
    Icon: IconFingerprint,
    isForAdmins: false,
    Content: content(async () => (await import('./factors/factors-section')).FactorsSection),
  },
  {
    name: 'password',
    label: 'Password and sessions',
    group: 'You',
    Icon: IconShieldLock,
    isForAdmins: false,
    Content: content(async () => (await import('./sessions/password-section')).PasswordSection),
  },
  {
    name: 'about',
    label: 'About',
    group: 'Installation',
    Icon: IconInfoCircle,
    isForAdmins: false,
    Content: content(async () => (await import('./about/about-section')).AboutSection),
  },
];
