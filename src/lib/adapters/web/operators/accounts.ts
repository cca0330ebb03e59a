import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import { cursorText, parseCursor } from '#lib/domain/events/cursor.ts';
import { parseSessionId, parseUserId, type UserId } from '#lib/domain/ids.ts';
import type { ManagedAccount, NotDone } from '#lib/domain/operators/ports.ts';
import { describeDevice } from '#lib/messages/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import type { CountedAction } from '../edge/limits/client-limits.ts';
import { postedFields } from '../http/form-body.ts';
import { requireOperator } from './gate.ts';

const { operators: texts } = messages;

/** Accounts of one page. */
const SHOWN = 50;

const shown = ({ user, deletedAt, blockedAt, role }: ManagedAccount) => ({
	id: user.id,
	email: user.email,
	name: user.name,
	createdAt: user.createdAt,
	marks: [
		...(role === null ? [] : [texts.marks.operator]),
		...(blockedAt === null ? [] : [texts.marks.blocked]),
		...(deletedAt === null ? [] : [texts.marks.deleted])
	]
});

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

/** The only load that writes: that an operator looked at the account is an event. */
export const loadAccount = async (event: RequestEvent) => {
	const operator = requireOperator(event);
	const { searchParams: query } = event.url;
	const before = parseCursor(query.get('before'));
	const sheet = await event.locals.app.manageAccounts.open(userIdOf(event), operator, before);
	if (sheet === null) return notFound();
	const { account, data, events, pendingChange } = sheet;
	const { next } = events;
	return {
		account: {
			...shown(account),
			isOperator: account.role !== null,
			isBlocked: account.blockedAt !== null,
			isDeleted: account.deletedAt !== null
		},
		purgeAt: sheet.purgeAt,
		marketing: data?.marketingOptIn === true,
		pendingChange: pendingChange?.email ?? null,
		sessions: sheet.sessions.map((session) => ({
			id: session.id,
			device: describeDevice(session.userAgent),
			ipAddress: session.ipAddress,
			createdAt: session.createdAt,
			updatedAt: session.updatedAt
		})),
		devices: sheet.devices,
		sends: sheet.sends,
		consents: sheet.consents.map(({ id, action, at }) => ({ id, action, at })),
		purchases: sheet.purchases.map(({ id, product, createdAt }) => ({ id, product, createdAt })),
		events: events.events.map(({ id, kind, at, count, detail, actor, userAgent }) => ({
			...{ id, kind, at, count, detail, actor: actor.kind },
			device: userAgent ? describeDevice(userAgent) : null
		})),
		older: cursorText(next),
		result: texts.resultOf(query.get('result'))
	};
};

type Verb = 'block' | 'unblock' | 'delete' | 'restore';

/** Pages cannot act on operators. */
const targetOf = (event: RequestEvent) => {
	requireOperator(event);
	return { userId: userIdOf(event), mayBeOperator: false };
};

const back = ({ url }: RequestEvent, outcome: object | string | NotDone): never =>
	redirect(303, `${url.pathname}?result=${typeof outcome === 'string' ? outcome : 'done'}`);

const acting =
	(verb: Verb): CountedAction<'default'> =>
	async (event) => {
		const target = targetOf(event);
		const outcome = await event.locals.app.manageAccounts[verb](target);
		return back(event, outcome === target.userId ? 'done' : outcome);
	};

/** The session of the form, or all of them. */
const endSessions: CountedAction<'default'> = async (event) => {
	const target = targetOf(event);
	const typed = (await postedFields(event)).get('session');
	const session = typed === null ? null : parseSessionId(String(typed));
	if (typed !== null && session === null) return back(event, 'unchanged');
	return back(event, await event.locals.app.manageAccounts.endSessions(target, session));
};

export const accountActions = {
	endSessions,
	block: acting('block'),
	unblock: acting('unblock'),
	delete: acting('delete'),
	restore: acting('restore')
};
