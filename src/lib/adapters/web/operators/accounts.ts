import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import { parseSessionId, parseUserId, type UserId } from '#lib/domain/ids.ts';
import type { Account } from '#lib/domain/account/ports.ts';
import { MINUTE, secondsAfter } from '#lib/domain/time.ts';
import { describeDevice } from '#lib/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import type { CountedAction } from '../edge/limits/limits.ts';
import { cursorOf, shownEvents } from '../events/pages.ts';
import { setFlash, takeFlash } from '../http/flash.ts';
import { postedFields } from '../http/form-body.ts';
import { requireOperator } from './require-operator.ts';

const { operators: texts } = messages;

const shown = ({ id, email, createdAt, deletedAt, blockedAt, role }: Account) => {
	const isBlocked = blockedAt !== null;
	const isDeleted = deletedAt !== null;
	const isOperator = role !== null;
	const { operator, blocked, deleted } = texts.marks;
	const marks = [isOperator && operator, isBlocked && blocked, isDeleted && deleted];
	const flags = { isOperator, isBlocked, isDeleted };
	return { id, email, createdAt, ...flags, marks: marks.filter((mark) => mark !== false) };
};

export const loadAccounts = async (event: RequestEvent) => {
	const { app } = requireOperator(event);
	const { searchParams: query } = event.url;
	const text = (query.get('q') ?? '').slice(0, 512);
	const page = await app.listAccounts(text, query.get('after'));
	return { text, accounts: page.accounts.map(shown), next: page.next };
};

const notFound = (): never => error(404, messages.faults.notFound);

const userIdOf = ({ params }: Pick<RequestEvent, 'params'>): UserId =>
	parseUserId(params['id'] ?? '') ?? notFound();

const row = (
	id: string,
	text: string,
	at: Date,
	session?: { readonly ipAddress: string; readonly activeAt: Date; readonly canEnd: boolean }
) => ({ id, text, at, session });

const RESULTS = ['done', 'unchanged', 'is_operator', 'gone'] as const;

/** The only load that writes: it records that an operator looked at the account. */
export const loadAccount = async (event: RequestEvent) => {
	const { operator, app } = requireOperator(event);
	const { clock, policy } = app;
	const viewed = await app.viewAccount(userIdOf(event), operator, cursorOf(event));
	if (viewed === null) return notFound();
	const { account, sessions, devices, consent, purchases, sends } = viewed;
	const summary = shown(account);
	const { about } = texts;
	const { window } = policy.throttle;
	const since = secondsAfter(clock.now(), -window);
	const recent = (sent: readonly Date[]): string | null => {
		const count = sent.filter((at) => at > since).length;
		return count === 0 ? null : about.recent(count, window / MINUTE);
	};
	const canEnd = account.role === null;
	const sessionRows = sessions.map(({ id, userAgent, ipAddress, createdAt, updatedAt }) =>
		row(id, describeDevice(userAgent), createdAt, { ipAddress, activeAt: updatedAt, canEnd })
	);
	return {
		account: summary,
		/** The page leaves out those without a value or with a count of 0. */
		facts: [
			{ label: about.status, value: summary.marks.join(', ') || texts.marks.none },
			{ label: about.id, value: account.id },
			{ label: about.name, value: account.name },
			{ label: about.created, value: account.createdAt },
			{ label: about.purge, value: account.purgeAt },
			{ label: about.pending, value: viewed.pendingChange?.email },
			{ label: about.news, value: account.marketingOptIn === true ? about.on : about.off },
			{ label: about.sends, value: recent(sends.mailbox) },
			{ label: about.known, value: recent(sends.devices) },
			{ label: about.wrong, value: sends.wrongCodes }
		],
		lists: [
			{ title: texts.sessions, rows: sessionRows },
			{
				title: texts.devices,
				rows: devices
					.filter(({ isKnown }) => isKnown)
					.map(({ id, userAgent, usedAt }) => row(id, describeDevice(userAgent), usedAt))
			},
			{
				title: texts.consents.title,
				rows: consent.map(({ id, action, at }) => row(id, texts.consents[action], at))
			},
			{
				title: texts.purchases,
				rows: purchases.map(({ id, product, createdAt }) => row(id, product, createdAt))
			}
		],
		...shownEvents(viewed),
		result: texts.resultOf(takeFlash(event, RESULTS))
	};
};

/** What pages can do. The role is given by command. */
const VERBS = ['end_sessions', 'block', 'unblock', 'delete', 'restore'] as const;

/** Pages cannot act on operators. A form names the verb, and may name one session. */
const act: CountedAction<'default'> = async (event) => {
	const { app } = requireOperator(event);
	const userId = userIdOf(event);
	const fields = await postedFields(event);
	const verb = VERBS.find((one) => one === fields.get('verb')) ?? notFound();
	const typed = fields.get('session');
	const session = typed === null ? null : (parseSessionId(String(typed)) ?? notFound());
	const action = { verb, userId, session, allowsOperators: false };
	const done = await app.actOnAccount(action);
	setFlash(event, typeof done === 'string' ? done : 'done');
	redirect(303, event.url.pathname);
};

export const accountActions = { act };
