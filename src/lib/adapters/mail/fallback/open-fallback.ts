import type { EmailId, Ids } from '#lib/domain/ids.ts';
import { logTo, type MailTools } from '../delivery/mail-tools.ts';
import type { RenderEmail } from '../email-renderer.ts';
import type { SmtpMailer } from '../smtp-mailer.ts';
import type { SmtpSettings } from '../smtp-pool.ts';
import { smtpRoute, type SmtpQueueSettings } from '../smtp-route.ts';
import { fallbackMailer, type Provider } from './fallback-mailer.ts';
import { providerHealth, type ProviderHealth } from './provider-health.ts';
import { resendMemory, type ProviderName, type ResendMemory } from './resend-memory.ts';

/** How long the first provider may take, in milliseconds. The other one has the rest. */
const FIRST_WITHIN = 3_000;
/** A provider that does not even accept a connection in this time has failed. */
const CONNECT_WITHIN = 2_000;

export interface FallbackTools extends MailTools {
	readonly ids: Ids;
}

export interface FallbackMailers {
	readonly resends: ResendMemory;
	/**
	 * Opens a mailer with connections of its own to both providers. With `shared`, it knows what the
	 * other such mailers learn about the providers.
	 */
	open(connections: number, queue: SmtpQueueSettings, knowledge: 'shared' | 'own'): SmtpMailer;
}

/** Opens mailers that each use two providers. */
export const openFallback = (
	servers: Readonly<Record<ProviderName, SmtpSettings>>,
	render: RenderEmail,
	tools: FallbackTools
): FallbackMailers => {
	const { timing, ids } = tools;
	const resends = resendMemory(timing);
	const newHealths = (): Readonly<Record<ProviderName, ProviderHealth>> => ({
		primary: providerHealth(timing),
		fallback: providerHealth(timing)
	});
	const shared = newHealths();
	return {
		resends,
		open: (connections, queue, knowledge) => {
			const healths = knowledge === 'shared' ? shared : newHealths();
			const provider = (name: ProviderName): Provider => {
				const settings = { ...servers[name], connections, connectWithin: CONNECT_WITHIN };
				const route = smtpRoute(settings, render, queue);
				return { name, host: settings.host, route, health: healths[name] };
			};
			return fallbackMailer({
				primary: provider('primary'),
				fallback: provider('fallback'),
				resends,
				deadline: servers.primary.deadline,
				firstWithin: FIRST_WITHIN,
				nextId: () => ids.next() as EmailId,
				timing,
				log: logTo(tools)
			});
		}
	};
};
