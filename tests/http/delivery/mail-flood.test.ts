import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { inBatches, rounds, tally, verifyCode } from '../../support/http/client.ts';
import { openDatabase, type Database } from '../../support/http/database.ts';
import { present } from '../../support/http/fixtures.ts';
import type { Engine } from '../../support/http/open-fixture.ts';
import { flood, type FloodedSend } from '../../support/mail/flood.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

/** A mail server that takes 250 ms for an email, over five connections: 20 emails a second. */
const DELAY = 250;
const ATTACK = { perSecond: 40, seconds: rounds(2, 20) };

const scenarios: readonly (readonly [string, (send: number) => string])[] = [
	['256 /64s of one /48', (send) => `2001:db8:1:${(send % 256).toString(16)}::1`],
	[
		'120 clients in 30 /24s, each within its limits',
		(send) => `203.0.${send % 30}.${1 + (Math.floor(send / 30) % 4)}`
	]
];
const engines: readonly Engine[] = rounds(1, 2) === 1 ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

/** The code in the newest email to an address. */
const codeTo = async (sink: SmtpSink, email: string): Promise<string> => {
	const mail = present(sink.mails.findLast(({ recipients }) => recipients.includes(email)));
	const { text = '' } = await PostalMime.parse(mail.raw);
	return present(/^\d{6}$/m.exec(text))[0];
};

/** The number of these email addresses with a counted send. */
const countSends = async (database: Database, emails: readonly string[]): Promise<number> => {
	const rows = await database.rows('select email, sent_at_1 from auth_throttle');
	const counted = rows.filter((row) => row['sent_at_1'] !== null).map(({ email }) => email);
	return emails.filter((email) => counted.includes(email)).length;
};

const slowest = (sends: readonly FloodedSend[]): string => {
	const statuses = JSON.stringify(tally(sends.map(({ status }) => status)));
	return `${statuses}, slowest ${Math.max(...sends.map(({ took }) => took)).toFixed(0)} ms`;
};

describe.each(engines)('R04: a flood of sends before a slow mail server, on %s', (engine) => {
	let sink: SmtpSink;
	let server: BuiltServer;
	let database: Database;
	let created: string | undefined;
	let floods = 0;
	beforeAll(async () => {
		if (engine === 'PostgreSQL') created = await createDatabase(inject('postgresUrl'));
		sink = await startSmtpSink({ delay: DELAY });
		const env = {
			EMAIL_API_KEY: 'none',
			EMAIL_HOST: '127.0.0.1',
			EMAIL_PORT: String(sink.port),
			EMAIL_ALLOW_PLAIN: '1',
			EMAIL_FROM: 'no-reply@postern.test'
		};
		server = await startBuiltServer({
			env,
			...(created !== undefined && { databaseUrl: created })
		});
		database = openDatabase(server.databaseUrl);
	});
	beforeEach(() => sink.forget());
	afterAll(async () => {
		await database.close();
		await server.stop();
		await sink.stop();
		if (created !== undefined) await dropDatabase(inject('postgresUrl'), created);
	});

	test.each(scenarios)(
		'from %s: other clients get their codes in time, and the server never sends or counts a refused email',
		async (_, client) => {
			const name = `flood-${(floods += 1)}`;
			const attack = flood(server, { ...ATTACK, burst: 120, client, name });
			const honest = await flood(server, {
				burst: 0,
				perSecond: 4,
				seconds: ATTACK.seconds,
				client: (send) => `198.51.${send % 256}.${floods}`,
				name: `honest-${floods}`
			});
			const attackers = await attack;
			const by = (sends: readonly FloodedSend[], status: number): readonly string[] =>
				sends.filter((send) => send.status === status).map(({ email }) => email);

			const inTime = honest.filter(({ status, took }) => status === 200 && took < 3_000);
			expect(inTime.length, slowest(honest)).toBeGreaterThanOrEqual(honest.length * 0.95);
			// The flood filled the queue; otherwise this test would prove nothing.
			const refused = [...by(attackers, 503), ...by(honest, 503)];
			expect(refused.length).toBeGreaterThan(10);
			for (const { status, retryAfter, took } of [...attackers, ...honest]) {
				expect([200, 429, 503]).toContain(status);
				if (status === 503) expect(retryAfter).toBe('10');
				expect(took).toBeLessThan(10_000);
			}

			// The other flood created accounts, which now get a welcome email.
			const ofThisFlood = (email: string): boolean => email.includes(`-${floods}-`);
			const arrived = sink.mails.flatMap(({ recipients }) => recipients).filter(ofThisFlood);
			expect(arrived.filter((email) => refused.includes(email))).toEqual([]);
			expect(await countSends(database, refused)).toBe(0);
			const answered = [...by(attackers, 200), ...by(honest, 200)];
			expect(arrived.toSorted()).toEqual(answered.toSorted());
			const tried = [...by(honest, 200), ...answered.slice(0, rounds(10, answered.length))];
			const verified = await inBatches([...new Set(tried)], 10, async (email) =>
				verifyCode(server, email, await codeTo(sink, email))
			);
			expect(tally(verified.map(({ status }) => status))).toEqual({ 200: verified.length });
			expect(server.output()).toContain('"event":"mail_busy"');
			expect(server.output()).not.toMatch(/"event":"mail_busy"[^\n]*@/);
		}
	);
});
