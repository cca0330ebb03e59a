import type { Config } from '#lib/config.server.ts';
import type { MailHook } from './mail-hook.ts';
import { postmarkHook } from './postmark-hook.ts';
import { resendHook } from './resend-hook.ts';
import { sesHook, type SesHookTools } from './ses-hook.ts';

/** The webhooks of the providers that are configured, by the last part of their path. */
export type MailHooks = ReadonlyMap<string, MailHook>;

export const mailHooks = (
	{ resend, postmark, ses }: Config['mailHooks'],
	tools: SesHookTools
): MailHooks => {
	const hooks = new Map<string, MailHook>();
	if (resend !== null) hooks.set('resend', resendHook(resend));
	if (postmark !== null) hooks.set('postmark', postmarkHook(postmark));
	if (ses !== null) hooks.set('ses', sesHook(ses, tools));
	return hooks;
};
