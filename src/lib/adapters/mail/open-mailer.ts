import type { LaneMailers } from '#lib/domain/delivery/deliver-email.ts';
import type { Mailer } from '#lib/domain/mail.ts';
import type { SmtpConfig } from '#lib/config/mail.ts';
import { consoleMailer } from './console-mailer.ts';
import { queueKeyOf, logTo, nameWith, sentEmails } from './delivery/mail-tools.ts';
import type { LanePaces } from './delivery/outbox-worker.ts';
import { openFallback, type FallbackTools } from './fallback/open-fallback.ts';
import type { ResendMemory } from './fallback/resend-memory.ts';
import type { RenderEmail } from './email-renderer.ts';
import { rendererFor, smtpSettings, type MailSetting } from './mail-setting.ts';
import { smtpMailer, type SmtpMailer } from './smtp-mailer.ts';

export interface OpenedMail {
	/** For emails that a request waits for. */
	readonly mailer: Mailer;
	/** For the emails of the outbox. */
	readonly lanes: LaneMailers;
	readonly paces: LanePaces;
	/** Which provider took which code. Null with a single provider. */
	readonly resends: ResendMemory | null;
	/** For shutdown: waiting emails are sent soon or refused. */
	hurry(): void;
	/** Closes the connections to the mail server after the current emails are finished. */
	close(): void;
}

/**
 * For emails that a request waits for. With a slow mail server, emails reach this patience before
 * the queue is full.
 */
const WAITED_FOR = { connections: 5, patience: 5_000, perKey: 50, total: 1_000 };
/**
 * For emails that follow a request for every recipient, such as welcomes and notices. No request
 * waits for these.
 */
const FOLLOWING = { connections: 3, patience: 60_000, perKey: 100, total: 2_000 };
/** For conditional emails. At most ten of these start per second, see `PACES`. */
const CONDITIONAL = { connections: 5, patience: 60_000, perKey: 100, total: 1_000 };
/** How many milliseconds emails may still wait after shutdown has begun. */
export const LAST_PATIENCE = 5_000;

/**
 * One place for each connection. Conditional emails start in slots of a fixed length, so that their
 * start does not show whether the one before was sent.
 */
const PACES: LanePaces = {
	following: { places: FOLLOWING.connections, slot: 0 },
	conditional: { places: CONDITIONAL.connections, slot: 100 }
};
/** The console shows everything, and takes no time for it. */
const UNPACED: LanePaces = { ...PACES, conditional: { places: 5, slot: 0 } };
const nothing = (): void => undefined;

/**
 * Opens the configured mailer: the console or a mail server. `own` replaces it with another mailer,
 * for example one for a provider's API, which manages its own connections.
 */
export const openMailer = (
	setting: MailSetting,
	tools: FallbackTools,
	own?: Mailer
): OpenedMail => {
	const { mail, origin } = setting;
	// The console shows no template, but a wrong one must stop every start.
	const render = rendererFor(setting);
	if (own === undefined && mail.kind === 'smtp') return openSmtp(setting, mail, render, tools);
	const write = (line: string): void => console.log(line);
	const mailer = own ?? announced(consoleMailer(origin, write, process.stdout));
	// Not spread: an instance of a class would lose its methods.
	const send: Mailer['send'] = (mail, id) => mailer.send(mail, id);
	const lanes = { following: mailer, conditional: { send, rehearse: () => Promise.resolve() } };
	const paces = own === undefined ? UNPACED : PACES;
	return { mailer, lanes, paces, resends: null, hurry: nothing, close: nothing };
};

const openSmtp = (
	setting: MailSetting,
	mail: SmtpConfig,
	render: RenderEmail,
	tools: FallbackTools
): OpenedMail => {
	const { timing } = tools;
	const nameMessage = nameWith(tools);
	const settings = { ...smtpSettings(mail, setting), nameMessage };
	const second = mail.fallback && { ...smtpSettings(mail.fallback, setting), nameMessage };
	const two = second && openFallback({ primary: settings, fallback: second }, render, tools);
	const open = (lane: typeof WAITED_FOR, knowledge: 'shared' | 'own' = 'shared'): SmtpMailer => {
		const { connections } = lane;
		const queue = { ...lane, keyOf: queueKeyOf(tools), timing };
		const mailer =
			two?.open(connections, queue, knowledge) ??
			smtpMailer({ ...settings, connections }, render, logTo(tools), queue);
		return announced(mailer);
	};
	// What a conditional email shows about a provider must not change the way of other emails.
	const mailers = [open(WAITED_FOR), open(FOLLOWING), open(CONDITIONAL, 'own')] as const;
	const [mailer, following, conditional] = mailers;
	return {
		mailer,
		lanes: { following, conditional },
		paces: PACES,
		resends: two?.resends ?? null,
		hurry: () => mailers.forEach((one) => one.hurry(LAST_PATIENCE)),
		close: () => mailers.forEach((one) => one.close())
	};
};

const announced = <M extends Mailer>(mailer: M): M => ({
	...mailer,
	send: async (mail, id) => {
		const delivery = await mailer.send(mail, id);
		sentEmails.publish({ mail, delivery });
		return delivery;
	}
});
