/** The access rules of a public status page, in request bodies and in files for `keepwatch apply`. */
import { z } from 'zod';

const RANGES_MAX = 100;
const PASSWORD_MIN = 8;
const RANGE_SHAPES = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

const range = z
  .string()
  .trim()
  .refine(
    (text) => RANGE_SHAPES.some((shape) => shape.safeParse(text).success),
    'must be an IP address or a range like 203.0.113.0/24 or 2001:db8::/32',
  );

const accessShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('public').meta({ description: 'Everyone' }) }),
  z.strictObject({
    type: z.literal('password').meta({ description: 'Visitors who know the password' }),
    password: z
      .string()
      .min(PASSWORD_MIN)
      .max(200)
      .meta({ description: 'Never returned. If it is absent, the page keeps its password' })
      .optional(),
  }),
  z.strictObject({
    type: z.literal('members').meta({ description: 'Members of the account who are signed in' }),
  }),
  z.strictObject({
    type: z.literal('ips').meta({ description: 'Visitors from these networks' }),
    ranges: z
      .array(range)
      .min(1)
      .max(RANGES_MAX)
      .describe('IP addresses and networks in CIDR notation'),
  }),
]);
export type AccessBody = z.output<typeof accessShape>;

export const accessField = accessShape.default({ type: 'public' }).meta({
  description: 'Who may see the page, its feeds and its badges while `isPublic` is true',
});
