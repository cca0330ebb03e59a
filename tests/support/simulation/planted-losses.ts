import { CONSENT, DELETE, userOf } from '../http/account.ts';
import { bearer, call, freshCode, signIn, verifyCode, OUT, type SignedIn } from '../http/client.ts';
import { changeByCode, changeCode } from '../http/email-change.ts';
import { NOTHING, type Account, type Facts } from './journal.ts';
import type { Checked } from './journal-check.ts';

/** Losses and partial writes that a fault could cause, made by hand for one person. */
export interface PlantedLoss {
	readonly person: string;
	/** What the checker must report for that person; null if nothing is lost. */
	readonly said: RegExp | null;
	/** Has everything acknowledged, and returns the statements that undo it. */
	readonly prepare: (where: Checked) => Promise<readonly string[]>;
}

interface Start extends SignedIn {
	readonly id: string;
	readonly account: Account;
	readonly facts: Facts;
}

/** A user who has signed in with the first code. */
const somebody = async (where: Checked, person: string): Promise<Start> => {
	const email = addressOf(person);
	const signedIn = await signIn(where.server, email);
	const id = String((await userOf(where, email))['id']);
	const account: Account = { id, email, deleted: false, consented: false };
	const facts: Facts = { ...NOTHING, account, sessions: [signedIn.token], sends: { [email]: 1 } };
	where.journal.acknowledge(person, 'sign in', facts);
	return { ...signedIn, id, account, facts };
};

const addressOf = (person: string, number = 0): string => `${person}.${number}@example.com`;

/** Statements that save the rows of a user, and those that restore them. */
const kept = (person: string, table: string, where: string): readonly [string, string] => {
	const name = `kept_${person.replaceAll('-', '_')}`;
	return [
		`create table ${name} as select * from ${table} where ${where}`,
		`insert into ${table} select * from ${name}`
	];
};

const loss = (
	person: string,
	said: RegExp | null,
	prepare: (where: Checked, person: string) => Promise<readonly string[]>
): PlantedLoss => ({ person, said, prepare: (where) => prepare(where, person) });

