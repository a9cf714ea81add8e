/** All types of alert channels, in the order in which forms list them. */
import { apprise } from './apprise';
import type { Channel } from './channel';
import { discord } from './discord';
import { email } from './email';
import { googlechat } from './googlechat';
import { gotify } from './gotify';
import { jira } from './jira';
import { mattermost } from './mattermost';
import { ntfy } from './ntfy';
import { pagerduty } from './pagerduty';
import { pushover } from './pushover';
import { slack } from './slack';
import { teams } from './teams';
import { telegram } from './telegram';
import { twilio } from './twilio';
import { webhook } from './webhook';

export const CHANNELS = [
  email,
  slack,
  webhook,
  pagerduty,
  jira,
  teams,
  discord,
  telegram,
  ntfy,
  gotify,
  pushover,
  twilio,
  googlechat,
  mattermost,
  apprise,
] as const;

export const CHANNEL_TYPES = CHANNELS.map(({ type }) => type);

/** Returns the type. undefined means that the type is unknown. */
export function findChannel(type: string): Channel | undefined {
  return CHANNELS.find((channel) => channel.type === type);
}
