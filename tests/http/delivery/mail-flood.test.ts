import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { inBatches, rounds, tally, verifyCode } from '../../support/http/client.ts';
import { openDatabase, type Database } from '../../support/http/database.ts';
import { ENGINES_OF_FORM } from '../../support/http/fixtures.ts';
import { flood } from '../../support/mail/flood.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { codeMailedTo } from '../../support/mail/mailed.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

/** The time that the mail server takes for an email, in milliseconds: five emails a second. */
const DELAY = 1000;

// That the emails of other clients do not wait for a flood is tested in moved time (fair-queue.test.ts)
// and measured (`npm run measure`).
describe.each(ENGINES_OF_FORM)(
	'R04: a flood of sends before a slow mail server, on %s',
	(engine) => {
		let sink: SmtpSink;
		let server: BuiltServer;
		let database: Database;
		let created: string | undefined;
		beforeAll(async () => {
			if (engine === 'PostgreSQL') created = await createDatabase(inject('postgresUrl'));
			sink = await startSmtpSink({ delay: DELAY });
			server = await startBuiltServer({
				env: mailingThrough(sink.port),
				...(created !== undefined && { databaseUrl: created })
			});
			database = openDatabase(server.databaseUrl);
		});
		afterAll(async () => {
			await database.close();
			await server.stop();
			await sink.stop();
			if (created !== undefined) await dropDatabase(inject('postgresUrl'), created);
		});

		test('the server never sends or counts a refused email, and every code that arrives works', async () => {
			const sends = await flood(server, {
				burst: 120,
				perSecond: 40,
				seconds: rounds(2, 20),
				client: (send) => `203.0.${send % 30}.${1 + (Math.floor(send / 30) % 4)}`,
				name: 'flood'
			});
			const by = (wanted: number): readonly string[] =>
				sends.filter(({ status }) => status === wanted).map(({ email }) => email);
			const [sent, refused] = [by(200), by(503)];
			expect(sent.length + refused.length).toBe(sends.length);
			// The flood filled the queue; otherwise this test would prove nothing.
			expect(refused.length).toBeGreaterThan(10);
			for (const { status, retryAfter } of sends) {
				expect(retryAfter).toBe(status === 503 ? '10' : undefined);
			}

			const arrived = sink.mails.flatMap(({ recipients }) => recipients);
			expect(arrived.toSorted()).toEqual(sent.toSorted());
			const rows = await database.rows(
				'select email from auth_throttle where sent_at_1 is not null'
			);
			expect(rows.map(({ email }) => email).toSorted()).toEqual(sent.toSorted());
			const verified = await inBatches(sent, 10, async (email) =>
				verifyCode(server, email, await codeMailedTo(sink, email))
			);
			expect(tally(verified.map(({ status }) => status))).toEqual({ 200: sent.length });
			expect(server.output()).toContain('"event":"mail_busy"');
			expect(server.output()).not.toMatch(/"event":"mail_busy"[^\n]*@/);
		});
	}
);
