export const hooks = `import { paidPlans } from '#lib/adapters/billing/paid-plans.ts';

app = await compose(config.value, {
	subscriptions: paidPlans(process.env['BILLING_KEY'] ?? '')
});
`;

export const subscriptions = `import type { Subscriptions } from '#lib/domain/index.ts';

export const paidPlans = (key: string): Subscriptions => ({
	of: async (userId) => {
		const response = await fetch(\`https://billing.example.org/customers/\${userId}\`, {
			headers: { Authorization: \`Bearer \${key}\` },
			signal: AbortSignal.timeout(2000)
		});
		if (response.status === 404) return { status: 'none' };
		if (!response.ok) return { status: 'unknown' };
		const { plan, renewsAt } = await response.json();
		return { status: 'active', plan, renewsAt: new Date(renewsAt) };
	}
});
`;

export const begin = `const { app } = event.locals;
const reference = app.beginPurchase();
const success = \`\${app.config.origin}/checkout/success?reference=\${reference}\`;
// Start the provider's checkout with this success URL, and with the reference as metadata.
`;

export const webhook = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { parsePurchaseReference } from '#lib/domain/index.ts';
import type { RequestHandler } from './$types';

const isGenuine = (text: string, signature: string): boolean => {
	const expected = createHmac('sha256', process.env['WEBHOOK_SECRET'] ?? '').update(text).digest();
	const given = Buffer.from(signature, 'hex');
	return given.length === expected.length && timingSafeEqual(given, expected);
};

export const POST: RequestHandler = async ({ request, locals }) => {
	const text = await request.text();
	if (!isGenuine(text, request.headers.get('x-signature') ?? '')) {
		return new Response(null, { status: 401 });
	}
	const { email, product, metadata } = JSON.parse(text);
	const reference = parsePurchaseReference(String(metadata.reference));
	if (reference === null) return new Response(null, { status: 422 });
	const recorded = await locals.app.recordPurchase({ email, product, reference });
	return new Response(null, { status: recorded.ok ? 204 : 422 });
};
`;

export const mailer = `import type { Mailer } from '#lib/domain/index.ts';

/** The request never arrived, so the email was certainly not sent. */
const neverArrived = (error: unknown): boolean =>
	error instanceof TypeError &&
	error.cause instanceof Error &&
	'code' in error.cause &&
	['ECONNREFUSED', 'ENOTFOUND'].includes(String(error.cause.code));

export const templateMailer = (key: string): Mailer => ({
	send: async (mail) => {
		try {
			const response = await fetch('https://mail.example.org/send', {
				method: 'POST',
				headers: { Authorization: \`Bearer \${key}\`, 'Content-Type': 'application/json' },
				body: JSON.stringify({ template: mail.kind, to: mail.to, values: mail }),
				signal: AbortSignal.timeout(9000)
			});
			if (response.ok) return 'sent';
			// The provider's server failed, but may have sent the email.
			return response.status < 500 ? 'refused' : 'unknown';
		} catch (error) {
			return neverArrived(error) ? 'refused' : 'unknown';
		}
	}
});
`;

export const notices = `import type { ChangeNotices } from '#lib/domain/index.ts';

export const supportDesk = (post: (text: string) => Promise<void>): ChangeNotices => ({
	stages: ['completed'],
	send: async ({ to, newEmail, at }) => {
		await post(\`\${to} is now \${newEmail}, since \${at.toISOString()}\`);
		return 'sent';
	}
});
`;
