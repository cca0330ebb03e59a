import { parseArgs } from 'node:util';
import { OperatorError } from '#lib/operator-messages.ts';
import { calling } from './lib/printable.ts';
import { runCli } from './lib/run-cli.ts';
import { withApp } from './lib/with-app.ts';

// Replaces a payment webhook: records a purchase and prints the URL of the page to claim it.
// Exit codes: 0 recorded, 1 not recorded, 2 a wrong command.

await runCli(async () => {
	const { values } = parseArgs({
		options: { email: { type: 'string' }, product: { type: 'string', default: 'Example product' } }
	});
	const { email, product } = values;
	if (email === undefined) {
		throw new OperatorError(`name the buyer: ${calling('seed-purchase')} --email ada@example.com`);
	}
	await withApp(async (app, say) => {
		const recorded = await app.recordPurchase({ email, product });
		if (!recorded.ok) throw new OperatorError(`"${email}" is not an email address`);
		const { reference } = recorded.value;
		say(`bought by ${recorded.value.email}: ${product}`);
		say(`${app.config.origin}/checkout/success?reference=${reference}`);
	});
}, 2);
