import { Id, OneOf } from '../src/platform/http/schemas.ts';
import { type FileKind, fileKinds } from '../src/shop/files/file-limits.ts';
import { readFileUses, setFileQuota } from '../src/shop/files/quotas.ts';
import {
  type Command,
  existingOrganization,
  optional,
  operatorOrigin as origin,
  required,
} from './command.ts';
import { sizeOf } from './status-report.ts';
import { UsageError } from './usage-error.ts';

const megabyte = 1_000_000;
const limitMax = 1_000_000_000;

/** The operator's limits on what an organization keeps. */
export const quotaCommands: Readonly<Record<string, Command>> = {
  'organization limit-files': {
    summary: 'set how many photos or documents an organization may keep; without limits, show what holds',
    options: {
      organization: required('id of the organization', Id()),
      kind: required(fileKinds.join(' | '), OneOf(fileKinds)),
      files: optional('how many, or "default" for the limit of the settings'),
      megabytes: optional('how many million bytes of them, or "default"'),
    },
    run: async ({ context, operator }, { organization: id, kind: kindText, files, megabytes }) => {
      const kind = kindText as FileKind;
      const filesMax = limitOf('files', files);
      const megabytesMax = limitOf('megabytes', megabytes);
      const organization = await existingOrganization(operator, id!);
      if (filesMax !== undefined || megabytesMax !== undefined) {
        await setFileQuota(context, origin, organization, kind, {
          ...(filesMax !== undefined && { filesMax }),
          ...(megabytesMax !== undefined && {
            bytesMax: megabytesMax === null ? null : megabytesMax * megabyte,
          }),
        });
      }
      const use = (await readFileUses(context, organization))[kind];
      return {
        lines: [
          `Organization ${organization} keeps ${use.files} of at most ${use.filesMax} ${kind}, ` +
            `${sizeOf(use.bytes)} of at most ${sizeOf(use.bytesMax)}`,
        ],
        data: { organizationId: organization, kind, ...use },
      };
    },
  },
};

/** Null: as the settings say; undefined: unchanged. Fails with a UsageError. */
function limitOf(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'default') return null;
  if (!/^\d{1,10}$/.test(text) || Number(text) > limitMax) {
    throw new UsageError(`--${option}: "default", or a whole number from 0 to ${limitMax}`);
  }
  return Number(text);
}
