import { mailDefinitions, examplesOf } from '#lib/adapters/mail/emails/list.ts';
import type { MailOf } from '#lib/adapters/mail/emails/mail-definition.ts';
import type { Mail } from '#lib/domain/mail.ts';

const { mail_check: _, ...sent } = mailDefinitions;
const kinds = Object.keys(sent) as Mail['kind'][];

/** One email of every kind that a use-case sends. */
export const exampleMails = Object.fromEntries(
	kinds.map((kind) => [kind, examplesOf(kind)[0]])
) as { readonly [Kind in Mail['kind']]: MailOf<Kind> };

export const EXAMPLE_TOKEN = exampleMails.email_change_link.token;
