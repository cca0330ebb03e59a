import { parseArgs } from 'node:util';
import { OperatorError, printError } from '#lib/operator-messages.ts';
import { withApp } from './lib/with-app.ts';

// Replaces a payment webhook: records a purchase and prints the URL of the page to claim it.

const { values } = parseArgs({
	options: { email: { type: 'string' }, product: { type: 'string', default: 'Example product' } }
});
const { email, product } = values;
if (email === undefined) {
	printError('name the buyer: npm run seed:purchase -- --email ada@example.com');
	process.exitCode = 1;
} else {
	await withApp(async (app, say) => {
		const recorded = await app.recordPurchase({ email, product });
		if (!recorded.ok) throw new OperatorError(`"${email}" is not an email address`);
		const { reference } = recorded.value;
		say(`bought by ${recorded.value.email}: ${product}`);
		say(`${app.config.origin}/checkout/success?reference=${reference}`);
	});
}