export const plantedLosses: readonly PlantedLoss[] = [
	loss('no-loss', null, async (where, person) => {
		await somebody(where, person);
		return [];
	}),
	loss('lost-session', /sessions 0 for 1, tokens \[null\]/, async (where, person) => {
		const { id } = await somebody(where, person);
		return [`delete from session where user_id = '${id}'`];
	}),
	loss('lost-account', /accounts 0 for 1/, async (where, person) => {
		const { id } = await somebody(where, person);
		return [`delete from "user" where id = '${id}'`];
	}),
	loss('lost-data', /data 0 for 1/, async (where, person) => {
		const { id } = await somebody(where, person);
		return [`delete from user_data where user_id = '${id}'`];
	}),
	loss('lost-send', /sends \{.*:0\} for \{.*:1\}/, async (where, person) => {
		const { email } = await somebody(where, person);
		return [`update auth_throttle set sent_at_1 = null where email = '${email}'`];
	}),
	loss('lost-sign-out', /sessions 1 for 0, tokens/, async (where, person) => {
		const { token, id, facts } = await somebody(where, person);
		const [keep, revive] = kept(person, 'session', `user_id = '${id}'`);
		await where.database.rows(keep);
		await call(where.server, OUT, { json: {}, headers: bearer(token) });
		where.journal.acknowledge(person, 'sign out', { ...facts, sessions: [] });
		return [revive];
	}),
	loss('lost-consent', /consent false for true/, async (where, person) => {
		const { token, id, facts, account } = await somebody(where, person);
		await call(where.server, CONSENT, { method: 'POST', headers: bearer(token) });
		const agreed = { ...facts, account: { ...account, consented: true } };
		where.journal.acknowledge(person, 'consent', agreed);
		return [`update user_data set marketing_opt_in = false where user_id = '${id}'`];
	}),
	loss('lost-deletion', /deletion false for true/, async (where, person) => {
		const { token, id, facts, account } = await somebody(where, person);
		await call(where.server, DELETE, { json: {}, headers: bearer(token) });
		const deleted = { ...facts, sessions: [], account: { ...account, deleted: true } };
		where.journal.acknowledge(person, 'delete the account', deleted);
		return [`update "user" set deleted_at = null where id = '${id}'`];
	}),
	loss('lost-move', /address "[^"]*\.0@[^"]*" for "[^"]*\.1@/, async (where, person) => {
		const start = await somebody(where, person);
		const to = addressOf(person, 1);
		const code = await changeCode(where.server, start, to);
		await changeByCode(where.server, bearer(start.token), to, code);
		where.journal.acknowledge(person, 'move', moved(start.facts, to));
		return [`update "user" set email = '${start.email}' where id = '${start.id}'`];
	}),
	// The move has no answer, so either address is possible; but the rest must match it.
	loss('half-a-move', /address .* \| or sessions 2 for 1/, async (where, person) => {
		const to = await moving(where, person);
		return [
			`update "user" set email = '${to}' where email = '${addressOf(person)}'`,
			`delete from verification where email = '${to}'`
		];
	}),
	loss('move-not-begun', null, async (where, person) => {
		await moving(where, person);
		return [];
	}),
	loss('move-done', null, async (where, person) => {
		const to = await moving(where, person);
		return [
			`update "user" set email = '${to}' where email = '${addressOf(person)}'`,
			`delete from verification where email = '${to}'`,
			`delete from session where user_id = (select id from "user" where email = '${to}')
				and user_agent = 'another'`
		];
	}),
	// The code is gone and there is no session for it.
	loss('half-a-sign-in', /waiting .* \| or accounts 0 for 1/, async (where, person) => {
		const email = addressOf(person);
		const secret = await freshCode(where.server, email);
		const sent: Facts = {
			...NOTHING,
			sends: { [email]: 1 },
			waiting: { sign_in: { email, secret } }
		};
		const account: Account = { id: null, email, deleted: false, consented: false };
		where.journal.acknowledge(person, 'ask for a code', sent);
		where.journal.intend(person, {
			deed: 'sign in',
			may: () => [{ ...sent, account, sessions: [null], waiting: {} }]
		});
		return [`delete from verification where email = '${email}'`];
	}),
	loss('revived-code', /waiting \["sign_in .*"\] for \[\]/, async (where, person) => {
		const email = addressOf(person);
		const secret = await freshCode(where.server, email);
		const [keep, revive] = kept(person, 'verification', `email = '${email}'`);
		await where.database.rows(keep);
		const { token } = (await verifyCode(where.server, email, secret)).json() as { token: string };
		const account: Account = { id: null, email, deleted: false, consented: false };
		const sends = { [email]: 1 };
		where.journal.learn(person, { ...NOTHING, sends, waiting: { sign_in: { email, secret } } });
		where.journal.acknowledge(person, 'sign in', {
			account,
			sessions: [token],
			waiting: {},
			sends
		});
		return [revive];
	}),
	// The same rows, except that the earlier code works in place of the newest.
	loss('earlier-code', /accepted again/, async (where, person) => {
		const email = addressOf(person);
		const earlier = await freshCode(where.server, email);
		const sends = { [email]: 1 };
		const of = (secret: string) => ({ waiting: { sign_in: { email, secret } } });
		where.journal.acknowledge(person, 'ask for a code', { ...NOTHING, sends, ...of(earlier) });
		const name = 'kept_earlier_code';
		await where.database.rows(
			`create table ${name} as select * from verification where email = '${email}'`
		);
		const newest = await freshCode(where.server, email);
		const twice = { [email]: 2 };
		where.journal.acknowledge(person, 'ask for a code', {
			...NOTHING,
			sends: twice,
			...of(newest)
		});
		return [
			`delete from verification where email = '${email}'`,
			`insert into verification select * from ${name}`
		];
	})
];

/** The facts of a user after a move. */
const moved = (facts: Facts, to: string): Facts => ({
	...facts,
	account: facts.account && { ...facts.account, email: to },
	sessions: facts.sessions.slice(0, 1),
	waiting: {},
	sends: { ...facts.sends, [to]: 1 }
});

/** A user with two sessions whose move has no answer; returns the target. */
const moving = async (where: Checked, person: string): Promise<string> => {
	const start = await somebody(where, person);
	const another = await signIn(where.server, start.email, { 'user-agent': 'another' });
	const to = addressOf(person, 1);
	const secret = await changeCode(where.server, start, to);
	const facts: Facts = {
		...start.facts,
		sessions: [start.token, another.token],
		waiting: { email_change: { email: to, secret } },
		sends: { [start.email]: 2, [to]: 1 }
	};
	where.journal.acknowledge(person, 'ask to move', facts);
	where.journal.intend(person, { deed: 'move', may: () => [moved(facts, to)] });
	return to;
};
