import { printError } from '#lib/operator-messages.ts';
import { parseMailId, type MailId } from '#lib/domain/ids.ts';
import { calling } from './lib/printable.ts';
import { withApp } from './lib/with-app.ts';

// Lists the emails that were given up, or sends them again: npm run mail -- failed | retry [id …]

const [command = '', ...given] = process.argv.slice(2);
const ids = given.map(parseMailId).filter((id): id is MailId => id !== null);
if (command === 'failed') {
	await withApp(async (app, say) => {
		const failed = await app.listFailedMails();
		for (const { id, kind, to, failedAt, attempts, failure } of failed) {
			const mailbox = to ?? '(content wiped)';
			say(
				`${id} ${kind} for ${mailbox}: ${failure}, ${failedAt.toISOString()}, ${attempts} attempts`
			);
		}
		say(failed.length === 0 ? 'no email was given up' : `given up: ${failed.length}`);
	});
} else if (command === 'retry' && ids.length === given.length) {
	await withApp(async (app, say) => {
		const count = await app.retryMails(given.length === 0 ? null : ids);
		say(`due again: ${count}`);
		// Sends what is due before the program ends, so that it works without a running server.
		if (count > 0) app.startWorkers();
	});
} else {
	printError(`say what to do: ${calling('mail')} failed | retry [id …]`);
	process.exitCode = 1;
}
