import { complain } from '#lib/say.ts';
import { parseEmailId, type EmailId } from '#lib/domain/ids.ts';
import { withApp } from './with-app.ts';

// Lists the emails that were given up, or sends them again: npm run mail -- failed | retry [id …]

const [command = '', ...given] = process.argv.slice(2);
const ids = given.map(parseEmailId).filter((id): id is EmailId => id !== null);
if (command === 'failed') {
	await withApp(async (app, say) => {
		const failed = await app.listFailedEmails();
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
		const count = await app.retryEmails(given.length === 0 ? null : ids);
		say(`due again: ${count}`);
		// Sends what is due before the program ends, so that it works without a running server.
		if (count > 0) app.startOutbox();
	});
} else {
	complain('say what to do: npm run mail -- failed | retry [id …]');
	process.exitCode = 1;
}
