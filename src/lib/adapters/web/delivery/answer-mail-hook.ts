import type { RequestEvent } from '@sveltejs/kit';
import type { Config } from '#lib/config.server.ts';
import { httpError, serviceUnavailable } from '../http/http-errors.ts';
import { answerFault } from '../http/faults.ts';
import { readText } from '../http/api-body.ts';
import { jsonResponse } from '../http/responses.ts';
import { actorContextOf } from '../events/request-context.ts';
import { logEvent } from '../http/log-event.ts';
import type { HookRefusal, MailHook } from './mail-hook.ts';
import { postmarkHook } from './postmark-hook.ts';
import { resendHook } from './resend-hook.ts';
import { sesHook, type SesHookTools } from './ses-hook.ts';

/** The webhooks of the providers that are configured, by the last part of their path. */
export const mailHooks = (
	{ resend, postmark, ses }: Config['mailHooks'],
	tools: SesHookTools
): ReadonlyMap<string, MailHook> => {
	const hooks = new Map<string, MailHook>();
	if (resend !== null) hooks.set('resend', resendHook(resend));
	if (postmark !== null) hooks.set('postmark', postmarkHook(postmark));
	if (ses !== null) hooks.set('ses', sesHook(ses, tools));
	return hooks;
};

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const TEXT_TYPE = /^text\/plain\s*(?:;|$)/i;

const REFUSALS: Readonly<Record<HookRefusal, () => Response>> = {
	forged: () => httpError('unauthorized'),
	stale: () => httpError('unauthorized'),
	unreadable: () => httpError('bad_request'),
	unavailable: serviceUnavailable
};

/**
 * Answers a mail provider that reports what became of an email. An authentic report gets the same
 * response whether we know the email or not. A path without a configured provider is not found.
 */
export const answerMailHook = async (
	event: RequestEvent<{ provider: string }>
): Promise<Response> => {
	const { provider } = event.params;
	const hook = event.locals.app.mailHooks.get(provider);
	if (hook === undefined) return httpError('not_found');
	try {
		return await receiveReport(event, provider, hook);
	} catch (error) {
		// The provider then sends the report again.
		return answerFault(event, error);
	}
};

const receiveReport = async (
	event: RequestEvent,
	provider: string,
	hook: MailHook
): Promise<Response> => {
	const { app } = event.locals;
	const { headers } = event.request;
	const type = headers.get('content-type') ?? '';
	if (!JSON_TYPE.test(type) && !(hook.sendsText && TEXT_TYPE.test(type))) {
		return httpError('unsupported_media_type');
	}
	const body = await readText(event.request);
	if (!body.ok) return body.error;
	const read = await hook.read({ headers, body: body.value });
	if (!read.ok) {
		logEvent(event, 'mail_hook_refused', { provider, reason: read.error });
		return REFUSALS[read.error]();
	}
	if (read.value !== null) {
		const reported = read.value;
		const context = actorContextOf(event, { kind: 'system' });
		const isOurs = await app.inEventContext(context, () => app.reportMailEvent(reported));
		logEvent(event, `mail_${reported.kind}`, { provider, isOurs });
	}
	return jsonResponse({ success: true });
};
