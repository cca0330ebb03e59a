import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import { parseSessionId, parseUserId, type UserId } from '#lib/domain/ids.ts';
import type { ManagedAccount, Verb } from '#lib/domain/operators/ports.ts';
import { describeDevice } from '#lib/messages/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import type { CountedAction } from '../edge/limits/client-limits.ts';
import { eventCursor, shownEvents } from '../events/pages.ts';
import { postedFields } from '../http/form-body.ts';
import { requireOperator } from './gate.ts';

const { operators: texts } = messages;

/** Accounts of one page. */
const SHOWN = 50;

const shown = ({ id, email, name, createdAt, deletedAt, blockedAt, role }: ManagedAccount) => {
	const isBlocked = blockedAt !== null;
	const isDeleted = deletedAt !== null;
	const isOperator = role !== null;
	const marks = [
		...(isOperator ? [texts.marks.operator] : []),
		...(isBlocked ? [texts.marks.blocked] : []),
		...(isDeleted ? [texts.marks.deleted] : [])
	];
	return { id, email, name, createdAt, marks, isOperator, isBlocked, isDeleted };
};

export const loadAccounts = async (event: RequestEvent) => {
	requireOperator(event);
	const { searchParams: query } = event.url;
	const text = (query.get('q') ?? '').slice(0, 512);
	const page = await event.locals.app.manageAccounts.list(text, query.get('after'), SHOWN);
	return { text, accounts: page.accounts.map(shown), next: page.next };
};

const notFound = (): never => error(404, messages.faults.notFound);

const userIdOf = ({ params }: Pick<RequestEvent, 'params'>): UserId =>
	parseUserId(params['id'] ?? '') ?? notFound();

const row = (id: string, text: string, at: Date) => ({ id, text, at });

/** The only load that writes: that an operator looked at the account is an event. */
export const loadAccount = async (event: RequestEvent) => {
	const operator = requireOperator(event);
	const { manageAccounts } = event.locals.app;
	const opened = await manageAccounts.open(userIdOf(event), operator, eventCursor(event));
	if (opened === null) return notFound();
	const { account, sessions, devices, consent, purchases, pendingChange, sends } = opened;
	return {
		account: shown(account),
		purgeAt: account.purgeAt,
		marketing: account.marketingOptIn === true,
		pendingChange: pendingChange?.email ?? null,
		sessions: sessions.map(({ id, userAgent, ipAddress, updatedAt }) => ({
			...{ id, updatedAt },
			device: `${describeDevice(userAgent)}, ${ipAddress}`
		})),
		sends,
		lists: {
			[texts.devices.title]: devices.map(({ id, usedAt }) => row(id, texts.devices.used, usedAt)),
			[texts.consents.title]: consent.map(({ id, action, at }) =>
				row(id, texts.consents[action], at)
			),
			[texts.purchases]: purchases.map(({ id, product, createdAt }) => row(id, product, createdAt))
		},
		...shownEvents(opened),
		result: texts.resultOf(event.url.searchParams.get('result'))
	};
};

/** Pages cannot act on operators. A form can name one session. */
const acting =
	(verb: Verb): CountedAction<'default'> =>
	async (event) => {
		requireOperator(event);
		const userId = userIdOf(event);
		const typed = (await postedFields(event)).get('session');
		const session = typed === null ? null : (parseSessionId(String(typed)) ?? notFound());
		const action = { verb, userId, session, mayBeOperator: false };
		const done = await event.locals.app.manageAccounts.act(action);
		redirect(303, `${event.url.pathname}?result=${typeof done === 'string' ? done : 'done'}`);
	};

export const accountActions = {
	endSessions: acting('end_sessions'),
	block: acting('block'),
	unblock: acting('unblock'),
	delete: acting('delete'),
	restore: acting('restore')
};
